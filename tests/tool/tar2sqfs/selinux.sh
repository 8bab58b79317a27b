#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Labels from a file of contexts: what gets which, and that libselinux agrees.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

: > fc
run -q --selinux fc x.sqfs < /dev/null
if grep -q 'PCRE2.*not built in' err; then
	same 'without PCRE2: status' "$status" 1
	not_ok 'without PCRE2: an image was left' test -e x.sqfs
	finish
fi

# labels [OPTION...]: packs in.tar with the file fc; left as lines "PATH LABEL",
# where a label lacks its beginning and its NUL is a $.
labels() {
	pack in.tar img.sqfs -q --selinux fc "$@"
	same "$*: no word" "$(cat err)" ''
	manifest img.sqfs > have.tree
	python3 - << '.' > labels
for line in open("have.tree"):
    path, *rest = line.split()
    label = "-"
    for pair in rest[-1].split(","):
        name, _, value = pair.partition("=")
        if name == "security.selinux":
            label = bytes.fromhex(value).decode()
    print(path, label.replace("u:r:", "").replace("\0", "$"))
.
}

# label WANT PATH...
label() {
	want=$1
	shift
	for path in "$@"; do
		same "label of $path" \
			"$(awk -v path="$path" '$1 == path { print $2 }' \
				labels)" "$want"
	done
}

mktar in.tar << '.'
dir usr
file usr/f text=x xattr.user.k=v xattr.security.selinux=old
file usr/new/deep/g text=y
link usr/hard to=usr/f
slink l to=usr
fifo p
chr c dev=1:3
blk b dev=8:0
dir d
file kept/f text=z xattr.security.selinux=old
.
cat > fc << '.'
# a comment, then an empty line

/	u:r:root:s0
/.*	u:r:all:s0
/[a-z]	--	u:r:file:s0
/[a-z]	-d	u:r:dir:s0
/[a-z]	-l	u:r:link:s0
/[a-z]	-p	u:r:fifo:s0
/[a-z]	-c	u:r:char:s0
/[a-z]	-b	u:r:block:s0
  /usr(/.*)?	  u:r:usr:s0
/usr/f	u:r:exact:s0
/usr/.	u:r:pattern:s0
/kept(/.*)?	<<none>>
.
labels
label 'root:s0$' /
label 'usr:s0$' /usr /usr/new /usr/new/deep /usr/new/deep/g
label 'exact:s0$' /usr/f /usr/hard
label 'link:s0$' /l
label 'fifo:s0$' /p
label 'char:s0$' /c
label 'block:s0$' /b
label 'dir:s0$' /d
label - /kept
label old /kept/f
ok 'other attributes stay' grep -q '^/usr/f .*user.k=76' have.tree
sound img.sqfs
cp img.sqfs want.sqfs
labels -j 0
same_bytes 'the same without threads' img.sqfs want.sqfs
labels --order path
label 'exact:s0$' /usr/f
label 'usr:s0$' /usr/new
labels -x
label - /kept/f
label 'exact:s0$' /usr/f

# The path counts that an entry has in the image.
labels --prefix usr/x --xattr-add security.selinux=0x7a00
label 'usr:s0$' /usr /usr/x/l /usr/x/usr/f
label 'pattern:s0$' /usr/x
label 'root:s0$' /
labels --root-becomes usr
label 'file:s0$' /f
label 'root:s0$' /
labels --include 'usr/new'
label 'usr:s0$' /usr /usr/new /usr/new/deep/g
: > empty
tar -cf in.tar -T empty
labels --ignore-missing-eof

# A directory that is named after what lies in it keeps its own mode.
mktar in.tar << '.'
file d/f text=x
dir d mode=0700
.
labels
label 'dir:s0$' /d
ok 'the mode of its own' grep -q '^/d d 0700' have.tree

# Files beside it.
printf '/a\tu:r:main:s0\n/b\tu:r:main:s0\n/c\tu:r:main:s0\n' > fc
printf '/b\tu:r:home:s0\n/c\tu:r:home:s0\n' > fc.homedirs
printf '/c\tu:r:local:s0\n/to/.*\tu:r:to:s0\n/x\tu:r:x:s0\n' > fc.local
printf '# comment\n/from /to\n/s /s2\n' > fc.subs
printf '/s2 /\n/x/y  /to\n' > fc.subs_dist
for name in a b c from/f fromage/f s/x x/y/z; do
	echo "file $name"
