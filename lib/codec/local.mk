libsqfskit_a_SOURCES += \
	include/codec/codec.h lib/codec/codec.c \
	include/codec/code.h lib/codec/code.c \
	include/codec/probe.h lib/codec/probe.c \
	include/codec/word.h lib/codec/word.c \
	lib/codec/table.h lib/codec/gzip.h lib/codec/lzma_common.h

if WITH_ZLIB
libsqfskit_a_SOURCES += lib/codec/gzip.c lib/codec/gzip_zlib.c
else
if WITH_LIBDEFLATE
libsqfskit_a_SOURCES += lib/codec/gzip.c
endif
endif
if WITH_LIBDEFLATE
libsqfskit_a_SOURCES += lib/codec/gzip_libdeflate.c
endif
if WITH_LZMA
libsqfskit_a_SOURCES += lib/codec/lzma_common.c lib/codec/lzma.c \
	lib/codec/xz.c
endif
if WITH_LZ4
libsqfskit_a_SOURCES += lib/codec/lz4.c
endif
if WITH_ZSTD
libsqfskit_a_SOURCES += lib/codec/zstd.c
endif

# Each test says that it was skipped where its library is not built in.
unit_tests += tests/unit/codec/code
check_PROGRAMS += tests/unit/codec/code
tests_unit_codec_code_SOURCES = tests/unit/codec/code.c
tests_unit_codec_code_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/codec/probe
check_PROGRAMS += tests/unit/codec/probe
tests_unit_codec_probe_SOURCES = tests/unit/codec/probe.c tests/unit/codec/blocks.h
tests_unit_codec_probe_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/codec/codec
check_PROGRAMS += tests/unit/codec/codec
tests_unit_codec_codec_SOURCES = tests/unit/codec/codec.c
tests_unit_codec_codec_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/codec/gzip
check_PROGRAMS += tests/unit/codec/gzip
tests_unit_codec_gzip_SOURCES = tests/unit/codec/gzip.c tests/unit/codec/blocks.h
tests_unit_codec_gzip_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/codec/lz4
check_PROGRAMS += tests/unit/codec/lz4
tests_unit_codec_lz4_SOURCES = tests/unit/codec/lz4.c tests/unit/codec/blocks.h
tests_unit_codec_lz4_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/codec/xz
check_PROGRAMS += tests/unit/codec/xz
tests_unit_codec_xz_SOURCES = tests/unit/codec/xz.c tests/unit/codec/blocks.h
tests_unit_codec_xz_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/codec/lzma
check_PROGRAMS += tests/unit/codec/lzma
tests_unit_codec_lzma_SOURCES = tests/unit/codec/lzma.c tests/unit/codec/blocks.h
tests_unit_codec_lzma_LDADD = $(sqfskit_libs)

unit_tests += tests/unit/codec/zstd
check_PROGRAMS += tests/unit/codec/zstd
tests_unit_codec_zstd_SOURCES = tests/unit/codec/zstd.c tests/unit/codec/blocks.h
tests_unit_codec_zstd_LDADD = $(sqfskit_libs)

if WITH_LZO
unit_tests += tests/unit/codec/lzo
check_PROGRAMS += tests/unit/codec/lzo
tests_unit_codec_lzo_SOURCES = tests/unit/codec/lzo.c \
	tests/unit/codec/blocks.h bin/common/codec_lzo.h \
	bin/common/codec_lzo.c
tests_unit_codec_lzo_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/bin/common
tests_unit_codec_lzo_CFLAGS = $(AM_CFLAGS) $(LZO_CFLAGS)
tests_unit_codec_lzo_LDADD = $(sqfskit_libs) $(LZO_LIBS)
endif
