#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The images in other hands: unsquashfs, rdsquashfs, squashfuse and the kernel,
# each unpacks or mounts what the archive says. As root everything is compared,
# else what a user can restore.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir ./ mode=0751 mtime=1100000000
dir d mode=0711 mtime=1000000005
file d/text parts=t300000 mode=0640 mtime=1000000001
file d/noise parts=r200000 mode=0755 mtime=1000000002
file d/hole parts=t131072,z393216,t5 mode=0600
file d/small text=small
file d/same parts=t300000 mode=0644
file empty mode=0444
file n%d copies=600 parts=t300 seed=%d mtime=1000000003
file blank%20name text=1
slink l to=d/text
slink dangling to=/nowhere
link hard to=d/noise
.
cp a.tar full.tar
if is_root; then
	mktar full.tar << '.'
dir ./ mode=0751 mtime=1100000000
dir d mode=2711 mtime=1000000005 uid=5 gid=6 xattr.user.d=folder
file d/text parts=t300000 mode=4640 mtime=1000000001 uid=70000 gid=4000000
file d/noise parts=r200000 mode=0755 xattr.trusted.n=hex:000102 xattr.user.u=
file d/hole parts=t131072,z393216,t5 mode=0600
file d/same parts=t300000 mode=0644
file cap text=x xattr.security.capability=hex:0100000200200000000000000000000000000000
file n%d copies=600 parts=t300 seed=%d
chr null dev=1:3 mode=0666
blk disk dev=259:70000 mode=0600 uid=7
fifo pipe mode=0620
slink l to=d/text uid=8
link hard to=d/noise
link hardpipe to=pipe
link hardlink to=l
.
fi

# What can be compared: PATH TYPE MODE ... of the lines in a file.
#   all      everything
#   user     without owners, times and attributes
#   fuse     and without saying which names are one inode
#   content  without modes and link counts as well
comparable() {
	case $1 in
	all) awk '{ if ($2 == "l") $3 = "-"; print }' ;;
	fuse) awk '{ $4 = $5 = $7 = $12 = "-"
		if ($2 == "l" || $1 == "/") $3 = "-"
		if ($10 ~ /^=/) $10 = "-"
		print }' ;;
	user) awk '{ $4 = $5 = $7 = $12 = "-"
		if ($2 == "l") $3 = "-"
		if ($1 == "/") $3 = "-"
		print }' ;;
	content) awk '{ $3 = $4 = $5 = $6 = $7 = $12 = "-"
		if ($10 ~ /^=/) $10 = "-"
		print }' ;;
	esac
}

# compare WHAT HOW DIR TAR: DIR is the archive's tree.
compare() {
	wanted "$4" | comparable "$2" > want.tree
	python3 "$tests/dirtree.py" "$3" | comparable "$2" > have.tree
	checks=$((checks + 1))
	if ! diff want.tree have.tree > tree.diff; then
		failed=$((failed + 1))
		echo "failed: $1"
		head -n 20 tree.diff | sed 's/^/    /'
	fi
}

how=user
is_root && how=all

use_unsquashfs() {
	rm -rf dest
	unsquashfs -n -q -d dest "$2" > log 2>&1 || {
		cat log
		ok "unsquashfs, $1" false
	}
	compare "unsquashfs, $1" $how dest full.tar
}

use_rdsquashfs() {
	rm -rf dest
	rdsquashfs -q -u / -p dest -C "$2" > log 2>&1 || {
		cat log
		ok "rdsquashfs, $1" false
	}
	compare "rdsquashfs, $1" content dest a.tar
	rdsquashfs -d "$2" > listing
	ok "rdsquashfs lists, $1" grep -q '^file "\{0,1\}/\{0,1\}d/text' listing
}

use_squashfuse() {
	mkdir -p mnt
	if ! squashfuse "$2" mnt > log 2>&1; then
		skip "squashfuse cannot mount here: $(tail -n 1 log)"
		return
	fi
	cleanup='fusermount -u mnt 2> /dev/null || umount mnt 2> /dev/null'
	compare "squashfuse, $1" fuse mnt a.tar
	eval "$cleanup"
	cleanup=:
}

use_kernel() {
	mkdir -p mnt
	if ! mount -t squashfs -o loop,ro "$2" mnt 2> log; then
		cat log
		ok "mount, $1" false
		return
	fi
	cleanup='umount mnt'
	compare "mount, $1" all mnt full.tar
	umount mnt
	cleanup=:
}

kernel_reads() {
	is_root && grep -q 'squashfs$' /proc/filesystems 2> /dev/null &&
		[ -e /dev/loop-control ] && [ "$1" != lzma ] && [ "$1" != lzo ]
}

for program in unsquashfs rdsquashfs squashfuse; do
	have $program || missing "$program"
done
is_root || skip 'not root: no mounts'
for codec in $(codecs); do
	for size in 4K 128K 1M; do
		pack a.tar a.sqfs -q -e -c "$codec" -b $size
		pack full.tar full.sqfs -q -e -c "$codec" -b $size
		! have unsquashfs || use_unsquashfs "$codec $size" full.sqfs
		! have rdsquashfs || use_rdsquashfs "$codec $size" a.sqfs
		! have squashfuse || [ "$codec" = lzma ] ||
			use_squashfuse "$codec $size" a.sqfs
		! kernel_reads "$codec" || use_kernel "$codec $size" full.sqfs
	done
done
finish
