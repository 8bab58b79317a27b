#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Installs what the tests need, then builds and runs all of them on this
# Debian machine. Ends with "N passed, N failed". About 20 minutes on two
# cores; "./runtests.sh gcc" is one build and its tests, in about 5.
#
#   ./runtests.sh [STEP...]
set -u
cd "$(dirname "$0")" || exit 1

packages=(
	# to build
	gcc clang make autoconf automake pkg-config libc6-dev
	zlib1g-dev libdeflate-dev liblzma-dev liblz4-dev libzstd-dev liblzo2-dev
	libbz2-dev libpcre2-dev
	# to check scripts, and to write and read archives and images
	shellcheck python3 tar xz-utils zstd lz4 bzip2 lzip cpio
	squashfs-tools squashfs-tools-ng squashfuse fuse3
	libarchive-tools busybox
	# to make a root file system, and to mount images
	mmdebstrap util-linux mount
)

# The fuzzer's runtime is a package of its own from Debian 12 on.
if apt-cache show libclang-rt-dev > /dev/null 2>&1; then
	packages+=(libclang-rt-dev)
fi

missing=()
for package in "${packages[@]}"; do
	dpkg-query -W -f '${Status}' "$package" 2> /dev/null |
		grep -q 'ok installed' || missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
	echo "Installing: ${missing[*]}"
	sudo=
	[ "$(id -u)" -eq 0 ] || sudo=sudo
	if ! $sudo apt-get update -q > /dev/null ||
	   ! $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
		--no-install-recommends "${missing[@]}" > /dev/null; then
		echo 'apt-get failed'
		echo '0 passed, 1 failed'
		exit 1
	fi
fi
exec tests/ci.sh "$@"
