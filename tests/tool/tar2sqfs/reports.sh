#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What users of packers reported, as far as it is about reading archives: odd
# entries, headers, numbers and names. Each input is the smallest that shows it.
# The rest is in reports2.sh.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

cat > raw.py << '.'
import os, sys
sys.path.insert(0, sys.argv[1])
import mktar
from mktar import padded, record
USTAR, END = b"ustar\x0000", bytes(1024)

def head(name, kind=b"0", size=0, link=b"", magic=USTAR, prefix=b"", at={},
         mode="0644"):
    raw = bytearray(mktar.header(name, kind, {"mode": mode}, size, link,
                                 "ustar" if len(name) <= 100 else "gnu"))
    raw[257:265] = magic.ljust(8, b"\0")
    raw[345:345 + len(prefix)] = prefix
    for offset, value in at.items():
        raw[offset:offset + len(value)] = value
    raw[148:156] = b" " * 8
    raw[148:156] = b"%06o\0 " % sum(raw)
    return bytes(raw)

def file(name, body=b"1", **more):
    return head(name, size=len(body), **more) + padded(body)

def pax_body(body, kind=b"x", name=b"pax"):
    return head(name, kind, len(body)) + padded(body)

def pax(*pairs, kind=b"x"):
    return pax_body(b"".join(record(k, v) for k, v in pairs), kind)

def put(*parts):
    sys.stdout.buffer.write(b"".join(parts))
.

# raw TAR: made by lines of Python.
raw() {
	{ cat raw.py && cat; } > make.py
	python3 make.py "$tests" > "$1" || ok "$1 was not made" false
}
# accept WHAT: packs a.tar; have.tree says what it holds.
accept() {
	what=$1
	shift
	rm -f img.sqfs
	run -q "$@" img.sqfs < a.tar
	same "$what: status" "$status" 0
	sound img.sqfs
	manifest img.sqfs > have.tree
}
# silent WHAT: the same, and nothing is said.
silent() {
	accept "$@"
	same "$1: words" "$(cat err)" ''
}
# refuse WHAT PATTERN: one line that matches, no image.
refuse() {
	refuses 1 "^tar2sqfs: .*$2" -q no.sqfs
	same "$1: one line" "$(wc -l < err)" 1
}
paths() {
	cut -d' ' -f1 have.tree | tr '\n' ' '
}

# Streams and entries.
for name in ./ / . .// ''; do
	echo "put(head(b'$name', b'5', mode='1750'), file(b'f'), END)" |
		raw a.tar
	accept "root entry given as '$name'"
	same "root entry given as '$name'" "$(paths)$(field / 3)" '/ /f 1750'
done
echo 'put(file(b"", b"lost"), file(b"f"), END)' | raw a.tar
refuse 'a file with an empty name' 'offset 0 .*empty name'

echo 'put(pax((b"comment", b"0123"), kind=b"g"), file(b"f"), END)' | raw a.tar
silent 'global header with a comment'
same 'global header with a comment' "$(paths)" '/ /f '

echo 'put(head(b"d", b"5"), head(b"d", b"5", mode="0700"), file(b"f", b"old"),
	file(b"f", b"newer"), END)' | raw a.tar
accept 'entries that come twice'
same 'directory comes twice' "$(field /d 3)" 0700
same 'file comes twice' "$(field /f 8)" 5
same 'entries that come twice are told of once' \
	"$(grep -c '^tar2sqfs: warning: .*f: ' err) $(wc -l < err)" '1 1'

echo "put(head(b'l', b'2', link=b'$scratch/host'), file(b'l/x'), END)" |
	raw a.tar
mkdir host
refuse 'below a symlink to the host' 'l/x: .*symlink l '
same 'below a symlink: nothing on the host' "$(ls -A host)" ''
echo 'put(file(b"f"), file(b"f/x"), END)' | raw a.tar
refuse 'below a file' 'f/x: .*not a directory'

