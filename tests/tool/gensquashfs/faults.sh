#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Files that go, shrink, grow or cannot be read while they are packed. A list of
# paths that comes slowly holds the tool up while a file is changed.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/gensquashfs/lib.sh"
need_python
mkdir -p t/sub
head -c 300000 /dev/urandom > t/big
ln t/big t/sub/linked
head -c 5000 /dev/urandom > t/small
echo other > t/other

files='small other'

# slowly CHANGE ARG...: packs a list that names all files, and while it waits
# for the rest of it runs CHANGE. Files wait in the open block until then.
slowly() {
	change=$1
	shift
	rm -f list no.sqfs
	mkfifo list
	"$gensquashfs" -q --files-from list -D t "$@" no.sqfs 2> err &
	pid=$!
	exec 9> list
	# shellcheck disable=SC2086
	printf '%s\n' $files >&9
	sleep 0.2
	eval "$change"
	exec 9>&-
	status=0
	wait "$pid" || status=$?
}

slowly 'mv t/small kept'
same 'vanished: status' "$status" 1
has 'vanished: told' err '^gensquashfs: t: small: opening it: No such file'
not_ok 'vanished: nothing is left' test -e no.sqfs
mv kept t/small
slowly 'truncate -s 10 t/small'
same 'shrunk: status' "$status" 1
has 'shrunk: told' err '^gensquashfs: t: small: became shorter'
not_ok 'shrunk: nothing is left' test -e no.sqfs
head -c 5000 /dev/urandom > t/small
slowly 'echo more >> t/small'
same 'grown: status' "$status" 1
has 'grown: told' err '^gensquashfs: t: small: changed while it was packed'
not_ok 'grown: nothing is left' test -e no.sqfs
slowly 'cp -p t/small new; mv new t/small'
same 'replaced: status' "$status" 1
has 'replaced: told' err 'small: another file took its place'
slowly 'rm t/small; ln -s other t/small'
same 'a symlink now: status' "$status" 1
has 'a symlink now: told' err '^gensquashfs: t: small: opening it: '
rm t/small
head -c 5000 /dev/urandom > t/small

for jobs in 0 2; do
	slowly 'mv t/small kept' --ignore-read-errors -j $jobs
	same 'vanished, ignored: status' "$status" 0
	has 'vanished, ignored: told' err 'small: opening it: .*: left out$'
	has 'vanished, ignored: counted' err 'could not be read: 1$'
	same 'vanished, ignored: the rest' "$(paths no.sqfs)" '/ /other '
	sound no.sqfs
	mv kept t/small
done
slowly 'echo more >> t/small' --ignore-read-errors
same 'grown, ignored: status' "$status" 0
has 'grown, ignored: told' err 'small: changed while it was packed: what'
manifest no.sqfs > have.tree
same 'grown, ignored: the size' "$(field /small 8)" 5000
slowly 'truncate -s 5 t/small' --ignore-read-errors
has 'shrunk, ignored: told' err 'small: became shorter .*: left out$'
same 'shrunk, ignored: the rest' "$(paths no.sqfs)" '/ /other '
rm -f no.sqfs

# One whose first blocks were stored when the next cannot be read: nothing of it
# stays. Without threads nothing is read before it has to be.
files='small mid other'
rm -f no.sqfs
head -c 5000 /dev/urandom > t/small
(head -c 131072 t/big; head -c 131072 /dev/zero; cat t/big) > t/mid
slowly 'truncate -s 400000 t/mid' --ignore-read-errors -j 0 -Q 40 \
	--no-compression all
same 'shrunk in the middle: status' "$status" 0
has 'shrunk in the middle: told' err 'mid: became shorter .*: left out$'
same 'shrunk in the middle: the rest' "$(paths no.sqfs)" '/ /other /small '
printf 'small\nother\n' > list2
gen want.sqfs --files-from list2 -D t
same_bytes 'nothing of it is left' no.sqfs want.sqfs
(head -c 131072 t/big; head -c 131072 /dev/zero; cat t/big) > t/mid
files='small mid big other'
slowly 'truncate -s 400000 t/mid' --ignore-read-errors -j 0 -Q 40 \
	--no-compression all
printf 'small\nbig\nother\n' > list2
gen want.sqfs --files-from list2 -D t
same_bytes 'nor before a file that has some of it' no.sqfs want.sqfs
rm -f no.sqfs t/mid

# What nobody but root may read; and a directory.
as() {
	if ! is_root; then
		"$@"
	elif have setpriv; then
		chmod 711 . && chmod 1777 d
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		return 77
	fi
}
mkdir d
chmod 0 t/big
chmod 0 t/sub
if as test -x "$gensquashfs" && ! as cat t/big > /dev/null 2>&1; then
	as "$gensquashfs" -q -D t d/no.sqfs 2> err && status=0 || status=$?
	same 'unreadable: status' "$status" 1
	has 'unreadable: told' err '^gensquashfs: t: big: opening it: Perm'
	same 'unreadable: nothing is left' "$(ls -A d)" ''
	for jobs in 0 1 2 8; do
		rm -f d/no.sqfs
		as "$gensquashfs" -q -j $jobs --no-compression all \
			--ignore-read-errors -D t d/no.sqfs 2> err || ok run false
		[ $jobs = 0 ] && cp d/no.sqfs first.sqfs
		same_bytes "unreadable, -j $jobs" d/no.sqfs first.sqfs
	done
	has 'unreadable, ignored: file' err 't: big: opening it: .*left out$'
	has 'unreadable, ignored: directory' err \
		't: sub: opening the directory: .*left out$'
	has 'unreadable, ignored: counted' err 'could not be read: 2$'
	same 'unreadable, ignored: the rest' "$(paths first.sqfs)" \
		'/ /other /small /sub '
	sound first.sqfs
	ok 'excluded, it does no harm' as "$gensquashfs" -q -D t \
		--exclude big --exclude sub d/ex.sqfs
	chmod 755 t/sub
	rm -f d/no.sqfs
	as "$gensquashfs" -q --ignore-read-errors -D t d/no.sqfs 2> err
	has 'its other name goes, too' err 'sub/linked: left out, a hard link'
	same 'both names went' "$(paths d/no.sqfs)" '/ /other /small /sub '
	sound d/no.sqfs
	rm -f d/no.sqfs
	as "$gensquashfs" -q --ignore-read-errors --order size -D t \
		d/no.sqfs 2> err
	same 'sorted by size' "$(paths d/no.sqfs)" '/ /other /small /sub '
	sound d/no.sqfs
	as "$gensquashfs" -q --ignore-read-errors --no-skip -D t d/skip.sqfs \
		2> err && status=0 || status=$?
	same '--no-skip: a lost hard link is an error' "$status" 1
else
	skip 'no user who may not read'
fi
chmod 644 t/big
chmod 755 t/sub
refuses 1 'none: No such file' -D none no.sqfs
refuses 1 't/big: Not a directory' -D t/big no.sqfs
refuses 1 't2: No such' -D t -D t2 no.sqfs
finish
