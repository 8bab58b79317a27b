#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lets libFuzzer run targets under the address and undefined sanitizers, two for
# each processor and one more at once. Ends with one line, "N passed, N failed".
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
	make -s "-j$(nproc)" libsqfskit.a libtools.a) || exit 1
libs=$(sed -n 's/^\(ZLIB\|LIBDEFLATE\|LZMA\|LZ4\|ZSTD\|LZO\|BZIP2\|PCRE2\|LIBS\)\(_LIBS\)\? = //p' \
	"$dir/build/Makefile" | tr '\n' ' ')

fuzz() {
	local target=$1 corpus=$dir/corpus-$1
	mkdir -p "$corpus"
	xz -dc "$top/tests/data/fuzz/$target.tar.xz" |
		tar -C "$corpus" -xf - || return
	# shellcheck disable=SC2086
	clang -std=c11 -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -g -O1 \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-I"$top/include" -I"$top/tests" -I"$top/bin" -I"$dir/build" \
		"$top/tests/fuzz/$target.c" "$dir/build/libtools.a" \
		"$dir/build/libsqfskit.a" $libs -lpthread \
		-o "$dir/$target" || return
	"$dir/$target" "-max_total_time=$seconds" -timeout=10 \
		-rss_limit_mb=2048 -max_len=65536 \
		"-artifact_prefix=$dir/$target-" "$corpus" \
		> "$dir/$target.log" 2>&1
}

# finish TARGET PID: waits for one, and counts it.
finish() {
	if wait "$2"; then
		echo "$1: $(grep '^Done' "$dir/$1.log")"
		passed=$((passed + 1))
	else
		echo "$1: failed"
		[ ! -e "$dir/$1.log" ] || tail -n 30 "$dir/$1.log"
		failed=$((failed + 1))
	fi
}

running=()
for target in "$@"; do
	rm -f "$dir/$target.log"
	fuzz "$target" &
	running+=("$target" "$!")
	if [ "${#running[@]}" -ge $((4 * $(nproc) + 2)) ]; then
		finish "${running[@]:0:2}"
		running=("${running[@]:2}")
	fi
done
while [ "${#running[@]}" -gt 0 ]; do
	finish "${running[@]:0:2}"
	running=("${running[@]:2}")
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
