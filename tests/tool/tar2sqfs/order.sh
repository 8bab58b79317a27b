#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where content lies: --order and --sort-file, which change nothing else, and
# the flags of a sort file. doc/select.md.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

# laid: the files of the last "facts" in the order that their blocks lie in.
laid() {
	awk '$1 == "inode" && $3 ~ /^type=[29]$/ && $2 != "/l" && !/ words=- / {
		for (i = 4; i <= NF; i++)
			if (sub("^start=", "", $i))
				print $i, $2 }' facts | sort -n | cut -d' ' -f2 | tr '\n' ' '
}
# tails: the files that have tail-ends in the order that these lie in.
tails() {
	awk '$1 == "inode" && $3 ~ /^type=[29]$/ && $2 != "/l" && !/ fragment=- / {
		for (i = 4; i <= NF; i++) {
			if (sub("^fragment=", "", $i))
				fragment = $i
			if (sub("^offset=", "", $i))
				print fragment, $i, $2 } }' facts | sort -n -k 1,1 -k 2,2 |
		cut -d' ' -f3 | tr '\n' ' '
}

mktar a.tar << '.'
dir d
file d/c parts=r5000 mode=0600
file b parts=r20000
file d/a parts=r9000
file c parts=r4096
file small parts=t100
file tiny text=x
file nothing
link l to=b
.
# lies WANT OPTION...: blocks lie so, and the tree is the archive's.
lies() {
	want=$1
	shift
	pack a.tar img.sqfs -q -b 4K "$@"
	same "$*: silence" "$(cat err)" ''
	same_tree img.sqfs a.tar
	facts img.sqfs
	same "$*: order" "$(laid)" "$want"
}
lies '/d/c /b /d/a /c '
cp img.sqfs plain.sqfs
lies '/d/c /b /d/a /c ' --order tar
same_bytes '--order tar is the default' img.sqfs plain.sqfs
lies '/b /c /d/a /d/c ' --order path
same '--order path: tail-ends' "$(tails)" '/b /d/a /d/c /small /tiny '
lies '/c /d/c /d/a /b ' --order=size
same '--order size: tail-ends' "$(tails)" '/tiny /small /d/c /d/a /b '
for n in 0 1 2 8; do
	pack a.tar img.sqfs -q -b 4K --order size -j "$n"
	mv img.sqfs "$n.sqfs"
	same_bytes "-j $n gives the same image" 0.sqfs "$n.sqfs"
done

# A sort file: lower first, the first line that matches holds.
cat > sort << '.'
# priorities
10 b
-5 d/a

3 [glob] *
-9223372036854775807 [glob] c
5 b
.
pack a.tar img.sqfs -q -b 4K --sort-file sort
same_tree img.sqfs a.tar
facts img.sqfs
same 'the first line holds' "$(laid)" '/d/a /d/c /c /b '
has 'the other one' err 'sort: line 6 and 1 more match no file'
printf '%s\n' '-5 "c"' '-4 [glob_no_path] d*a' > sort
lies '/c /d/a /d/c /b ' --sort-file sort
lies '/c /d/a /b /d/c ' --sort-file sort --order path
printf '%s\n' '1 [glob] d/*' '  -1	/./b ' > sort
lies '/b /c /d/c /d/a ' --sort-file=sort
lies '/b /c /d/a /d/c ' --sort-file=sort --order path
printf '%s\n' '1 [glob] *' > sort
lies '/d/c /d/a /b /c ' --sort-file=sort
printf '%s\n' '1 [glob] [a-c]' '2 [glob] d/**' > sort
lies '/b /c /d/c /d/a ' --sort-file=sort
# Names that need quotes, and paths as they are in the image.
printf '%s\n' '-1 "p/q \"x\\ y"' > sort
mktar odd.tar << '.'
file a parts=r5000
file x/q%20%22x%5C%20y parts=r5000
.
pack odd.tar img.sqfs -q -b 4K --sort-file sort --strip-components 0 -r x \
	--prefix p
same 'quotes' "$(cat err)" ''

