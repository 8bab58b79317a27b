#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -s and --stat against the facts that an independent reader finds.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs -b 4K << .
dir . mtime=0
file f uid=1000 gid=5 mode=4755 mtime=4294967295 parts=t4096,z8192,r4096,t10
link f2 to=f
file tail text=abc
file x text=x xattr.user.k=v
slink l to=some%0Awhere
chr c dev=5:700
blk b dev=4095:1048575
fifo p
dir many
file many/a%d text= copies=3000
.
facts a.sqfs
line() {
	sed -n "s/^$1: //p" out
}
fine -s f a.sqfs
same 'path' "$(line Path)" /f
same 'name' "$(line Name)" f
same 'type' "$(line 'Inode type')" 'extended file'
same 'number' "$(line 'Inode number')" "$(inode /f number)"
same 'mode' "$(line Access)" 04755
same 'owner' "$(line UID | sed 's/ .*//') $(line GID | sed 's/ .*//')" '1000 5'
same 'time' "$(line 'Last modified')" \
	'Sun, 07 Feb 2106 06:28:15 +0000 (4294967295)'
same 'links' "$(line 'Hard link count')" 2
same 'size' "$(line 'File size')" 16394
same 'sparse' "$(line Sparse)" 8192
same 'blocks' "$(line 'Block count')" 4
same 'start' "$(line 'Blocks start')" "$(inode /f start)"
has 'a compressed block' out \
	"^	Block #0 size: [0-9]+ \(compressed\) at: $(inode /f start)\$"
has 'a hole' out '^	Block #1 size: 0 \(hole\)$'
has 'a raw block' out '^	Block #3 size: 4096 \(uncompressed\) at: [0-9]+$'
has 'a fragment' out '^Fragment block size: [0-9]+ \(.*compressed\) at: '

# What it says of places is where the bytes are.
fine -s f -s tail --json a.sqfs
at=$(json 'j[0]["blocks"][3]["at"]')
tail -c +$((at + 1)) a.sqfs | head -c 4096 > block
"$rdsquashfs" -c f a.sqfs | tail -c +12289 | head -c 4096 > want
same_bytes 'the block is there' block want
same 'the tail-end' "$(json 'j[1]["fragment"]["index"], j[1]["blocks"],
	j[1]["extended"], j[1]["size"]')" '(0, [], False, 3)'

fine --stat l a.sqfs
same 'target' "$(line 'Link target')" 'some\012where'
fine -s c a.sqfs
same 'device' "$(line 'Device number')" '5:700 (2098620)'
fine -s b a.sqfs
same 'device' "$(line 'Device number')" '4095:1048575 (4294967295)'
fine -s x a.sqfs
same 'attributes' "$(line 'Xattr index')" 0x0
fine -s many a.sqfs
same 'directory' "$(line 'Inode type')" 'extended directory'
ok 'index' test "$(line 'Directory index entries')" -ge 3
has 'index' out '^	Index #1 at: [0-9]+ block: [0-9]+ name: a[0-9]+$'
fine -s many --json a.sqfs
same 'JSON index' "$(json 'j[0]["index"][0]["block"] >= 0,
	j[0]["index"][0]["name"][0], j[0]["parent"]')" \
	"(True, 'a', $(inode / number))"
fine -s / a.sqfs
same 'root' "$(line Path)$(line Name)" /
fine -R -s / --json a.sqfs
same 'recursive' "$(json 'len(j)')" 3010
python3 > have << '.'
import json
for e in sorted(json.load(open("out")), key=lambda e: e["path"]):
    print("/" + e["path"], e["inode"])
.
for path in / /f /tail /x /p /many /many/a2999; do
	same "$path" "$(awk -v p=$path '$1 == p { print $2 }' have)" \
		"$(inode $path number)"
done
finish
