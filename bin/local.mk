# What the tools share, and the tools. GPL-2.0-or-later.
noinst_LIBRARIES += libtools.a
libtools_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/bin
libtools_a_CFLAGS = $(AM_CFLAGS) $(LZO_CFLAGS)
libtools_a_SOURCES = \
	bin/common/cleanup.c \
	bin/common/cleanup.h \
	bin/common/codecs.c \
	bin/common/codecs.h \
	bin/common/costs.c \
	bin/common/costs.h \
	bin/common/epoch.c \
	bin/common/epoch.h \
	bin/common/help.c \
	bin/common/help.h \
	bin/common/image.c \
	bin/common/image.h \
	bin/common/image_rows.h \
	bin/common/json.c \
	bin/common/json.h \
	bin/common/machine.c \
	bin/common/machine.h \
	bin/common/message.c \
	bin/common/message.h \
	bin/common/open.c \
	bin/common/open.h \
	bin/common/opt.c \
	bin/common/opt.h \
	bin/common/pack_run.c \
	bin/common/pack_run.h \
	bin/common/picks.c \
	bin/common/picks.h \
	bin/common/plan.c \
	bin/common/plan.h \
	bin/common/progress.c \
	bin/common/progress.h \
	bin/common/quote.c \
	bin/common/quote.h \
	bin/common/rules.c \
	bin/common/rules.h \
	bin/common/sha256.c \
	bin/common/sha256.h \
	bin/common/size_text.c \
	bin/common/size_text.h \
	bin/common/standard.c \
	bin/common/standard.h \
	bin/common/stats.c \
	bin/common/stats.h
if WITH_LZO
libtools_a_SOURCES += \
	bin/common/codec_lzo.c \
	bin/common/codec_lzo.h
endif
tools_libs = libtools.a $(sqfskit_libs) $(LZO_LIBS)

bin_PROGRAMS += tar2sqfs
tar2sqfs_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/bin
tar2sqfs_SOURCES = \
	bin/tar2sqfs/archives.c \
	bin/tar2sqfs/archives.h \
	bin/tar2sqfs/help.c \
	bin/tar2sqfs/help.h \
	bin/tar2sqfs/input.c \
	bin/tar2sqfs/input.h \
	bin/tar2sqfs/main.c \
	bin/tar2sqfs/options.c \
	bin/tar2sqfs/options.h \
	bin/tar2sqfs/pack.c \
	bin/tar2sqfs/pack.h
tar2sqfs_LDADD = $(tools_libs)
tar2sqfs_LDFLAGS = $(tool_ldflags)

include $(top_srcdir)/bin/gensquashfs/local.mk
include $(top_srcdir)/bin/sqfs2tar/local.mk
include $(top_srcdir)/bin/rdsquashfs/local.mk
include $(top_srcdir)/bin/sqfsdiff/local.mk

# Tests of what the tools share, and of the command line.
bin_test_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/bin -I$(top_srcdir)/tests

unit_tests += tests/unit/bin/machine
check_PROGRAMS += tests/unit/bin/machine
tests_unit_bin_machine_CPPFLAGS = $(bin_test_cppflags)
tests_unit_bin_machine_SOURCES = tests/unit/bin/machine.c
tests_unit_bin_machine_LDADD = $(tools_libs)

unit_tests += tests/unit/bin/opt
check_PROGRAMS += tests/unit/bin/opt
tests_unit_bin_opt_CPPFLAGS = $(bin_test_cppflags)
tests_unit_bin_opt_SOURCES = tests/unit/bin/opt.c
tests_unit_bin_opt_LDADD = $(tools_libs)

unit_tests += tests/unit/bin/options
check_PROGRAMS += tests/unit/bin/options
tests_unit_bin_options_CPPFLAGS = $(bin_test_cppflags)
tests_unit_bin_options_SOURCES = tests/unit/bin/options.c \
	tests/unit/bin/man_page.h tests/unit/bin/parse.h bin/tar2sqfs/options.c \
	bin/tar2sqfs/options.h
tests_unit_bin_options_LDADD = $(tools_libs)

unit_tests += tests/unit/bin/gensquashfs_options
check_PROGRAMS += tests/unit/bin/gensquashfs_options
tests_unit_bin_gensquashfs_options_CPPFLAGS = $(bin_test_cppflags)
tests_unit_bin_gensquashfs_options_SOURCES = \
	tests/unit/bin/gensquashfs_options.c tests/unit/bin/man_page.h tests/unit/bin/parse.h \
	bin/gensquashfs/options.c bin/gensquashfs/options.h
tests_unit_bin_gensquashfs_options_LDADD = $(tools_libs)

unit_tests += tests/unit/bin/plan
check_PROGRAMS += tests/unit/bin/plan
tests_unit_bin_plan_CPPFLAGS = $(bin_test_cppflags)
tests_unit_bin_plan_SOURCES = tests/unit/bin/plan.c
tests_unit_bin_plan_LDADD = $(tools_libs)

unit_tests += tests/unit/bin/text
check_PROGRAMS += tests/unit/bin/text
tests_unit_bin_text_CPPFLAGS = $(bin_test_cppflags)
tests_unit_bin_text_SOURCES = tests/unit/bin/text.c
tests_unit_bin_text_LDADD = $(tools_libs)
