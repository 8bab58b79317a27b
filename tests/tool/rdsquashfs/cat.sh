#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -c and --cat: bytes of files, in order, from blocks, holes, tail-ends and
# what is stored as it is.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

mktar a.tar << .
file empty text=
file small text=small
file blocks parts=t500000
file random parts=r600000,t3
file holes parts=z300000,t5,z800000
link other to=blocks
dir d
slink l to=small
.
mkdir tree && tar -C tree -xf a.tar
for options in '-b 64K' '-b 4K --no-fragments' '-T --no-compression all'; do
	# shellcheck disable=SC2086
	pack a.tar a.sqfs -q $options
	for jobs in 0 1 3; do
		for file in empty small blocks random holes; do
			fine -c "$file" -j $jobs a.sqfs
			same_bytes "$options -j $jobs: $file" out tree/$file
		done
		fine --cat holes -c small -c empty -c random -c small -c blocks \
			-c other --num-jobs $jobs a.sqfs
		(cd tree && cat holes small empty random small blocks other) > want
		same_bytes "$options -j $jobs: several" out want
	done
done
"$rdsquashfs" -c random a.sqfs | cmp - tree/random
ok 'into a pipe' "$rdsquashfs" -c random a.sqfs > /dev/null
printf before > appended
"$rdsquashfs" -c small a.sqfs >> appended
same 'appended' "$(cat appended)" beforesmall
if [ -w /dev/full ]; then
	"$rdsquashfs" -c blocks a.sqfs > /dev/full 2> err
	same 'a full disk' "$?" 1
	has 'a full disk is told' err '^rdsquashfs: standard output: .*No space'
fi
refuses 1 '/d: is a directory, not a regular file' -c small -c d a.sqfs
same 'nothing printed' "$(cat out)" ''
refuses 1 '/l: is a symbolic link' -c l a.sqfs
refuses 1 'there is no "small/x"' -c small/x a.sqfs
finish
