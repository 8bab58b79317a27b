#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tail-ends, fragment blocks, and the switches that keep them apart.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
file small1 parts=t1000
file small2 parts=t3000
file whole parts=t131072
file long parts=t131072,t500 seed=1
file empty
.

# By default every tail-end goes into a fragment block.
pack a.tar img.sqfs -q
same_tree img.sqfs a.tar
facts img.sqfs
same 'fragment blocks' "$(fact fragment_count)" 1
for path in /small1 /small2 /long; do
	same "$path: fragment" "$(inode $path fragment)" 0
done
same 'whole blocks have no fragment' "$(inode /whole fragment)" -
same 'nothing has no fragment' "$(inode /empty fragment)" -
same 'nothing has no block' "$(inode /empty words)" -
same 'offset of the first' "$(inode /small1 offset)" 0
same 'offset of the second' "$(inode /small2 offset)" 1000
has 'flag' facts '^flags .*always_fragments'

for option in -T --no-tail-packing; do
	pack a.tar img.sqfs -q $option
	same_tree img.sqfs a.tar
	facts img.sqfs
	same "$option: small" "$(inode /small2 fragment)" 0
	same "$option: long" "$(inode /long fragment)" -
	lacks "$option: flag" facts '^flags .*(always|no)_fragments'
done

pack a.tar img.sqfs -q --no-fragments
same_tree img.sqfs a.tar
facts img.sqfs
same 'no fragments: count' "$(fact fragment_count)" 0
same 'no fragments: small' "$(inode /small1 fragment)" -
same 'no fragments: long' "$(inode /long fragment)" -
has 'no fragments: flag' facts '^flags .*no_fragments'

# A tail-end never spans two fragment blocks, and a full one is not the last.
mktar b.tar << '.'
file f%d copies=100 parts=r3000 seed=%d
.
pack b.tar img.sqfs -q -b 4096
same_tree img.sqfs b.tar
facts img.sqfs
same 'one each' "$(fact fragment_count)" 100
mktar c.tar << '.'
file f%d copies=64 parts=r1024 seed=%d
.
pack c.tar img.sqfs -q -b 4096
same_tree img.sqfs c.tar
facts img.sqfs
same 'four each' "$(fact fragment_count)" 16

# More fragment blocks than one block of their table can tell: 512, 513.
for n in 512 513; do
	echo "file f%d copies=$n parts=r3000 seed=%d" | mktar d.tar
	pack d.tar img.sqfs -q -b 4096
	same_tree img.sqfs d.tar
	facts img.sqfs
	same "$n fragment blocks" "$(fact fragment_count)" $n
done
finish
