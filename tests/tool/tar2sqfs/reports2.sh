#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What users of packers reported, as far as it is about what an image holds:
# hard links, attributes, owners, blocks, tables and compressors. The rest is in
# reports.sh.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

# silent WHAT OPTION...: packs a.tar; nothing is said, and it is all there.
silent() {
	what=$1
	shift
	pack a.tar img.sqfs -q "$@"
	same "$what: words" "$(cat err)" ''
	same_tree img.sqfs a.tar
	facts img.sqfs
}

# Hard links.
mktar a.tar << '.'
link c to=b
link b to=a
file a text=1
slink s to=tgt
link s2 to=s
chr n dev=1:3
link d/n2 to=n
.
silent 'link before its target'
same 'link before its target: one inode' \
	"$(inode /a number) $(inode /c number)" \
	"$(inode /b number) $(inode /b number)"
same 'link before its target: count' "$(field /c 6)" 3
same 'link to a symlink, to a device' "$(field /s 6)$(field /n 6)" 22

printf 'link b to=nope\nfile c text=1\n' | mktar a.tar
refuses 1 '^tar2sqfs: .*b: hard link to nope' -q no.sqfs

echo 'dir d/%d copies=66000' | mktar a.tar
silent '66000 directories in one'
same '66000 directories in one: count' "$(field /d 6)" 66002

# What is quadratic takes minutes here.
{
	echo 'file d/%d copies=60000'
	i=0
	while [ $i -lt 60000 ]; do
		printf 'link l/%06d to=d/%06d\n' $i $i
		i=$((i + 1))
	done
} | mktar a.tar
silent '60000 files with a link each'
same '60000 files with a link each' "$(fact inode_count)" 60003

# Attributes.
mktar a.tar << '.'
file a text=a xattr.user.k=raw libarchive.user.k=encoded
file b text=b libarchive.user.k=encoded xattr.user.k=raw
.
pack a.tar img.sqfs -q
sound img.sqfs
manifest img.sqfs > have.tree
same 'an attribute in two forms is stored once' \
	"$(grep -c ' user.k=656e636f646564$' have.tree)" 2
has 'two forms that differ are told of' err '"user.k" differ'
mktar a.tar << '.'
file a text=a
.
silent 'no attributes'
has 'no attributes: flag' facts '^flags .*no_xattrs'
same 'no attributes: inode' "$(inode /a xattr)" -
mktar a.tar << '.'
file a text=a xattr.user.a=1
file b text=b
.
silent 'attributes of one file'
lacks 'attributes of one file: flag' facts '^flags .*no_xattrs'
same 'attributes of one file: the other' "$(inode /b xattr)" -
big=$(head -c 60000 /dev/zero | tr '\0' v)
echo "file a text=a xattr.user.big=$big" | mktar a.tar
silent 'an attribute of 60000 bytes'

# Nothing of who packs, where, and when.
echo 'file x/y/z text=1 uid=5' | mktar a.tar
silent 'missing parents'
same 'missing parents' "$(grep ' d ' have.tree | cut -d' ' -f3-5,7 | uniq)" \
	'0755 0 0 0'
cp img.sqfs want.sqfs
for mask in 000 077; do
	(umask $mask && "$tar2sqfs" -q -f img.sqfs < a.tar)
	same_bytes "missing parents, umask $mask" img.sqfs want.sqfs
done
# user COMMAND...: as another user, who may not reach all that we do.
user() {
	setpriv --reuid 1000 --regid 1000 --clear-groups "$@"
}
chmod 1777 .
chmod 644 a.tar
if is_root && have setpriv && user test -w . && user test -x "$tar2sqfs"; then
	user "$tar2sqfs" -q user.sqfs a.tar
	same_bytes 'missing parents, as a user' user.sqfs want.sqfs
fi

# Blocks, holes and fragments.
mktar a.tar << '.'
dir e
file nul321 parts=z321
file one_and_a_half parts=t6144
file empty
.
silent 'short blocks' -b 4096 --no-fragments
same 'empty directory: size' "$(inode /e size)" 3
same '321 zeros' "$(inode /nul321 size) $(inode /nul321 sparse)" '321 321'
same 'one block and a half' "$(inode /one_and_a_half words |
	tr ',' '\n' | wc -l)" 2
