# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of rdsquashfs share besides ../lib.sh.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
rdsquashfs=${RDSQUASHFS:-$builddir/rdsquashfs}
need_program "$rdsquashfs"

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

# unpacked DIR IMAGE: the directory holds what the image does, attributes and
# all.
unpacked() {
	manifest "$2" > want.tree &&
		python3 "$tests/dirtree.py" "$1" > have.tree
	trees_agree $? "$1 holds what $2 does"
}

# below DIR: the paths below it, in one line.
below() {
	(cd "$1" && find . -mindepth 1 | LC_ALL=C sort | sed 's,^\./,,' |
		tr '\n' ' ')
}
