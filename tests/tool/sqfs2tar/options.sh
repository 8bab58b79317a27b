#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line: order, clusters, prefixes, repetition, and what is refused.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

mktar a.tar << '.'
dir d
file d/f parts=t200000 xattr.user.a=b
link d/h to=d/f
file d/g text=hello
.
pack a.tar a.sqfs -q
write a.sqfs want.tar -X -L -d d -k -r x -q
same 'names' "$(names want.tar)" 'x/ x/d/ x/d/f x/d/g x/d/h '

# The same archive, however the words are put.
for words in '-XLkq -d d -r x IMG' 'IMG -XLkqdd -rx' '-q -q -k IMG -LX -rx -dd' \
	'--no-xattr --no-hard-links --subdir d --keep-as-dir IMG --root-b x' \
	'-XLd/d/ -k --root-becomes=./x/ --quiet -- IMG' \
	'-r y -r . -XL -r x -kdd IMG' '--no-x --no-h --sub=./d --keep IMG -rx'
do
	# shellcheck disable=SC2046
	tell got.tar $(echo "$words" | sed 's/IMG/a.sqfs/')
	same "$words: status" "$status" 0
	same "$words: silence" "$(cat err)" ''
	same_bytes "$words" got.tar want.tar
done
cp a.sqfs ./-img
tell got.tar -XLkqdd -rx -- -img
same_bytes 'a dash' got.tar want.tar
tell got.tar -XLkqdd -rx -c gzip -c xz --level 3 --level 1 a.sqfs
xz -dc < got.tar > plain.tar
same_bytes 'the last one counts' plain.tar want.tar

# Nothing but numbers in range passes for one.
for bad in '-j -1' '-j 3x' '-j' '-j 1025' '-c' '-c lzo' '-c nonesuch' '-c GZIP' \
	'-d ..' '-d a/../..' '-d' '--subdir=' '-r ..' '-r /' '-r' \
	'--root-becomes=' '--format v7' '--format=' '--sparse x' \
	'--sparse -1' '--sparse 1T' '--offset -1' '--offset x' '--offset=' \
	'--level 3' '-c gzip --level x' '--exclude [' '--exclude=' \
	'--include /' '--nonesuch' '--no' '--ex d' '-y' '-f' '--quiet=yes' \
	'a.sqfs'; do
	# shellcheck disable=SC2086
	refuses 2 '' $bad a.sqfs
done
for level in gzip:0 gzip:10 xz:10 xz:-1 zstd:23 bzip2:0 bzip2:10 lz4:99; do
	tell out.tar -c "${level%:*}" --level "${level#*:}" a.sqfs
	# What is not built in has no levels.
	grep -q 'built in' err ||
		refuses 2 level -c "${level%:*}" --level "${level#*:}" a.sqfs
done
refuses 2 'no image'
refuses 2 'empty' ''
refuses 2 'one image' a.sqfs a.sqfs
refuses 1 'none.sqfs: .*No such file' none.sqfs
refuses 1 'd.dir: .*directory' d.dir
mkdir d.dir
refuses 1 'd.dir: .*directory' d.dir
refuses 1 'none.ex: No such file' --exclude-from none.ex a.sqfs
finish
