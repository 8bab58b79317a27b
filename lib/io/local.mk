libsqfskit_a_SOURCES += \
	include/io/fd.h include/io/reader.h include/io/stream.h 
