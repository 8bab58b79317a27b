libsqfskit_a_SOURCES += include/pool/pool.h lib/pool/pool.c

unit_tests += tests/unit/pool/pool
check_PROGRAMS += tests/unit/pool/pool
tests_unit_pool_pool_SOURCES = tests/unit/pool/pool.c
tests_unit_pool_pool_LDADD = $(sqfskit_libs)
