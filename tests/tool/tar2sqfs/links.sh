#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hard links: back and forth, of every type, with the right counts.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
file a text=aaa
link b to=a
link d/c to=./a
link before to=late
link chain1 to=chain2
link chain2 to=late
file late parts=t200000
slink s to=a
link s2 to=s
fifo p
link p2 to=p
chr c dev=5:1
link c2 to=/c
link again to=a
link again to=a
file replaced text=old
link keeps to=replaced
file replaced text=new
.
pack a.tar img.sqfs -q
same_tree img.sqfs a.tar
facts img.sqfs
same 'one inode' "$(inode /b number)" "$(inode /a number)"
same 'extended' "$(inode /a type)" 9
same 'basic' "$(inode /s type)" 3

# A link that brings its content along, as pax writers may do.
mktar b.tar << '.'
file a text=content format=pax pax.comment=x
link b to=a text=content format=pax pax.comment=x
.
pack b.tar img.sqfs -q
same_tree img.sqfs b.tar

# More links than 16 bits count.
mktar c.tar << '.'
file a text=x
link l%d to=a copies=66000
.
pack c.tar img.sqfs -q
same_tree img.sqfs c.tar

for lines in 'link a to=nothing' 'link a to=b;link b to=a' 'link a to=a' \
	'dir d;link l to=d' 'link a to=..%2fx' 'link a to='; do
	echo "$lines" | tr ';' '\n' | mktar a.tar
	refuses 1 '^tar2sqfs: .*' -q no.sqfs
	same "$lines: one line" "$(wc -l < err)" 1
done
# A link that brings other content than its target has: said, not swallowed.
python3 - << '.'
import io, tarfile
with tarfile.open("body.tar", "w", format=tarfile.PAX_FORMAT) as t:
    a = tarfile.TarInfo("a")
    a.size = 3
    t.addfile(a, io.BytesIO(b"abc"))
    h = tarfile.TarInfo("h")
    h.type, h.linkname = tarfile.LNKTYPE, "a"
    h.pax_headers = {"size": "5"}
    raw = h.tobuf(tarfile.PAX_FORMAT)
    t.fileobj.write(raw + b"hello" + bytes(507))
    t.offset += len(raw) + 512
.
run -q -f body.sqfs body.tar
same 'link with other content: status' "$status" 0
has 'link with other content' err 'brings 5 bytes, its target has 3'
finish
