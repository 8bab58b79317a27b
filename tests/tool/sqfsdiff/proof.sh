#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A tree with everything, packed by gensquashfs, through tar by tar2sqfs, and by
# mksquashfs where there is one: all are the same to sqfsdiff, and the same as
# the tree, as the archive, and as what the kernel shows of the image. As root
# it has owners and devices as well, and then all is done by an ordinary user,
# too.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python
gensquashfs=${GENSQUASHFS:-$builddir/gensquashfs}
[ -x "$gensquashfs" ] || skip 'no gensquashfs'

python3 - << '.'
import os, random, socket
rand = random.Random(5)
os.makedirs("tree/d/e/f"); os.mkdir("tree/empty"); os.mkdir("tree/many")
def put(name, data, mode=0o644):
    with open(b"tree/" + name, "wb") as f:
        f.write(data)
    os.chmod(b"tree/" + name, mode)
text = b"".join(b"%d %d\n" % (i, i * i) for i in range(60000))
put(b"empty-file", b""); put(b"small", b"abc", 0o600)
put(b"large", text, 0o755); put(b"large-again", text)
put(b"random", rand.getrandbits(8 * 300000).to_bytes(300000, "big"))
put(b"zeros", bytes(400000)); put(b"one-block", text[:131072])
put(b"tail", text[:131073]); put(b"d/dup", b"abc")
put(b"d/setuid", b"#!/bin/sh\n", 0o4755); os.chmod("tree/d/e", 0o1777)
put(b"d/setgid", b"x", 0o2711)
for i in range(300):
    put(b"many/%03d" % i, b"%d" % (i % 40))
for name in (b"a b", b"line\nbreak", b"tab\there", b"quote\"'", b"back\\slash",
             b"-dash", b"#hash", b"\xff\xfe", "\u00e4\u00f6".encode(),
             b"*[a]?", b"n" * 255):
    put(b"d/" + name, name)
with open("tree/sparse", "wb") as f:
    for at in 0, 1 << 20, 5000000, 20 << 20:
        f.seek(at)
        f.write(b"data")
    f.truncate(30 << 20)
os.link("tree/small", "tree/d/link"); os.link("tree/small", "tree/d/e/link")
os.symlink("small", "tree/to-small"); os.symlink("t" * 1000, "tree/d/long")
os.symlink("../no where\n", "tree/d/dangling")
os.link("tree/d/long", "tree/d/long2", follow_symlinks=False)
os.mkfifo("tree/fifo", 0o640)
s = socket.socket(socket.AF_UNIX); s.bind("tree/socket"); s.close()
def attribute(path, name, value):
    try:
        os.setxattr(path, name, value, follow_symlinks=False)
    except OSError:
        pass
attribute("tree/small", "user.text", b"value")
attribute("tree/d", "user.binary", bytes(range(256)))
attribute("tree/large", "user.empty", b"")
attribute("tree/large", "user.long", b"v" * 3000)
for i in range(8):
    attribute("tree/many/%03d" % i, "user.same", b"s")
if os.geteuid() == 0:
    os.mknod("tree/char", 0o20600, os.makedev(5, 300))
    os.mknod("tree/block", 0o60660, os.makedev(259, 70000))
    os.lchown("tree/large", 1000, 65533); os.lchown("tree/to-small", 7, 8)
    os.lchown("tree/d", 4000000000, 4000000001)
    put(b"d/unreadable", b"x", 0)
    attribute("tree/to-small", "trusted.t", b"link")
    attribute("tree/random", "trusted.t", b"1")
    attribute("tree/one-block", "security.capability",
              bytes.fromhex("0100000200040000000000000000000000000000"))
for n, (top, dirs, files) in enumerate(os.walk("tree", topdown=False)):
    for i, name in enumerate(files):
        os.utime(os.path.join(top, name), (5, n * 1000003 + i * 70001),
                 follow_symlinks=False)
    os.utime(top, (5, 1500000000 + n))
os.utime("tree/empty-file", (0, 0)); os.utime("tree/tail", (5, 4294967295))
.

"$gensquashfs" -q -k -x -D tree gen.sqfs 2> err
same 'gensquashfs' "$?$(cat err)" 0
tar --xattrs --xattrs-include='*' --sparse --format=posix -C tree \
	-cf tree.tar . 2> err || sed 's/^/    /' err
"$tar2sqfs" -q tar.sqfs < tree.tar 2> err
same 'tar2sqfs' "$?$(cat err)" 0
equal -T gen.sqfs tree
equal -T --exclude socket gen.sqfs tar.sqfs
equal -T --exclude socket tar.sqfs tree
equal -T --exclude socket gen.sqfs tree.tar
differs gen.sqfs tar.sqfs << '.'
- socket
.
if have mksquashfs && mksquashfs tree mk.sqfs -noappend -comp gzip \
	-no-progress > mk.log 2>&1; then
	equal -T mk.sqfs tree
	equal -T gen.sqfs mk.sqfs
	equal -T --exclude socket mk.sqfs tar.sqfs
	equal -T --exclude socket tree.tar mk.sqfs
else
	skip 'no mksquashfs'
fi

# What the kernel shows, where it can be asked.
mkdir seen
cleanup='umount seen 2> /dev/null'
for image in gen.sqfs tar.sqfs mk.sqfs; do
	if is_root && [ -f $image ] &&
	   mount -t squashfs -o loop,ro $image seen 2> err; then
		equal -T $image seen
		equal -T --exclude socket gen.sqfs seen
		umount seen
	fi
done
cleanup=:

# Each difference that is made afterwards is found.
printf X | dd of=tree/large bs=1 seek=200000 conv=notrunc 2> err
rm tree/d/link
cp -p tree/small tree/d/link
rm tree/fifo
differs --no-xattrs gen.sqfs tree << '.'
~ d/link: hard link to d/e/link -> none
- fifo
~ large: content differs from byte 200000
.

if is_root && have setpriv && [ -z "${PROOF_AGAIN:-}" ] &&
   setpriv --reuid 65534 --regid 65534 --clear-groups \
	test -x "$gensquashfs" -a -r "$tests/tool/sqfsdiff/proof.sh"; then
	PROOF_AGAIN=1 setpriv --reuid 65534 --regid 65534 --clear-groups \
		sh "$tests/tool/sqfsdiff/proof.sh" > again 2>&1
	same 'by an ordinary user' "$?" 0
	has 'by an ordinary user' again ', 0 failed$'
	[ "$failed" -eq 0 ] || cat again
fi
finish
