# This tool's sources and tests.
bin_PROGRAMS += sqfsdiff
sqfsdiff_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/bin
sqfsdiff_SOURCES = \
	bin/rdsquashfs/json.c \
	bin/rdsquashfs/json.h \
	bin/rdsquashfs/quote.c \
	bin/rdsquashfs/quote.h \
	bin/sqfs2tar/picks.c \
	bin/sqfs2tar/picks.h \
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
