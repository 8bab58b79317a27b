libsqfskit_a_SOURCES += \
	include/pack/pack.h 
