# This tool's sources and tests.
bin_PROGRAMS += rdsquashfs
rdsquashfs_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/bin
rdsquashfs_SOURCES = \
	bin/rdsquashfs/cat.c \
	bin/rdsquashfs/check.c \
	bin/rdsquashfs/describe.c \
	bin/rdsquashfs/digests.c \
	bin/rdsquashfs/digests.h \
	bin/rdsquashfs/du.c \
	bin/rdsquashfs/du.h \
	bin/rdsquashfs/du_print.c \
	bin/rdsquashfs/help.c \
	bin/rdsquashfs/help.h \
	bin/rdsquashfs/list.c \
	bin/rdsquashfs/main.c \
	bin/rdsquashfs/manifest.c \
	bin/rdsquashfs/node.c \
	bin/rdsquashfs/node.h \
	bin/rdsquashfs/options.c \
	bin/rdsquashfs/options.h \
	bin/rdsquashfs/paths.c \
	bin/rdsquashfs/paths.h \
	bin/rdsquashfs/stat.c \
	bin/rdsquashfs/stat_json.c \
	bin/rdsquashfs/stat_json.h \
	bin/rdsquashfs/tally.c \
	bin/rdsquashfs/tally.h \
	bin/rdsquashfs/unpack.c \
	bin/rdsquashfs/verbose.c \
	bin/rdsquashfs/verbose.h \
	bin/rdsquashfs/view.c \
	bin/rdsquashfs/view.h \
	bin/rdsquashfs/walk.c \
	bin/rdsquashfs/xattr.c
rdsquashfs_LDADD = $(tools_libs)
rdsquashfs_LDFLAGS = $(tool_ldflags)

unit_tests += tests/unit/bin/sha256
check_PROGRAMS += tests/unit/bin/sha256
tests_unit_bin_sha256_CPPFLAGS = $(bin_test_cppflags)
tests_unit_bin_sha256_SOURCES = tests/unit/bin/sha256.c
tests_unit_bin_sha256_LDADD = $(tools_libs)

unit_tests += tests/unit/bin/rdsquashfs_options
check_PROGRAMS += tests/unit/bin/rdsquashfs_options
tests_unit_bin_rdsquashfs_options_CPPFLAGS = $(bin_test_cppflags)
tests_unit_bin_rdsquashfs_options_SOURCES = \
	tests/unit/bin/rdsquashfs_options.c tests/unit/bin/man_page.h tests/unit/bin/parse.h \
	bin/rdsquashfs/options.c bin/rdsquashfs/options.h
tests_unit_bin_rdsquashfs_options_LDADD = $(tools_libs)

EXTRA_DIST += tests/described.py tests/tool/rdsquashfs/lib.sh
tool_tests += \
	tests/tool/rdsquashfs/cat.sh \
	tests/tool/rdsquashfs/check.sh \
	tests/tool/rdsquashfs/describe.sh \
	tests/tool/rdsquashfs/du.sh \
	tests/tool/rdsquashfs/existing.sh \
	tests/tool/rdsquashfs/glob.sh \
	tests/tool/rdsquashfs/help.sh \
	tests/tool/rdsquashfs/image.sh \
	tests/tool/rdsquashfs/list.sh \
	tests/tool/rdsquashfs/manifest.sh \
	tests/tool/rdsquashfs/restore.sh \
	tests/tool/rdsquashfs/stat.sh \
	tests/tool/rdsquashfs/stats.sh \
	tests/tool/rdsquashfs/unpack.sh \
	tests/tool/rdsquashfs/xattr.sh
