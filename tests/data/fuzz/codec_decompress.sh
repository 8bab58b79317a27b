#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the seeds in codec_decompress.tar.xz: a first byte and the room (see
# tests/fuzz/codec_decompress.c), then a metadata or a data block out of an
# image by tar2sqfs, whole and cut. What fuzzing found is kept from the archive
# that is there: found-*.
#
#	codec_decompress.sh [TAR2SQFS]
set -eu
out=$(cd "$(dirname "$0")" && pwd)/codec_decompress.tar.xz
program=$(readlink -f "${1:-./tar2sqfs}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir tree seeds
i=0
while [ $i -lt 40 ]; do
	echo "name $i" > tree/file-with-a-name-$i
	i=$((i + 1))
done
seq 3000 | head -c 8192 > tree/numbers
head -c 5000 /dev/zero | tr '\0' x > tree/run
tar --sort=name --mtime=@0 --owner=0 --group=0 -cf tree.tar tree
for codec in gzip lzma lzo xz lz4 zstd; do
	"$program" -q -b 4K -c $codec -f image-$codec < tree.tar
done
"$program" -q -b 4K -c gzip -X window=8,level=1 -f image-window < tree.tar
"$program" -q -b 4K -c xz -X dictsize=8192,x86,arm -f image-filter < tree.tar
"$program" -q -b 4K -c lz4 -X hc -f image-hc < tree.tar
python3 - image-* << '.'
import struct, sys

for name in sys.argv[1:]:
    image = open(name, "rb").read()
    codec, = struct.unpack_from("<H", image, 20)
    flags, = struct.unpack_from("<H", image, 24)
    tables = struct.unpack_from("<6Q", image, 48)
    at = 96
    if flags & 0x0400:
        at += 2 + (struct.unpack_from("<H", image, at)[0] & 0x7fff)
    header, = struct.unpack_from("<H", image, tables[2])
    blocks = {"meta": (8191, image[tables[2] + 2:][:header & 0x7fff])}
    # Streams have no length in front: what is behind the first block, to the
    # tables, is another input worth having.
    blocks["data"] = (4095, image[at:tables[2]][:1500])
    for use, (room, block) in blocks.items():
        for kind, data in ("whole", block), ("cut", block[:len(block) // 2]):
            with open(f"seeds/{name[6:]}-{use}-{kind}", "wb") as f:
                f.write(struct.pack("<BH", codec - 1, room) + data)
    with open(f"seeds/{name[6:]}-pack", "wb") as f:
        f.write(struct.pack("<BH", 0x80 | codec - 1, 0) + b"seldom " * 30)
.
[ ! -e "$out" ] || xz -dc "$out" | tar -C seeds -xf - --wildcards '*/found-*' ||
	true
tar -C seeds --sort=name --mtime=@0 --owner=0 --group=0 -cf - . | xz -9 > "$out"
