#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Ways to an image: pipes, standard input, and images behind other bytes.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

mktar a.tar << '.'
file f parts=r300000,t9
file g text=hello
file h parts=t100000
.
pack a.tar a.sqfs -q
write a.sqfs want.tar

# Standard input, as a file and as a pipe.
"$sqfs2tar" - < a.sqfs > got.tar
same_bytes 'a file as standard input' got.tar want.tar
cat a.sqfs | "$sqfs2tar" - > got.tar
same_bytes 'a pipe' got.tar want.tar
"$sqfs2tar" /dev/stdin < a.sqfs > got.tar
same_bytes '/dev/stdin' got.tar want.tar
mkfifo fifo
cat a.sqfs > fifo &
write fifo got.tar
same_bytes 'a named pipe' got.tar want.tar
wait
mkdir tmp
cat a.sqfs | TMPDIR=$PWD/tmp "$sqfs2tar" - > got.tar
same_bytes 'TMPDIR' got.tar want.tar
left_only tmp ''
cat a.sqfs | TMPDIR='' "$sqfs2tar" - > got.tar
same_bytes 'an empty TMPDIR' got.tar want.tar
cat a.sqfs | TMPDIR=$PWD/none "$sqfs2tar" - > got.tar 2> err
same 'no such TMPDIR: status' $? 1
has 'no such TMPDIR' err '^sqfs2tar: standard input: .*/none: .*No such file'
same 'no such TMPDIR: one line' "$(wc -l < err)" 1
if is_root && mount -t tmpfs -o size=64k tmpfs tmp 2> /dev/null; then
	cleanup='umount tmp 2> /dev/null'
	cat a.sqfs | TMPDIR=$PWD/tmp "$sqfs2tar" - > got.tar 2> err
	same 'a full TMPDIR: status' $? 1
	has 'a full TMPDIR' err 'standard input: .*/tmp: .*TMPDIR.*No space left'
	same 'a full TMPDIR: one line' "$(wc -l < err)" 1
	same 'a full TMPDIR: nothing written' "$(wc -c < got.tar)" 0
	left_only tmp ''
	umount tmp
	cleanup=:
fi

# What is no image.
tell got.tar - < /dev/null
same '/dev/null: status' "$status" 1
same '/dev/null: one line' "$(wc -l < err)" 1
tell got.tar /dev/zero
same '/dev/zero: status' "$status" 1
has '/dev/zero' err '^sqfs2tar: /dev/zero: .*character device'
status=0
"$sqfs2tar" - <&- > got.tar 2> err || status=$?
same 'closed input: status' "$status" 1
has 'closed input' err '^sqfs2tar: standard input: is closed$'
mkdir dir
refuses 1 'dir: .*[Dd]irectory' dir
tell got.tar - < dir
same 'standard input is a directory: status' "$status" 1
has 'standard input is a directory' err 'standard input: .*[Dd]irectory'
: > empty
refuses 1 'empty: ' empty
refuses 1 'a.tar: ' a.tar
printf short | "$sqfs2tar" - > got.tar 2> err
same 'a short pipe: status' $? 1
has 'a short pipe' err '^sqfs2tar: standard input: '

# Behind a program, at any byte.
printf '#!/bin/sh\n# hsqs is what an image begins with\nexit\n' > stub
for pad in 1 512 4096 1048570; do
	{ cat stub; head -c $pad /dev/zero; cat a.sqfs; } > app
	at=$(($(wc -c < stub) + pad))
	write app got.tar --offset auto
	same_bytes "found behind $pad bytes" got.tar want.tar
	write app got.tar --offset $at
	same_bytes "at byte $at" got.tar want.tar
	refuses 1 "app: .*one at byte $at: use --offset $at or --offset auto" \
		app
	refuses 1 'app: ' --offset $((at + 1)) app
done
cat app | "$sqfs2tar" --offset=auto - > got.tar
same_bytes 'found in a pipe' got.tar want.tar
cat app | "$sqfs2tar" --offset="$at" - > got.tar
same_bytes 'at a byte of a pipe' got.tar want.tar
{ head -c 2048 /dev/zero; cat a.sqfs; } > pad.sqfs
write pad.sqfs got.tar --offset 2K
same_bytes '2K' got.tar want.tar
write a.sqfs got.tar --offset auto
same_bytes 'at the front' got.tar want.tar
write a.sqfs got.tar --offset 0
same_bytes 'byte 0' got.tar want.tar
refuses 1 'a.tar: .*no SquashFS image' --offset auto a.tar
refuses 1 'a.sqfs: ' --offset 1G a.sqfs
refuses 1 'a.sqfs: ' --offset 9223372036854775807 a.sqfs

# Standard input that stands in the middle of its file.
python3 - "$sqfs2tar" << '.'
import os, subprocess, sys
fd = os.open("pad.sqfs", os.O_RDONLY)
os.lseek(fd, 2048, os.SEEK_SET)
with open("got.tar", "wb") as out:
    subprocess.run([sys.argv[1], "-"], stdin=fd, stdout=out, check=True)
.
same_bytes 'from the middle of a file' got.tar want.tar

# A device.
if is_root && loop=$(losetup --read-only --find --show a.sqfs 2> /dev/null); then
	cleanup="losetup -d $loop"
	write "$loop" got.tar
	same_bytes 'a device' got.tar want.tar
	losetup -d "$loop"
	cleanup=:
fi
finish
