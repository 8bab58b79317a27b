#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs each fuzz target over the inputs kept for it.
set -eu
: "${builddir:?}" "${top_srcdir:?}"
if ! command -v xz > /dev/null || ! command -v tar > /dev/null; then
	echo "SKIP: tar or xz is missing"
	exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ran=0
for inputs in "$top_srcdir"/tests/data/fuzz/*.tar.xz; do
	name=$(basename "$inputs" .tar.xz)
	mkdir "$dir/$name"
	xz -dc "$inputs" | tar -C "$dir/$name" -xf -
	echo "$name:"
	"$builddir/tests/fuzz/$name" "$dir/$name"
	ran=$((ran + 1))
done
test "$ran" -gt 0
