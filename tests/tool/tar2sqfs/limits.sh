#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The limits: 65,535 owners and one more, 100,000 names in one folder.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

echo 'fifo f%d copies=65534 uid=%d from=1' | mktar a.tar
pack a.tar img.sqfs -q
facts img.sqfs
same '65,535 ids' "$(fact id_count)" 65535
same_tree img.sqfs a.tar
echo 'fifo f%d copies=65535 uid=%d from=1' | mktar a.tar
refuses 1 '^tar2sqfs: .*65535' -q no.sqfs
same 'one line' "$(wc -l < err)" 1
for n in 2047 2048; do
	echo "fifo f%d copies=$n uid=%d from=1" | mktar a.tar
	pack a.tar img.sqfs -q
	facts img.sqfs
	same "$n ids and 0" "$(fact id_count)" $((n + 1))
done

{
	echo 'file many/some_name_%d text=x%d copies=100000'
	echo 'dir subs/name_%d copies=3000'
} | mktar b.tar
pack b.tar img.sqfs -q -e
same_tree img.sqfs b.tar
facts img.sqfs
same 'extended' "$(inode /many type)" 8
ok 'an index' test "$(inode /many index)" -gt 100
ok 'an index' test "$(inode /subs index)" -gt 3
ok 'few headers' test "$(inode /many headers)" -lt 1500
same 'small folders are basic' "$(inode / type)" 1

# Folders around what fits a header, a block, and a basic inode.
for n in 255 256 257 700; do
	echo "fifo d/%d copies=$n" | mktar c.tar
	pack c.tar img.sqfs -q
	same_tree img.sqfs c.tar
done
for n in 2975 2976 2977 2978 2979 2980; do
	echo "fifo d/name_of_6_%d copies=$n" | mktar c.tar
	pack c.tar img.sqfs -q
	same_tree img.sqfs c.tar
done
finish
