#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images by other programs and with all options: what they give as an archive,
# packed by tar2sqfs, gives the same archive again.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

{
	echo 'dir d mode=01777 uid=1000 gid=100 mtime=4294967295'
	echo 'file d/empty mode=0'
	echo 'file d/big parts=r70000,t700000'
	echo 'file d/holes parts=t70000,z3000000,t70000,z1000000'
	echo 'file d/attr text=x xattr.user.a=b xattr.trusted.c=hex:000a00ff'
	echo 'file d/attr2 text=y xattr.user.a=b xattr.trusted.c=hex:000a00ff'
	echo "file d/attr3 text=z xattr.user.long=$(printf '%0500d' 3)"
	echo 'dir d/attrs xattr.user.x=y'
	echo 'file d/small text=hello mode=06755'
	echo 'link a to=d/small'
	echo 'link d/z to=d/small'
	echo 'slink s to=d/small mtime=5'
	echo 'slink s2 to=nowhere uid=70000'
	echo 'fifo d/p mode=0600'
	echo 'chr d/c dev=5:1'
	echo 'blk d/b dev=4095:255'
	echo 'file d/t%d copies=300 parts=t400 seed=%d'
	echo 'file d/same%d copies=3 parts=t200000'
} | mktar a.tar
pack a.tar a.sqfs -q
fixpoint a.sqfs
cp fix.tar want.tar

# by PROGRAM IMAGE: its image is one; the same tree gives the same archive but
# for the root, of which other programs have ideas of their own.
by() {
	fixpoint "$2"
	tar -tvf fix.tar --numeric-owner --full-time | tail -n +2 > list
	tar -tvf want.tar --numeric-owner --full-time | tail -n +2 > list2
	same_bytes "$1: the same names" list list2
	write "$2" got.tar --no-root
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
ours --no-sparse --no-duplicates

if ! is_root; then
	skip 'not root: the tree cannot be unpacked whole'
	finish
fi
mkdir tree
tar -C tree -xpf a.tar --numeric-owner --xattrs --xattrs-include='*' || finish

# theirs OPTION...: by mksquashfs.
theirs() {
	rm -f b.sqfs
	if ! mksquashfs tree b.sqfs -quiet -no-progress -noappend "$@" \
		> log 2>&1; then
		grep -qi 'compressor' log || ok "mksquashfs $*" false
		return
	fi
	by mksquashfs b.sqfs
}
if have mksquashfs; then
	for codec in gzip lzma xz lzo lz4 zstd; do
		! has_codec $codec || theirs -comp $codec
	done
	theirs -b 4K
	theirs -b 1M
	theirs -no-fragments
	theirs -always-use-fragments -b 8K
	theirs -noI -noD -noF -noX -noId
	theirs -noI -b 16K
	theirs -no-duplicates -no-exports
	theirs -nopad -no-sparse
	theirs -no-tailends
else
	missing 'no mksquashfs'
fi
if have gensquashfs && gensquashfs --version | grep -q squashfs-tools-ng; then
	for options in '-c gzip' '-c xz -b 4K' '-c zstd -b 1M -T' '-e'; do
		rm -f b.sqfs
		# shellcheck disable=SC2086
		gensquashfs -q -D tree -k -x $options b.sqfs > log 2>&1 ||
			ok "gensquashfs $options" false
		by gensquashfs b.sqfs
	done
else
	echo 'skipped: no gensquashfs of squashfs-tools-ng'
fi
finish