echo 'put(file(b"f"))' | raw a.tar
head -c 512 /dev/zero >> a.tar
accept 'one zero block at the end'
head -c 10240 /dev/zero >> a.tar
silent 'much padding at the end'
echo 'put(file(b"f"), END)' | raw a.tar
echo 'put(file(b"g"), END, b"junk" * 175)' | raw b.tar
cat b.tar >> a.tar
accept 'glued archives with junk behind' -i
same 'glued archives with junk behind' "$(paths)" '/ /f /g '
has 'glued archives with junk behind: told of' err '^tar2sqfs: '

raw a.tar << '.'
put(file(b"a", b"abc"), head(b"b", b"1", 3, b"a"), file(b"c", b"q"),
    head(b"s", b"2", 3, b"a"), head(b"d", b"5", 700), head(b"p", b"6", 9),
    file(b"e", b"z"), END)
.
accept 'links, directories and pipes with a size'
same 'links, directories and pipes with a size' "$(paths)" \
	'/ /a /b /c /d /e /p /s '
same 'link with a size' "$(field /b 10)" =a

echo 'put(file(b"foo", b"content"), head(b"foo", b"1", link=b"foo"),
	head(b"foo", b"1", link=b"./foo"), END)' | raw a.tar
accept 'the same file named twice'
same 'the same file named twice' "$(field /foo 6) $(field /foo 8)" '1 7'

raw a.tar << '.'
put(file(b"none", magic=b""), file(b"gnu", magic=b"ustar  "),
    file(b"posix", prefix=b"a/b"), file(b"blanks", magic=b"ustar\0  "),
    file(b"odd", magic=b"ustar\0\0\0", prefix=b"c"),
    file(b"java", magic=b"ustar\0  ", prefix=b"d/e"),
    file(b"old", magic=b"ustar  ", prefix=b"no"),
    file(b"older", magic=b"", prefix=b"no"), END)
.
silent 'all magic words'
same 'all magic words' "$(paths)" \
	"/ /a /a/b /a/b/posix /blanks /c /c/odd /d /d/e /d/e/java /gnu /none \
/old /older "

raw a.tar << '.'
put(head(b"dir/", b"\0", magic=b""), file(b"dir/f"), head(b"two/", b"0"), END)
.
silent 'directory by its slash'
same 'directory by its slash' "$(field /dir 2)$(field /two 2)" dd

echo 'put(file(b"._f"), file(b"f"), file(b"d/._DS"), END)' | raw a.tar
silent 'Apple metadata files'
same 'Apple metadata files' "$(paths)" '/ /._f /d /d/._DS /f '

# Extended headers.
raw a.tar << '.'
put(pax((b"linkpath", b"tgt\n22 linkpath=/etc/evil\n")),
    head(b"lnk", b"2", link=b"x"),
    pax((b"SCHILY.xattr.security.capability", b"\x01\n9 path=x\n\0")),
    file(b"f"), END)
.
silent 'record with a newline in its value'
same 'record with a newline in its value' "$(field /lnk 10)" \
	'->tgt\01222\040linkpath=/etc/evil\012'
same 'attribute with a newline' "$(field /f 12)" \
	security.capability=010a3920706174683d780a00

for body in '99 path=hello\n123456' 'path=x\n' '9  path=x\n' '8 path=x\n' \
	'11 path=xx' '-9 path=x\n' '0x9 path=x\n' '9path=xx\n' '0\n' \
	'99999999999999999999 path=x\n'; do
	printf '%s\n' "put(file(b'a'), pax_body(b'$body'), file(b'f'), END)" |
		raw a.tar
	refuse "record '$body'" 'offset 1(024|536)'
done
raw a.tar << '.'
put(pax_body(record(b"path", b"n" * 200 + b"/" + b"m" * 200) +
             record(b"comment", b"c" * 88)), file(b"f"), END)
.
same 'a whole block of records' "$(python3 -c 'print(int(
	open("a.tar", "rb").read()[124:135], 8) % 512)')" 0
silent 'a whole block of records'
same 'a whole block of records' "$(wc -l < have.tree)" 3

raw a.tar << '.'
put(pax_body(record(b"uid", b"7"), name=b""), file(b"f"),
    pax((b"path", b"")), file(b"g", b"lost"), file(b"h"), END)
.
accept 'extended header without a name'
same 'extended header without a name' "$(field /f 4)" 7
has 'and a file after an empty path' have.tree '^/h f '

