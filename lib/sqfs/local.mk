libsqfskit_a_SOURCES += \
	include/sqfs/dir.h lib/sqfs/dir.c \
	include/sqfs/inode.h lib/sqfs/inode.c \
	include/sqfs/meta.h lib/sqfs/meta.c \
	include/sqfs/super.h lib/sqfs/super.c \
	include/sqfs/xattr.h lib/sqfs/xattr.c