# The other language: path first, higher first, directories for what is below.
printf '%s\n' 'b -1' '/d/a	7' 'd 5' > sort
lies '/d/a /d/c /c /b ' --sort-file sort
printf '%s\n' 'd 32767' 'd/a -32768' 'c 1' > sort
lies '/d/c /c /b /d/a ' --sort-file sort
printf '%s\n' 'd 1' '-2 b' '3 d/a' > sort # both, a line each
lies '/b /d/c /c /d/a ' --sort-file sort
printf '%s\n' 'p/q\ \"x\\\ y 3' > sort
pack odd.tar img.sqfs -q -b 4K --sort-file sort --strip-components 0 -r x \
	--prefix p
same 'backslashes' "$(cat err)" ''

# Lines that match no file are told of.
printf '%s\n' '1 nothere' '1 b' '2 [glob] z*' '3 d' > sort
pack a.tar img.sqfs -q --sort-file sort
same 'unused lines: one word' "$(wc -l < err)" 1
has 'unused lines' err 'sort-file: sort: line 1 and 2 more match no file'

# The tree is the same as unsorted, whatever later entries do to earlier ones.
mktar odd.tar << '.'
file z/later parts=r9000 mode=0611
link forward to=z/target
link first to=z/target
file z/target parts=r9100,t77
file twice parts=r8000 mode=0600
link of-first to=twice
file twice parts=t5000 mode=0640
link of-second to=twice
file was-file parts=r7000
dir was-file mode=0700
file was-file/x parts=t4000
dir was-dir
file was-dir text=now-a-file
file target2 parts=r6000
slink s to=z
file s/below parts=r5000
file gone parts=r4097
slink gone to=z/later
link brings to=z/target parts=t10000 format=pax pax.comment=x
link chain to=of-first
file z/implicit/deep parts=t3
file hole parts=z100000
file same parts=r9000
link itself to=same
file same parts=r9000
.
wanted odd.tar > want.tree
for words in '' '--order path' '--order size' '--order path -T' \
	'--order size -j 0 --no-fragments' '--order size --no-duplicates'; do
	# shellcheck disable=SC2086
	pack odd.tar img.sqfs -q -b 4K $words
	sound img.sqfs
	manifest img.sqfs > have.tree
	ok "odd archive: tree: $words" cmp have.tree want.tree
done
python3 - << '.' > sort
import random
names = ["z/later", "z/target", "twice", "was-file/x", "was-dir", "target2",
         "z/below", "z/implicit/deep", "hole", "same"]
random.Random(1).shuffle(names)
print("\n".join("%d %s" % (i - 5, name) for i, name in enumerate(names)))
.
pack odd.tar img.sqfs -q -b 4K --sort-file sort
sound img.sqfs
manifest img.sqfs > have.tree
ok 'odd archive: tree: sort file' cmp have.tree want.tree
# Several archives, of which the later replaces what the earlier holds.
head -n 3 > list << '.'
file d/a parts=r3000
file new parts=r100
link over to=b
.
mktar b.tar < list
run -q -b 4K -f want.sqfs a.tar b.tar
run -q -b 4K -f img.sqfs a.tar b.tar --order size
same 'two archives: status' "$status" 0
sound img.sqfs
manifest want.sqfs > want.tree
manifest img.sqfs > have.tree
ok 'two archives: tree' cmp have.tree want.tree

# What cannot be read at any place cannot be sorted; flags do not care.
rm -f no.sqfs
for words in '--order path' '--order=size' '--sort-file sort'; do
	# shellcheck disable=SC2086
	cat a.tar | "$tar2sqfs" -q no.sqfs $words > out 2> err
	same "pipe: $words: status" "$?" 2
	has "pipe: $words: message" err \
		'^tar2sqfs: standard input: .*decompress it into a file first'
	not_ok "pipe: $words: image" test -e no.sqfs
done
cat a.tar | "$tar2sqfs" -q no.sqfs b.tar - --order path > out 2> err
same 'file and pipe: status' "$?" 2
has 'file and pipe: message' err '^tar2sqfs: standard input: --order needs'
if have gzip; then
	gzip -k b.tar
	run -q no.sqfs a.tar b.tar.gz --order path
	same 'compressed: status' "$status" 2
	has 'compressed: message' err '^tar2sqfs: b.tar.gz: --order needs'
