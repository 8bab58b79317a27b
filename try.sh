#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs what is needed on this Debian machine, builds tar2sqfs, packs an
# archive into a SquashFS image and lists it.
#
#   ./try.sh [TAR]
#
# Without a TAR it makes one of this machine's own /etc and /usr/share/doc.
# The image is build/try.sqfs. Nothing but Debian packages is installed.
set -eu
tar=
[ $# -eq 0 ] || tar=$(realpath "$1")
cd "$(dirname "$0")"

echo '1. The packages that the build needs, and a reader for the image'
packages=(gcc make autoconf automake pkg-config libc6-dev zlib1g-dev
	libdeflate-dev liblzma-dev liblz4-dev libzstd-dev liblzo2-dev libbz2-dev
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
[ -f Makefile ] || ../configure -q CFLAGS='-O2'
make -s -j"$(nproc)" tar2sqfs

if [ -z "$tar" ]; then
	echo '3. An archive of /etc and /usr/share/doc'
	tar=$PWD/try.tar
	# What a user may not read is left out; live files may change.
	tar --ignore-failed-read --warning=no-file-changed -C / -cf "$tar" \
		etc usr/share/doc 2> /dev/null || [ -s "$tar" ]
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
