libsqfskit_a_SOURCES += \
	include/tree/tree.h 