mktar a.tar << '.'
file one parts=r4096
file three parts=t12288
file empty
.
silent 'whole blocks only' -b 4096
same 'whole blocks only: fragments' "$(fact fragment_count)" 0
mktar a.tar << '.'
file empty
file empty2
.
silent 'empty files only'
same 'empty files only: fragments' "$(fact fragment_count)" 0

# Equal check sums are no equal content: the CRC32 of these agree.
python3 - "$tests" << '.' > a.tar
import random, sys, zlib
sys.path.insert(0, sys.argv[1])
import mktar
rand, seen, pair = random.Random(1), {}, None
while pair is None:
    body = rand.getrandbits(128).to_bytes(16, "big")
    other = seen.setdefault(zlib.crc32(body), body)
    pair = None if other is body else (other, body)
for name, body in zip((b"a", b"b"), pair):
    for k in (1, 100):
        body = body.ljust(4096 * k, b"x")
        sys.stdout.buffer.write(mktar.header(name + b"%d" % k, b"0", {},
            len(body), b"", "gnu") + mktar.padded(body))
sys.stdout.buffer.write(bytes(1024))
.
silent 'equal check sums' -b 4096
for n in 1 100; do
	not_ok 'equal check sums are no duplicates' \
		test "$(inode /a$n start)" = "$(inode /b$n start)"
done

# Runs of blocks within runs.
python3 - "$tests" << '.' > a.tar
import sys
sys.path.insert(0, sys.argv[1])
import mktar
block = mktar.content({"parts": "r4096"}, 0)
for name, count in (b"a", 4), (b"b", 2), (b"c", 5), (b"d", 4):
    body = block * count
    sys.stdout.buffer.write(mktar.header(name, b"0", {}, len(body), b"", "gnu")
                            + body)
sys.stdout.buffer.write(bytes(1024))
.
silent 'runs that overlap themselves' -b 4096
same 'equal files' "$(inode /d start)" "$(inode /a start)"

# Files larger than all that is in flight, three times.
python3 - "$tests" << '.' > a.tar
import sys
sys.path.insert(0, sys.argv[1])
import mktar
body = mktar.content({"parts": "r3000000"}, 0)
for name in b"one", b"two", b"three":
    sys.stdout.buffer.write(mktar.header(name, b"0", {}, len(body), b"", "gnu")
                            + mktar.padded(body))
sys.stdout.buffer.write(bytes(1024))
.
silent 'large equal files' -j 2 -Q 4
ok 'large equal files are stored once' test "$(fact data_bytes)" -lt 3010000

mktar a.tar << '.'
file before parts=r1000
file big parts=t2097152
file after text=1
.
pack a.tar img.sqfs -q -j 2 -Q 2 --exclude big
sound img.sqfs
manifest img.sqfs > have.tree
same 'a large file is excluded' "$(cut -d' ' -f1 have.tree | tr '\n' ' ')" \
	'/ /after /before '

# Names of one byte and of 255 about where directory indexes begin.
pad=$(printf 'n%.0s' $(seq 249))
for n in 1 32 33 256 257 3000; do
	echo "fifo d/%d$pad copies=$n" | mktar a.tar
	silent "$n names of 255 bytes"
done
for c in a b c d e f g h i j k l m n o p q r s t u v w x y z 0 1 2 3 4 5 6 7 \
	8 9; do
	echo "fifo $c"
done | mktar a.tar
silent 'names of one byte'

# Sorting by file loses nothing.
echo 'file f%d text=%d copies=10' | mktar a.tar
printf '%s\n' '-3 f000007' '5 f000001' '-1 f000004' > sort
silent '3 of 10 files sorted' --sort-file sort
same '3 of 10 files sorted' "$(grep -c ' f ' have.tree)" 10

# Compressors: by default only what every kernel with that compressor reads.
mktar a.tar << '.'
file text parts=t500000
file noise parts=r200000
.
for codec in $(codecs); do
	silent "$codec" -c "$codec"
	case $codec in
	lz4) ;; # has to have them
	*) same "$codec: no options by default" "$(fact options)" - ;;
	esac
done
if has_codec zstd; then
	silent 'zstd level 1' -c zstd -X level=1
	fast=$(fact data_bytes)
	silent 'zstd level 19' -c zstd -X level=19
	ok 'zstd level 19 is smaller than 1' \
		test "$(fact data_bytes)" -lt "$fast"
fi
finish
