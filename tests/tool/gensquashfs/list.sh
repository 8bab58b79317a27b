#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The language of -F: what each line makes, and what each mistake is told.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/gensquashfs/lib.sh"
need_python
mkdir -p src/sub/deep d
echo one > src/one && echo two > src/sub/two.c && echo three > src/sub/deep/3
ln src/one src/sub/one2 && ln -s one src/symlink && mkfifo src/fifo
touch -d @55 src/one src/sub
printf 'x y' > 'src/sp ace'

# line PATH: what the manifest says of it, without link count and digest.
line() {
	awk -v path="$1" '$1 == path {
		print $2, $3, $4, $5, $7, $8, $9, $10, $12 }' have.tree
}

cat > all.list << '.'
# a comment
   # another one

dir / 0711 1 2
	dir	/usr  755 3  4
file /usr/one 04755 5 6 src/one
file src/one 0600 0 0
slink /usr/l 0 7 8 "../some where"
nod /dev/c 0600 0 5 c 4 64
nod "/dev/b" 0600 0 5 B 8 1
pipe /run/pipe 0622 4294967295 0
sock run//./sock 1777 1 1
link /usr/hard - - - usr/one
link /early x y z late
file /late 0644 0 0 /dev/null
file "new\nline\042q\"\\\001" 0644 0 0 "src/sp ace"
dir implied/later/on 0700 9 9
dir implied 0710 9 9
time /usr/one 12345
xattr /usr/one user.text "a \"b\"\n\001"
xattr /usr/one user.hex 0x00ff
xattr /usr/one user.base 0saGk=
xattr /usr/one user.plain 0z
xattr /usr/one user.empty ""
xattr / user.root 1
time /usr/one 12346
.
gen all.sqfs -F all.list
manifest all.sqfs > have.tree
same 'root' "$(line /)" 'd 0711 1 2 0 - - - user.root=31'
same 'dir' "$(line /usr)" 'd 0755 3 4 0 - - - -'
same 'file, time, xattr' "$(line /usr/one)" 'f 4755 5 6 12346 4 - =usr/hard user.base=6869,user.empty=,user.hex=00ff,user.plain=307a,user.text=61202262220a01'
same 'its own source' "$(line /src/one)" 'f 0600 0 0 0 4 - - -'
same 'slink' "$(line /usr/l)" 'l 0777 7 8 0 13 - ->../some\040where -'
same 'nod c' "$(line /dev/c)" 'c 0600 0 5 0 - 4:64 - -'
same 'nod b' "$(line /dev/b)" 'b 0600 0 5 0 - 8:1 - -'
same 'pipe' "$(line /run/pipe)" 'p 0622 4294967295 0 0 - - - -'
same 'sock' "$(line /run/sock)" 's 1777 1 1 0 - - - -'
same 'link' "$(field /usr/hard 6) $(field /usr/hard 10)" '2 =usr/hard'
same 'null' "$(line /late)" 'f 0644 0 0 0 0 - =early -'
same 'escapes' "$(grep -F '/new\012line"q"\134\001 ' have.tree | cut -d' ' -f 2-5,8)" \
	'f 0644 0 0 3'
same 'implied' "$(line /implied/later)" 'd 0755 0 0 0 - - - -'
same 'implied, then named' "$(line /implied)" 'd 0710 9 9 0 - - - -'

# From standard input, by a bare name, and from another directory.
gen in.sqfs -F - < all.list
same_bytes '-F -' in.sqfs all.sqfs
(cd d && "$gensquashfs" -q --no-compression all -F ../all.list in.sqfs)
same_bytes 'the folder of the list' d/in.sqfs all.sqfs
cp all.list d
gen in.sqfs --pack-file d/all.list --pack-dir .
same_bytes '-F with -D' in.sqfs all.sqfs
for jobs in 0 1 8; do
	gen in.sqfs -F all.list -j $jobs
	same_bytes "-j $jobs" in.sqfs all.sqfs
