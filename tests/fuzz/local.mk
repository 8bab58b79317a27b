# Fuzz targets. make check runs each once over the inputs that are kept in
# tests/data/fuzz/NAME.tar.xz; tests/fuzz/fuzz.sh lets libFuzzer look for more.

fuzz_cppflags = $(AM_CPPFLAGS) -I$(top_srcdir)/bin

check_PROGRAMS += tests/fuzz/codec_decompress
tests_fuzz_codec_decompress_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_codec_decompress_SOURCES = tests/fuzz/codec_decompress.c \
	tests/fuzz/replay.c
tests_fuzz_codec_decompress_LDADD = $(tools_libs)

check_PROGRAMS += tests/fuzz/dir_unpack
tests_fuzz_dir_unpack_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_dir_unpack_SOURCES = tests/fuzz/dir_unpack.c \
	tests/fuzz/image.h tests/fuzz/replay.c
tests_fuzz_dir_unpack_LDADD = $(tools_libs)

check_PROGRAMS += tests/fuzz/entry_contexts
tests_fuzz_entry_contexts_SOURCES = tests/fuzz/entry_contexts.c \
	tests/fuzz/replay.c tests/unit/entry/file.h \
	tests/unit/entry/contexts_model.h
tests_fuzz_entry_contexts_CFLAGS = $(AM_CFLAGS) $(PCRE2_CFLAGS)
tests_fuzz_entry_contexts_LDADD = $(sqfskit_libs)

check_PROGRAMS += tests/fuzz/entry_sort_file
tests_fuzz_entry_sort_file_SOURCES = tests/fuzz/entry_sort_file.c \
	tests/fuzz/replay.c tests/unit/entry/file.h
tests_fuzz_entry_sort_file_LDADD = $(sqfskit_libs)

check_PROGRAMS += tests/fuzz/entry_xattr_file
tests_fuzz_entry_xattr_file_SOURCES = tests/fuzz/entry_xattr_file.c \
	tests/fuzz/replay.c tests/unit/entry/file.h
tests_fuzz_entry_xattr_file_LDADD = $(sqfskit_libs)

check_PROGRAMS += tests/fuzz/io_decompress
tests_fuzz_io_decompress_SOURCES = tests/fuzz/io_decompress.c \
	tests/fuzz/replay.c
tests_fuzz_io_decompress_LDADD = $(sqfskit_libs)

check_PROGRAMS += tests/fuzz/list_source
tests_fuzz_list_source_SOURCES = tests/fuzz/list_source.c tests/fuzz/replay.c
tests_fuzz_list_source_LDADD = $(sqfskit_libs)

check_PROGRAMS += tests/fuzz/tar_records
tests_fuzz_tar_records_SOURCES = tests/fuzz/tar_records.c \
	tests/fuzz/replay.c tests/fuzz/tar.h tests/unit/tar/writer.h
tests_fuzz_tar_records_LDADD = $(sqfskit_libs)

check_PROGRAMS += tests/fuzz/tar_source
tests_fuzz_tar_source_SOURCES = tests/fuzz/tar_source.c tests/fuzz/replay.c \
	tests/fuzz/tar.h tests/unit/tar/writer.h
tests_fuzz_tar_source_LDADD = $(sqfskit_libs)

check_PROGRAMS += tests/fuzz/unpack_image
tests_fuzz_unpack_image_CPPFLAGS = $(fuzz_cppflags)
tests_fuzz_unpack_image_SOURCES = tests/fuzz/unpack_image.c \
	tests/fuzz/image.h tests/fuzz/replay.c
tests_fuzz_unpack_image_LDADD = $(tools_libs)

tool_tests += tests/fuzz/replay.sh
EXTRA_DIST += tests/fuzz/fuzz.sh tests/fuzz/replay.sh \
	tests/data/fuzz/codec_decompress.sh \
	tests/data/fuzz/codec_decompress.tar.xz \
	tests/data/fuzz/dir_unpack.sh tests/data/fuzz/dir_unpack.tar.xz \
	tests/data/fuzz/entry_files.sh tests/data/fuzz/entry_contexts.tar.xz \
	tests/data/fuzz/entry_sort_file.tar.xz \
	tests/data/fuzz/entry_xattr_file.tar.xz \
	tests/data/fuzz/io_decompress.sh \
	tests/data/fuzz/io_decompress.tar.xz \
	tests/data/fuzz/list_source.sh tests/data/fuzz/list_source.tar.xz \
	tests/data/fuzz/tar_source.tar.xz tests/data/fuzz/tar_records.tar.xz \
	tests/data/fuzz/unpack_image.sh tests/data/fuzz/unpack_image.tar.xz
