#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -j makes threads, -Q and --memory-limit bound the memory.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python
! is_sanitized || skip 'a sanitizer changes what memory is used'

# measure OPTION...: most memory in KiB, and most threads, with a slow pipe.
cat > measure.py << '.'
import os, resource, subprocess, sys, threading, time
tool = subprocess.Popen(sys.argv[1:] + ["img.sqfs"], stdin=subprocess.PIPE)
tasks = 0
with open("a.tar", "rb") as f:
    for k in range(1 << 30):
        piece = f.read(1 << 20)
        if not piece:
            break
        tool.stdin.write(piece)
        tool.stdin.flush()
        if os.path.isdir("/proc/%d/task" % tool.pid):
            tasks = max(tasks, len(os.listdir("/proc/%d/task" % tool.pid)))
tool.stdin.close()
status = tool.wait()
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, tasks)
.
measure() {
	python3 measure.py "$tar2sqfs" -q -f "$@" > measured || :
	read -r status memory threads < measured
	same "$*: status" "$status" 0
	echo "$*: $memory KiB, $threads threads"
}

# Without the probe, which is so quick with noise that no block waits.
echo 'file r%d copies=16 parts=r4000000 seed=%d' | mktar a.tar
measure -b 1M -j 2 -Q 2 --probe=off
few=$memory
measure -b 1M -j 2 -Q 40 --probe=off
ok '-Q allows memory' test "$memory" -gt $((few + 20000))
measure -b 1M -j 2 --memory-limit 10M --probe=off
ok '--memory-limit' test "$memory" -lt $((few + 10000))
measure -b 1M -j 2 -Q 40 --memory-limit 10M --probe=off
ok '--memory-limit above -Q' test "$memory" -lt $((few + 10000))
measure -b 128K -j 2
ok 'under 64 MiB by default' test "$memory" -lt 65536
if [ -d /proc/self/task ]; then
	measure -j 1
	one=$threads
	# No more than processors, of which the default takes all.
	"$tar2sqfs" -f --stats=json img.sqfs a.tar > out
	most=$(python3 -c 'import json, sys
print(json.load(sys.stdin)["costs"]["threads"])' < out)
	for jobs in 2 5; do
		running=$((jobs < most ? jobs : most))
		measure -j $jobs
		! grep -q '^#define WITH_PTHREAD 1' "$builddir/config.h" ||
			same "-j $jobs: threads" "$threads" \
				$((one + running - 1))
	done
fi

# What cannot do with so little is told before anything is read.
rm -f no.sqfs
run -q -b 1M -j 8 --memory-limit 1M no.sqfs < a.tar
not_ok 'too little: status' test "$status" -eq 0
has 'too little: message' err 'memory'
not_ok 'too little: image' test -e no.sqfs
run --help
has 'the default is stated' out 'memory-limit'
finish
