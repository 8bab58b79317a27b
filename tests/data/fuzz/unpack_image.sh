#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the seeds in unpack_image.tar.xz: small images by three packers, in
# several shapes, without the zeros at their ends; and some with one byte
# changed. What fuzzing found is kept from the archive that is there: found-*.
#
#	unpack_image.sh [TAR2SQFS]
#
# sqfstar and another tar2sqfs are taken from the system where they are there.
set -eu
out=$(cd "$(dirname "$0")" && pwd)/unpack_image.tar.xz
program=$(readlink -f "${1:-./tar2sqfs}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir images
python3 - << '.'
import io, tarfile

def add(tar, name, kind=tarfile.REGTYPE, data=b"", link="", attrs={}):
    info = tarfile.TarInfo(name)
    info.type, info.size, info.linkname = kind, len(data), link
    info.mode = 0o755 if kind == tarfile.DIRTYPE else 0o644
    info.mtime, info.devmajor, info.devminor = 1000000000, 7, 300
    info.uid, info.gid = len(name), 5
    info.pax_headers = {"SCHILY.xattr." + k: v for k, v in attrs.items()}
    tar.addfile(info, io.BytesIO(data))

text = b"".join(b"line %d\n" % i for i in range(900))
with tarfile.open("all.tar", "w", format=tarfile.PAX_FORMAT) as tar:
    add(tar, "d", tarfile.DIRTYPE, attrs={"user.k": "v"})
    add(tar, "d/empty")
    add(tar, "d/small", data=b"small\n", attrs={"user.k": "v" * 150})
    add(tar, "d/small2", data=b"other\n", attrs={"user.l": "v" * 150})
    add(tar, "d/block", data=text[:4096])
    add(tar, "d/tail", data=text)
    add(tar, "d/holes", data=bytes(8192) + b"x" + bytes(8191) + b"end")
    add(tar, "d/hard", tarfile.LNKTYPE, link="d/tail")
    add(tar, "d/e/f", tarfile.DIRTYPE)
    add(tar, "d/e/f/deep", data=b"deep")
    add(tar, "link", tarfile.SYMTYPE, link="d/e/../small",
        attrs={"trusted.k": "v"})
    add(tar, "block", tarfile.BLKTYPE)
    add(tar, "char", tarfile.CHRTYPE)
    add(tar, "fifo", tarfile.FIFOTYPE)
    add(tar, "z" * 255)
with tarfile.open("dir.tar", "w", format=tarfile.PAX_FORMAT) as tar:
    for i in range(400):
        add(tar, "many/of-a-long-name-%04d" % i)
with tarfile.open("tiny.tar", "w", format=tarfile.PAX_FORMAT) as tar:
    add(tar, "a", data=b"hello\n", attrs={"user.k": "v"})
with tarfile.open("none.tar", "w") as tar:
    pass
.
for codec in gzip lzma lzo xz lz4 zstd; do
	"$program" -q -b 4K -c $codec -e -f images/ours-$codec < all.tar
	"$program" -q -b 4K -c $codec -f images/tiny-$codec < tiny.tar
done
raw=data,fragments,inodes,ids,xattrs
"$program" -q -b 4K -c gzip --no-compression $raw -e -f images/raw < all.tar
"$program" -q -b 4K -c gzip --no-compression $raw -f images/tiny-raw < tiny.tar
"$program" -q -b 4K -c gzip -f images/dir < dir.tar
"$program" -q -b 4K -c gzip -f images/none < none.tar
"$program" -q -b 4K -c gzip --no-fragments -f images/bare < all.tar
if command -v sqfstar > /dev/null; then
	for codec in gzip lzma lzo xz lz4 zstd; do
		sqfstar -quiet -no-progress -b 4096 -comp $codec \
			images/theirs-$codec < tiny.tar > /dev/null
	done
	sqfstar -quiet -no-progress -b 4096 images/theirs < all.tar > /dev/null
	sqfstar -quiet -no-progress -b 4096 -noI -noD -noF -noX \
		images/theirs-raw < all.tar > /dev/null
fi
if [ -x /usr/bin/tar2sqfs ]; then
	/usr/bin/tar2sqfs -q -b 4096 -c gzip -f images/others < all.tar \
		> /dev/null
	/usr/bin/tar2sqfs -q -b 4096 -c zstd -f images/others-dir < dir.tar \
		> /dev/null
fi
python3 - images/* << '.'
import struct, sys

for name in sys.argv[1:]:
    data = open(name, "rb").read()
    data = data[:struct.unpack_from("<Q", data, 40)[0]]
    with open(name, "wb") as f:
        f.write(data)
    if not name.endswith("raw"):
        continue
    first, = struct.unpack_from("<Q", data, 64)
    for i in range(16):
        at = first + (i * 7919 + 5) % (len(data) - first)
        with open("%s-%d" % (name, i), "wb") as f:
            f.write(data[:at] + bytes([data[at] ^ 1 << i % 8]) +
                    data[at + 1:])
.
[ ! -e "$out" ] || xz -dc "$out" | tar -C images -xf - --wildcards '*/found-*' ||
	true
tar -C images --sort=name --mtime=@0 --owner=0 --group=0 --mode=0644 \
	-cf - . | xz -9 > "$out"
