#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -X: every word of every compressor does something, and the options block says
# so exactly where the defaults do not hold.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
file text parts=t400000
file mixed parts=t100000,r30000,t100000
.

# extra CODEC WORDS BLOCK: packs with -X WORDS, checks content and the options
# block ("-" for none, "" for any).
extra() {
	if [ -n "$2" ]; then
		pack a.tar img.sqfs -q -c "$1" -X "$2"
	else
		pack a.tar img.sqfs -q -c "$1"
	fi
	same_tree img.sqfs a.tar
	facts img.sqfs
	[ -z "$3" ] || same "$1 $2: options" "$(fact options)" "$3"
}

# differs CODEC WORDS: another image than with the defaults.
differs() {
	extra "$1" "" ""
	mv img.sqfs default.sqfs
	extra "$1" "$2" ""
	other_bytes "$1 $2 changes the image" img.sqfs default.sqfs
}

for codec in $(codecs); do
	run -c "$codec" -X help
	same "$codec help: status" "$status" 0
	[ "$codec" = lzma ] || has "$codec help" out 'level|hc'
	same "$codec help: stderr" "$(cat err)" ''
	refuses 2 '^tar2sqfs: ' -c "$codec" -X nonesuch no.sqfs
	refuses 2 '^tar2sqfs: ' -c "$codec" -X nonesuch=1 no.sqfs
	refuses 2 '^tar2sqfs: ' -c "$codec" -X level=99999999 no.sqfs
	refuses 2 '^tar2sqfs: ' -c "$codec" -X '' no.sqfs
done

if has_codec gzip; then
	pack a.tar img.sqfs -q -c gzip --comp-extra level=5,window=10
	facts img.sqfs
	same '--comp-extra' "$(fact options)" 050000000a000000
	pack a.tar img.sqfs -q -c gzip --comp-extra=level=4 --comp-extra window=9
	facts img.sqfs
	same '--comp-extra twice' "$(fact options)" 0400000009000000
	extra gzip level=9 -
	extra gzip level=9,window=15 -
	extra gzip level=5,window=10 050000000a000000
	extra gzip level=5,window=10,default,filtered,huffman,rle,fixed \
		050000000a001f00
	for word in default filtered huffman rle fixed; do
		extra gzip $word ''
		ok "gzip $word is noted" test "$(fact options)" != -
	done
	differs gzip huffman
	differs gzip level=1
	size=$(fact data_bytes)
	extra gzip level=9 ''
	ok 'gzip: level 9 is smaller' test "$(fact data_bytes)" -lt "$size"
	differs gzip window=8
	# The header of a zlib stream has the window in its upper half byte.
	has 'gzip: window of the stream' facts '^first_bytes 0[0-9a-f]|^first_bytes 1'
	for bad in level=0 window=7 window=16 level=-1 default=1; do
		refuses 2 '^tar2sqfs: ' -c gzip -X $bad no.sqfs
	done
fi
if has_codec xz; then
	extra xz '' -
	extra xz level=6 -
	extra xz dictsize=64K 0000010000000000
	extra xz dictsize=96K 0080010000000000
	extra xz dictsize=8K 0020000000000000
	extra xz dictsize=50% 0000010000000000
	extra xz x86 0000020001000000
	extra xz powerpc 0000020002000000
	extra xz ia64 0000020004000000
	extra xz arm 0000020008000000
	extra xz armthumb 0000020010000000
	extra xz sparc 0000020020000000
	differs xz level=0
	differs xz lc=0
	differs xz pb=0
	differs xz lc=0,lp=4
	for word in extreme level=0,extreme; do
		extra xz $word -
	done
	for bad in dictsize=80K dictsize=4K dictsize=0 level=10 \
		lc=5 lp=5 pb=5 lc=3,lp=2 x86=1; do
		refuses 2 '^tar2sqfs: ' -c xz -X $bad no.sqfs
	done
	# A filter that helps is used. These two depend on the library.
	for word in arm64 riscv; do
		run -q -f -c xz -X $word img.sqfs < a.tar
		if [ "$status" -ne 0 ]; then
			has "xz $word is refused by name" err $word
			continue
		fi
		facts img.sqfs
		case $word in
		arm64) same arm64 "$(fact options)" 0000020040000000 ;;
		*) same riscv "$(fact options)" 0000020080000000 ;;
		esac
	done
	# Calls with relative targets, as x86 machine code has.
	python3 - > code.bin << '.'
import random, struct, sys
rand, out = random.Random(1), bytearray()
while len(out) < 250000:
    target = rand.choice((0x1000, 0x5000, 0x9000, 0xd000))
    out += b"\xe8" + struct.pack("<i", target - len(out) - 5)
    out += bytes(rand.choice(b"\x89\x8b\x48\x31") for _ in range(7))
sys.stdout.buffer.write(out)
.
	tar -cf code.tar code.bin
	pack code.tar plain.sqfs -q -c xz
	pack code.tar x86.sqfs -q -c xz -X x86
	facts x86.sqfs
	ok 'xz: the x86 filter is used' test "$(fact xz_filter_0x4)" -gt 0
	used=$(fact data_bytes)
	facts plain.sqfs
	ok 'xz: the x86 filter helps' test "$used" -lt "$(fact data_bytes)"
	same 'xz: no filter unless asked' "$(fact xz_filter_0x4)" ''
fi
if has_codec lzma; then
	extra lzma '' -
	differs lzma level=0
	differs lzma dictsize=8K
	differs lzma lc=0
	differs lzma lp=2,lc=1
	differs lzma pb=0
	extra lzma extreme -
fi
if has_codec lz4; then
	extra lz4 '' 0100000000000000
	extra lz4 hc 0100000001000000
	extra lz4 level=3 0100000001000000
	differs lz4 hc
	hc=$(fact data_bytes)
	differs lz4 acceleration=50
	ok 'lz4: hc is smaller' test "$hc" -lt "$(fact data_bytes)"
	extra lz4 hc,level=1 ''
	ok 'lz4: low levels are larger' test "$hc" -le "$(fact data_bytes)"
	for bad in level=0 level=13 acceleration=0 acceleration=65538 \
		hc,acceleration=2 hc=1; do
		refuses 2 '^tar2sqfs: ' -c lz4 -X $bad no.sqfs
	done
fi
if has_codec zstd; then
	extra zstd level=15 -
	extra zstd level=22 16000000
	extra zstd level=1 01000000
	fast=$(fact data_bytes)
	differs zstd level=22
	ok 'zstd: level 22 is smaller' test "$(fact data_bytes)" -lt "$fast"
	differs zstd level=-50
	ok 'zstd: level -50 is larger' test "$(fact data_bytes)" -gt "$fast"
	for bad in level=0 level=23 level=-131073; do
		refuses 2 '^tar2sqfs: ' -c zstd -X $bad no.sqfs
	done
fi
if has_codec lzo; then
	extra lzo '' -
	extra lzo algorithm=lzo1x_999,level=8 -
	extra lzo level=3 0400000003000000
	extra lzo algorithm=lzo1x_1 0000000000000000
	extra lzo algorithm=lzo1x_1_11 0100000000000000
	extra lzo algorithm=lzo1x_1_12 0200000000000000
	extra lzo algorithm=lzo1x_1_15 0300000000000000
	differs lzo algorithm=lzo1x_1
	differs lzo level=1
	for bad in level=0 level=10 algorithm=lzo2 algorithm=; do
		refuses 2 '^tar2sqfs: ' -c lzo -X $bad no.sqfs
	done
fi
finish
