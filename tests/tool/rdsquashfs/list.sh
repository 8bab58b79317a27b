#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -l and --list: what it says, long, recursive, as JSON, and that names make up
# no lines.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs << .
dir . mode=0750 uid=7 gid=8 mtime=5
dir d mode=1777
file d/x text=x
file d/e/y text=yy
file big mode=6711 uid=1000 gid=100 parts=z2000000 mtime=86400
slink link to=big%0Ab
chr c dev=1:3
blk b dev=8:0
fifo p
file sys%5Cx2d text=
file a%0Ab text=
file n%5C012 text=
file caf%E9 text=
file %C3%A9 text= xattr.user.k=v
.
fine -l / a.sqfs
cat > want << '.'
-rw-r--r--    0/0          0 a\012b
brw-r--r--    0/0        8:0 b
-rws--s--x 1000/100     1.9M big
crw-r--r--    0/0        1:3 c
drwxrwxrwt    0/0         33 d
lrwxrwxrwx    0/0          5 link -> big\012b
-rw-r--r--    0/0          0 n\134012
prw-r--r--    0/0          0 p
-rw-r--r--    0/0          0 sys\x2d
.
grep -av 'caf' out | grep -av "$(printf '\303')" > have
same_bytes 'what ls says' have want
ok 'bytes of a name' grep -aq "$(printf ' caf\351$')" out
same 'lines' "$(wc -l < out)" 11

# Controls of a terminal come in one byte and in two.
image c.sqfs << .
file c1%C2%9Bx text=
file c2%C2%A9x text=
.
fine -l / c.sqfs
has 'a control' out 'c1\\302\\233x$'
ok 'a letter' grep -aq "$(printf ' c2\302\251x$')" out
fine -d c.sqfs
has 'a control' out '"c1\\302\\233x"'

fine --list /big --long a.sqfs
same 'long' "$(cat out)" \
	'-rws--s--x   1 1000/100     2000000 1970-01-02 00:00:00 big'
fine -l d/./ a.sqfs
same 'a directory' "$(sed 's/.* //' out | tr '\n' ' ')" 'e x '
fine -l d -l big -l p a.sqfs
same 'files, then directories' "$(sed 's/.* //' out | tr '\n' ' ')" \
	'big p  /d: e x '
fine -l / -l d -R a.sqfs
same 'recursive' "$(grep -ac ' d/e/y$' out)" 2
fine --recursive -l d a.sqfs
same 'recursive paths' "$(sed 's/.* //' out | tr '\n' ' ')" \
	'd d/e d/e/y d/x '
fine -R -l / a.sqfs
has 'the root itself' out '^drwxr-x---    7/8 .* /$'

fine -l / --json a.sqfs
same 'entries' "$(json 'len(j)')" 11
same 'a file' "$(json '[e for e in j if e["path"] == "big"][0]' |
	sed "s/'inode': [0-9]*/'inode': N/")" "{'path': 'big', 'type': 'file',\
 'mode': '6711', 'uid': 1000, 'gid': 100, 'size': 2000000, 'mtime': 86400,\
 'nlink': 1, 'inode': N, 'has_xattrs': False}"
same 'a device' "$(json '[(e["major"], e["minor"]) for e in j
	if e["type"] == "block device"]')" '[(8, 0)]'
same 'a link' "$(json '[e["target"] for e in j if "target" in e]')" \
	"['big\\nb']"
same 'no UTF-8' "$(json 'ascii([(e["path"], e["path_base64"]) for e in j
	if "path_base64" in e])')" "[('caf\\ufffd', 'Y2Fm6Q==')]"
same 'attributes' "$(json 'ascii([e["path"] for e in j if e["has_xattrs"]])')" \
	"['\\xe9']"
fine -l / -R --json a.sqfs
same 'all' "$(json 'len(j), j[0]["path"], j[0]["mode"], j[0]["mtime"]')" \
	"(15, '', '0750', 5)"

refuses 1 'a.sqfs: there is no "nope" in it' -l nope a.sqfs
refuses 1 'there is no "big/x" in it' -l / -l big/x a.sqfs
refuses 2 'd/\.\./x' -l d/../x a.sqfs
if [ -w /dev/full ]; then
	"$rdsquashfs" -R -l / a.sqfs > /dev/full 2> err
	same 'a full disk' "$?" 1
	has 'a full disk is told' err '^rdsquashfs: .*No space'
fi

# The last operation counts, and the paths of the others do not matter.
fine -l nope -c nope -s big -l p a.sqfs
same 'the last one' "$(sed 's/.* //' out)" p
finish
