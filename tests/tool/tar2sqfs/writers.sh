#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One tree, archived by every tar program there is here and in each of its
# formats: the images show the same tree.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

long=$(printf '%090d' 7)
mkdir -p "tree/d/$long"
printf 'small\n' > tree/d/small
head -c 300000 /dev/zero | tr '\0' 'x' > tree/d/text
: > tree/empty
printf 'deep\n' > "tree/d/$long/$long"
truncate -s 300000 tree/holes
printf 'end' >> tree/holes
printf 'name\n' > 'tree/with blank'
ln tree/d/text tree/again
ln -s d/text tree/link
ln -s "$long/$long/$long" tree/longlink
chmod 0750 tree/d
chmod 0444 tree/empty
find tree -exec touch -h -d @1000000000 {} +

# packed NAME: the tree in NAME.tar, of what all formats can say.
packed() {
	run -q -f "$1.sqfs" "$1.tar"
	same "$1: status" "$status" 0
	python3 "$tests/readimage.py" "$1.sqfs" | awk '$1 != "/"' |
		sort > "$1.tree"
	[ -s "$1.tree" ] || echo "$1 gave nothing" > "$1.tree"
	if [ -e first.tree ]; then
		ok "$1: the same tree" cmp first.tree "$1.tree"
	else
		cp "$1.tree" first.tree
	fi
}

own='--owner=0 --group=0 --numeric-owner --sort=name'
for format in gnu oldgnu posix; do
	# shellcheck disable=SC2086
	tar $own --format=$format -C tree -cf gnu-$format.tar . || exit
	packed gnu-$format
	# shellcheck disable=SC2086
	tar $own --format=$format --sparse -C tree -cf sparse-$format.tar . ||
		exit
	packed sparse-$format
done
for version in 0.0 0.1 1.0; do
	# shellcheck disable=SC2086
	tar $own --format=posix --sparse --sparse-version=$version -C tree \
		-cf sparse-$version.tar . || exit
	packed sparse-$version
done
if have bsdtar; then
	for format in pax gnutar; do
		bsdtar --uid 0 --gid 0 --format="$format" -C tree \
			-cf "bsd-$format.tar" . || exit
		packed "bsd-$format"
	done
else
	missing 'no bsdtar'
fi
for format in GNU PAX; do
	python3 - $format << '.' || exit
import sys, tarfile
def owner(m):
    m.uid = m.gid = 0
    m.uname = m.gname = ""
    return m
name = "python-%s.tar" % sys.argv[1]
with tarfile.open(name, "w",
                  format=getattr(tarfile, sys.argv[1] + "_FORMAT")) as t:
    t.add("tree", ".", filter=owner)
.
	packed python-$format
done
if ! have busybox; then
	missing 'no busybox'
elif is_root; then
	chown -R -h 0:0 tree
	(cd tree && busybox tar -cf ../busybox.tar .) || exit
	packed busybox
fi
finish
