libsqfskit_a_SOURCES += include/pool/pool.h lib/pool/pool.c
