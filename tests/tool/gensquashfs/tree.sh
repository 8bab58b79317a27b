#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A tree with everything, packed in three ways: the same comes of it. Run by
# root, it runs itself once more as somebody else.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/gensquashfs/lib.sh"
need_python
ok 'the tree is made' everything tree

gen own.sqfs -k -x -D tree
holds own.sqfs tree
for jobs in 0 1 2 8; do
	gen jobs.sqfs -k -x -j $jobs -D tree
	same_bytes "-j $jobs" jobs.sqfs own.sqfs
done
gen jobs.sqfs -k -x -j 3 -Q 2 -D ./tree/
same_bytes '-Q 2' jobs.sqfs own.sqfs
rm -f jobs.sqfs
(cd tree && "$gensquashfs" -q --no-compression all -k -x -D . ../jobs.sqfs)
same_bytes 'from inside' jobs.sqfs own.sqfs
gen packed.sqfs -k -x --no-compression ids -D tree
same_image_tree 'compressed' own.sqfs packed.sqfs

# What tar makes of it, and what another packer does.
if tar --version 2> /dev/null | grep -q GNU; then
	tar -C tree --format=pax --sort=name --xattrs '--xattrs-include=*' \
		--sparse -cf tree.tar . 2> /dev/null
	"$tar2sqfs" -q --no-compression all tar.sqfs < tree.tar 2> err
	# An archive has no sockets.
	gen sockless.sqfs -k -x --exclude sock -D tree
	same_image_tree 'tar | tar2sqfs' sockless.sqfs tar.sqfs
fi
if have mksquashfs; then
	mksquashfs tree mk.sqfs -noappend -quiet -no-progress -xattrs \
		-noI -noD -noF > /dev/null 2>&1
	manifest own.sqfs > first.tree
	# It counts a hole that ends in a tail-end one byte short.
	python3 "$tests/readimage.py" --lax mk.sqfs > second.tree
	ok 'mksquashfs' diff first.tree second.tree
else
	missing 'no mksquashfs'
fi

sqfsdiff=${SQFSDIFF:-$builddir/sqfsdiff}
if [ -x "$sqfsdiff" ]; then
	ok 'sqfsdiff: the tree' "$sqfsdiff" -q own.sqfs tree
	[ ! -e mk.sqfs ] || ok 'sqfsdiff: mksquashfs' "$sqfsdiff" -q own.sqfs mk.sqfs
	[ ! -e tar.sqfs ] ||
		ok 'sqfsdiff: tar' "$sqfsdiff" -q sockless.sqfs tar.sqfs
fi

# Another order of making names changes nothing.
mkdir x1 x2
for name in c a b; do echo $name > x1/$name; done
for name in b c a; do echo $name > x2/$name; done
gen x1.sqfs -D x1
gen x2.sqfs -D x2
same_bytes 'order of names' x1.sqfs x2.sqfs

# Times are left unless they are asked for; so are attributes.
gen plain.sqfs -D tree
manifest plain.sqfs > have.tree
same 'no times' "$(awk '$7 != 0' have.tree)" ''
same 'no attributes' "$(awk '$12 != "-"' have.tree)" ''
gen plain2.sqfs -d mtime=77 -D tree
same 'default time' "$(manifest plain2.sqfs | awk '$7 != 77')" ''
SOURCE_DATE_EPOCH=100 "$gensquashfs" -q -c gzip -k -D tree epoch.sqfs
manifest epoch.sqfs > have.tree
same 'clamped' "$(field /one 7) $(field /zero 7)" '1 100'
SOURCE_DATE_EPOCH=100 "$gensquashfs" -q -c gzip -f -D tree epoch.sqfs
same 'epoch' "$(manifest epoch.sqfs | awk '$7 != 100')" ''

# Hard links, or files of their own that are stored once.
gen files.sqfs -H -D tree
manifest files.sqfs > have.tree
same 'no links' "$(field /one 6) $(field /zlink 6) $(field /zlink 10)" '1 1 -'
gen linked.sqfs --exclude /dir --exclude /one -D tree
same 'the first name is excluded' \
	"$(manifest linked.sqfs | awk '$1 == "/zlink" { print $6, $8 }')" '1 4'
gen linked.sqfs --exclude /one -D tree
same 'links without the first' \
	"$(manifest linked.sqfs | awk '$1 == "/zlink" { print $6, $10 }')" \
	'2 =dir/link'

mkdir pipes && mkfifo pipes/a && ln pipes/a pipes/b
gen linked.sqfs -k -D pipes
holds linked.sqfs pipes

rm -rf tree
if is_root && [ -z "${as_nobody:-}" ] && have setpriv &&
   setpriv --reuid=65534 --regid=65534 --clear-groups \
	test -x "$gensquashfs" -a -x "$tar2sqfs" -a -r "$0" 2> /dev/null; then
	ok 'as nobody' env as_nobody=yes TMPDIR=/tmp builddir="$builddir" \
		top_srcdir="$top_srcdir" GENSQUASHFS="$gensquashfs" \
		setpriv --reuid=65534 --regid=65534 --clear-groups \
		sh "$top_srcdir/tests/tool/gensquashfs/tree.sh"
fi
finish
