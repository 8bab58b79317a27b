#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -d and --describe: the description makes the same tree again, whatever names,
# targets and attributes are; doc/describe.md.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

# describes DIR IMAGE: the description, with sources below DIR, is the image.
describes() {
	fine -d -p "$1" "$2"
	checks=$((checks + 1))
	if ! manifest "$2" > want.tree ||
	   ! python3 "$tests/described.py" < out > have.tree ||
	   ! diff want.tree have.tree > tree.diff; then
		failed=$((failed + 1))
		echo "failed: $2 as it is described"
		head -n 20 tree.diff 2> /dev/null | sed 's/^/    /'
	fi
}

image a.sqfs << .
dir . mode=0700 uid=1 gid=2 mtime=77
dir d mode=07755
file d/x text=content uid=4294967295 mode=06000
link first to=d/x
file plain text= mtime=0
slink l to=a%20b%0Ac%22%5C%09d
link l2 to=l
chr c dev=1:3 xattr.trusted.a=1
blk b dev=4095:1048575 mtime=4294967295
fifo p
link p2 to=p
file with%20blank text=1
file tab%09tab text=2
file %22quoted text=3
file in%22side text=4
file back%5Cslash text=5
file back%20%5Cn text=6
file new%0Aline text=7
file #comment text=8
file -d text=9
file bell%07%7F text=10
file caf%E9 text=11
file %C3%A9 text=12
file time text=13
file %5C text=14
file attr text= xattr.user.k=hex:00 xattr.user.t=text xattr.user.e=hex: xattr.user.0x=0x41 xattr.user.q=hex:220a5c
dir new%0Afile%20fake%200644%200%200
.
fine -q -u / -p tree -X a.sqfs
describes tree a.sqfs
describes tree/ a.sqfs
describes "$PWD/./tree" a.sqfs
same 'the root first' "$(head -n 2 out | tr '\n' ' ')" \
	'dir / 0700 1 2 time / 77 '
fine --describe a.sqfs
has 'no source without -p' out '^file d/x 06000 4294967295 0$'
has 'a link' out '^link first - - - d/x$|^link d/x - - - first$'
lacks 'no fake' out '^file fake'
lacks 'no time of 0' out '^time plain '
same 'a name is a line' "$(grep -c '^dir ' out)" 3
has 'attribute text' out '^xattr attr user.t "text"$'
has 'attribute bytes' out '^xattr attr user.k 0x00$'

mkdir 'a folder' && mv tree 'a folder/t"'
describes 'a folder/t"' a.sqfs

# gensquashfs makes the same tree of it.
if [ -x "$builddir/gensquashfs" ]; then
	fine -d -p 'a folder/t"' a.sqfs
	mv out description
	ok 'packed again' "$builddir/gensquashfs" -q -F description made.sqfs
	manifest made.sqfs > have
	manifest a.sqfs > want
	same_bytes 'the same tree, made again' have want
fi

# Where nothing needs the additions there are none.
image old.sqfs --no-xattr << .
dir . mtime=0
dir d mtime=0
file d/x%20y text=content mtime=0
file d/q%22%5C text=c mtime=0
slink l to=a mtime=0
.
fine -d old.sqfs
mkdir old && (cd old && "$rdsquashfs" -u / ../old.sqfs)
ok 'the old language' python3 "$tests/described.py" --old old < out > have
manifest old.sqfs > want
same_bytes 'the same tree' have want

# Another program reads it.
if have gensquashfs && have unsquashfs; then
	(cd old && gensquashfs -q -F ../out -D . ../again.sqfs > /dev/null) ||
		ok 'gensquashfs reads it' false
	unsquashfs -lln again.sqfs | sort > have
	unsquashfs -lln old.sqfs | sort > want
	sed 's/^\(d[^ ]* *[^ ]*\) *[0-9]*/\1/' have > have.lines
	sed 's/^\(d[^ ]* *[^ ]*\) *[0-9]*/\1/' want > want.lines
	same_bytes 'and makes the same' have.lines want.lines
fi
finish
