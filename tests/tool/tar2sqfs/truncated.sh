#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Input that ends too early: an error, the old image stays, nothing is left.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d
file d/a parts=t3000
file b parts=t1500 xattr.user.x=1
slink l to=d/a
cut
.
mkdir dest
echo precious > dest/img.sqfs
size=$(wc -c < a.tar)
at=1
while [ "$at" -lt "$size" ]; do
	head -c "$at" a.tar > cut.tar
	case $at in
	512|4096) what=odd ;;	# ends between two members
	*) what=torn ;;
	esac
	for way in file pipe; do
		status=0
		if [ $way = file ]; then
			"$tar2sqfs" -q -f dest/img.sqfs < cut.tar \
				> out.txt 2> err || status=$?
		else
			cat cut.tar | "$tar2sqfs" -q -f dest/img.sqfs \
				> out.txt 2> err || status=$?
		fi
		ok "cut at $at: a word" test -s err
		if [ "$what" = torn ]; then
			same "cut at $at, $way: status" "$status" 1
			same "cut at $at: one line" "$(wc -l < err)" 1
			same "cut at $at: the old image" \
				"$(cat dest/img.sqfs)" precious
		elif [ "$status" -eq 0 ]; then
			echo precious > dest/img.sqfs
		fi
		left_only dest img.sqfs
	done
	at=$((at + 97))
done

# Nothing at all, and junk.
: > empty
head -c 3 /dev/urandom > junk3
head -c 3000 /dev/urandom > junk
for file in empty junk3 junk; do
	rm -f no.sqfs
	run -q no.sqfs < $file
	same "$file: status" "$status" 1
	has "$file: message" err '^tar2sqfs: '
	not_ok "$file: image" test -e no.sqfs
done

# Two zero blocks alone are an archive without members.
head -c 1024 /dev/zero > zero.tar
pack zero.tar img.sqfs -q
same_tree img.sqfs zero.tar

# An archive that shrinks while it is read is an error, too: the header tells
# of more than there is.
mktar c.tar << '.'
file big size=900000 parts=t1000
.
refuses 1 '^tar2sqfs: .*big' -q no.sqfs c.tar
finish
