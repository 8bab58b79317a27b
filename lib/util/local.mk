libsqfskit_a_SOURCES += \
	include/util/account.h lib/util/account.c \
	include/util/arena.h lib/util/arena.c \
	include/util/array.h lib/util/array.c \
	include/util/digest.h lib/util/digest.c \
	include/util/err.h lib/util/err.c \
	include/util/hash.h lib/util/hash.c lib/util/sip.h \
	include/util/huge.h lib/util/huge.c \
	include/util/num.h \
	include/util/parse.h lib/util/parse.c \
	include/util/warn.h lib/util/warn.c

# The tools count what they allocate; tests that make memory run out do not.
if WITH_WRAP
libsqfskit_a_SOURCES += lib/util/account_wrap.c
wrap_ldflags = -Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc \
	-Wl,--wrap=strdup -Wl,--wrap=strndup
endif
tool_ldflags = $(AM_LDFLAGS) $(wrap_ldflags)

unit_tests += tests/unit/util/account
check_PROGRAMS += tests/unit/util/account
tests_unit_util_account_SOURCES = tests/unit/util/account.c
tests_unit_util_account_LDADD = $(sqfskit_libs)
tests_unit_util_account_LDFLAGS = $(tool_ldflags)
unit_tests += tests/unit/util/err
check_PROGRAMS += tests/unit/util/err
tests_unit_util_err_SOURCES = tests/unit/util/err.c
tests_unit_util_err_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/util/num
check_PROGRAMS += tests/unit/util/num
tests_unit_util_num_SOURCES = tests/unit/util/num.c
tests_unit_util_num_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/util/memory
check_PROGRAMS += tests/unit/util/memory
tests_unit_util_memory_SOURCES = tests/unit/util/memory.c
tests_unit_util_memory_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/util/hash
check_PROGRAMS += tests/unit/util/hash
tests_unit_util_hash_SOURCES = tests/unit/util/hash.c
tests_unit_util_hash_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/util/parse
check_PROGRAMS += tests/unit/util/parse
tests_unit_util_parse_SOURCES = tests/unit/util/parse.c
tests_unit_util_parse_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/util/warn
check_PROGRAMS += tests/unit/util/warn
tests_unit_util_warn_SOURCES = tests/unit/util/warn.c
tests_unit_util_warn_LDADD = $(sqfskit_libs)
unit_tests += tests/unit/util/digest
check_PROGRAMS += tests/unit/util/digest
tests_unit_util_digest_SOURCES = tests/unit/util/digest.c
tests_unit_util_digest_LDADD = $(sqfskit_libs)
