libsqfskit_a_SOURCES += \
	include/check/check.h
