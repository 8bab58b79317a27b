libsqfskit_a_SOURCES += \
	include/entry/entry.h include/entry/path.h include/entry/sink.h \
	include/entry/source.h \
	lib/entry/entry.c lib/entry/path.c
