libsqfskit_a_SOURCES += \
	include/pool/pool.h 
