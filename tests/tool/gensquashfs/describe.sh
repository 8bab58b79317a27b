#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What rdsquashfs -d says of an image, packed again, is the same tree.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/gensquashfs/lib.sh"
rdsquashfs=${RDSQUASHFS:-$builddir/rdsquashfs}
need_python
ok 'the tree is made' everything tree
gen first.sqfs -k -x -D tree
"$rdsquashfs" -d first.sqfs > first.list
ok 'there is a line for each' test "$(wc -l < first.list)" -gt 40
gen second.sqfs -D tree -F - < first.list
same_image_tree 'described and made again' first.sqfs second.sqfs
same_bytes 'even the same bytes' first.sqfs second.sqfs
"$rdsquashfs" -d second.sqfs > second.list
same_bytes 'described again' first.list second.list

# With the sources in the lines, and from what was unpacked.
mkdir unpacked
"$rdsquashfs" -q -u / -p unpacked first.sqfs 2> err
"$rdsquashfs" -d -p unpacked first.sqfs > with.list
gen third.sqfs -F with.list
same_bytes 'from what was unpacked' first.sqfs third.sqfs
"$rdsquashfs" -d -p "$PWD/unpacked" first.sqfs > with.list
cd tree || exit 99
"$gensquashfs" -q --no-compression all -F ../with.list ../fourth.sqfs
cd .. || exit 99
same_bytes 'by absolute paths' first.sqfs fourth.sqfs

# Rules apply to lists as to all else.
gen rules.sqfs -D tree -F first.list --exclude dir/sub \
	--prefix in/side --chmod F0600,D0700 --set-uid 5
manifest rules.sqfs > have.tree
same 'rules' "$(field /in/side/zero 3) $(field /in/side/a 3)" '0600 0700'
same 'owner' "$(awk '$4 != 5' have.tree)" ''
lacks 'excluded' have.tree '^/in/side/dir/sub'
finish
