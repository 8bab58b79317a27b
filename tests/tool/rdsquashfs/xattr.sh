#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -x and --xattr: values come whole, whatever their bytes.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

long=$(printf 'v%.0s' $(seq 500))
image a.sqfs << .
file a text=a xattr.user.nul=hex:610062 xattr.user.text=hello xattr.user.empty=hex: xattr.user.quote=hex:225c
file b%0A%5C text=b xattr.user.utf8=hex:c3a9 xattr.user.latin=hex:e9 xattr.user.line=hex:780a79
dir d xattr.user.long=$long xattr.security.selinux=hex:73797374656d5f7500
file d/plain text=
slink d/l to=a xattr.trusted.t=1
.
fine -x a a.sqfs
cat > want << '.'
# file: a
user.empty=""
user.nul=0x610062
user.quote="\"\\"
user.text="hello"

.
same_bytes 'a file' out want
fine --xattr / -R a.sqfs
{
	cat << '.'
# file: b\012\134
user.latin=0xe9
user.line="x\012y"
.
	printf 'user.utf8="\303\251"\n\n# file: d\n'
	cat << .
security.selinux="system_u\\000"
user.long="$long"

# file: d/l
trusted.t="1"

.
} >> want
LC_ALL=C sort want > want.sorted
LC_ALL=C sort out > have.sorted
same_bytes 'all' have.sorted want.sorted
fine -x / a.sqfs
same 'none' "$(cat out)" ''
fine -x d/plain -x d/l a.sqfs
same 'of several' "$(head -n 2 out | tr '\n' ' ')" '# file: d/l trusted.t="1" '
fine -x / -R --json a.sqfs
same 'JSON' "$(json '[(e["path"], len(e["xattrs"])) for e in j]')" \
	"[('a', 4), ('b\\n\\\\', 3), ('d', 2), ('d/l', 1)]"
same 'JSON values' "$(json 'sorted((x["name"], x["value"]) for x in
	j[0]["xattrs"])')" "[('user.empty', ''), ('user.nul', 'a\\x00b'), \
('user.quote', '\"\\\\'), ('user.text', 'hello')]"
same 'JSON, no UTF-8' "$(json '[x["value_base64"] for x in j[1]["xattrs"]
	if "value_base64" in x]')" "['6Q==']"

# The root is that of the tree, and not of the system that setfattr runs on.
image root.sqfs << '.'
dir . xattr.user.r=1
dir d xattr.user.d=2
.
fine -x / -R root.sqfs
same 'the root' "$(grep '^#' out | tr '\n' ' ')" '# file: . # file: d '

# gensquashfs reads it back.
if [ -x "$builddir/gensquashfs" ]; then
	fine -x / -R a.sqfs
	mv out dump
	fine -q -u / -p packed a.sqfs
	ok 'packed again' "$builddir/gensquashfs" -q -D packed -A dump \
		again.sqfs
	manifest again.sqfs | cut -d ' ' -f 1,12 > have
	manifest a.sqfs | cut -d ' ' -f 1,12 > want
	same_bytes 'the same attributes' have want
fi

# setfattr reads it back.
if have setfattr && is_root && touch t && setfattr -n user.t t 2> /dev/null
then
	mkdir -p tree/d && touch tree/a "tree/b
\\" && ln -s a tree/d/l
	fine -x / -R a.sqfs
	ok 'restored' sh -c 'cd tree && setfattr -h --restore=../out'
	python3 "$tests/dirtree.py" tree | cut -d ' ' -f 1,12 > have
	manifest a.sqfs | cut -d ' ' -f 1,12 | grep -v plain > want
	same_bytes 'the same attributes' have want
fi
finish
