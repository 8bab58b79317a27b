#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Parts of an image and where they go: -d, -k, -r, --no-root.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

mktar a.tar << '.'
dir . mode=0711
dir a mode=0750 uid=5
dir a/b mode=0700 uid=6
file a/b/f text=hi
file a/g text=g
dir c
link c/l to=a/b/f
slink s to=a/b
file top text=t
.
pack a.tar a.sqfs -q

# check WANT OPTION...: these are the names, and nothing is said.
check() {
	want=$1
	shift
	write a.sqfs got.tar "$@"
	same "$*" "$(names got.tar)" "$want"
}
# mode NAME: its mode and owner in got.tar.
mode() {
	tar --numeric-owner -tvf got.tar |
		awk -v name="$1" '$6 == name { print $1, $2 }'
}

check './ a/ a/b/ a/b/f a/g c/ c/l s top '
cp got.tar all.tar
check 'a/ a/b/ a/b/f a/g c/ c/l s top ' --no-root
check './ a/ a/b/ a/b/f a/g c/ c/l s top ' -k

# One directory becomes the root.
check './ b/ b/f g ' -d a
same 'the root is what it was' "$(mode ./)" 'drwxr-x--- 5/0'
check './ f ' --subdir a/b
check './ f ' -d ./a//b/
check 'f ' -d a/b --no-root
check './ l ' -d c
same_content got.tar got.tar
has 'the only name is the file itself' want.tree '^/l f '
check './ a/ a/b/ a/b/f a/g ' -d a --keep-as-dir
check './ a/ a/b/ a/b/f ' -d a/b -k
same 'what leads there' "$(mode a/)" 'drwxr-x--- 5/0'
same 'the root' "$(mode ./)" 'drwx--x--x 0/0'
check 'a/ a/b/ a/b/f ' -d a/b -k --no-root

# The root is a directory as well.
for root in / . ./ //; do
	write a.sqfs got.tar -d $root
	same_bytes "-d $root" got.tar all.tar
done

# What is no directory comes alone.
check 'top ' -d top
check 's ' -d s
check 'f ' -d a/b/f
check './ a/ a/b/ a/b/f ' -d a/b/f -k

# Several keep their paths, in this order, each once.
check './ a/ a/b/ a/b/f a/g c/ c/l ' -d a -d c
check './ c/ c/l a/ a/b/ a/b/f a/g ' -d c -d a
tar -tvf got.tar > list
has 'the link goes to what comes first' list 'a/b/f link to c/l$'
check './ a/ a/b/ a/b/f c/ c/l ' -d a/b -d c
check './ a/ a/b/ a/b/f a/g ' -d a -d a/b
check './ a/ a/b/ a/b/f a/g ' -d a/b -d a -d a/b/f -d a
check './ a/ a/b/ a/b/f ' -d a/b -d a/b
check './ a/ a/g a/b/ a/b/f top ' -d a/g -d a/b -d top
write a.sqfs got.tar -d a -d /
same_bytes 'the root holds all' got.tar all.tar

# What is not there is told, and nothing is written.
for bad in none a/none top/x a/b/f/ ff a/b/g; do
	[ $bad = a/b/f/ ] ||
		refuses 1 "a.sqfs: $bad: is not in the image" -d $bad a.sqfs
	[ $bad = a/b/f/ ] ||
		refuses 1 "a.sqfs: $bad: is not" -d a -d $bad -k a.sqfs
done

# A new directory above all.
check 'foo/ foo/a/ foo/a/b/ foo/a/b/f foo/a/g foo/c/ foo/c/l foo/s foo/top ' \
	-r foo
same 'it is what the root was' "$(mode foo/)" 'drwx--x--x 0/0'
tar -tvf got.tar > list
has 'links move along' list 'foo/c/l link to foo/a/b/f$'
has 'symlinks stay' list 'foo/s -> a/b$'
cp got.tar foo.tar
for root in /foo foo/ ./foo //foo//; do
	write a.sqfs got.tar --root-becomes $root
	same_bytes "-r $root" got.tar foo.tar
done
check 'x/y/ x/y/b/ x/y/b/f x/y/g ' -r x/y -d a
same 'it is what the directory was' "$(mode x/y/)" 'drwxr-x--- 5/0'
check 'x/ x/a/ x/a/b/ x/a/b/f ' -d a/b -k -r x
check 'x/ x/a/ x/a/b/ x/a/b/f x/c/ x/c/l ' -d a/b -d c -r x
check 'x/top ' -d top -r x

# Names that begin with "./".
check './ ./a/ ./a/b/ ./a/b/f ./a/g ./c/ ./c/l ./s ./top ' -r .
tar -tvf got.tar > list
has 'links move along' list ' ./c/l link to ./a/b/f$'
same_content got.tar all.tar
check './a/ ./a/b/ ./a/b/f ./a/g ./c/ ./c/l ./s ./top ' -r ./ --no-root
check './ ./b/ ./b/f ./g ' -r . -d a
check './ ./b/ ./b/f ./g ' -r x -r . -d a --format gnu
finish
