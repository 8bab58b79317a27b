#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The options that all packers share do here what they do in tar2sqfs: from a
# tar with the names of a tree in their order, the same bytes come of both.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/gensquashfs/lib.sh"
need_python
mkdir -p t/etc t/usr/bin
echo conf > t/etc/conf && echo other > t/etc/other.conf
head -c 300000 /dev/urandom > t/usr/bin/tool
cp t/usr/bin/tool t/usr/bin/same
head -c 200000 /dev/zero > t/usr/bin/zeros
printf 'end' >> t/usr/bin/zeros
chmod 4711 t/usr/bin/tool
touch -d @1000000000 t/etc/conf
! is_root || chown 5:6 t/etc/other.conf
tar --version 2> /dev/null | grep -q GNU || skip 'no GNU tar'
tar -C t --sort=name --format=pax -cf t.tar . || ok 'tar' false
printf -- '-5 [dont_fragment] usr/bin/same\n3 [glob] etc/*\n' > sort
printf 'etc\n# comment\n' > patterns
printf '# file: etc/conf\nuser.k="v"\n' > xattrs
printf '/.*\tsystem_u:object_r:any_t:s0\n' > contexts

# both OPTION...: both tools give the same, with these options.
both() {
	gen gen.sqfs -k "$@" -D t
	"$tar2sqfs" -q -f --no-compression all "$@" tar.sqfs < t.tar 2> err ||
		ok "tar2sqfs $*" false
	same_bytes "$*" gen.sqfs tar.sqfs
}
both
both --exclude etc
both --exclude-from patterns
both --include '*.conf' --prefix new
both --strip-components 1
both --exclude-dir 'usr*n'
both --all-root
both --set-uid 5 --set-gid 6
both --uid-map 0:100:5 --gid-map 0:200:5
both --chmod 'D0700,F0600'
both --xattr-add user.one=1
both --root-mode 0500 --root-uid 9 --root-gid 8 --root-time 7
both --no-tail-packing
both --no-fragments
both --no-duplicates
both --no-sparse
both --sort-file sort
both --order path
both --order size
both --exportable
both --dev-block-size 64K
both --block-size 4096
both --num-jobs 3 --queue-backlog 7
both --defaults uid=1,gid=2,mode=0700,mtime=3
both --xattr-file xattrs
both --no-skip
if "$gensquashfs" -q -f --selinux contexts -D t label.sqfs 2> err; then
	both --selinux contexts
fi
for codec in $(codecs); do
	"$gensquashfs" -q -f --keep-time --compressor "$codec" -D t gen.sqfs
	"$tar2sqfs" -q -f -c "$codec" tar.sqfs < t.tar
	same_bytes "-c $codec" gen.sqfs tar.sqfs
	sound gen.sqfs
done
has_codec gzip && {
	"$gensquashfs" --quiet -f -k -c gzip --comp-extra level=1 -D t gen.sqfs
	"$tar2sqfs" -q -f -c gzip -X level=1 tar.sqfs < t.tar
	same_bytes '-X' gen.sqfs tar.sqfs
}

# What looks as if it did not compress, but does.
mkdir p
python3 -c 'import random
rand = random.Random(1)
open("p/almost", "wb").write(b"".join(
    rand.randbytes(60000) + rand.randbytes(1600).hex().encode() +
    rand.randbytes(131072 - 60000 - 3200) for _ in range(3)))'
tar -C p --format=pax -cf p.tar .
if has_codec gzip; then
	for how in on off; do
		"$gensquashfs" -q -f -k -c gzip -B 1K --probe=$how -D p $how.sqfs
		"$tar2sqfs" -q -f -c gzip -B 1K --probe=$how tar.sqfs < p.tar
		same_bytes "--probe=$how" $how.sqfs tar.sqfs
	done
	other_bytes 'the probe makes a difference' on.sqfs off.sqfs
fi

# Attributes, where this file system has them. To "user." it may add those of a
# security module.
mkdir a
printf 'attributes' > a/f
if python3 -c 'import os
os.setxattr("a/f", "user.one", b"1")
os.setxattr("a/f", "user.two", b"2")' 2> /dev/null; then
	gen x.sqfs -D a
	same 'attributes, without -x' "$(manifest x.sqfs | grep -c user)" 0
	attributes() {
		gen x.sqfs -x "$@" -D a
		manifest x.sqfs | awk '$1 == "/f" {
			for (i = 12; i <= NF; i++)
				if ($i ~ /^user/)
					print $i
		}' | tr ',\n' '  '
	}
	same '-x' "$(attributes)" 'user.one=31 user.two=32 '
	same '--xattrs-include' "$(attributes --xattrs-include '*.t*')" \
		'user.two=32 '
	same '--xattrs-exclude' "$(attributes --xattrs-exclude '*.t*')" \
		'user.one=31 '
	same 'both' "$(attributes --xattrs-include 'user.*' \
		--xattrs-exclude 'user.o*')" 'user.two=32 '
fi
if python3 -c 'import os, struct
os.setxattr("a/f", "system.posix_acl_access", struct.pack("<I", 2) + b"".join(
    struct.pack("<HHi", *entry) for entry in (
        (1, 6, -1), (2, 4, 1234), (4, 4, -1), (16, 4, -1), (32, 4, -1))))
' 2> /dev/null; then
	gen x.sqfs -D a
	gen x.sqfs -x --acl drop -D a
	run -q -f -x --acl warn -D a x.sqfs
	same '--acl warn: status' "$status" 0
	has '--acl warn' err '^gensquashfs: warning: f: access control list'
	refuses 1 'f: access control list' -q -x --acl fail -D a no.sqfs
fi
refuses 2 'memory' -q -b 1M -j 8 --memory-limit 1M -D t no.sqfs
gen sorted.sqfs -k -S sort -D t --order input
gen sorted2.sqfs -k --sort-file sort -D t
same_bytes '-S' sorted.sqfs sorted2.sqfs
gen short.sqfs -k -x -u 5 -g 6 -o -H -T -e -B 8K -b 64K -j 1 -Q 4 -d uid=3 -D t
gen long.sqfs --keep-time --keep-xattr --set-uid 5 --set-gid 6 \
	--one-file-system --no-hard-links --no-tail-packing --exportable \
	--dev-block-size 8K --block-size 64K --defaults uid=3 --pack-dir t
same_bytes 'short and long' short.sqfs long.sqfs

# What is said, and where.
run -k -D t said.sqfs
same 'statistics: status' "$status" 0
has 'statistics' out '^Files: 5$'
has 'statistics' out '^Directories: 4$'
same 'statistics: stderr' "$(cat err)" ''
for option in -q --quiet; do
	run -k -f -D t $option said.sqfs
	same "$option" "$status $(cat out err)" '0 '
done
run -k -D t -f said.sqfs --exclude nothing -E nix
has 'unused' err '"nothing" matches nothing'
has 'unused' err '"nix" matches nothing'
run -q -D t full.sqfs > /dev/full
"$gensquashfs" -D t full2.sqfs > /dev/full 2> err && status=0 || status=$?
same 'a full disk for the statistics' "$status" 1
has 'a full disk for the statistics' err 'the image is complete, but'
mkdir pipes
python3 -c 'import socket
socket.socket(socket.AF_UNIX).bind("pipes/s")'
gen sock.sqfs -k -D pipes
holds sock.sqfs pipes
finish
