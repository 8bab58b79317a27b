#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -u: what is unpacked where, and what of it is restored.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs -b 16K << .
dir . mode=0711 mtime=5
dir d mode=0500 mtime=6
file d/x text=content mode=0640 mtime=7
link d/y to=d/x
file d/e/big parts=t100000,z200000,t1 mtime=8
slink l to=/etc/passwd mtime=9
fifo p mode=0622
file a text= mtime=10
dir empty
.
fine -u / -p out1 a.sqfs
same 'all' "$(below out1)" 'a d d/e d/e/big d/x d/y empty l p '
same 'modes as they come' "$(cd out1 && stat -c %a d/x d a | tr '\n' ' ')" \
	'644 755 644 '
ok 'times as they come' test "$(stat -c %Y out1/a)" -gt 1000000000
ok 'hard links' test out1/d/x -ef out1/d/y
same 'quiet' "$(cat out)" ''
"$rdsquashfs" -c d/e/big a.sqfs > big
same_bytes 'content' out1/d/e/big big
ok 'holes' test "$(stat -c %b out1/d/e/big)" -lt 400

for jobs in 0 1 3; do
	fine --unpack-path / --unpack-root out2/deep/$jobs --set-times --chmod \
		--num-jobs $jobs -q a.sqfs
	if is_root; then
		unpacked out2/deep/$jobs a.sqfs
	fi
	same "-j $jobs: times" "$(cd out2/deep/$jobs &&
		stat -c %Y . d d/x d/e/big l | tr '\n' ' ')" '5 6 7 8 9 '
	same "-j $jobs: modes" "$(cd out2/deep/$jobs &&
		stat -c %a . d d/x p | tr '\n' ' ')" '711 500 640 622 '
	chmod -R u+rwx out2
done

# What is named becomes the root, or lies in it; several things keep paths.
fine -u d -p out3 a.sqfs
same 'a directory' "$(below out3)" 'e e/big x y '
fine -u /d/./x -p out4 a.sqfs
same 'a file' "$(below out4)" 'x '
same 'its content' "$(cat out4/x)" content
fine -u d/e -u l -u /d/x -p out5 -CT a.sqfs
same 'several' "$(below out5)" 'd d/e d/e/big d/x l '
same 'directories above' "$(stat -c '%a %Y' out5/d)" '500 6'
chmod 700 out5/d
(mkdir here && cd here && "$rdsquashfs" -u d/e ../a.sqfs)
same 'the current directory' "$(below here)" 'big '
refuses 1 'there is no "nope"' -u d -u nope -p out6 a.sqfs
not_ok 'nothing made' test -e out6

fine -u / -p out7 --no-slink --no-fifo --no-empty-dir -v a.sqfs
same 'left out' "$(below out7)" 'a d d/e d/e/big d/x d/y '
has 'told' out '^d/e/big$'
fine -u / -p out8 -L -F -E --verbose a.sqfs
same 'left out' "$(below out8)" 'a d d/e d/e/big d/x d/y '
fine -u / -p out9 -Z a.sqfs
same_bytes 'without holes' out9/d/e/big big
ok 'no holes' test "$(stat -c %b out9/d/e/big)" -ge 400
fine -u / -p out9 --no-sparse --overwrite a.sqfs
same_bytes 'without holes' out9/d/e/big big

# Sockets, which no archive has.
printf 'sock s 0700 0 0\nsock d/t 0600 0 0\nfile f 0644 0 0 /dev/null\n' |
	"$builddir/gensquashfs" -q -F - s.sqfs
same 'an image with sockets' $? 0
fine -u / -p socks s.sqfs
same 'sockets' "$(below socks)" 'd d/t f s '
ok 'is a socket' test -S socks/d/t
for option in -S --no-sock; do
	fine -u / -p "no$option" $option s.sqfs
	same "$option" "$(below "no$option")" 'd f '
done

# Zeros that are stored become holes, of 4K or as it is asked for.
image z.sqfs -b 128K --no-sparse << .
file f parts=t10,z60000,t10
.
fine -u f -p z1 --sparse 0 z.sqfs
fine -u f -p z2 z.sqfs
fine -u f -p z3 --sparse=64K z.sqfs
same_bytes 'the same' z1/f z2/f
same_bytes 'the same' z1/f z3/f
ok 'a hole' test "$(stat -c %b z2/f)" -lt "$(stat -c %b z1/f)"
same 'no hole' "$(stat -c %b z3/f)" "$(stat -c %b z1/f)"

refuses 1 '/dev/null' -u / -p /dev/null/x a.sqfs
refuses 1 'a.sqfs: .*Not a directory' -u / -p a.sqfs a.sqfs
finish