done | mktar in.tar
labels
label 'main:s0$' /a
label 'home:s0$' /b
label 'local:s0$' /c
label 'to:s0$' /from/f /x/y/z
label - /fromage/f
label 'x:s0$' /s/x /x
rm fc.*

# Faults: file, line and word.
cp in.tar a.tar
refuses 1 '^tar2sqfs: --selinux: "?none"?: No such file' --selinux none no.sqfs
bad() {
	printf '%b\n' "$2" > fc
	refuses 2 "^tar2sqfs: --selinux: \"?fc\"?: line $3: $1" --selinux fc \
		no.sqfs
}
bad '"/a" is not followed by a label' '/b u:r:t\n/a' 2
bad '"-x" is no type' '/a -x u:r:t' 1
bad '"u:r:t" is no type' '/a u:r:t u:r:t' 1
bad '"none" is no label' '# none\n\n/a none' 3
bad '"u:r" is no label' '/a -- u:r' 1
bad '"u::t" is no label' '/a u::t' 1
bad '"more" is a word too many' '/a -- u:r:t more' 1
bad '"/a\[": byte [0-9]+: ' '/a[ u:r:t' 1
bad '"/a\(b": byte [0-9]+: ' '/a(b u:r:t' 1
printf '/a u:r:t # so be it\n' > fc
printf '/from\n' > fc.subs
refuses 2 '^tar2sqfs: --selinux: "?fc.subs"?: line 1: "/from" is not' \
	--selinux fc no.sqfs
printf 'a\0b\n' > fc.subs
refuses 2 'fc.subs"?: line 1 has a NUL byte' --selinux fc no.sqfs
rm fc.subs

# An expression that takes for ever is given up.
printf '/(a+)+[bc] u:r:t\n' > fc
mktar a.tar << .
file $(printf 'a%.0s' $(seq 40))
.
refuses 2 'aaa: fc: line 1: "/\(a.*limit' --selinux fc no.sqfs

# Peer: agrees CONTEXTS: libselinux has the same labels for paths like it has.
agrees() {
	python3 "$tests/selabel.py" --paths "$1" | sort -r -k 2 > paths
	awk '{
		kind = $1 == "f" ? "file" : $1 == "d" ? "dir" : \
			$1 == "l" ? "slink" : $1 == "b" ? "blk" : \
			$1 == "c" ? "chr" : $1 == "p" ? "fifo" : ""
		# A path is a directory once something lies below it.
		if (!kind || dirs[$2] || $2 == "/")
			next
		path = $2
		while (sub("/[^/]*$", "", path) && path != "") {
			if (kinds[path])
				next
			dirs[path] = 1
		}
		kinds[$2] = $1
		print kind, $2, (kind == "slink" ? "to=x" : "") \
			(kind ~ /blk|chr/ ? "dev=1:1" : "")
	}' paths | mktar in.tar
	rm -f img.sqfs
	run -q --selinux "$1" img.sqfs < in.tar
	same "$1: status" "$status" 0
	manifest img.sqfs > have.tree
	awk '{ print $2, $1 }' have.tree |
		python3 "$tests/selabel.py" "$1" > theirs || return 1
	python3 - << '.' > ours
for line in open("have.tree"):
    path, kind, *rest = line.split()
    label = "-"
    if rest[-1].startswith("security.selinux="):
        label = bytes.fromhex(rest[-1].split("=")[1])[:-1].decode()
    print(kind, path, label)
.
	checks=$((checks + 1))
	if ! cmp -s ours theirs; then
		failed=$((failed + 1))
		echo "failed: labels of $1"
		diff theirs ours | head
	fi
	ok "$1: $(wc -l < ours) paths" test "$(wc -l < ours)" -gt "$2"
}
python3 "$tests/selabel.py" --policy 1500 > made
if agrees made 800; then
	for real in ${SELINUX_CONTEXTS:-} \
		/etc/selinux/*/contexts/files/file_contexts; do
		[ ! -r "$real" ] || agrees "$real" 3000
	done
else
	missing 'libselinux'
fi
finish
