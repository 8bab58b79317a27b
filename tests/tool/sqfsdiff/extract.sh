#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --extract: the files that differ, of both sides, and nowhere else.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python

both a << '.'
file big parts=t300000
file d/same text=same
file d/small text=abc mode=06755 uid=7
file d/gone text=gone
file mode text=mode mode=0600
link hard to=d/small
file type text=file
slink s to=a
file sparse parts=z500000,t1
.
both b << '.'
file big parts=t299999,z1
file d/same text=same
file d/small text=abd mode=0755
file d/come text=come
file mode text=mode mode=0644
link hard to=d/small
slink type to=mode
slink s to=b
file sparse parts=z500000,t2
.
for form in a b; do
	mkdir $form.dir
	tar -xf $form.tar -C $form.dir
	gzip -k $form.tar
done
files() {
	(cd x && find . -type f -o -type l | sort | tr '\n' ' ')
}
want='./new/big ./new/d/come ./new/d/small ./new/hard ./new/sparse'
want="$want ./old/big ./old/d/gone ./old/d/small ./old/hard ./old/sparse"
want="$want ./old/type "
for old in a.sqfs a.tar a.tar.gz a.dir; do
	for new in b.sqfs b.tar.gz b.dir; do
		for option in '-e x -j 0' '--extract=x -j 3'; do
			rm -rf x
			# shellcheck disable=SC2086
			sd $option $old $new
			same "$old $new: status" "$status" 1
			same "$old $new: silence" "$(cat err)" ''
			same "$old $new: files" "$(files)" "$want"
			for file in big d/small hard sparse; do
				same_bytes "$old: $file" x/old/$file a.dir/$file
				same_bytes "$new: $file" x/new/$file b.dir/$file
			done
		done
	done
done
same 'no mode of an image counts' "$(stat -c %a x/old/d/small)" 644

# Quiet does not keep anything back; it works again where files are.
rm -rf x
sd -q -e x a.sqfs b.sqfs
same 'quiet: status' "$status" 1
same 'quiet: silence' "$(cat out err)" ''
same 'quiet: files' "$(files)" "$want"
printf x > x/old/big
rm x/new/d/come
mkdir x/new/d/come
sd -q -e x a.sqfs b.sqfs
same 'again: status' "$status" 1
same_bytes 'again' x/old/big a.dir/big
same_bytes 'again' x/new/d/come b.dir/d/come
rm -rf x
equal -e x a.sqfs a.sqfs
same 'nothing: files' "$(files)" ''

# No symlink leads out, and what cannot be written is trouble.
rm -rf x out.dir
mkdir x out.dir
ln -s ../out.dir x/old
sd -e x a.sqfs b.sqfs
same 'a symlink in place of old: status' "$status" 2
same 'a symlink in place of old' "$(ls out.dir)" ''
rm -rf x
mkdir -p x/old x/new
ln -s ../../out.dir x/old/d
sd -e x a.sqfs b.sqfs
same 'a symlink inside' "$(ls out.dir)" ''
: > file
refuses 'file: opening the directory: ' -e file a.sqfs b.sqfs
refuses 'the name of the directory is empty' -e '' a.sqfs b.sqfs
finish
