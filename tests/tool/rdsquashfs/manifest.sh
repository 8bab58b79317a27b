#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --manifest: what other programs verify.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs -b 16K << .
dir . mode=0755 uid=1 gid=2 mtime=3
file a%20b text=blank mode=04755 uid=1000 gid=100 mtime=1234567890
file new%0Aline text=1
file back%5Cslash text=2
file cr%0Dx text=cr
file - text=3
file caf%E9 text=4
file a=b#c[d] text=5
file big parts=t100000,z500000,r70000,z3
file zeros parts=z100000
link hard to=big
file empty text=
slink l%20l to=some%20where
chr c dev=1:3
blk b dev=8:17
fifo p
dir d
file d/%d parts=t3000 copies=600
.
"$rdsquashfs" -q -u / -D -p tree a.sqfs
for jobs in 0 1 3; do
	fine --manifest sha256 -j $jobs a.sqfs
	[ $jobs = 0 ] && cp out first
	same_bytes "-j $jobs: the same" out first
done
same 'files' "$(wc -l < out)" 611
ok 'sha256sum takes it' sh -c 'cd tree && sha256sum -c --quiet --strict < ../out'
python3 - << '.' > have
import re
for line in open("out", "rb").read().split(b"\n")[:-1]:
    m = re.fullmatch(rb"(\\?)([0-9a-f]{64})  \./(.*)", line)
    name = m.group(3)
    if m.group(1):
        name = re.sub(rb"\\(.)", lambda n: {b"n": b"\n", b"r": b"\r",
                                            b"\\": b"\\"}[n.group(1)], name)
    print("/" + "".join(chr(c) if 0x21 <= c <= 0x7e and c != 92
                        else "\\%03o" % c for c in name),
          m.group(2).decode())
.
manifest a.sqfs | awk '$2 == "f" { print $1, $11 }' > want
same_bytes 'every file and its hash' have want

for jobs in 0 3; do
	fine --manifest=mtree -j $jobs a.sqfs
	[ $jobs = 0 ] && cp out first
	same_bytes "-j $jobs: the same" out first
done
same 'the first line' "$(head -n 1 out)" '#mtree'
python3 - << '.' > have
for line in open("out").read().split("\n")[1:-1]:
    words = line.split(" ")
    k = dict(w.split("=", 1) for w in words[1:])
    path = "/" if words[0] == "." else words[0][1:]
    rdev = ":".join(k["device"].split(",")[1:]) if "device" in k else "-"
    kind = {"dir": "d", "file": "f", "link": "l", "char": "c", "block": "b",
            "fifo": "p", "socket": "s"}[k["type"]]
    print(path, kind, "%04o" % int(k["mode"], 8), k["uid"], k["gid"],
          k["nlink"], k["time"].replace(".0", ""), rdev,
          k.get("sha256digest", "-"), k.get("size", "-"),
          k.get("link", "-"))
.
manifest a.sqfs | awk '{
	size = $2 == "f" ? $8 : "-"
	link = $2 == "l" ? substr($10, 3) : "-"
	print $1, $2, $3, $4, $5, $6, $7, $9, $11, size, link
}' > want
python3 - << '.'
import re
text = open("have").read()
text = re.sub(r"\\(043|075|052|077|133|042)",
              lambda m: chr(int(m.group(1), 8)), text)
open("have", "w").write(text)
.
same_bytes 'every entry' have want

if have bsdtar; then
	bsdtar -tvf out > have 2> err
	same 'bsdtar reads it' "$?$(cat err)" 0
	same 'all of it' "$(wc -l < have)" "$(($(wc -l < out) - 1))"
	has 'a device' have ' 8,17 '
fi

# A damaged file is told of and left out.
image worse.sqfs -b 4K -c gzip << .
file a parts=t4096
file b parts=t8192
file c text=c
.
"$rdsquashfs" -s b --json worse.sqfs > out
at=$(json 'j[0]["blocks"][1]["at"]')
printf '\377\377\377\377\377\377' |
	dd of=worse.sqfs bs=1 seek="$at" conv=notrunc 2> /dev/null
for jobs in 0 2; do
	rd --manifest sha256 -j $jobs worse.sqfs
	same 'status' "$status" 1
	same 'the others' "$(sed 's/.*  //' out | tr '\n' ' ')" './a ./c '
	has 'the file is named' err '^rdsquashfs: worse.sqfs: b: block 1: '
	rd -u / -p damaged$jobs -j $jobs worse.sqfs
	same 'unpack: status' "$status" 1
	same 'unpack: the others' "$(below damaged$jobs)" 'a c '
	has 'unpack: the file is named' err '^rdsquashfs: worse.sqfs: b: '
	rd -c a -c b -j $jobs worse.sqfs
	same 'cat: status' "$status" 1
	has 'cat: the file is named' err '^rdsquashfs: worse.sqfs: b: '
done
finish