done
gen ids.sqfs -F all.list -u 7 -g 8
same 'ids' "$(manifest ids.sqfs | awk '$4 != 7 || $5 != 8')" ''
gen times.sqfs -F all.list -d mtime=9,uid=3
manifest times.sqfs > have.tree
same 'times' "$(field /usr/one 7) $(field /usr 7) $(field /run 4)" '12346 9 3'

# globs LINE...: the paths that lines make.
globs() {
	printf '%s\n' "$@" > glob.list
	gen glob.sqfs -F glob.list
	paths glob.sqfs
}
all='/ /t /t/fifo /t/one /t/sp\040ace /t/sub /t/sub/deep /t/sub/deep/3'
all="$all /t/sub/one2 /t/sub/two.c /t/symlink "
same 'glob' "$(globs 'glob /t * * * src')" "$all"
manifest glob.sqfs > have.tree
same 'hard links' "$(field /t/sub/one2 10) $(field /t/one 7)" '=t/one 0'
same 'glob to the root' "$(globs 'glob / * * * -- src/sub')" \
	'/ /deep /deep/3 /one2 /two.c '
same 'options' "$(globs 'glob / 0604 7 * -keeptime -nohardlinks -xdev -mount src')" \
	"$(printf '%s' "$all" | sed 's,/t /,/,; s,/t/,/,g')"
manifest glob.sqfs > have.tree
same 'attributes' "$(line /sub/one2 | cut -d' ' -f 2,3,5,8)" '0604 7 55 -'
same 'a symlink has no mode' "$(line /symlink | cut -d' ' -f 2,3)" '0777 7'
same 'types' "$(globs 'glob /t * * * -type f -type L src')" \
	'/ /t /t/one /t/sp\040ace /t/symlink '
same 'types and directories' "$(globs 'glob /t * * * -type D -type p src')" \
	'/ /t /t/fifo /t/sub /t/sub/deep '
same 'names' "$(globs 'glob /t * * * -name o* -name *b -name two.c src')" \
	'/ /t /t/one /t/sub /t/sub/one2 /t/sub/two.c '
same 'paths' "$(globs 'glob /t * * * -path /t/*b -path t/s*/d* src')" \
	'/ /t /t/sub /t/sub/deep '
same 'not deep' "$(globs 'glob /t * * * -nonrecursive -name sub src')" \
	'/ /t /t/sub '
same 'no parents' "$(globs 'glob / * * * -name 3 src')" '/ '
same 'parents by another line' \
	"$(globs 'dir /sub/deep 0700 0 0' 'glob / * * * -name 3 src')" \
	'/ /sub /sub/deep /sub/deep/3 '
same 'without location' "$(globs 'glob /g * * * -name src')" '/ /g /g/src '
same 'two globs' "$(globs 'glob / * * * src/sub' 'glob /deep * * * src/sub' |
	wc -w)" 9
same 'a line before counts' "$(globs 'dir /sub 0700 9 9' 'glob / * * * src' \
	> /dev/null; manifest glob.sqfs > have.tree; line /sub |
	cut -d' ' -f 2,3)" '0700 9'
same 'and one behind' "$(globs 'glob / * * * src' 'dir /sub 0700 9 9' \
	'time /sub/one2 5' 'time one 8' > /dev/null; manifest glob.sqfs > have.tree
	line /sub | cut -d' ' -f 2,3; field /one 7)" "0700 9
8"
printf 'glob / * * * src\n' > glob.list
gen glob.sqfs -k -F glob.list
manifest glob.sqfs > have.tree
same '-k' "$(field /one 7)" 55

# Many globs take few descriptors.
i=0
while [ $i -lt 90 ]; do
	mkdir -p "many/$i/a/b/c" && echo $i > "many/$i/a/b/c/f" &&
	echo "glob /$i * * * many/$i"
	i=$((i + 1))
done > glob.list
(ulimit -n 250 && "$gensquashfs" -q --no-compression all -j 2 -F glob.list \
	many.sqfs) 2> err
same 'many globs' "$(paths many.sqfs | tr ' ' '\n' | grep -c /f)" 90
rm -rf many

