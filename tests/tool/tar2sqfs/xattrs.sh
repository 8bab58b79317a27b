#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Attributes: both dialects, sharing, values out of line, and what is dropped.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

long=$(printf 'v%.0s' $(seq 300))
mktar a.tar << .
file a text=a xattr.user.x=hex:00ff00 xattr.trusted.t=t xattr.security.s=hex:
file b text=b libarchive.user.x=hex:00ff00 libarchive.trusted.t=t libarchive.security.s=hex:
file both text=c xattr.user.k=same libarchive.user.k=same
dir d xattr.user.dir=yes
slink l to=a xattr.trusted.link=yes
fifo p xattr.user.p=1
chr c dev=1:3 xattr.user.c=1
file one text=1 xattr.user.long=$long
file two text=2 xattr.user.long=$long xattr.user.more=1
file three text=3 xattr.user.other=$long
dir . xattr.user.root=1
file capability text= xattr.security.capability=hex:0100000200040000000000000000000000000000
.
pack a.tar img.sqfs -q
same 'no word' "$(cat err)" ''
same_tree img.sqfs a.tar
facts img.sqfs
same 'a shared set' "$(inode /a xattr)" "$(inode /b xattr)"
same 'sets' "$(fact xattr_sets)" 11
ok 'values out of line' test "$(fact xattr_out_of_line)" -ge 2
for path in /a /d /l /p /c /; do
	ok "$path: extended" test "$(inode $path type)" -gt 7
done

for option in -x --no-xattr; do
	pack a.tar img.sqfs -q $option
	facts img.sqfs
	same "$option: sets" "$(fact xattr_sets)" 0
	has "$option: flag" facts '^flags .*no_xattrs'
	same "$option: basic" "$(inode /a type)" 2
	same "$option: basic" "$(inode / type)" 1
done

# 512 and 513 sets, and values up to what Linux holds.
for n in 512 513; do
	echo "fifo f%d copies=$n xattr.user.n=%d" | mktar b.tar
	pack b.tar img.sqfs -q
	same_tree img.sqfs b.tar
	facts img.sqfs
	same "$n sets" "$(fact xattr_sets)" $n
done
value=$(printf '%065536d' 0)
echo "file f text= xattr.user.v=$value" | mktar b.tar
pack b.tar img.sqfs -q
same_tree img.sqfs b.tar
echo "file f text= xattr.user.v=${value}0" | mktar b.tar
run -q -f img.sqfs < b.tar
ok 'a value that is too long is told of' test -s err

# What the format cannot hold: dropped with a word, refused with -s.
mktar d.tar << '.'
file a text=a xattr.system.posix_acl_access=hex:0200 xattr.user.x=1
file b text=b pax.SCHILY.acl.access=user::rw-
file c text=c xattr.btrfs.compression=zstd
.
pack d.tar img.sqfs -q
has 'told of' err '^tar2sqfs: .*(a|b|c)'
sound img.sqfs
manifest img.sqfs > have.tree
same 'the rest stays' "$(field /a 12)" user.x=31
same 'dropped' "$(field /c 12)" -
for option in -s --no-skip; do
	rm -f no.sqfs
	run -q $option no.sqfs < d.tar
	same "$option: status" "$status" 1
	has "$option: message" err '^tar2sqfs: '
	not_ok "$option: image" test -e no.sqfs
done
finish
