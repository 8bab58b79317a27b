# Tests that are not of one room. Those of the rooms come from lib/*/local.mk.

TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = \
	builddir='$(abs_top_builddir)'; export builddir; \
	top_srcdir='$(abs_top_srcdir)'; export top_srcdir; \
	sanitizers='$(sanitizers)'; export sanitizers; \
	CC='$(CC)'; export CC;

tool_tests += \
	tests/doors.sh \
	tests/tool/bench/bench.sh tests/tool/bench/corpus.sh \
	tests/tool/tar2sqfs/archives.sh \
	tests/tool/tar2sqfs/bcj.sh \
	tests/tool/tar2sqfs/change.sh \
	tests/tool/tar2sqfs/codecs.sh \
	tests/tool/tar2sqfs/compressed.sh \
	tests/tool/tar2sqfs/compression.sh \
	tests/tool/tar2sqfs/duplicates.sh \
	tests/tool/tar2sqfs/end.sh \
	tests/tool/tar2sqfs/exclude.sh \
	tests/tool/tar2sqfs/extra.sh \
	tests/tool/tar2sqfs/fragments.sh \
	tests/tool/tar2sqfs/headers.sh \
	tests/tool/tar2sqfs/help.sh \
	tests/tool/tar2sqfs/limits.sh \
	tests/tool/tar2sqfs/links.sh \
	tests/tool/tar2sqfs/memory.sh \
	tests/tool/tar2sqfs/names.sh \
	tests/tool/tar2sqfs/options.sh \
	tests/tool/tar2sqfs/order.sh \
	tests/tool/tar2sqfs/output.sh \
	tests/tool/tar2sqfs/owner.sh \
	tests/tool/tar2sqfs/probe.sh \
	tests/tool/tar2sqfs/readers.sh \
	tests/tool/tar2sqfs/report.sh \
	tests/tool/tar2sqfs/reports.sh \
	tests/tool/tar2sqfs/reports2.sh \
	tests/tool/tar2sqfs/root.sh \
	tests/tool/tar2sqfs/samebytes.sh \
	tests/tool/tar2sqfs/select.sh \
	tests/tool/tar2sqfs/selinux.sh \
	tests/tool/tar2sqfs/signals.sh \
	tests/tool/tar2sqfs/sparse.sh \
	tests/tool/tar2sqfs/stats.sh \
	tests/tool/tar2sqfs/super.sh \
	tests/tool/tar2sqfs/truncated.sh \
	tests/tool/tar2sqfs/writers.sh \
	tests/tool/tar2sqfs/xattrfile.sh \
	tests/tool/tar2sqfs/xattrs.sh

EXTRA_DIST += .ci/run runtests.sh try.sh $(tool_tests) tests/check.h tests/.shellcheckrc \
	tests/ci.sh tests/dirtree.py tests/mktar.py tests/readimage.py \
	tests/selabel.py tests/tartree.py tests/tool/lib.sh $(bench_files)

# The benchmark: python, standard library only.
bench_files = tests/bench/accounts.py tests/bench/bench.py \
	tests/bench/blocks.py tests/bench/compare.py \
	tests/bench/context.py tests/bench/copies.c tests/bench/mallocs.c \
	tests/bench/corpus.py tests/bench/growth.py \
	tests/bench/holes.py tests/bench/machine.py \
	tests/bench/mainthread.py tests/bench/measure.py \
	tests/bench/pipeline.py tests/bench/preload.py \
	tests/bench/report.py tests/bench/samples.py \
	tests/bench/scaling.py tests/bench/tarout.py \
	tests/bench/tarstream.py

# What a build with a thread sanitizer, or with another set of libraries, has
# to show: make check TESTS='$(thread_tests)'.
thread_tests = $(filter tests/unit/pool/% tests/unit/flow/% \
	tests/unit/pack/% tests/unit/unpack/% tests/unit/diff/% \
	tests/unit/check/% tests/unit/dir/% \
	tests/unit/io/ahead,$(unit_tests)) \
	tests/tool/tar2sqfs/samebytes.sh tests/tool/tar2sqfs/signals.sh \
	tests/tool/tar2sqfs/truncated.sh

# Under the address sanitizer: what reads input, more than what times it or
# tries every codec on it.
address_tests = $(unit_tests) $(filter-out %/memory.sh %/codecs.sh \
	%/options.sh %/help.sh %/fixpoint.sh %/jobs.sh %/compress.sh \
	%/compression.sh %/corpus.sh %/proof.sh %/samebytes.sh %/readers.sh \
	%/writers.sh %/signals.sh %/order.sh %/input.sh %/manifest.sh \
	tests/doors.sh,$(tool_tests))

codec_tests = $(filter tests/unit/codec/codec,$(unit_tests)) \
	tests/tool/tar2sqfs/codecs.sh tests/tool/tar2sqfs/options.sh

# Not built by default.
EXTRA_PROGRAMS = tests/bench/bare
tests_bench_bare_SOURCES = tests/bench/bare.c
tests_bench_bare_CFLAGS = $(AM_CFLAGS) $(ZLIB_CFLAGS) $(LIBDEFLATE_CFLAGS) \
	$(LZMA_CFLAGS) $(LZ4_CFLAGS) $(ZSTD_CFLAGS)
tests_bench_bare_LDADD = $(codec_libs)
CLEANFILES += $(EXTRA_PROGRAMS)
PYTHON = python3

# Writes doc/benchmark.md, whose head tells of the options in BENCH.
bench: $(bin_PROGRAMS) tests/bench/bare$(EXEEXT)
	$(PYTHON) $(top_srcdir)/tests/bench/bench.py --build . $(BENCH)
.PHONY: bench
