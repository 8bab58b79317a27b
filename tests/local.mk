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
	tests/tool/tar2sqfs/codecs.sh \
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
	tests/tool/tar2sqfs/output.sh \
	tests/tool/tar2sqfs/owner.sh \
	tests/tool/tar2sqfs/readers.sh \
	tests/tool/tar2sqfs/report.sh \
	tests/tool/tar2sqfs/root.sh \
	tests/tool/tar2sqfs/samebytes.sh \
	tests/tool/tar2sqfs/signals.sh \
	tests/tool/tar2sqfs/sparse.sh \
	tests/tool/tar2sqfs/super.sh \
	tests/tool/tar2sqfs/truncated.sh \
	tests/tool/tar2sqfs/xattrs.sh

EXTRA_DIST += $(tool_tests) tests/check.h tests/.shellcheckrc \
	tests/ci.sh tests/dirtree.py tests/mktar.py tests/readimage.py \
	tests/tartree.py tests/tool/lib.sh tests/bench/compare.py \
	tests/bench/mainthread.py tests/bench/growth.py
