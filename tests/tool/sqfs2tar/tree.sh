#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# There and back: the archive asks for the tree that the image was made from,
# and every program that reads archives sees the same.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

long=$(printf '%0200d' 7)
{
	echo 'dir . mode=0751 uid=7 gid=8 mtime=77 xattr.user.root=1'
	echo 'dir d mode=01777 uid=1000 gid=100 mtime=4294967295'
	echo 'file d/empty mode=0'
	echo 'file d/small text=hello%0a mode=06755'
	echo 'file d/block parts=r131072'
	echo 'file d/tail parts=t131072,r77'
	echo 'file d/zeros parts=z300000,t5,z200000'
	echo 'file d/attr text=x xattr.user.a=b xattr.trusted.long=hex:000a00ff' \
		'xattr.security.capability=hex:0100000200200000000000000000000000000000'
	echo 'dir d/attrs xattr.user.x=y'
	echo 'link d/z to=d/small'
	echo 'link a to=d/small'
	echo "link d/$long.l to=d/small"
	echo 'slink s to=d/small mtime=5'
	echo "slink d/sl to=$long$long"
	echo 'slink d/x to=/a/../b xattr.trusted.l=1'
	echo 'fifo d/p mode=0600'
	echo 'chr d/c dev=5:1'
	echo 'blk d/b dev=4095:255'
	echo "file $long text=long"
	echo "file d/$long/$long text=longer"
	echo 'file d/%0anew%09line%5c text=odd'
	echo 'file d/%c3%a9%ff text=bytes'
	echo 'file d/=a text=equals'
	echo 'file d/ids text=i pax.uid=4294967295 pax.gid=3000000'
	echo 'file d/t%d copies=300 parts=t400 seed=%d'
} | mktar a.tar
pack a.tar a.sqfs -q

write a.sqfs pax.tar
same_content a.tar pax.tar
pack pax.tar b.sqfs -q
same_tree b.sqfs a.tar
write a.sqfs got.tar --format pax
same_bytes 'pax is the default' got.tar pax.tar
write a.sqfs bare.tar -X
write a.sqfs gnu.tar -X --format gnu
same_content gnu.tar bare.tar
fixpoint a.sqfs
fixpoint a.sqfs --format gnu -X

# GNU tar's format has no attributes.
tell got.tar --format gnu a.sqfs
same 'gnu with attributes: status' "$status" 0
has 'gnu with attributes' err '^sqfs2tar: warning: a.sqfs: .*attributes'
same_bytes 'gnu with attributes: the rest' got.tar gnu.tar
tell refused.tar -s --format gnu a.sqfs
same 'gnu -s: status' "$status" 1
same 'gnu -s: one line' "$(wc -l < err)" 1

# The archive of another block size is the same.
pack a.tar c.sqfs -q -b 4K --no-fragments -c "$(codecs | tail -n 1)"
write c.sqfs got.tar
same_bytes 'whatever the block size' got.tar pax.tar

# Without attributes, and without the root.
wanted bare.tar > have.tree
same '-X: none left' "$(awk '{ print $NF }' have.tree | grep -c '=')" 0
write a.sqfs got.tar --no-xattr
same_bytes '--no-xattr' got.tar bare.tar
write a.sqfs got.tar --no-root
tar -tf got.tar > list
lacks '--no-root' list '^\./$'
tar -tf pax.tar | tail -n +2 > list2
same_bytes '--no-root: the rest' list list2
has 'the root is first' list2 '.'
same 'the root' "$(tar -tf pax.tar | head -n 1)" ./

# Other readers.
python3 - << '.' > python.out
import tarfile
with tarfile.open("pax.tar") as a, tarfile.open("gnu.tar") as b:
    left, right = a.getmembers(), b.getmembers()
    def facts(t, m):
        data = t.extractfile(m).read() if m.isreg() else None
        return (m.name, m.type, m.mode, m.uid, m.gid, int(m.mtime), m.size,
                m.linkname, m.devmajor, m.devminor, data)
    assert [facts(a, m) for m in left] == [facts(b, m) for m in right]
    print(len(left))
.
same 'members that python sees' "$(cat python.out)" "$(tar -tf pax.tar | wc -l)"
if is_root; then
	for format in pax gnu; do
		mkdir "$format"
		tar -C $format -xpf $format.tar --numeric-owner 2> tar.err
		same "$format: tar: status" $? 0
		python3 "$tests/dirtree.py" $format > $format.tree
	done
	same_bytes 'tar unpacks the same' pax.tree gnu.tree
fi
if have bsdtar; then
	for format in pax gnu; do
		bsdtar -tvf $format.tar > $format.list 2> bsd.err
		same "$format: bsdtar: status" $? 0
		same "$format: bsdtar: silence" "$(cat bsd.err)" ''
	done
	same_bytes 'bsdtar lists the same' pax.list gnu.list
else
	missing 'no bsdtar'
fi

# ustar holds what it can, and tells of the rest.
write a.sqfs got.tar --format ustar -X -d d/x -d d/c -d d/tail -d d/empty
write a.sqfs pax2.tar --format pax -X -d d/x -d d/c -d d/tail -d d/empty
same_bytes 'ustar is what pax is without need' got.tar pax2.tar
tell got.tar --format ustar -d d/attr a.sqfs
same 'ustar: status' "$status" 0
has 'ustar: attributes' err '^sqfs2tar: warning: a.sqfs: .*attributes'
tell got.tar --format ustar a.sqfs
same 'ustar, a long name: status' "$status" 1
has 'ustar, a long name' err '^sqfs2tar: .*a.sqfs: .*does not fit into ustar'
finish
