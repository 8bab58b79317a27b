libsqfskit_a_SOURCES += \
	include/codec/codec.h 
