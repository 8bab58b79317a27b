EXTRA_DIST += tests/check.h
