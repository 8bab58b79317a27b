libsqfskit_a_SOURCES += \
	include/sqfs/dir.h lib/sqfs/dir.c \
	include/sqfs/image.h lib/sqfs/image.c lib/sqfs/image_state.h \
	lib/sqfs/dir_read.c \
	lib/sqfs/inode_decode.c \
	lib/sqfs/lookup.c \
	lib/sqfs/meta_read.c \
	lib/sqfs/xattr_read.c \
	include/sqfs/inode.h lib/sqfs/inode.c \
	include/sqfs/meta.h lib/sqfs/meta.c \
	include/sqfs/super.h lib/sqfs/super.c \
	include/sqfs/xattr.h lib/sqfs/xattr.c

unit_tests += tests/unit/sqfs/dir
check_PROGRAMS += tests/unit/sqfs/dir
tests_unit_sqfs_dir_SOURCES = tests/unit/sqfs/dir.c tests/unit/sqfs/decode.h
tests_unit_sqfs_dir_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/sqfs/image
check_PROGRAMS += tests/unit/sqfs/image
tests_unit_sqfs_image_SOURCES = tests/unit/sqfs/image.c
tests_unit_sqfs_image_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/sqfs/inode
check_PROGRAMS += tests/unit/sqfs/inode
tests_unit_sqfs_inode_SOURCES = tests/unit/sqfs/inode.c
tests_unit_sqfs_inode_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/sqfs/meta
check_PROGRAMS += tests/unit/sqfs/meta
tests_unit_sqfs_meta_SOURCES = tests/unit/sqfs/meta.c tests/unit/sqfs/decode.h
tests_unit_sqfs_meta_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/sqfs/super
check_PROGRAMS += tests/unit/sqfs/super
tests_unit_sqfs_super_SOURCES = tests/unit/sqfs/super.c tests/unit/sqfs/decode.h
tests_unit_sqfs_super_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/sqfs/xattr
check_PROGRAMS += tests/unit/sqfs/xattr
tests_unit_sqfs_xattr_SOURCES = tests/unit/sqfs/xattr.c tests/unit/sqfs/decode.h
tests_unit_sqfs_xattr_LDADD = $(sqfskit_libs)
