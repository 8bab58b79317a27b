#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Names, parents, and what happens when a path comes again.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

n255=$(printf 'n%.0s' $(seq 255))
deep=$(printf 'folder/%.0s' $(seq 200))
mktar a.tar << .
dir ./
dir ./a/ mode=0700
file ./a/x text=1
file /abs/y text=2
file a//b/./c text=3
file $n255 text=4
file pax$deep/f text=5 format=pax
file ${deep}f text=6 format=gnu
file us/$(printf 'tar/%.0s' $(seq 30))f text=7 format=ustar
slink long to=$deep$deep
slink longpax to=$deep$deep format=pax
file blank%20and%0anewline%5c text=8
file %ff%fe%80 text=9
file z text=first
file z parts=t5000
dir a mode=0711 uid=5
dir was_dir
file was_dir text=now%20a%20file
file was_file text=x
dir was_file
file was_file/in text=y
contiguous seven text=7
slink to_a to=a
file to_a/through text=1
.
pack a.tar img.sqfs -q 2> /dev/null
same_tree img.sqfs a.tar
manifest img.sqfs > have.tree
same 'the last holds' "$(field /z 8)" 5000
same 'children stay' "$(field /a/x 2)" f
same 'through a symlink' "$(field /a/through 2)" f

# A folder comes first, then its parent.
mktar b.tar << '.'
file p/q/r text=1
dir p mode=0500 uid=1
.
pack b.tar img.sqfs -q
same_tree img.sqfs b.tar

for lines in 'file .. text=1' 'file a/../b text=1' 'file a/.. text=1' \
	"file ${n255}${n255} text=1" 'file f text=1;file f/g text=2' \
	'dir d;file d/x text=1;file d text=2' 'slink s to=' \
	'link l to=..'; do
	echo "$lines" | tr ';' '\n' | mktar a.tar
	refuses 1 '^tar2sqfs: ' -q no.sqfs
	same "$lines: one line" "$(wc -l < err)" 1
done
finish
