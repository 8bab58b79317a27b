libsqfskit_a_SOURCES += \
	include/unpack/unpack.h \
	lib/unpack/cache.c lib/unpack/internal.h \
	lib/unpack/source.c \
	lib/unpack/unpacker.c \
	lib/unpack/walk.c
