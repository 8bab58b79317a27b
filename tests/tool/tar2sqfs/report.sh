#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Progress on a terminal, none elsewhere; statistics at the end; -q for silence.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d
file d/a parts=t300000
file d/same parts=t300000
file d/hole parts=z262144
file d/s1 parts=t2000
file d/s2 parts=t2000
file d/s3 parts=t2000 seed=9 uid=5 gid=6
link d/l to=d/a
slink d/sl to=a
fifo d/p
chr d/c dev=1:3
blk d/b dev=8:0
.
# Standard output and error on a terminal, the archive through a pipe.
cat > on_tty.py << '.'
import os, pty, subprocess, sys, time
lead, follow = pty.openpty()
with open("a.tar", "rb") as f:
    whole = f.read()
tool = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=follow,
                        stderr=follow)
os.close(follow)
# Slow enough for a display that changes a few times in a second.
step = len(whole) // 8 + 1
for at in range(0, len(whole), step):
    tool.stdin.write(whole[at:at + step])
    tool.stdin.flush()
    time.sleep(0.25)
tool.stdin.close()
seen = b""
while True:
    try:
        more = os.read(lead, 65536)
    except OSError:
        break
    if not more:
        break
    seen += more
tool.wait()
sys.stdout.buffer.write(seen)
.
python3 on_tty.py "$tar2sqfs" -f img.sqfs > seen
ok 'progress on a terminal' sh -c 'tr -dc "\r" < seen | wc -c |
	grep -qv "^ *[0-9]\$"'
tr '\r' '\n' < seen > lines
has 'progress: bytes' lines '[0-9.]+ ?([kKMG]i?B?|bytes)'
has 'progress: rate' lines '/s'
python3 on_tty.py "$tar2sqfs" -f -q img.sqfs > seen
same 'nothing with -q' "$(cat seen)" ''
python3 on_tty.py "$tar2sqfs" -f --quiet img.sqfs > seen
same 'nothing with --quiet' "$(cat seen)" ''

# With the archive's size known, also the time left.
cat > all_on_tty.py << '.'
import os, pty, sys
pid, lead = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
while True:
    try:
        if not os.read(lead, 65536):
            break
    except OSError:
        break
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
.
ok 'all of it on a terminal' python3 all_on_tty.py "$tar2sqfs" -f img.sqfs a.tar

run -f img.sqfs < a.tar
same 'to a pipe: status' "$status" 0
same 'to a pipe: nothing on standard error' "$(cat err)" ''
ok 'to a pipe: no progress' test "$(tr -dc '\r' < out | wc -c)" -eq 0
pack a.tar img.sqfs -q
same '-q: nothing' "$(cat out err)" ''

# The labels that scripts know.
run -f img.sqfs < a.tar
while read -r label; do
	has "statistics: $label" out "^$label"
done << '.'
Data bytes read:
Data bytes written:
Data compression ratio: *[0-9]+%
Files: *6$
Directories: *2$
IPC files: *1$
Device files: *2$
Hard links: *1$
Soft links: *1$
Data blocks written: *[0-9]
Out of which were fragment blocks: *1$
Duplicate blocks omitted: *2$
Sparse blocks omitted: *2$
Fragments actually written:
Duplicated fragments omitted:
Total number of inodes:
Number of unique group/user IDs: *3$
.
has 'saved by duplicates' out '[Dd]uplicate.*(bytes|saved|[kKM]i?B?)'
has 'saved by holes' out '([Ss]parse|[Hh]ole)'
finish
