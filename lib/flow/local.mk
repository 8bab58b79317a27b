libsqfskit_a_SOURCES += \
	include/flow/block.h include/flow/flow.h \
	lib/flow/cut.c lib/flow/flow.c lib/flow/free.c lib/flow/internal.h \
	lib/flow/read.c