# wrong PATTERN LINE...: told with list, line and word, before anything.
wrong() {
	pattern=$1
	shift
	printf '%s\n' "$@" > wrong.list
	refuses 2 "wrong.list: line $pattern" -F wrong.list no.sqfs
}
wrong '1: word 1, "foo": is none of' 'foo /a 0 0 0'
wrong '2: 4 words are too few: dir PATH MODE' '' 'dir /a 0644 0'
wrong '1: word 6, "more": is one too many' 'dir /a 0755 0 0 more'
wrong '1: word 3, "9": ' 'dir /a 9 0 0'
wrong '1: word 3, "\*": ' 'dir /a * 0 0'
wrong '1: word 4, "-1": ' 'dir /a 0755 -1 0'
wrong '1: word 5, "4294967296": ' 'dir /a 0755 0 4294967296'
wrong '1: word 2, "a/../b": path contains' 'dir a/../b 0755 0 0'
wrong '1: word 2, "a.000b": has a NUL' 'dir "a\000b" 0755 0 0'
wrong '1: word 2: names the root' 'file /// 0644 0 0 src/one'
wrong '1: word 6, "x": is neither c nor b' 'nod /a 0644 0 0 x 1 1'
wrong '1: word 2: the quotes do not end' 'dir "a 0755 0 0'
wrong '1: word 2: behind a backslash' 'dir "a\x" 0755 0 0'
wrong '1: word 3, "4294967296": ' 'time /a 4294967296'
wrong '2: no line makes' 'dir /b 0755 0 0' 'time /a 5'
wrong '2: word 4, "0xf": ' 'dir /a 0755 0 0' 'xattr /a user.k 0xf'
wrong '3: word 2, "b": is a hard link' 'dir /a 0755 0 0' \
	'link b - - - c' 'time b 5' 'file c 0644 0 0 src/one'
wrong '3: word 2, "a": is there already: line 1' 'dir /a 0755 0 0' '' \
	'dir a/ 0700 0 0'
wrong '2: word 2, "a/b": "a" is no directory: line 1' 'pipe a 0600 0 0' \
	'dir /a/b 0700 0 0'
wrong '2: word 2, "a": is there already: line 1' 'dir /a/b 0755 0 0' \
	'pipe a 0700 0 0'
wrong '2: fifo: is there already: line 1' 'glob / * * * src' 'glob / * * * src'
wrong '1: word 6, "-foo": is no option' 'glob / * * * -foo src'
wrong '1: word 7, "x": is none of the types' 'glob / * * * -type x src'
wrong '1: word 6, "-name": needs' 'glob / * * * -name'
wrong '1: word 7, "b": follows the location' 'glob / * * * a b'
wrong '1: word 6, "src": the source is no file' 'file a 0644 0 0 src'
printf 'file a 0644 0 0 none\n' > wrong.list
refuses 1 'wrong.list: line 1: word 6, "none": looking at its source: No such' \
	-F wrong.list no.sqfs
printf 'glob / * * * none\n' > wrong.list
refuses 1 'wrong.list: line 1: none: No such' -F wrong.list no.sqfs
printf 'dir /a 0755 0 0\nlink /b - - - none\n' > wrong.list
refuses 1 'b: hard link to none, which is missing' -F wrong.list no.sqfs
printf 'dir /a 0755 0 0\ndir /b\000 0755 0 0\n' > wrong.list
refuses 2 'wrong.list: line 2: there is a NUL' -F wrong.list no.sqfs
refuses 1 'none.list: No such file' -F none.list no.sqfs
refuses 1 'src: .*directory' -F src no.sqfs
: > empty.list
gen empty.sqfs -F empty.list
same 'an empty list' "$(paths empty.sqfs)" '/ '

# What is asked to be left out if it cannot be read.
printf 'file a 0644 0 0 none\nfile b 0644 0 0 src/one\n' > wrong.list
run -q --ignore-read-errors -F wrong.list ignored.sqfs
same 'ignored: status' "$status" 0
has 'ignored: told' err 'line 1: word 6, "none": .*: left out$'
same 'ignored: the rest' "$(paths ignored.sqfs)" '/ /b '
finish
