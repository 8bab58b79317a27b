libsqfskit_a_SOURCES += \
	include/tar/sink.h include/tar/tar.h \
	lib/tar/acl.c lib/tar/acl.h \
	lib/tar/attr.c lib/tar/attr.h \
	lib/tar/content.c \
	lib/tar/header.c lib/tar/header.h \
	lib/tar/member.c \
	lib/tar/number.c lib/tar/number.h \
	lib/tar/pax.c lib/tar/pax.h \
	lib/tar/place.c lib/tar/place.h \
	lib/tar/scan.c \
	lib/tar/sink.c lib/tar/sink_state.h \
	lib/tar/sink_entry.c \
	lib/tar/sink_head.c lib/tar/sink_head.h \
	lib/tar/sink_map.c lib/tar/sink_map.h \
	lib/tar/sink_pax.c lib/tar/sink_pax.h \
	lib/tar/source.c \
	lib/tar/sparse.c lib/tar/sparse.h \
	lib/tar/state.h

unit_tests += tests/unit/tar/attr
check_PROGRAMS += tests/unit/tar/attr
tests_unit_tar_attr_SOURCES = tests/unit/tar/attr.c tests/unit/tar/writer.h
tests_unit_tar_attr_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/tar/ends
check_PROGRAMS += tests/unit/tar/ends
tests_unit_tar_ends_SOURCES = tests/unit/tar/ends.c tests/unit/tar/writer.h
tests_unit_tar_ends_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/tar/header
check_PROGRAMS += tests/unit/tar/header
tests_unit_tar_header_SOURCES = tests/unit/tar/header.c tests/unit/tar/writer.h
tests_unit_tar_header_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/tar/pax
check_PROGRAMS += tests/unit/tar/pax
tests_unit_tar_pax_SOURCES = tests/unit/tar/pax.c tests/unit/tar/writer.h
tests_unit_tar_pax_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/tar/reports
check_PROGRAMS += tests/unit/tar/reports
tests_unit_tar_reports_SOURCES = tests/unit/tar/reports.c tests/unit/tar/writer.h
tests_unit_tar_reports_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/tar/sparse
check_PROGRAMS += tests/unit/tar/sparse
tests_unit_tar_sparse_SOURCES = tests/unit/tar/sparse.c tests/unit/tar/writer.h
tests_unit_tar_sparse_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/tar/sink
check_PROGRAMS += tests/unit/tar/sink
tests_unit_tar_sink_SOURCES = tests/unit/tar/sink.c
tests_unit_tar_sink_LDADD = $(sqfskit_libs)
