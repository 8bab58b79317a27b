#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Several archives on one command line are one tree, the later over the earlier.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d mode=0700 uid=1
file d/old text=first
file d/replaced parts=r9000,t400
file d/big parts=r300000,t7000
file small text=a
.
mktar b.tar << '.'
file d/replaced text=second
link into-a to=d/big
link forward to=c-file
file small2 text=b
slink s to=d
file s/below parts=t100
.
mktar c.tar << '.'
dir d mode=0755 uid=2
file c-file parts=t300,r131072,t17
file d/replaced parts=r5000,z200000,t9
file small3 text=c
.
# The same with one end mark: what gluing them together says.
python3 - << '.' || ok 'gluing' false
out = b""
for name in "abc":
    raw = open(name + ".tar", "rb").read()
    out += raw[:-1024]
open("glued.tar", "wb").write(out + bytes(1024))
.
wanted glued.tar > want.tree

# check WHAT: img.sqfs is what the glued archive says.
check() {
	sound img.sqfs
	manifest img.sqfs > have.tree
	same "$1: tree" "$(cat have.tree)" "$(cat want.tree)"
}
run -q img.sqfs a.tar b.tar c.tar
same 'three files: status' "$status" 0
check 'three files'
for n in 0 1 2 8; do
	run -q -f -b 4K -j "$n" img.sqfs a.tar b.tar c.tar
	check "-j $n"
	mv img.sqfs "$n.sqfs"
	same_bytes "-j $n gives the same image" 0.sqfs "$n.sqfs"
done

# Files and pipes, mixed: one archive at a time is standard input.
for n in 1 2 3; do
	case $n in
	1) cat a.tar | "$tar2sqfs" -q -b 4K img.sqfs - b.tar c.tar ;;
	2) cat b.tar | "$tar2sqfs" -q -b 4K img.sqfs a.tar - c.tar ;;
	3) cat c.tar | "$tar2sqfs" -q -b 4K img.sqfs a.tar b.tar - ;;
	esac
	check "archive $n is a pipe"
	same_bytes "archive $n is a pipe: the same image" 0.sqfs img.sqfs
	rm -f img.sqfs
done
for letter in a b c; do
	mkfifo "$letter.fifo"
	cat "$letter.tar" > "$letter.fifo" &
done
run -q -b 4K img.sqfs a.fifo b.fifo c.fifo
wait
same 'three fifos: status' "$status" 0
same_bytes 'three fifos: the same image' 0.sqfs img.sqfs

# More archives than a process may have open.
names=
for n in $(seq 1 90); do
	echo "file f$n parts=t$((n * 37)),r5000" | mktar "n$n.tar"
	names="$names n$n.tar"
done
rm -f img.sqfs
# shellcheck disable=SC2086
(ulimit -n 40 && "$tar2sqfs" -q -j 2 -Q 4 -b 4K img.sqfs $names)
same 'ninety archives: status' "$?" 0
sound img.sqfs
same 'ninety archives: files' "$(manifest img.sqfs | grep -c ' f ')" 90

# Faults name the archive that has them, whichever it is.
head -c 9000 a.tar > cut.tar
for words in 'cut.tar b.tar c.tar' 'b.tar cut.tar c.tar' 'b.tar c.tar cut.tar'
do
	rm -f no.sqfs
	# shellcheck disable=SC2086
	run -q no.sqfs $words
	same "$words: status" "$status" 1
	has "$words: message" err '^tar2sqfs: cut.tar: '
	not_ok "$words: image" test -e no.sqfs
done
echo 'file small/x text=under-a-file' | mktar under.tar
run -q no.sqfs a.tar under.tar c.tar
same 'parent is a file: status' "$status" 1
has 'parent is a file: message' err '^tar2sqfs: under.tar: small/x: '
python3 - << '.'
raw = open("b.tar", "rb").read()
open("noend.tar", "wb").write(raw[:-1024])
.
run -q -f img.sqfs a.tar noend.tar c.tar
same 'a warning: status' "$status" 0
has 'a warning names its archive' err '^tar2sqfs: warning: noend.tar: '

# What is missing is told before anything is done.
for words in 'a.tar none.tar' 'none.tar a.tar'; do
	# shellcheck disable=SC2086
	run -q no.sqfs $words
	same "$words: status" "$status" 1
	has "$words: message" err '^tar2sqfs: none.tar: No such file'
	not_ok "$words: image" test -e no.sqfs
done
run -q no.sqfs a.tar .
has 'a directory' err '^tar2sqfs: \.: Is a directory'
refuses 2 'standard input can be read once' no.sqfs a.tar - b.tar -
cp b.tar out.tar
run -q -f out.tar a.tar out.tar
same 'output is an input: status' "$status" 2
same_bytes 'output is an input: untouched' b.tar out.tar
finish
