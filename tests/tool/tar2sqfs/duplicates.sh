#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Equal content is stored once, unequal content never mixed up.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
file big1 parts=t400000,r3000 seed=1
file other parts=t400000,r3000 seed=2
file big2 parts=t400000,r3000 seed=1
file whole1 parts=r262144 seed=3
file whole2 parts=r262144 seed=3
file tail1 parts=r700 seed=4
file tail2 parts=r700 seed=5
file tail3 parts=r700 seed=4
.
# Made from the same seeds but other numbers, contents would differ.
pack a.tar img.sqfs -q
same_tree img.sqfs a.tar
facts img.sqfs
same 'start' "$(inode /big2 start)" "$(inode /big1 start)"
same 'words' "$(inode /big2 words)" "$(inode /big1 words)"
same 'fragment' "$(inode /big2 fragment)" "$(inode /big1 fragment)"
same 'offset' "$(inode /big2 offset)" "$(inode /big1 offset)"
same 'whole' "$(inode /whole2 start)" "$(inode /whole1 start)"
same 'tail-end' "$(inode /tail3 offset)" "$(inode /tail1 offset)"
not_ok 'other blocks' test "$(inode /other start)" = "$(inode /big1 start)"
not_ok 'other tail-end' test "$(inode /tail2 offset)" = "$(inode /tail1 offset)"
has 'flag' facts '^flags .*duplicates'
once=$(fact data_bytes)

pack a.tar img.sqfs -q --no-duplicates
same_tree img.sqfs a.tar
facts img.sqfs
not_ok '--no-duplicates: start' \
	test "$(inode /whole2 start)" = "$(inode /whole1 start)"
not_ok '--no-duplicates: tail-end' \
	test "$(inode /tail3 offset)" = "$(inode /tail1 offset)"
lacks '--no-duplicates: flag' facts '^flags .*duplicates'
ok '--no-duplicates stores more' \
	test "$(fact data_bytes)" -gt "$((once + 262144))"

# Files that begin or end alike, holes in other places, and all sizes around
# a block; the reader compares contents.
mktar b.tar << '.'
file a1 parts=r8192,r4096 seed=7
file a2 parts=r8192 seed=8
file h1 parts=r4096,z4096,r4096 seed=9
file h2 parts=r4096,r4096,z4096 seed=9
file h3 parts=z4096,r4096,r4096 seed=9
file h4 parts=r4096,r4096 seed=9
file s1 parts=t4095 seed=10
file s2 parts=t4096 seed=10
file s3 parts=t4097 seed=10
file s4 parts=t8191 seed=10
file s5 parts=t8192 seed=10
file s6 parts=t8193 seed=10
file s7 parts=t4097 seed=10
file s8 parts=t1 seed=10
file s9 parts=t1 seed=10
.
for options in '' -T --no-fragments --no-sparse --no-duplicates; do
	# shellcheck disable=SC2086
	pack b.tar img.sqfs -q -b 4096 $options
	same_tree img.sqfs b.tar
done
finish
