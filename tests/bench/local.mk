# Profiles of our programs, which need perf or valgrind, and a model of them.

tool_tests += \
	tests/tool/tar2sqfs/flame.sh \
	tests/tool/tar2sqfs/model.sh
EXTRA_DIST += tests/bench/flame.py tests/bench/profiles.py \
	tests/bench/instructions tests/bench/instructions.txt \
	tests/bench/model.py tests/bench/simulate.py

# What the model asks of the machine.
EXTRA_PROGRAMS += tests/bench/wake
tests_bench_wake_SOURCES = tests/bench/wake.c

# make profile PROFILE='OPTION... JOB...'
profile: tar2sqfs$(EXEEXT) sqfs2tar$(EXEEXT) rdsquashfs$(EXEEXT)
	$(PYTHON) $(top_srcdir)/tests/bench/profiles.py --build . $(PROFILE)
.PHONY: profile
