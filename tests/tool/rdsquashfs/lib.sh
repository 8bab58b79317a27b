# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of rdsquashfs share besides ../lib.sh.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
rdsquashfs=${RDSQUASHFS:-$builddir/rdsquashfs}
if [ ! -x "$rdsquashfs" ]; then
	echo "no program $rdsquashfs"
	finished=yes
	exit 99
fi

# rd ARG...: runs it, whatever comes of it; status, out, err are left.
rd() {
	status=0
	"$rdsquashfs" "$@" > out 2> err || status=$?
	[ "$status" -lt 124 ] || {
		sed 's/^/    /' err
		ok "rdsquashfs $*: status $status" false
	}
}

# fine ARG...: it succeeds without a word on standard error.
fine() {
	rd "$@"
	same "rdsquashfs $*: status" "$status" 0
	same "rdsquashfs $*: silence" "$(head -n 5 err)" ''
}

# refuses STATUS PATTERN ARG...: it fails so, with one line that matches.
refuses() {
	want=$1
	pattern=$2
	shift 2
	rd "$@" < /dev/null
	same "rdsquashfs $*: status" "$status" "$want"
	same "rdsquashfs $*: one line" "$(wc -l < err)" 1
	has "rdsquashfs $*: message" err "^rdsquashfs: .*$pattern"
}

# Makes an image of what the lines for mktar.py say: image IMAGE OPTION...
image() {
	name=$1
	shift
	mktar image.tar
	pack image.tar "$name" -q "$@"
}

# json EXPRESSION: of the value in out, which is called j, as Python prints it.
json() {
	python3 -c 'import json, sys
j = json.load(open("out", encoding="utf-8"))
print(eval("(" + sys.argv[1] + ")"))' "$1"
}

# unpacked DIR IMAGE: the directory holds what the image does, attributes and
# all.
unpacked() {
	checks=$((checks + 1))
	if ! manifest "$2" > want.tree ||
	   ! python3 "$tests/dirtree.py" "$1" > have.tree ||
	   ! diff want.tree have.tree > tree.diff; then
		failed=$((failed + 1))
		echo "failed: $1 holds what $2 does"
		head -n 20 tree.diff 2> /dev/null | sed 's/^/    /'
	fi
}

# below DIR: the paths below it, in one line.
below() {
	(cd "$1" && find . -mindepth 1 | LC_ALL=C sort | sed 's,^\./,,' |
		tr '\n' ' ')
}