raw a.tar << '.'
put(pax((b"MSWINDOWS.rawsd", b"AQ=="), (b"LIBARCHIVE.creationtime", b"1.5")),
    head(b"Files", b"5"), file(b"Files/f"), END)
.
accept 'vendor keys'
same 'vendor keys' "$(paths)" '/ /Files /Files/f '

echo 'put(pax((b"SCHILY.acl.access", b"x" * (4 << 20)), (b"path", b"good")),
	file(b"f"), END)' | raw a.tar
accept 'an extended header of 4 MiB'
same 'an extended header of 4 MiB' "$(paths)" '/ /good '
for kind in L K x g; do
	echo "put(head(b'././@LongLink', b'$kind', 0o77777777777),
		bytes(9999), END)" | raw a.tar
	refuse "a header of type $kind that claims gigabytes" .
done

raw a.tar << '.'
def long(name, nul=b"\0", kind=b"L"):
    return head(b"././@LongLink", kind, len(name + nul)) + padded(name + nul)
put(long(b"from/long"), pax((b"path", b"from/record")), file(b"one"),
    pax((b"path", b"record/two")), long(b"long/two"), file(b"two"),
    long(b"long/before/posix"), file(b"three", prefix=b"not"), END)
.
accept 'long name and record'


echo 'put(pax((b"path", b"whole/name"), kind=b"X"), file(b"cut"), END)' |
	raw a.tar
accept 'extended header of Solaris'
same 'extended header of Solaris' "$(paths)" '/ /whole /whole/name '

# Long names and full fields.
raw a.tar << '.'
put(file(b"a", at={108: b"0002322\0", 265: b"u" * 32, 297: b"g" * 32}),
    file(b"b", at={108: b"0002322\0", 265: b"daemon", 297: b"root"}),
    file(b"n" * 100, prefix=b"p" * 155), END)
.
silent 'owner names of 32 bytes'
same 'owner names of 32 bytes' "$(field /a 4)" 1234
same 'owner names of this machine do not count' "$(field /b 4)" 1234
same 'prefix before name' "$(awk '/ f / && length($1) > 9 { print length($1)
	}' have.tree)" 257
for n in 511 512 513 1024; do
	for nul in '' '\0'; do
		raw a.tar << .
name = (b"d" * 99 + b"/") * 11
name = name[:$n - 1] + b"e"
put(head(b"././@LongLink", b"L", len(name + b"$nul")),
    padded(name + b"$nul"), file(b"cut"), END)
.
		silent "long name of $n bytes"
		same "long name of $n bytes" "$(awk '$2 == "f" {
			print length($1) }' have.tree)" $((n + 1))
	done
done
raw a.tar << '.'
put(file(b"..data/f", prefix=b"p" * 97), file(b"p" * 92 + b"/..data"), END)
.
silent 'two dots begin a name'
same 'two dots begin a name' "$(grep -c '/\.\.data' have.tree)" 3

# Sparse files: each form that tar writes, with data that ends anywhere.
printf ab | dd of=big bs=1 seek=1500000 2> /dev/null
printf z | dd of=big bs=1 seek=3145727 conv=notrunc 2> /dev/null
head -c 700 make.py | dd of=big bs=1 seek=65536 conv=notrunc 2> /dev/null
big="f 3145728 $(python3 -c 'import hashlib
print(hashlib.sha256(open("big", "rb").read()).hexdigest())')"
for form in oldgnu gnu 'pax --sparse-version=0.0' 'pax --sparse-version=0.1' \
	'pax --sparse-version=1.0'; do
	# shellcheck disable=SC2086
	tar -S --format=$form -cf a.tar big 2> /dev/null || continue
	silent "sparse: $form"
	same "sparse: $form: its real name" "$(paths)" '/ /big '
	same "sparse: $form: content" \
		"$(field /big 2) $(field /big 8) $(field /big 11)" "$big"
done

