#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the image goes: a name of its own until it is complete, never half of
# one under the final name, devices written in place.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
file a parts=r3000000
file b parts=t3000
.
pack a.tar want.sqfs -q

# An existing file is kept unless -f is given.
mkdir dest
echo precious > dest/img.sqfs
run -q dest/img.sqfs < a.tar
same 'exists: status' "$status" 1
has 'exists: message' err 'dest/img.sqfs'
same 'exists: kept' "$(cat dest/img.sqfs)" precious
left_only dest img.sqfs
for option in -f --force; do
	echo precious > dest/img.sqfs
	run -q $option dest/img.sqfs < a.tar
	same "$option: status" "$status" 0
	same_bytes "$option" dest/img.sqfs want.sqfs
	left_only dest img.sqfs
done
rm dest/img.sqfs
(umask 027 && "$tar2sqfs" -q dest/img.sqfs < a.tar)
same 'the mode follows the umask' "$(stat -c %a dest/img.sqfs)" 640
rm dest/img.sqfs

# A name in the current folder, and one that begins with a dash.
(cd dest && "$tar2sqfs" -q -- -img < ../a.tar)
same_bytes 'a dash' dest/-img want.sqfs
left_only dest -img
rm ./dest/-img

# Folders that are not there, or are in the way.
refuses 1 'none/no.sqfs' -q none/no.sqfs
mkdir dir
refuses 1 'dir' -q -f dir

# A closed standard input, and one that is a folder.
status=0
"$tar2sqfs" -q -f dest/img.sqfs <&- > out.txt 2> err || status=$?
same 'closed input: status' "$status" 1
same 'closed input: one line' "$(wc -l < err)" 1
status=0
"$tar2sqfs" -q -f dest/img.sqfs < dir > out.txt 2> err || status=$?
same 'input is a folder: status' "$status" 1
same 'input is a folder: one line' "$(wc -l < err)" 1
left_only dest ''

# Closed standard output and error do not end up in the image.
"$tar2sqfs" dest/img.sqfs < a.tar >&- 2>&- || :
[ ! -e dest/img.sqfs ] || same_bytes 'closed output' dest/img.sqfs want.sqfs
rm -f dest/img.sqfs

# An archive that is its own output.
cp a.tar both
run -q -f both both
[ "$status" -ne 0 ] && want=a.tar || want=want.sqfs
same_bytes 'input is output' both "$want"

# A full disk: the device says so at once.
if [ -c /dev/full ]; then
	full=/dev/full
	# As root, lest a fault takes the machine's own away.
	if is_root; then
		mknod full c 1 7 2> /dev/null && full=full
	fi
	run -q -f $full < a.tar
	same '/dev/full: status' "$status" 1
	has '/dev/full: message' err '^tar2sqfs: .*No space left'
	same '/dev/full: one line' "$(wc -l < err)" 1
	ok '/dev/full is still there' test -c $full
fi
# A file that may not grow.
status=0
(ulimit -f 1000 && "$tar2sqfs" -q -f dest/img.sqfs < a.tar > out.txt 2> err) ||
	status=$?
same 'too large: status' "$status" 1
same 'too large: one line' "$(wc -l < err)" 1
left_only dest ''

if ! is_root; then
	chmod 555 dest
	refuses 1 dest -q dest/no.sqfs
	chmod 755 dest
	skip 'not root: no file systems of our own'
	finish
fi

# A small file system that fills up, then one that is read-only.
mkdir small
if mount -t tmpfs -o size=1m tmpfs small 2> /dev/null; then
	cleanup='umount small 2> /dev/null'
	echo precious > small/img.sqfs
	run -q -f small/img.sqfs < a.tar
	same 'full disk: status' "$status" 1
	has 'full disk: message' err '^tar2sqfs: .*No space left'
	same 'full disk: one line' "$(wc -l < err)" 1
	same 'full disk: kept' "$(cat small/img.sqfs)" precious
	left_only small img.sqfs
	rm small/img.sqfs
	run -q small/img.sqfs < a.tar
	same 'full disk: status' "$status" 1
	left_only small ''
	mount -o remount,ro small
	run -q small/img.sqfs < a.tar
	same 'read-only: status' "$status" 1
	has 'read-only: message' err '^tar2sqfs: .*[Rr]ead-only'
	same 'read-only: one line' "$(wc -l < err)" 1
	umount small
	cleanup=:
else
	skip 'no mount here'
fi

# A block device is written in place and stays.
dd if=/dev/zero of=disk bs=1M count=4 2> /dev/null
if loop=$(losetup --find --show disk 2> /dev/null); then
	cleanup="losetup -d $loop"
	# A device keeps it from whoever attached it read-only before.
	blockdev --setrw "$loop"
	run -q -f "$loop" < a.tar
	same 'device: status' "$status" 0
	ok 'device: still there' test -b "$loop"
	sync "$loop"
	size=$(wc -c < want.sqfs)
	head -c "$size" disk > got.sqfs
	same_bytes 'device: content' got.sqfs want.sqfs
	head -c 2000000 a.tar > cut.tar
	run -q -f "$loop" < cut.tar
	same 'device: failure' "$status" 1
	ok 'device: still there' test -b "$loop"
	losetup -d "$loop"
	# One that is too small.
	truncate -s 1M disk
	loop=$(losetup --find --show disk)
	cleanup="losetup -d $loop"
	# A device keeps it from whoever attached it read-only before.
	blockdev --setrw "$loop"
	run -q -f "$loop" < a.tar
	same 'small device: status' "$status" 1
	same 'small device: one line' "$(wc -l < err)" 1
	ok 'small device: still there' test -b "$loop"
	losetup -d "$loop"
	cleanup=:
else
	skip 'no loop devices here'
fi
# Statistics never land in the image.
"$tar2sqfs" -f /dev/stdout a.tar > same.sqfs 2> err
same 'image and statistics to one file: status' $? 2
has 'image and statistics to one file' err 'same file'
same 'image and statistics to one file: one line' "$(wc -l < err)" 1
"$tar2sqfs" -q -f /dev/stdout a.tar > same.sqfs
same 'image to standard output: status' $? 0
same_bytes 'image to standard output' same.sqfs want.sqfs

# Whoever made the input non-blocking, it is read.
python3 - "$tar2sqfs" << '.'
import os, subprocess, sys, time
r, w = os.pipe()
os.set_blocking(r, False)
tool = subprocess.Popen([sys.argv[1], "-q", "-f", "slow.sqfs"], stdin=r)
os.close(r)
data = open("a.tar", "rb").read()
with os.fdopen(w, "wb") as pipe:
    time.sleep(0.2)
    pipe.write(data)
sys.exit(tool.wait())
.
same 'non-blocking input: status' $? 0
same_bytes 'non-blocking input' slow.sqfs want.sqfs
finish
