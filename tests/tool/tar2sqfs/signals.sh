#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# SIGINT, SIGTERM and SIGHUP in the middle of a run: nothing is left, the old
# image stays, and the tool ends by that signal.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
file a parts=r3000000
.
mkdir dest
for signal in INT TERM HUP; do
	case $signal in
	INT) number=2 ;;
	TERM) number=15 ;;
	*) number=1 ;;
	esac
	echo precious > dest/img.sqfs
	# The pipe stays open and gives no more than half of the archive.
	cat > starter.py << '.'
import os, signal, subprocess, sys, time
number = int(sys.argv[1])
signal.signal(number, signal.SIG_DFL)  # nohup and the like ignore some
tool = subprocess.Popen([sys.argv[2], "-q", "-f", "dest/img.sqfs"],
                        stdin=subprocess.PIPE, stderr=subprocess.PIPE)
with open("a.tar", "rb") as f:
    tool.stdin.write(f.read(2000000))
tool.stdin.flush()
before = time.monotonic()
while len(os.listdir("dest")) < 2 and time.monotonic() < before + 20:
    time.sleep(0.02)
print("files", len(os.listdir("dest")))
time.sleep(0.1)
tool.send_signal(number)
try:
    tool.wait(20)
except subprocess.TimeoutExpired:
    tool.kill()
    print("hung")
print("status", tool.wait())
.
	python3 starter.py $number "$tar2sqfs" > result 2>&1
	has "$signal: a file was begun beside the target" result '^files 2$'
	has "$signal: status" result "^status (-$number|$((128 + number))|1)\$"
	lacks "$signal: no hang" result hung
	same "$signal: old image" "$(cat dest/img.sqfs)" precious
	left_only dest img.sqfs
done
finish
