#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Damage is trouble, status 2, named with its file and path; what was found
# before is told all the same. What both store alike is not even looked into.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python

mktar a.tar << '.'
file a text=1
file b/big parts=t600000
file c/small1 parts=t500
file d parts=t1
.
mktar b.tar << '.'
file a text=2
file b/big parts=t600000
file c/small1 parts=t500
file d parts=t2
.
codec=$(codecs | head -n 1)
pack a.tar a.sqfs -q -c "$codec" -b 64K
pack b.tar b.sqfs -q -c "$codec" -b 32K
facts a.sqfs
start=$(inode /b/big start)
cp a.sqfs bad.sqfs
printf '\377\377\377\377' |
	dd of=bad.sqfs bs=1 seek="$start" conv=notrunc 2> /dev/null
for jobs in 0 1 3; do
	for new in b.sqfs b.tar; do
		sd -j $jobs bad.sqfs $new
		same "-j $jobs $new: status" "$status" 2
		same "-j $jobs $new: before it" "$(cat out)" \
			'~ a: content differs from byte 0'
		same "-j $jobs $new: one line" "$(wc -l < err)" 1
		has "-j $jobs $new: message" err \
			'^sqfsdiff: bad.sqfs: b/big: block 0: byte [0-9]+: '
	done
	sd -j $jobs b.sqfs bad.sqfs
	same "-j $jobs: the new one: status" "$status" 2
done
sd --json bad.sqfs b.sqfs
same 'JSON: status' "$status" 2
same 'JSON' "$(json 'len(j["changes"]), j["complete"],
	"summary" in j')" '(1, False, False)'
equal bad.sqfs bad.sqfs
equal -C bad.sqfs a.sqfs

# Cut anywhere: never a crash, and no word that all is the same.
pack a.tar small.sqfs -q -c "$codec"
size=$(wc -c < small.sqfs)
at=0
while [ $at -lt "$size" ]; do
	head -c $at small.sqfs > cut.sqfs
	sd -q a.sqfs cut.sqfs
	[ "$status" -eq 0 ] && ! cmp -s small.sqfs cut.sqfs &&
		[ $((size - at)) -gt 4096 ] &&
		ok "cut at $at: status" false
	at=$((at + size / 13))
done
ok 'cuts' test $at -gt 0
gzip -k a.tar
head -c 300 a.tar.gz > cut.tar.gz
refuses 'cut.tar.gz: ' a.sqfs cut.tar.gz
head -c 5000 a.tar > cut.tar
refuses 'cut.tar: ' cut.tar a.sqfs
printf '\001' | dd of=a.tar bs=1 seek=512 conv=notrunc 2> /dev/null
sd a.tar a.sqfs
same 'other bytes in an archive' "$status" 1
finish
