libsqfskit_a_SOURCES += \
	include/unpack/unpack.h
