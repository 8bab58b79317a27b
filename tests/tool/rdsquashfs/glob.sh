#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Patterns in the place of paths.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs << .
file a.txt text=1
file b.txt text=2
file c text=3
file [x] text=brackets
file x text=x
file d/a.txt text=4
file d/e/b.txt text=5
file d/e/f/c.conf text=6
slink d/l.txt to=a.txt
.
cat_is() {
	want=$1
	shift
	fine "$@" a.sqfs
	same "$*" "$(cat out)" "$want"
}
cat_is 12 -c '*.txt'
cat_is 12 -c '/*.txt'
cat_is 121 -c '?.[a-t]xt' -c 'a.t?[t]'
cat_is 1245 -c '**/*.txt'
cat_is 45 -c 'd/**/*.txt'
cat_is 5 -c 'd/?/*.txt'
cat_is 6 -c '**.conf'
cat_is 21 -c 'b.txt' -c 'a*'
cat_is 121 -c '*.txt' -c a.txt
cat_is 'brackets' -c '[x]'
cat_is 'x' -c '[x-z]'
cat_is 'brackets' -c '\[x\]*'
refuses 1 '"\*.nope" matches no file' -c '*.nope' a.sqfs
refuses 1 '"no/\*" matches no file' -c 'no/*' a.sqfs
refuses 1 '"d/\?" matches no file' -c 'd/?' a.sqfs
refuses 2 '\[a' -c '[a' a.sqfs

fine -l 'd/*' a.sqfs
same 'listed' "$(sed 's/ -> .*//; s/.* //' out | tr '\n' ' ')" \
	'd/a.txt d/l.txt  /d/e: b.txt f '
fine -s 'd/*' a.sqfs
same 'looked at' "$(sed -n 's/^Path: //p' out | tr '\n' ' ')" \
	'/d/a.txt /d/e /d/l.txt '
fine -u '**/*.txt' -p out1 a.sqfs
same 'unpacked' "$(below out1)" \
	'a.txt b.txt d d/a.txt d/e d/e/b.txt d/l.txt '
fine -u '*' -p out2 a.sqfs
same 'all' "$(below out2)" \
	'[x] a.txt b.txt c d d/a.txt d/e d/e/b.txt d/e/f d/e/f/c.conf d/l.txt x '
fine -u d/e -u 'd/e/**' -u d/a.txt -p out3 a.sqfs
same 'none twice' "$(below out3)" \
	'd d/a.txt d/e d/e/b.txt d/e/f d/e/f/c.conf '
finish
