#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compressed archives, told by what they hold: every format from a file and
# through a pipe, in several members, damaged, cut, with junk behind.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d mtime=1
file d/t%d copies=40 parts=t9000 seed=%d
file big parts=t400000,r100000 seed=3
.
cp a.tar plain.tar
size=$(wc -c < plain.tar)
pack plain.tar want.sqfs -q

# name, command that compresses standard input, library in messages
formats='gzip|gzip -c|zlib
xz|xz -1c|liblzma
xz|xz -1c --block-size=65536|liblzma
lzma|xz -1c --format=lzma|liblzma
bzip2|bzip2 -c|libbz2
zstd|zstd -qc --check|libzstd
zstd|zstd -q -c --stream-size=0 --no-check|libzstd
lz4|lz4 -qc|liblz4
lz4|lz4 -qlc|liblz4
lzip|lzip -c|liblzma'

# refused STATUS: no image, one line, which matches.
refused() {
	same "$1: status" "$status" 1
	has "$1: message" err "^tar2sqfs: .*$2"
	same "$1: one line" "$(wc -l < err)" 1
	not_ok "$1: an image was left" test -e no.sqfs
}

# same_image WHAT: what was packed is what the plain archive gives.
same_image() {
	same "$1: status" "$status" 0
	same "$1: no word" "$(cat err)" ''
	same_bytes "$1: same image" want.sqfs img.sqfs
}

flip() {
	python3 - "$1" "$2" << '.'
import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[int(sys.argv[2])] ^= 0x55
open(sys.argv[1], "wb").write(data)
.
}

is_built_in() {
	printf '' | $1 > probe.z
	run -q -f no.sqfs probe.z
	rm -f no.sqfs
	! grep -q 'built without' err
}

try_format() {
	format=$1 command=$2 library=$3
	if ! have "${command%% *}"; then
		missing "no ${command%% *}"
		return
	fi
	if ! is_built_in "$command"; then
		has "$format not built in: named with its library" err \
			"$format-compressed input.* without $library"
		has "$format not built in: the way out" err " -dc < "
		return
	fi
	# The name says nothing.
	$command < plain.tar > packed.txt || ok "$command" false
	for jobs in 0 3; do
		rm -f img.sqfs
		run -q -j $jobs img.sqfs packed.txt
		same_image "$command, -j $jobs, file"
	done
	rm -f img.sqfs
	status=0
	# A pipe, not a file as standard input.
	# shellcheck disable=SC2002
	cat packed.txt | "$tar2sqfs" -q -j 1 img.sqfs 2> err || status=$?
	same_image "$command, pipe"
	try_damage "$format" "$command"
	[ "$format" = lzma ] || try_members "$format" "$command"
}

# BR-111, BR-112: all members are read. BR-116: bytes behind are told of.
try_members() {
	what="BR-111, BR-112: $2"
	{
		head -c 5000 plain.tar | $2
		tail -c +5001 plain.tar | head -c 100000 | $2
		tail -c +105001 plain.tar | $2
	} > members.z
	rm -f img.sqfs
	run -q img.sqfs members.z
	same_image "$what"
	case $2 in
	*-ql*) return ;; # its frames take what follows for blocks
	esac
	what="BR-116: $2"
	cp packed.txt junk.z
	echo 'and more' >> junk.z
	rm -f img.sqfs
	run -q img.sqfs junk.z
	same "$what: status" "$status" 0
	has "$what: told of" err \
		"^tar2sqfs: .*byte $(wc -c < packed.txt) of the $1 input: 9 bytes"
	same_bytes "$what: same image" want.sqfs img.sqfs
	{
		head -c 300000 plain.tar | $2
		echo 'and more'
	} > junk.z
	run -q no.sqfs junk.z
	refused "$what, the tar is cut" .
	# Whole entries, but no end: that it was cut there is likelier.
	{
		head -c "$((size - 10240))" plain.tar | $2
		echo 'and more'
	} > junk.z
	run -q no.sqfs junk.z
	refused "$what, the tar has no end" .
}

