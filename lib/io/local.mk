libsqfskit_a_SOURCES += \
	include/io/fd.h lib/io/fd.c \
	include/io/output.h lib/io/output.c \
	include/io/reader.h lib/io/reader.c \
	include/io/stream.h lib/io/stream.c
