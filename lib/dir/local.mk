libsqfskit_a_SOURCES += \
	include/dir/dir.h
