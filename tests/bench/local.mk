# Profiles of our programs; needs perf or valgrind.

tool_tests += tests/tool/tar2sqfs/flame.sh
EXTRA_DIST += tests/bench/flame.py tests/bench/profiles.py \
	tests/bench/instructions tests/bench/instructions.txt

# make profile PROFILE='OPTION... JOB...'
profile: tar2sqfs$(EXEEXT) sqfs2tar$(EXEEXT) rdsquashfs$(EXEEXT)
	$(PYTHON) $(top_srcdir)/tests/bench/profiles.py --build . $(PROFILE)
.PHONY: profile
