#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every kind of difference: how it is told, that it counts, and that the option
# which takes it away takes away it alone.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python

both a << '.'
dir . mode=0755
dir d mode=0750 uid=3
file d/content parts=t300000
file d/size text=abc
file d/mode text=x mode=0644
file d/owner text=x uid=1 gid=2
file d/time text=x mtime=1000000000
file d/xattr text=x xattr.user.same=1 xattr.user.gone=2 xattr.user.value=3
file d/link1 text=x
link d/link2 to=d/link1
link d/link3 to=d/link1
slink d/slink to=target
chr d/dev dev=1:3
fifo d/type
dir gone
file gone/file text=x
slink gone/slink to=file
.
equal a.sqfs a.sqfs
equal -TIS a.sqfs a.sqfs

both b << '.'
dir . mode=0700
dir d mode=0750 uid=4
file d/content parts=t299999 text2=x
file d/size text=abcd
file d/mode text=x mode=04755
file d/owner text=x uid=1 gid=65536
file d/time text=x mtime=1000000001
file d/xattr text=x xattr.user.same=1 xattr.user.come=hex:00ff xattr.user.value=4
file d/link1 text=x
link d/link2 to=d/link1
file d/link3 text=x
slink d/slink to=other
chr d/dev dev=1:5
file d/type text=x
dir come
dir come/dir
.
differs a.sqfs b.sqfs << '.'
~ /: mode 0755 -> 0700
+ come/
+ come/dir/
~ d/: owner 3:0 -> 4:0
~ d/content: size 300000 -> 299999
~ d/dev: device 1:3 -> 1:5
~ d/link3: hard link to d/link1 -> none
~ d/mode: mode 0644 -> 4755
~ d/owner: owner 1:2 -> 1:65536
~ d/size: size 3 -> 4
~ d/slink: target target -> other
~ d/type: type fifo -> file
~ d/xattr: xattr user.come none -> 0x00ff, xattr user.gone "2" -> none, xattr user.value "3" -> "4"
- gone/
- gone/file
- gone/slink
.
has 'summary' out \
	'^16 of 19 paths differ: 3 only in old, 2 only in new, 11 changed$'

# Each option by either name.
for option in -P --no-permissions; do
	sd $option a.sqfs b.sqfs
	lacks "$option" out mode
	same "$option: lines" "$(wc -l < out)" 15
done
for option in -O --no-owner; do
	sd $option a.sqfs b.sqfs
	lacks "$option" out 'owner [0-9]'
	same "$option: lines" "$(wc -l < out)" 15
done
sd --no-xattrs a.sqfs b.sqfs
lacks '--no-xattrs' out xattr
same '--no-xattrs: lines' "$(wc -l < out)" 16
sd --no-hard-links a.sqfs b.sqfs
lacks '--no-hard-links' out 'hard link'
same '--no-hard-links: lines' "$(wc -l < out)" 16
for option in -T --timestamps; do
	sd $option a.sqfs b.sqfs
	has "$option" out \
		'^~ d/time: time 2001-09-09T01:46:40Z -> 2001-09-09T01:46:41Z$'
	same "$option: lines" "$(wc -l < out)" 18
done

# A single difference of each kind is a difference for the exit status.
one() {
	kind=$1
	mktar one.tar
	pack one.tar one.sqfs -q
	sd "$@" a1.sqfs one.sqfs
	same "$kind alone: status" "$status" 1
	same "$kind alone: lines" "$(wc -l < out)" 2
	sd -q a1.sqfs one.sqfs
	same "$kind quiet: silence" "$(cat out err)" ''
}
both a1 << '.'
file f text=abc
slink s to=x
.
one -C << '.'
file f text=abcd
slink s to=x
.
one -P << '.'
file f text=abc
slink s to=y
.
one -O << '.'
file f text=abc xattr.user.k=v
slink s to=x
.
one -T << '.'
file f text=abc mtime=5
slink s to=x
.
same 'a time counts only with -T' "$status" 0

# Content: where it differs, without -C.
both c1 << '.'
file big parts=t200000,z100000,t100000
file small text=abcdef
file tail parts=r131072,t9
.
both c2 -b 64K << '.'
file big parts=t200000,z99999,t100001
file small text=abcxef
file tail parts=r131072,t8,z1
.
python3 - > contents << '.'
import tarfile
a, b = tarfile.open("c1.tar"), tarfile.open("c2.tar")
for name in "big", "small", "tail":
    x, y = a.extractfile(name).read(), b.extractfile(name).read()
    at = next(i for i in range(len(x)) if x[i] != y[i])
    print("~ %s: content differs from byte %d" % (name, at))
.
differs c1.sqfs c2.sqfs < contents
for option in -C --no-contents; do
	equal $option c1.sqfs c2.sqfs
done

# Super blocks and inode numbers, also where all paths are the same.
pack c1.tar c3.sqfs -q -b 64K --no-fragments
sd c1.sqfs c3.sqfs
same 'super blocks do not count' "$status" 0
for option in -S --super; do
	sd $option c1.sqfs c3.sqfs
	same "$option: status" "$status" 1
	has "$option" out '^~ super block: block size 131072 -> 65536$'
	has "$option: flags" out '^~ super block: flags .*no-fragments'
	has "$option: summary" out \
		'^0 of 4 paths differ.*; the super blocks differ$'
done
sd -S a.sqfs b.sqfs
has '-S besides differences of paths' out '^~ super block: root inode '
has '-S besides differences of paths' out '^- gone/$'
both i1 << '.'
file a text=x
file z text=x
.
both i2 << '.'
file a text=x
fifo c
file z text=x
.
for option in -I --inode-num; do
	sd $option i1.sqfs i2.sqfs
	has "$option" out '^~ z: inode 2 -> 3$'
done
finish