# BR-117: damage is an error that names its place.
try_damage() {
	len=$(wc -c < packed.txt)
	for at in $((len / 2)) $((len - 9)); do
		# It has no checksum.
		case $2 in
		*lzma|*-ql*|*no-check*) continue ;;
		esac
		cp packed.txt bad.z
		flip bad.z "$at"
		for jobs in 0 3; do
			run -q -j $jobs no.sqfs bad.z
			refused "BR-117: $2, byte $at, -j $jobs" \
				"byte [0-9]+ of the $1 input: (damaged|it ends)"
			[ $jobs = 0 ] && cp err first.err
		done
		same_bytes "$2: same words" first.err err
	done
	for keep in $((len / 2)) $((len - 3)) 20; do
		head -c "$keep" packed.txt > cut.z
		run -q no.sqfs cut.z
		refused "$2 cut to $keep bytes" "byte [0-9]+ of the $1 input"
	done
}

echo "$formats" > formats
while IFS='|' read -r format command library; do
	try_format "$format" "$command" "$library"
done < formats

# BR-120, BR-121 and what no library of ours reads: a clear message.
for magic in '\037\235\220' '\211LZO\000\r\n\032\n'; do
	# shellcheck disable=SC2059
	printf "$magic" > other.z
	head -c 2000 plain.tar >> other.z
	run -q no.sqfs other.z
	refused 'BR-121: another compressor' 'decompress it first'
done

# A plain archive stays one, whatever its first name looks like.
for name in BZh91AY LZIPfile ']' "$(printf '\037\213\010')"; do
	mkdir -p odd
	echo content > "odd/$name"
	tar -C odd --format=ustar -cf odd.tar -- "$name"
	rm -rf odd img.sqfs
	run -q img.sqfs odd.tar
	same "plain archive of \"$name\": status" "$status" 0
done

if have gzip && is_built_in 'gzip -c'; then
	# BR-119: standard input, no program between.
	gzip -c < plain.tar > packed.txt
	pack packed.txt img.sqfs -q
	same_bytes 'BR-119: same image' want.sqfs img.sqfs
	head -c 2000 /dev/zero >> packed.txt
	pack packed.txt img.sqfs -q
	same 'gzip: padding needs no word' "$(cat err)" ''

	# The trailer is checked though the archive ended before.
	head -c "$(($(gzip -c < plain.tar | wc -c) - 1))" packed.txt > cut.z
	run -q no.sqfs cut.z
	refused 'gzip: one byte is missing' 'it ends here'

	gzip -c < /dev/null > none.z
	run -q no.sqfs none.z
	refused 'gzip: of nothing' 'empty input'
	gzip -c < plain.tar | gzip -c > twice.z
	run -q no.sqfs twice.z
	refused 'gzip: twice' 'gzip-compressed'

	rm -f img.sqfs
	gzip -c < plain.tar > one.z
	run -q -f img.sqfs plain.tar one.z
	same 'several archives, one compressed: status' "$status" 0
fi

# True if the program was built with threads.
has_threads() {
	grep -q '^#define WITH_PTHREAD 1' "$builddir/config.h"
}

# While the input is held back just before its end, each thread has done its
# work: decompressing was not the main thread's. Processor time, not the clock.
overlap() {
	python3 - "$tar2sqfs" "$1" << '.'
import glob, os, subprocess, sys, time
data = open(sys.argv[2], "rb").read()
process = subprocess.Popen([sys.argv[1], "-q", "-f", "-j", "1", "-c", "gzip",
                            "overlap.sqfs"], stdin=subprocess.PIPE)

def spent():
    """Nanoseconds of processor time of each thread, the main one first."""
    out = []
    for path in sorted(glob.glob("/proc/%d/task/*/schedstat" % process.pid),
                       key=lambda p: int(p.split("/")[4])):
        out.append(int(open(path).read().split()[0]))
    return out

process.stdin.write(data[:-1])
process.stdin.flush()
before, still = None, 0
while still < 20:
    time.sleep(0.05)
    now = spent()
    still = still + 1 if now == before else 0
    before = now
process.stdin.write(data[-1:])
process.stdin.close()
status = process.wait()
print("threads, us:", [n // 1000 for n in before])
# The main thread, the one that decompresses, and those that pack.
sys.exit(status or not (len(before) > 2 and before[1] > before[0] and
                        sum(before[2:]) > 0))
.
}
if [ -r /proc/self/schedstat ] && have xz && is_built_in 'xz -c' &&
   has_threads && ! is_sanitized; then
	printf 'file big parts=r3000000,t3000000 seed=5\n' | mktar b.tar
	xz -1c < b.tar > b.tar.xz
	"$tar2sqfs" -q -f -j 1 threads.sqfs b.tar.xz
	ok 'decompressing overlaps packing' overlap b.tar.xz
fi
finish
