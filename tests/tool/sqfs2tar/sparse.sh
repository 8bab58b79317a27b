#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --sparse: large holes are told as such, and every reader makes them again.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

# Holes at the begin, the end, in between, off the units, and nothing else.
python3 - << '.'
import tarfile
files = [("begin", [(5 << 20, b"x" * 5000)], 6 << 20),
         ("end", [(0, b"y" * 70000)], 9 << 20),
         ("middle", [(0, b"a"), (3500000, b"b" * 300000)], 3800000),
         ("odd", [(1234567, b"c" * 11), (8 << 20, b"d")], (8 << 20) + 7),
         ("all", [], 4 << 20), ("allodd", [], (4 << 20) + 1),
         ("small", [(0, b"s"), (300000, b"t")], 300001),
         ("empty", [], 0)]
class Content:
    def __init__(self, parts, size):
        self.parts, self.at, self.size = parts, 0, size
    def read(self, n):
        n = min(n, self.size - self.at)
        out = bytearray(n)
        for start, data in self.parts:
            for k in range(max(start, self.at),
                           min(start + len(data), self.at + n)):
                out[k - self.at] = data[k - start]
        self.at += n
        return bytes(out)
with tarfile.open("a.tar", "w") as t:
    for name, parts, size in files:
        info = tarfile.TarInfo(name)
        info.size = size
        t.addfile(info, Content(parts, size))
.
pack a.tar a.sqfs -q
write a.sqfs plain.tar --sparse 0
same_content plain.tar a.tar
size=$(wc -c < plain.tar)

# packed WHAT: got.tar is read by tar2sqfs as it was meant.
packed() {
	pack got.tar b.sqfs -q
	write b.sqfs again.tar --sparse 0
	same_bytes "$1: packed again" again.tar plain.tar
}
mkdir want
tar -C want -xf a.tar
for format in pax gnu; do
	for unit in 1M 4K 1500000; do
		write a.sqfs got.tar --format $format --sparse $unit
		ok "$format $unit: is smaller" \
			test "$(wc -c < got.tar)" -lt $((size / 2))
		rm -rf dest
		mkdir dest
		ok "$format $unit: tar unpacks" tar -C dest -xf got.tar
		ok "$format $unit: the same" diff -r want dest
		packed "$format $unit"
	done
	write a.sqfs want.$format --format $format
	write a.sqfs got.tar --format $format --sparse=1M
	same_bytes "$format: 1M is the default" got.tar want.$format
	fixpoint a.sqfs --format $format
	python3 - want.$format << '.' > python.out
import sys, tarfile
with tarfile.open(sys.argv[1]) as t, tarfile.open("a.tar") as a:
    for m in a.getmembers():
        got = t.extractfile(t.getmember(m.name)).read()
        if got != a.extractfile(m).read():
            print(m.name)
.
	same "$format: python reads the same" "$(cat python.out)" ''
	if have bsdtar; then
		rm -rf dest
		mkdir dest
		ok "$format: bsdtar unpacks" bsdtar -C dest -xf want.$format
		ok "$format: bsdtar, the same" diff -r want dest
	fi
done
# With larger blocks than the unit.
pack a.tar big.sqfs -q -b 1M
write big.sqfs got.tar --sparse 4K
packed 'large blocks'
write big.sqfs got.tar
same_bytes 'whatever the block size' got.tar want.pax

# No holes in ustar.
write a.sqfs got.tar --format ustar
packed ustar
ok 'a hole of 64 GiB' truncate -s 64G huge
printf end >> huge
tar --sparse --format=posix -cf huge.tar huge
pack huge.tar huge.sqfs -q
write huge.sqfs got.tar
ok 'a hole of 64 GiB takes no room' test "$(wc -c < got.tar)" -lt 2000000
tar -tvf got.tar > list
has 'a hole of 64 GiB: its size' list ' 68719476739 .* huge$'
fixpoint huge.sqfs
fixpoint huge.sqfs --format gnu
finish
