bin_PROGRAMS += sqfs2tar
sqfs2tar_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/bin
sqfs2tar_SOURCES = \
	bin/sqfs2tar/help.c \
	bin/sqfs2tar/help.h \
	bin/sqfs2tar/main.c \
	bin/sqfs2tar/options.c \
	bin/sqfs2tar/options.h \
	bin/sqfs2tar/starts.c \
	bin/sqfs2tar/starts.h \
	bin/sqfs2tar/write.c \
	bin/sqfs2tar/write.h
sqfs2tar_LDADD = $(tools_libs)
sqfs2tar_LDFLAGS = $(tool_ldflags)

unit_tests += tests/unit/bin/sqfs2tar_options
check_PROGRAMS += tests/unit/bin/sqfs2tar_options
tests_unit_bin_sqfs2tar_options_CPPFLAGS = $(AM_CPPFLAGS) \
	-I$(top_srcdir)/bin -I$(top_srcdir)/tests
tests_unit_bin_sqfs2tar_options_SOURCES = \
	tests/unit/bin/sqfs2tar_options.c tests/unit/bin/man_page.h tests/unit/bin/parse.h \
	bin/sqfs2tar/options.c bin/sqfs2tar/options.h
tests_unit_bin_sqfs2tar_options_LDADD = $(tools_libs)

tool_tests += \
	tests/tool/sqfs2tar/compress.sh \
	tests/tool/sqfs2tar/damaged.sh \
	tests/tool/sqfs2tar/fixpoint.sh \
	tests/tool/sqfs2tar/help.sh \
	tests/tool/sqfs2tar/input.sh \
	tests/tool/sqfs2tar/jobs.sh \
	tests/tool/sqfs2tar/links.sh \
	tests/tool/sqfs2tar/memory.sh \
	tests/tool/sqfs2tar/options.sh \
	tests/tool/sqfs2tar/output.sh \
	tests/tool/sqfs2tar/select.sh \
	tests/tool/sqfs2tar/sparse.sh \
	tests/tool/sqfs2tar/stats.sh \
	tests/tool/sqfs2tar/subdir.sh \
	tests/tool/sqfs2tar/tree.sh
EXTRA_DIST += tests/tool/sqfs2tar/lib.sh