fi

# Flags.
mktar a.tar << '.'
file 1 parts=t5000
file 2 parts=t5000
file 3 parts=t9001
file 4 parts=r4096,z8192,r100
file 5 parts=t200
file 6 parts=t200
file 7 parts=t200 seed=1
file 8 parts=t300
.
# flag LINE...: packs with these lines, through a pipe, for "inode".
flag() {
	printf '%s\n' "$@" > sort
	cat a.tar | "$tar2sqfs" -q -f -b 4K img.sqfs --sort-file sort
	same_tree img.sqfs a.tar
	facts img.sqfs
}
flag '0 1'
same 'no flag: fragment' "$(inode /1 fragment)" 0
ok 'no flag: compressed' test "$(inode /1 words)" != 1001000
same 'no flag: a hole' "$(inode /4 sparse)" 8192
flag '0 [dont_fragment] 1' '0 [ dont_fragment ] 5'
same 'dont_fragment: long' "$(inode /1 fragment)" -
same 'dont_fragment: short' "$(inode /5 fragment)" -
same 'dont_fragment: others' "$(inode /2 fragment)" 0
flag '0 [dont_compress] 1'
same 'dont_compress: block' "$(inode /1 words)" 1001000
has 'dont_compress: others' facts '^inode /2 .* words=[0-9a-f]{1,3} '
flag '0 [glob,nosparse] [4-5]'
same 'nosparse' "$(inode /4 sparse)" 0
flag '0 [nosparse,dont_fragment,dont_compress] 4'
same 'three flags' "$(inode /4 words)" 1001000,1001000,1001000,1000064
# Equal content twice: 5 and 6 are no duplicates in content here.
mktar a.tar << '.'
file 1 text=a-tail
file 2 text=a-tail
file 3 parts=z1,r9000 seed=0
.
python3 - << '.'
import io, random, tarfile
out = tarfile.open("a.tar", "w", format=tarfile.USTAR_FORMAT)
raw = random.Random(2).getrandbits(8 * 8292).to_bytes(8292, "big")
for name, data in (("a", raw), ("b", raw), ("c", raw), ("t", b"tail"),
                   ("u", b"tail"), ("v", b"tail")):
    info = tarfile.TarInfo(name)
    info.size = len(data)
    out.addfile(info, io.BytesIO(data))
out.close()
.
flag '0 nothing' 2> /dev/null
same 'duplicates are one' "$(inode /a start)" "$(inode /b start)"
flag '0 [dont_deduplicate] b' '0 [dont_deduplicate] u'
ok 'dont_deduplicate' test "$(inode /a start)" != "$(inode /b start)"
same 'dont_deduplicate: the others' "$(inode /a start)" "$(inode /c start)"
ok 'dont_deduplicate: tail-end' test "$(inode /t offset)" != "$(inode /u offset)"
same 'dont_deduplicate: other tail-end' "$(inode /t offset)" "$(inode /v offset)"
# Aligned ones begin at a multiple of -B, also behind what was taken back.
for n in 0 1 2 8; do
	printf '%s\n' '0 [align] c' '0 [align,dont_deduplicate] b' > sort
	run -q -f -j "$n" -b 4K -B 8K "align$n.sqfs" a.tar --sort-file sort
	facts "align$n.sqfs"
	same "align: -j $n" $(($(inode /b start) % 8192)) 0
	same_tree "align$n.sqfs" a.tar
	same_bytes "align: -j $n gives the same image" align0.sqfs "align$n.sqfs"
done

for line in x '1' 'x b' '1 [x] b' '1 [glob align] b' '1 "b' '1 "b" c' \
	'1 ../b' '1 /' '9223372036854775808 b' '1 [glob] [b' '1 [] b'; do
	printf '# fine\n0 b\n%s\n' "$line" > sort
	refuses 2 '^tar2sqfs: sort: line 3: ' --sort-file sort no.sqfs
done
refuses 1 '^tar2sqfs: none.sort: No such file' --sort-file none.sort no.sqfs
refuses 2 'order: "name" is not tar, path or size' --order name no.sqfs
finish
