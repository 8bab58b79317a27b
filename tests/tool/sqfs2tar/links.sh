#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Hard links, -L, and sockets, which no archive can hold: -s.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

mktar a.tar << '.'
file a/f parts=r200000 mode=0641 uid=3 mtime=44 xattr.user.x=y
link a/g to=a/f
link b to=a/f
slink s to=a
link t to=s
fifo p mode=0600
link q to=p
chr c dev=1:3
link d to=c
.
pack a.tar a.sqfs -q
for format in pax gnu; do
	write a.sqfs got.tar --format $format -X
	write a.sqfs bare.tar -X
	same_content got.tar bare.tar
	tar --numeric-owner --full-time -tvf got.tar > list
	has 'a link has what its target has' list \
		'^hrw-r----x 3/0 .* 1970-01-01 00:00:44 b link to a/f$'
	same 'one content' "$(wc -c < got.tar | cut -c -2)" 20
done

write a.sqfs got.tar
same_content got.tar a.tar

# -L: no links, the same content.
write a.sqfs got.tar -L
tar -tvf got.tar > list
lacks '-L' list '^h'
ok '-L: content again' test "$(wc -c < got.tar)" -gt 600000
wanted got.tar > have.tree
same '-L: what is equal' "$(awk '$1 ~ "/(a/f|a/g|b)$" { $1 = ""; print }' \
	have.tree | sort -u | wc -l)" 1
write a.sqfs again.tar --no-hard-links
same_bytes '--no-hard-links' again.tar got.tar

# A socket, and a second name of it.
mkdir tree
cat > sock.py << '.'
import socket
socket.socket(socket.AF_UNIX).bind("tree/sock")
.
python3 sock.py
ln tree/sock tree/sock2
echo x > tree/file
if have mksquashfs; then
	mksquashfs tree sock.sqfs -quiet -no-progress -noappend > log 2>&1 ||
		cat log
	tell got.tar sock.sqfs
	same 'sockets: status' "$status" 0
	same 'sockets: names' "$(names got.tar)" './ file '
	has 'sockets: told' err '^sqfs2tar: warning: sock.sqfs: .*sock'
	has 'sockets: counted' err 'warning: 1 more of this kind .*socket'
	same 'sockets: two lines' "$(wc -l < err)" 2
	for option in -s --no-skip; do
		tell got.tar $option sock.sqfs
		same "$option: status" "$status" 1
		same "$option: one line" "$(wc -l < err)" 1
		has "$option: told" err '^sqfs2tar: .*sock.*socket'
	done
	write sock.sqfs got.tar --exclude 'sock*' -s
	same 'excluded sockets' "$(names got.tar)" './ file '
else
	missing 'no mksquashfs'
fi
write a.sqfs got.tar -s
finish
