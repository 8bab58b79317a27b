libsqfskit_a_SOURCES += \
	include/flow/block.h include/flow/flow.h 
