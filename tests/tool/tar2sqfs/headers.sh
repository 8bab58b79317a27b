#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Header dialects: v7, ustar, GNU, pax, also what the system's tar writes.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
file v7 text=1 format=v7 uid=12
dir v7dir format=v7
slink v7link to=v7 format=v7
file ustar text=2 format=ustar uid=2097151
file gnu text=3 uid=4294967295 gid=2097152 mtime=4294967295
file pax text=4 pax.uid=4000000001 pax.gid=3 pax.mtime=1234567890.987654321
file early mtime=0
global mtime=77 uid=88
file worldly text=5
file own text=6 pax.uid=99
global uid=89
file second text=7
chr c dev=4095:1048575 format=pax
blk b dev=8:17
fifo p
.
pack a.tar img.sqfs -q
same_tree img.sqfs a.tar
same 'no word' "$(cat err)" ''

# Times that 32 bits do not hold: held to the range, one warning.
mktar b.tar << '.'
file a mtime=-1
file b mtime=-5000000000
file c mtime=4294967296
file d mtime=99999999999
file e pax.mtime=-0.5
.
pack b.tar img.sqfs -q
same_tree img.sqfs b.tar
has 'times: told of' err '^tar2sqfs: '
ok 'times: told once' test "$(wc -l < err)" -le 2

for lines in 'file a uid=-1' 'file a pax.uid=4294967296' \
	'chr c dev=4096:0' 'blk b dev=0:1048576' 'file a pax.size=x' \
	'file a pax.uid=abc' 'file a pax.path=hex:6100'; do
	echo "$lines" | mktar a.tar
	refuses 1 '^tar2sqfs: ' -q no.sqfs
done

mkdir in
echo hello > in/file
ln in/file in/link
ln -s file in/symlink
mkfifo in/fifo
mkdir -p "in/$(printf 'long%.0s' $(seq 50))/$(printf 'name%.0s' $(seq 50))"
for format in v7 oldgnu gnu ustar pax; do
	tar --format=$format -cf c.tar in 2> /dev/null || continue
	pack c.tar img.sqfs -q
	same_tree img.sqfs c.tar
done

# A damaged header names its place and its numbers.
mktar a.tar << '.'
file first text=1
file second text=2
.
printf 'X' | dd of=a.tar bs=1 seek=1030 conv=notrunc 2> /dev/null
refuses 1 '^tar2sqfs: .*(byte|offset) 1024.*checksum' -q no.sqfs
finish
