#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lists of paths, several directories, and what is left out on the way.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/gensquashfs/lib.sh"
need_python
mkdir -p t/a/b/c t/z t/a/skip
echo f > t/a/b/f && echo g > t/a/b/g && ln t/a/b/f t/z/link && echo h > t/h
chmod 0711 t/a && chmod 0700 t
printf x > "$(printf 't/z/new\nline')"

# listed PATH...: the image of these, by lines; and by NUL bytes the same.
listed() {
	printf '%s\n' "$@" > list
	gen listed.sqfs --files-from list -D t
	printf '%s\0' "$@" > list
	gen null.sqfs --files-from list --null -D t
	same_bytes "--null $*" null.sqfs listed.sqfs
	paths listed.sqfs
}
same 'one' "$(listed a/b/f)" '/ /a /a/b /a/b/f '
manifest listed.sqfs > have.tree
same 'parents as they are' "$(field / 3) $(field /a 3)" '0700 0711'
same 'a directory is no more' "$(listed a)" '/ /a '
same 'the root' "$(listed ./)" '/ '
same 'any form' "$(listed /a//./b/g)" '/ /a /a/b /a/b/g '
same 'twice' "$(listed h a/b/f ./a/b/f a/b h z/link)" \
	'/ /a /a/b /a/b/f /h /z /z/link '
manifest listed.sqfs > have.tree
same 'hard links' "$(field /z/link 10)" '=a/b/f'
same 'first in the list is first in the image' "$(listed z/link a/b/f |
	cat > /dev/null; manifest listed.sqfs | awk '$2 == "f" { print $1 }')" \
	'/a/b/f
/z/link'
printf 'z/new\nline\0' > list
gen null.sqfs --null --files-from list -D t
same 'line ends in names' "$(paths null.sqfs)" '/ /z /z/new\012line '
(cd t && find . -print0) > list
gen find.sqfs -k -x --null --files-from list -D t
gen whole.sqfs -k -x -D t
same_image_tree 'find -print0' find.sqfs whole.sqfs
gen stdin.sqfs -k --null --files-from - -D t < list
same_image_tree 'from standard input' stdin.sqfs whole.sqfs
(cd t && "$gensquashfs" -q --no-compression all -k --null --files-from - \
	../stdin2.sqfs) < list
same_bytes 'without -D' stdin2.sqfs stdin.sqfs
: > list
gen empty.sqfs --files-from list -D t
same 'an empty list' "$(paths empty.sqfs)" '/ '
for jobs in 0 2 8; do
	printf 'h\na/b/g\na/b/f\n' > list
	gen jobs.sqfs --files-from list -D t -j $jobs
	[ $jobs = 0 ] && cp jobs.sqfs jobs0.sqfs
	same_bytes "-j $jobs" jobs.sqfs jobs0.sqfs
done

printf 'h\n\na/../h\n' > list
refuses 2 'list: line 3: path contains' --files-from list -D t no.sqfs
printf 'h\0a/none\0' > list
refuses 1 'list: path 2: a/none: looking at it: No such' --null \
	--files-from list -D t no.sqfs
printf 'h/x\n' > list
refuses 1 'list: line 1: h/x: .*Not a directory' --files-from list -D t no.sqfs
printf 'h\0x\n' > list
refuses 2 'list: line 1: has a NUL byte; see --null' --files-from list -D t \
	no.sqfs
refuses 1 'none: No such file' --files-from none -D t no.sqfs
printf 'none/x\nh\n' > list
run -q --ignore-read-errors --files-from list -D t part.sqfs
same 'ignored: status' "$status" 0
has 'ignored: told' err 'list: line 1: none: .*: left out'
same 'ignored: the rest' "$(paths part.sqfs)" '/ /h '
ln -s a t/way
printf 'way/b\n' > list
refuses 1 'list: line 1: way/b: .*directory' --files-from list -D t no.sqfs
rm t/way

# Several directories: the last one holds.
mkdir -p u/a/b u/only
echo new > u/a/b/f && ln t/h u/only/h && chmod 0750 u/a
gen both.sqfs -D t -D u
manifest both.sqfs > have.tree
same 'all of them' "$(paths both.sqfs)" \
	'/ /a /a/b /a/b/c /a/b/f /a/b/g /a/skip /h /only /only/h /z /z/link /z/new\012line '
same 'the last holds' "$(field /a 3) $(field /a/b/f 8)" '0750 4'
same 'links across' "$(field /only/h 10) $(field /z/link 8)" '=h 2'
echo b > t/b && echo b2 > u/b && ln t/b u/only/x
run -q -f --no-compression all -D t -D u both.sqfs
has 'what is replaced is told' err 'b: a later entry replaces it'
manifest both.sqfs > have.tree
same 'no link to what was replaced' "$(field /only/x 8) $(field /b 8)" '2 3'
run -q --no-compression all -D t -D t twice.sqfs
gen once.sqfs -D t
same_image_tree 'the same twice' twice.sqfs once.sqfs

# The image itself, and the one it replaces.
(cd t && "$gensquashfs" -q --no-compression all -D . in.sqfs 2> ../err)
same 'inside: silence' "$(cat err)" ''
lacks 'inside: the image' "$(manifest t/in.sqfs > have.tree; echo have.tree)" \
	'in.sqfs'
same_image_tree 'inside' t/in.sqfs once.sqfs
(cd t && "$gensquashfs" -q -f --no-compression all -D . in.sqfs 2> ../err)
has 'inside again: told' err 'in.sqfs: is what the image replaces: left out'
same_image_tree 'inside again' t/in.sqfs once.sqfs
rm t/in.sqfs

# Excluded directories are not looked into.
mkdir -p t/secret && chmod 0 t/secret
gen pruned.sqfs --exclude secret -D t
gen pruned2.sqfs -E secret -D t
same_bytes 'both ways' pruned.sqfs pruned2.sqfs
rmdir t/secret
if is_root && mkdir m && mount -t tmpfs none m 2> /dev/null; then
	cleanup='umount m'
	mkdir -p n/mnt && echo f > m/f && echo g > n/g
	ok 'mount' mount --bind m n/mnt
	cleanup='umount n/mnt; umount m'
	gen across.sqfs -D n
	same 'across' "$(paths across.sqfs)" '/ /g /mnt /mnt/f '
	gen one.sqfs -o -D n
	same 'one file system' "$(paths one.sqfs)" '/ /g /mnt '
	printf 'glob / * * * -xdev n\n' > list
	gen one.sqfs -F list
	same 'glob -xdev' "$(paths one.sqfs)" '/ /g /mnt '
	gen one.sqfs --one-file-system -D n -D m
	same 'each has its own' "$(paths one.sqfs)" '/ /f /g /mnt '
	umount n/mnt && umount m
	cleanup=:
fi
finish
