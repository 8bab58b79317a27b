#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the seeds in dir_unpack.tar.xz out of those in unpack_image.tar.xz: some
# images with a byte in front that says how to unpack them (see
# tests/fuzz/dir_unpack.c). What fuzzing found is kept from the archive that is
# there: found-*.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir images seeds
xz -dc "$here/unpack_image.tar.xz" | tar -C images -xf -
for how in 000 001 011 013 015 020 021 023 025 053 101 212; do
	for image in raw tiny-raw ours-gzip bare others dir; do
		[ "$image" != dir ] || [ "$how" = 023 ] || continue
		{
			printf "\\$how"
			cat "images/$image"
		} > "seeds/$image-$how"
	done
done
[ ! -e "$here/dir_unpack.tar.xz" ] || xz -dc "$here/dir_unpack.tar.xz" |
	tar -C seeds -xf - --wildcards '*/found-*' || true
tar -C seeds --sort=name --mtime=@0 --owner=0 --group=0 --mode=0644 \
	-cf - . | xz -9 > "$here/dir_unpack.tar.xz"