# old SIZE MAP: a GNU header with such a map, its data and a file after it.
old() {
	raw a.tar << .
pairs = [$2]
at = {386 + 12 * i: b"%011o\\0" % n for i, n in enumerate(sum(pairs, ()))}
at[483] = b"%011o\\0" % $1
length = sum(n for _, n in pairs)
put(head(b"s", b"S", length, magic=b"ustar  ", at=at),
    padded(b"x" * length), file(b"f"), END)
.
}
old 6000 '(100, 700), (5000, 1), (6000, 0)'
silent 'sparse: data that ends anywhere'
same 'sparse: data that ends anywhere' "$(field /s 8) $(field /s 11)" \
	"6000 $(python3 -c 'import hashlib; print(hashlib.sha256(b"\0" * 100
	+ b"x" * 700 + bytes(4200) + b"x" + bytes(999)).hexdigest())')"
for map in '(5000, 1), (0, 1)' '(0, 2), (1, 2)' '(5999, 2)' '(6001, 0)' \
	'(0o77777777777, 1)'; do
	old 6000 "$map"
	refuse "sparse: a map of $map" s
done
raw a.tar << '.'
number = lambda n: b"%011o\0" % n
more = number(9000) + number(2) + number(10000) + number(0)
put(head(b"s", b"S", 3, magic=b"ustar  ", at={386: number(4000) + number(1),
         482: b"0", 483: number(10000)}),
    padded(more), padded(b"abc"), file(b"f"), END)
.
accept 'sparse: the digit 0 says that more of the map follows'
same 'sparse: the digit 0' "$(paths)$(field /s 8)" '/ /f /s 10000'
for order in 'real, size' 'size, real'; do
	raw a.tar << .
data = b"1\n8999\n1\n"
real, size = (b"GNU.sparse.realsize", b"9000"), (b"size", b"513")
put(pax((b"GNU.sparse.major", b"1"), (b"GNU.sparse.minor", b"0"), $order,
        (b"GNU.sparse.name", b"s")),
    head(b"GNUSparseFile.0/s"), padded(data), padded(b"e"), file(b"f"), END)
.
	silent "sparse: sizes as $order"
	same "sparse: sizes as $order" "$(paths)$(field /s 8)" '/ /f /s 9000'
done

# Numbers.
for size in 18446744073709551615 18446744073709551104 9223372036854775807 \
	36893488147419103232; do
	echo "put(pax((b'size', b'$size')), file(b'huge'), END)" | raw a.tar
	refuse "a size of $size" .
done
echo 'put(head(b"f", at={124: b"7" * 12}), END)' | raw a.tar
refuse 'a size of twelve digits' 68719476735
raw a.tar << '.'
put(pax((b"uid", b"4294967294"), (b"gid", b"3000000")), file(b"ids"),
    pax((b"mtime", b"1.05")), file(b"t1"), pax((b"mtime", b"7.")), file(b"t7"),
    pax((b"mtime", b"2208988800.999999999999")), file(b"t2040"), END)
.
silent 'wide ids, odd fractions'
same 'wide ids' "$(field /ids 4) $(field /ids 5)" '4294967294 3000000'
same 'odd fractions, a time after 2038' \
	"$(field /t1 7) $(field /t7 7) $(field /t2040 7)" '1 7 2208988800'
echo 'put(pax((b"mtime", b"9999999999")), file(b"f"), END)' | raw a.tar
accept 'a time after 2106'
same 'a time after 2106' "$(field /f 7)" 4294967295
has 'a time after 2106 is told of' err '^tar2sqfs: warning: '

# Names are bytes, whatever the locale and the host think of them.
raw a.tar << '.'
put(*[file(name) for name in (b"system\\x2dfoo.slice", b"caf\xe9", b"a:b",
    b"CON", b"A", b"a", b"-rf", b"#c", b"q\"'", b"w?*[")],
    head(b"l", b"2", link=b"/a//b/./../c//"), END)
.
for locale in C C.UTF-8; do
	LC_ALL=$locale
	silent "names with $locale"
	LC_ALL=C
	same "names with $locale" "$(paths)" "/ /#c /-rf /A /CON /a /a:b \
/caf\\351 /l /q\"' /system\\134x2dfoo.slice /w?*[ "
	same 'double slashes of a symlink' "$(field /l 10)" '->/a//b/./../c//'
done
for name in ../../a a/../b d/..; do
	echo "put(file(b'f'), file(b'$name'), END)" | raw a.tar
	refuse "a name with dots: $name" "$name"
done
finish
