libsqfskit_a_SOURCES += \
	include/tar/tar.h \
	lib/tar/acl.c lib/tar/acl.h \
	lib/tar/attr.c lib/tar/attr.h \
	lib/tar/content.c \
	lib/tar/header.c lib/tar/header.h \
	lib/tar/member.c \
	lib/tar/number.c lib/tar/number.h \
	lib/tar/pax.c lib/tar/pax.h \
	lib/tar/place.c lib/tar/place.h \
	lib/tar/scan.c \
	lib/tar/source.c \
	lib/tar/sparse.c lib/tar/sparse.h \
	lib/tar/state.h
