libsqfskit_a_SOURCES += \
	include/sqfs/dir.h include/sqfs/inode.h include/sqfs/meta.h include/sqfs/super.h include/sqfs/xattr.h 
