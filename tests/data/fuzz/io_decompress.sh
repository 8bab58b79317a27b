#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the seeds in io_decompress.tar.xz: a first byte (see tests/fuzz/
# io_decompress.c), then what a program made, whole and with members behind.
set -eu
out=$(cd "$(dirname "$0")" && pwd)/io_decompress.tar.xz
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
text='what is seldom is wonderful, what is often is seldom seen'
seed() {
	name=$1
	shift
	{
		printf '\000'
		printf '%s' "$text$text" | "$@"
	} > "$name"
	{
		printf '\020'
		printf '%s' "$text" | "$@"
		printf '' | "$@"
		printf '%s' "$text$text$text" | "$@"
		printf 'junk'
	} > "$name-members"
}
seed gzip gzip -9n
seed bzip2 bzip2 -1
seed xz xz -0
seed xz-blocks xz -0 --block-size=32
seed lzma xz -0 --format=lzma
seed lzip lzip -0
seed zstd zstd -q --check
seed lz4 lz4 -q --content-size
seed lz4-legacy lz4 -q -l
{
	printf '\020\120\052\115\030\003\000\000\000abc'
	printf '%s' "$text" | zstd -q
	printf '\121\052\115\030\000\000\000\000'
	printf '%s' "$text" | zstd -q
} > zstd-skippable
tar --sort=name --mtime=@0 --owner=0 --group=0 -cf - -- * | xz -9 > "$out"
