bin_PROGRAMS += gensquashfs
gensquashfs_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/bin
gensquashfs_SOURCES = \
	bin/gensquashfs/help.c \
	bin/gensquashfs/help.h \
	bin/gensquashfs/inputs.c \
	bin/gensquashfs/inputs.h \
	bin/gensquashfs/main.c \
	bin/gensquashfs/options.c \
	bin/gensquashfs/options.h \
	bin/gensquashfs/pack.c \
	bin/gensquashfs/pack.h
gensquashfs_LDADD = $(tools_libs)
gensquashfs_LDFLAGS = $(tool_ldflags)

tool_tests += \
	tests/tool/gensquashfs/describe.sh \
	tests/tool/gensquashfs/faults.sh \
	tests/tool/gensquashfs/help.sh \
	tests/tool/gensquashfs/list.sh \
	tests/tool/gensquashfs/options.sh \
	tests/tool/gensquashfs/paths.sh \
	tests/tool/gensquashfs/stats.sh \
	tests/tool/gensquashfs/tree.sh
EXTRA_DIST += tests/tool/gensquashfs/lib.sh
