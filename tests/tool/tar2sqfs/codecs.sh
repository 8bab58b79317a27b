#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every compressor: the image holds what the tar does and says rightly how it
# is compressed. What is not built in is refused by name.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d mtime=5
file d/text parts=t300000
file d/noise parts=r300000
file d/mixed parts=r50000,z200000,t70000
file d/small text=tiny xattr.user.a=b
file d/empty
file d/f%d copies=300 parts=t100
.
for codec in gzip xz lzma lzo lz4 zstd; do
	if ! has_codec "$codec"; then
		refuses 2 "$codec" -c "$codec" no.sqfs
		continue
	fi
	for size in 4K 128K 1M; do
		pack a.tar img.sqfs -q -c "$codec" -b $size
		same_tree img.sqfs a.tar
		facts img.sqfs
		same "$codec: number" "$(fact compressor)" "$codec"
		# Of a large block the noise is only a part.
		[ $size = 1M ] || ok "$codec: noise is stored as it is" \
			test "$(fact data_raw)" -gt 0
		ok "$codec: inodes are compressed" \
			test "$(fact inode_blocks_packed)" -gt 0
		case $codec in
		lz4) same 'lz4: options' "$(fact options)" 0100000000000000 ;;
		lzma) same 'lzma: options' "$(fact options)" - ;;
		esac
	done
	ok "$codec compresses" test "$(fact bytes_used)" -lt 700000
done

# Without -c the first of the list that is built in, the same every time.
pack a.tar one.sqfs -q
pack a.tar two.sqfs -q
same_bytes 'the default' one.sqfs two.sqfs
same_tree one.sqfs a.tar
finish
