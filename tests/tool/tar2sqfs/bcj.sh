#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -X bcj=auto: what holds code gets the filter for it, and nothing else does.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python
has_codec xz || { skip 'no xz'; finish; }

# An ELF file: a page of header and data, then calls to a few places, as an x86
# has them, then data; and one that only says so; and text.
python3 - << '.'
import random, struct

rand = random.Random(1)
def elf(kind, machine, code, data):
    head = b"\x7fELF\x02\x01\x01" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", kind, machine, 1, 0, 64, 0, 0, 64,
                        56, 3, 0, 0, 0)
    at = 4096
    for flags, offset, size in ((4, 0, at), (5, at, len(code)),
                                (6, at + len(code), len(data))):
        head += struct.pack("<IIQQQQQQ", 1, flags, offset, 0, 0, size, size,
                            4096)
    return head.ljust(at, b"\0") + code + data
targets = [rand.randrange(1 << 20) for _ in range(40)]
code = bytearray()
while len(code) < 150000:
    code += bytes(rand.randrange(0x40, 0x60) for _ in
                  range(rand.randrange(3, 12)))
    code += b"\xe8" + struct.pack("<i", rand.choice(targets) - len(code) - 5)
text = b" ".join(rand.choice((b"some", b"text", b"of", b"words"))
                 for _ in range(30000))
open("code", "wb").write(elf(3, 62, bytes(code), text))
open("object", "wb").write(elf(1, 62, bytes(code), text))
open("text", "wb").write(text)
open("small", "wb").write(elf(2, 3, bytes(code)[:9000], b""))
.
tar --owner=0 --group=0 --mtime=@0 -cf a.tar code object text small

# filters IMAGE: how many blocks of data have one, and of which kind.
filters() {
	python3 - "$1" << '.'
import collections, struct, sys

image = open(sys.argv[1], "rb").read()
end, = struct.unpack_from("<Q", image, 64)
count = collections.Counter()
at = 0
while (at := image.find(b"\xfd7zXZ\0\0\1", at)) >= 0 and at < end:
    count[image[at + 14] if image[at + 13] else 0] += 1
    at += 1
print(*("%d:%d" % pair for pair in sorted(count.items())))
.
}

for size in 4K 32K 128K; do
	pack a.tar "none-$size" -q -c xz -b $size
	pack a.tar "auto-$size" -q -c xz -b $size -X bcj=auto
	pack a.tar "all-$size" -q -c xz -b $size -X x86
	sound "auto-$size"
	manifest "auto-$size" > have.tree
	manifest "none-$size" > want.tree
	ok "$size: the same content" cmp have.tree want.tree
	ok "$size: smaller" test "$(stat -c %s "auto-$size")" -lt \
		"$(stat -c %s "none-$size")"
	for how in '-j 0' '-j 2 -Q 3'; do
		# shellcheck disable=SC2086
		pack a.tar img.sqfs -q -c xz -b $size -X bcj=auto $how
		same_bytes "$size: $how" img.sqfs "auto-$size"
		cat a.tar | "$tar2sqfs" -q -f -c xz -b $size -X bcj=auto \
			$how img.sqfs
		same_bytes "$size: $how, pipe" img.sqfs "auto-$size"
	done
done
facts auto-128K
same 'options' "$(fact options)" 000002003f000000

# 154 KB of code in five blocks, and one of tail-ends; text and objects none.
same 'no filter' "$(filters none-32K | cut -d: -f1)" 0
auto=$(filters auto-32K)
all=$(filters all-32K)
same 'filters' "$auto" "${auto%% *} 4:6"
ok 'trying finds more' test "${all##*:}" -gt 6

pack a.tar img.sqfs -q -c xz -b 4K -X bcj=auto --no-fragments
same_tree img.sqfs a.tar
pack a.tar img.sqfs -q -c xz -X bcj=auto,extreme
same_tree img.sqfs a.tar
pack a.tar img.sqfs -q -c xz -X bcj=auto --order size
sound img.sqfs

# The filters of young kernels are taken only by name, if liblzma has them.
if "$tar2sqfs" -q -f -c xz -X arm64 img.sqfs < a.tar 2> /dev/null; then
	pack a.tar img.sqfs -q -c xz -X bcj=auto,arm64
	facts img.sqfs
	same 'with arm64' "$(fact options)" 000002007f000000
fi
refuses 2 'bcj: "no" is not auto' -c xz -X bcj=no no.sqfs
refuses 2 'bcj: "" is not auto' -c xz -X bcj no.sqfs
refuses 2 'lzma takes' -c lzma -X bcj=auto no.sqfs
finish
