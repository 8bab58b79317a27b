#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images by other programs and with all options: what they give as an archive,
# packed by tar2sqfs, gives the same archive again.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

{
	echo 'dir d mode=01777 uid=1000 gid=100 mtime=1500000000'
	echo 'file d/empty mode=0'
	echo 'file d/big parts=r70000,t300000'
	echo 'file d/holes parts=t70000,z3000000,t70000,z1000000'
	echo 'file d/attr text=x xattr.user.a=b xattr.trusted.c=hex:000a00ff'
	echo 'file d/attr2 text=y xattr.user.a=b xattr.trusted.c=hex:000a00ff'
	echo "file d/attr3 text=z xattr.user.long=$(printf '%0500d' 3)"
	echo 'dir d/attrs xattr.user.x=y'
	echo 'file d/small text=hello mode=06755'
	echo 'link d/z to=d/small'
	echo 'fifo d/p mode=0600'
	echo 'chr d/c dev=5:1'
	echo 'blk d/b dev=4095:255'
	echo 'file d/t%d copies=100 parts=t400 seed=%d'
	echo 'file d/same%d copies=3 parts=t100000'
	echo 'link a to=d/small'
	echo 'slink s to=d/small mtime=5'
	echo 'slink s2 to=nowhere uid=70000'
} | mktar a.tar
pack a.tar a.sqfs -q
fixpoint a.sqfs
cp fix.tar want.tar

# Zeros that are stored are no holes of the first image, but of the second.
how=

# by PROGRAM IMAGE: its image is one; the same tree gives the same archive but
# for the root, of which other programs have ideas of their own.
by() {
	# shellcheck disable=SC2086
	fixpoint "$2" $how
	tar -tvf fix.tar --numeric-owner --full-time | tail -n +2 > list
	tar -tvf want.tar --numeric-owner --full-time | tail -n +2 > list2
	ok "$1, $2: the same names" diff list2 list
	write "$2" got.tar --no-root --sparse 0
	[ -e "$1.tar" ] || cp got.tar "$1.tar"
	same_bytes "$1, $2: the same archive" got.tar "$1.tar"
}

# ours OPTION...
ours() {
	pack a.tar b.sqfs -q "$@"
	by ours b.sqfs
}
for codec in $(codecs); do
	ours -c "$codec" -b 4K
done
ours -b 1M --no-fragments
ours -T -b 8K --no-compression all -e
how='--sparse 0'
ours --no-sparse --no-duplicates
how=

if ! is_root; then
	skip 'not root: the tree cannot be unpacked whole'
	finish
fi
mkdir tree
tar -C tree -xpf a.tar --numeric-owner --xattrs --xattrs-include='*' || finish

# theirs OPTION...: by mksquashfs.
theirs() {
	rm -f b.sqfs
	mksquashfs tree b.sqfs -quiet -no-progress -noappend "$@" > log 2>&1 ||
		ok "mksquashfs $*" false
	by mksquashfs b.sqfs
}
if have mksquashfs; then
	while read -r codec options; do
		has_codec "$codec" && codec="-comp $codec" || codec=
		# shellcheck disable=SC2086
		theirs $codec $options
	done << '.'
gzip -b 4K
lzma -no-fragments
xz -always-use-fragments -b 1M
lzo -noI -noD -noF -noX -noId
lz4 -noI -b 16K
zstd -no-duplicates -no-exports -nopad
.
	how='--sparse 0'
	theirs -no-sparse
	how=
else
	missing 'no mksquashfs'
fi
# True if a program of that name is the one of squashfs-tools-ng.
is_ng() {
	have "$1" && "$1" --version | grep -q squashfs-tools-ng
}
if is_ng gensquashfs && is_ng tar2sqfs; then
	for options in '-c gzip -b 4K' '-c xz -b 1M -T -e'; do
		rm -f b.sqfs c.sqfs
		# shellcheck disable=SC2086
		tar2sqfs -q $options b.sqfs < a.tar > log 2>&1 ||
			ok "tar2sqfs $options" false
		by ng b.sqfs
		# It makes no hard links of these.
		# shellcheck disable=SC2086
		gensquashfs -q -D tree -k -x $options c.sqfs > log 2>&1 ||
			ok "gensquashfs $options" false
		fixpoint c.sqfs
	done
else
	echo 'skipped: no squashfs-tools-ng'
fi
finish
