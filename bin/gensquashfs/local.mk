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
