# This tool's sources and tests.
bin_PROGRAMS += sqfsdiff
sqfsdiff_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/bin
sqfsdiff_SOURCES = \
	bin/sqfsdiff/compare.c \
	bin/sqfsdiff/compare.h \
	bin/sqfsdiff/extract.c \
	bin/sqfsdiff/extract.h \
	bin/sqfsdiff/help.c \
	bin/sqfsdiff/help.h \
	bin/sqfsdiff/input.c \
	bin/sqfsdiff/input.h \
	bin/sqfsdiff/main.c \
	bin/sqfsdiff/options.c \
	bin/sqfsdiff/options.h \
	bin/sqfsdiff/report.c \
	bin/sqfsdiff/report.h \
	bin/sqfsdiff/report_json.c \
	bin/sqfsdiff/report_text.c \
	bin/sqfsdiff/super.c
sqfsdiff_LDADD = $(tools_libs)
sqfsdiff_LDFLAGS = $(tool_ldflags)

tool_tests += \
	tests/tool/sqfsdiff/damaged.sh \
	tests/tool/sqfsdiff/extract.sh \
	tests/tool/sqfsdiff/help.sh \
	tests/tool/sqfsdiff/inputs.sh \
	tests/tool/sqfsdiff/memory.sh \
	tests/tool/sqfsdiff/output.sh \
	tests/tool/sqfsdiff/proof.sh \
	tests/tool/sqfsdiff/select.sh \
	tests/tool/sqfsdiff/stats.sh \
	tests/tool/sqfsdiff/what.sh
EXTRA_DIST += doc/diff.md tests/tool/sqfsdiff/lib.sh
dist_man1_MANS += doc/sqfsdiff.1

unit_tests += tests/unit/bin/sqfsdiff_options
check_PROGRAMS += tests/unit/bin/sqfsdiff_options
tests_unit_bin_sqfsdiff_options_CPPFLAGS = $(AM_CPPFLAGS) \
	-I$(top_srcdir)/bin -I$(top_srcdir)/tests
tests_unit_bin_sqfsdiff_options_SOURCES = \
	tests/unit/bin/sqfsdiff_options.c tests/unit/bin/man_page.h tests/unit/bin/parse.h \
	bin/sqfsdiff/options.c bin/sqfsdiff/options.h
tests_unit_bin_sqfsdiff_options_LDADD = $(tools_libs)
