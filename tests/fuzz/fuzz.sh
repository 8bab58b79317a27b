#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lets libFuzzer run targets under the address and undefined sanitizers. Ends
# with one line, "N passed, N failed".
#
#	tests/fuzz/fuzz.sh SECONDS DIR [TARGET...]
#
# All targets, or those named (tar_source), SECONDS each. DIR is a folder for
# what is built and found; a configured build must be in the current folder.
# What a target breaks on is left as DIR/TARGET-*. clang and xz are needed.
set -u
seconds=${1:?} dir=$(mkdir -p "${2:?}" && cd "$2" && pwd)
shift 2
top=$(cd "$(dirname "$0")/../.." && pwd)
flags='-g -O1 -fsanitize=fuzzer-no-link,address,undefined'
flags="$flags -fno-sanitize-recover=all"
passed=0
failed=0

if [ $# -eq 0 ]; then
	for inputs in "$top"/tests/data/fuzz/*.tar.xz; do
		set -- "$@" "$(basename "$inputs" .tar.xz)"
	done
fi

# A build of its own, as the one here was configured but for the compiler.
mkdir -p "$dir/build"
(cd "$dir/build" && "$top/configure" -q CC=clang CFLAGS="$flags" \
	LDFLAGS=-fsanitize=address,undefined &&
	make -s "-j$(nproc)" libsqfskit.a) || exit 1
libs=$(sed -n 's/^\(ZLIB\|LIBDEFLATE\|LZMA\|LZ4\|ZSTD\|BZIP2\|LIBS\)\(_LIBS\)\? = //p' \
	"$dir/build/Makefile" | tr '\n' ' ')

for target in "$@"; do
	corpus=$dir/corpus-$target
	mkdir -p "$corpus"
	xz -dc "$top/tests/data/fuzz/$target.tar.xz" | tar -C "$corpus" -xf -
	# shellcheck disable=SC2086
	clang -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -g -O1 \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-I"$top/include" -I"$top/tests" -I"$dir/build" \
		"$top/tests/fuzz/$target.c" "$dir/build/libsqfskit.a" $libs \
		-lpthread -o "$dir/$target" || exit 1
	if "$dir/$target" "-max_total_time=$seconds" -timeout=10 \
		-rss_limit_mb=2048 -max_len=65536 \
		"-artifact_prefix=$dir/$target-" "$corpus" \
		> "$dir/$target.log" 2>&1; then
		echo "$target: $(grep '^Done' "$dir/$target.log")"
		passed=$((passed + 1))
	else
		tail -n 30 "$dir/$target.log"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
