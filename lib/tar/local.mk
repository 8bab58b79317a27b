libsqfskit_a_SOURCES += \
	include/tar/*.h 
