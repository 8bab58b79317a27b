#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Attributes for paths, in the form of getfattr --dump.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar in.tar << '.'
file a text=x xattr.user.k=old
file d/e/f text=y
slink s to=a
link hard to=a
file odd%0Aname%5C text=z
file four text=
.
attrs() {
	field "$1" 12
}

cat > dump << '.'
# a comment
# file: a
user.k="new"
user.text="a\012b\\c\"d\0"
user.hex=0x00fF7a
user.base64=0saGVsbG8=
user.none

# file: /d
user.dir=""
# file: ./d/e/
user.dir="1"

# file: odd\012name\134
user.a\075b="x=y"
# file: s
trusted.t=plain
# file: .
user.root="r"
# file: a
user.more="="
# file: hard
user.hard="not stored"
.
pack in.tar img.sqfs -q --xattr-file dump
same 'no word' "$(cat err)" ''
sound img.sqfs
manifest img.sqfs > have.tree
want=user.base64=68656c6c6f,user.hex=00ff7a,user.k=6e6577,user.more=3d
want=$want,user.none=,user.text=610a625c63226400
same a "$(attrs /a)" "$want"
same 'hard link' "$(attrs /hard)" "$want"
same 'no entry of its own' "$(attrs /d)$(attrs /d/e)" 'user.dir=user.dir=31'
same 'escapes' "$(attrs '/odd\\012name\\134')" 'user.a=b=783d79'
same 'symlink' "$(attrs /s)" trusted.t=706c61696e
same 'root' "$(attrs /)" user.root=72
same 'others' "$(attrs /four)$(attrs /d/e/f)" --

# It is stronger than what is for all, and goes by the path in the image.
printf '# file: x/a\nuser.k="f"\n# file: x\nuser.p\n' > dump
pack in.tar img.sqfs -q -x --xattr-add user.k=all --prefix x --xattr-file dump
manifest img.sqfs > have.tree
same 'over --xattr-add' "$(attrs /x/a)" user.k=66
same 'over --xattr-add' "$(attrs /x/d/e/f)" user.k=616c6c
same 'prefix' "$(attrs /x)$(attrs /x/d)" user.p=-

# Read back by getfattr's own partner, and ours printed by it.
if have getfattr && have setfattr; then
	echo x > f
	if setfattr -n user.bin -v 0x0001ff f 2> /dev/null; then
		setfattr -n user.text -v 'two
lines "quoted" \ and more' f
		setfattr -n user.empty f
		getfattr --dump f > theirs
		mktar f.tar << '.'
file f text=x
.
		pack f.tar img.sqfs -q --xattr-file theirs
		manifest img.sqfs > have.tree
		same 'as getfattr has it' "$(attrs /f)" \
			"user.bin=0001ff,user.empty=,user.text=$(printf \
			'two\nlines "quoted" \\ and more' |
			od -An -tx1 | tr -d ' \n')"
	fi
fi

# Sections that meet nothing.
printf '# file: a\n# file: none\nuser.k="v"\n# file: hard\nuser.k="v"\n' > dump
pack in.tar img.sqfs -q --xattr-file dump
has 'unused' err \
	'^tar2sqfs: warning: .*--xattr-file: .*dump.*: line 2: no entry has that'
printf '# file: hard\nuser.k="v"\n# file: none\n' > dump
pack in.tar img.sqfs -q --xattr-file=dump
has 'unused' err '--xattr-file: .*dump.*: line 1 and 1 more: no entry has that'

# What cannot be stored is told of, or refused, as from the archive.
printf '# file: a\nsystem.posix_acl_access=0x0200\nbtrfs.x="y"\n' > dump
pack in.tar img.sqfs -q --xattr-file dump
has 'an access control list' err 'a: access control list'
has 'an odd name' err 'a: attribute btrfs.x dropped'
run -q --no-skip --xattr-file dump no.sqfs < in.tar
same '--no-skip' "$status" 1

cp in.tar a.tar
refuses 1 '^tar2sqfs: --xattr-file: "?none"?: No such' --xattr-file none no.sqfs
bad() {
	printf '%b' "$2" > dump
	refuses 2 "^tar2sqfs: --xattr-file: \"?dump\"?: line $3: $1" \
		--xattr-file dump no.sqfs
}
bad '"user.k=1" stands before any "# file: "' '#\nuser.k=1\n' 2
bad 'no path' '# file: \n' 1
bad '.*\.\.' '# file: a/../b\n' 1
bad '.*has a NUL byte' '# file: a\\000b\n' 1
bad 'a value without a name' '\n# file: a\n="v"' 3
bad 'user.k: a quoted value' '# file: a\nuser.k="v' 2
bad 'user.k: a quoted value' '# file: a\nuser.k="v"x' 2
bad 'user.k: ".*n" is no escape' '# file: a\nuser.k="v\\n"' 2
bad 'user.k: 0x' '# file: a\nuser.k=0x0' 2
bad 'user.k: 0s' '# file: a\nuser.k=0s*' 2
name=$(printf 'x%.0s' $(seq 256))
printf '# file: a\n%s=1\n' "$name" > dump
refuses 1 'line 2: [^ ]*: the name may have 255 bytes' --xattr-file dump no.sqfs
finish
