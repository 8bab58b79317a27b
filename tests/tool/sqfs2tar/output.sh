#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the archive goes, and what is told when it cannot.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

mktar a.tar << '.'
file a parts=r3000000
file b parts=t3000000
.
pack a.tar a.sqfs -q
write a.sqfs want.tar

# fails WHAT PATTERN: the last one did, with one line.
fails() {
	same "$1: status" "$status" 1
	has "$1: message" err "^sqfs2tar: $2"
	same "$1: one line" "$(wc -l < err)" 1
}

for codec in '' '-c gzip' '-c zstd --level 1'; do
	for jobs in 0 2; do
		status=0
		# shellcheck disable=SC2086
		"$sqfs2tar" $codec -j $jobs a.sqfs > /dev/full 2> err || status=$?
		grep -q 'built in' err ||
			fails "full: $codec -j $jobs" \
				'standard output: .*No space left'
		# shellcheck disable=SC2086
		{ "$sqfs2tar" $codec -j $jobs a.sqfs 2> err; echo $? > st; } |
			head -c 1000 > /dev/null
		status=$(cat st)
		grep -q 'built in' err ||
			fails "closed pipe: $codec -j $jobs" \
				'standard output: .*Broken pipe'
	done
done
status=0
"$sqfs2tar" a.sqfs >&- 2> err || status=$?
fails 'closed' 'standard output is closed'
status=0
(ulimit -f 1000 && "$sqfs2tar" a.sqfs > limit.tar 2> err) || status=$?
fails 'too large' 'standard output: .*too large'

# Never behind the image itself.
cp a.sqfs b.sqfs
status=0
# shellcheck disable=SC2094
"$sqfs2tar" b.sqfs >> b.sqfs 2> err || status=$?
same 'the image: status' "$status" 2
has 'the image: message' err 'standard output is the image'
same_bytes 'the image: untouched' b.sqfs a.sqfs

# On a terminal there is progress, unless -q; an archive there is not.
cat > terminal.py << '.'
import os, pty, sys
# terminal.py COMMAND...: with a terminal as standard output.
pid, fd = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm"
    os.dup2(os.open("term.err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    seen += data
sys.stdout.buffer.write(seen)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
.
python3 terminal.py "$sqfs2tar" a.sqfs > seen
same 'a terminal: status' $? 2
has 'a terminal: message' term.err 'standard output is a terminal: send'
same 'a terminal: nothing on it' "$(wc -c < seen)" 0
python3 terminal.py "$sqfs2tar" --help > seen
has 'help on a terminal' seen 'Usage: '
# Read slowly enough for a display that changes a few times in a second.
cat > slowly.py << '.'
import os, pty, subprocess, sys, time
# slowly.py COMMAND...: the archive to term.tar, what the terminal sees to
# standard output.
lead, follow = pty.openpty()
os.environ["TERM"] = "xterm"
tool = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, stderr=follow)
os.close(follow)
with open("term.tar", "wb") as out:
    while True:
        data = tool.stdout.read(1000000)
        if not data:
            break
        out.write(data)
        time.sleep(0.25)
seen = b""
while True:
    try:
        more = os.read(lead, 65536)
    except OSError:
        break
    if not more:
        break
    seen += more
sys.stdout.buffer.write(seen)
sys.exit(tool.wait())
.
for option in -q --quiet; do
	python3 slowly.py "$sqfs2tar" $option a.sqfs > seen
	same "$option: status" $? 0
	same "$option: nothing" "$(cat seen)" ''
	same_bytes "$option: the archive" term.tar want.tar
done
python3 slowly.py "$sqfs2tar" a.sqfs > seen
same 'progress: status' $? 0
same_bytes 'progress: the archive' term.tar want.tar
tr '\r' '\n' < seen > lines
has 'progress: bytes, part and rate' lines \
	'[0-9] ?([kKMG]i?B?|bytes)  [0-9]+%  .*/s'
finish
