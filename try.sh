#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs what is needed on this Debian machine, builds the programs, packs an
# archive into a SquashFS image, lists and checks it, and turns it back.
#
#   ./try.sh [TAR]
#
# Without a TAR it makes one of this machine's /usr/sbin, /usr/share/doc and
# /usr/share/perl, as far as they are there.
# The image is build/try.sqfs. Nothing but Debian packages is installed.
set -eu
tar=
[ $# -eq 0 ] || tar=$(realpath "$1")
cd "$(dirname "$0")"

echo '1. The packages that the build needs, and a reader for the image'
packages=(gcc make autoconf automake pkg-config libc6-dev zlib1g-dev
	libdeflate-dev liblzma-dev liblz4-dev libzstd-dev liblzo2-dev libbz2-dev
	libpcre2-dev
	squashfs-tools)
missing=()
for package in "${packages[@]}"; do
	dpkg-query -W -f '${Status}' "$package" 2> /dev/null |
		grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
	echo "   apt-get install ${missing[*]}"
	sudo=
	[ "$(id -u)" -eq 0 ] || sudo=sudo
	$sudo apt-get update -q > /dev/null
	$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
		--no-install-recommends "${missing[@]}" > /dev/null
fi

echo '2. Build, in the folder build'
mkdir -p build
[ -x configure ] || ./autogen.sh > build/autogen.log 2>&1
cd build
[ -f Makefile ] || ../configure -q CFLAGS='-O2' > configure.log
if ! make -s -j"$(nproc)" tar2sqfs sqfs2tar rdsquashfs > make.log 2>&1; then
	tail -n 20 make.log
	exit 1
fi

if [ -z "$tar" ]; then
	echo '3. An archive of programs and documents of this machine'
	tar=$PWD/try.tar
	folders=()
	for folder in usr/sbin usr/share/doc usr/share/perl; do
		[ ! -d "/$folder" ] || folders+=("$folder")
	done
	# What may not be read is left out.
	tar --ignore-failed-read -C / -cf "$tar" "${folders[@]}" \
		2> /dev/null || [ -s "$tar" ]
else
	echo "3. The archive $tar"
fi

echo '4. tar2sqfs -f try.sqfs' "$tar"
time ./tar2sqfs -f try.sqfs "$tar"

echo '5. What unsquashfs sees in it'
unsquashfs -lln try.sqfs > try.list
head -n 20 try.list
echo "   ... $(wc -l < try.list) lines in all, in build/try.list"
unsquashfs -s try.sqfs | head -n 12
ls -l "$tar" try.sqfs

echo '6. rdsquashfs --check try.sqfs'
time ./rdsquashfs --check try.sqfs

echo '7. sqfs2tar try.sqfs > again.tar, and an image of that'
time ./sqfs2tar -q try.sqfs > again.tar
./tar2sqfs -q -f again.sqfs again.tar
./sqfs2tar -q again.sqfs | cmp - again.tar && echo '   the same tar again'
