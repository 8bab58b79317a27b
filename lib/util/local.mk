libsqfskit_a_SOURCES += \
	include/util/arena.h lib/util/arena.c \
	include/util/array.h lib/util/array.c \
	include/util/err.h lib/util/err.c \
	include/util/hash.h lib/util/hash.c \
	include/util/num.h \
	include/util/parse.h lib/util/parse.c \
	include/util/warn.h lib/util/warn.c
