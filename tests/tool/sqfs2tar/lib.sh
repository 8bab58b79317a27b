# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of sqfs2tar share besides ../lib.sh.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
sqfs2tar=${SQFS2TAR:-$builddir/sqfs2tar}
need_program "$sqfs2tar"

# write IMAGE TAR OPTION...: must succeed without a word.
write() {
	image=$1
	tar=$2
	shift 2
	status=0
	"$sqfs2tar" "$@" "$image" > "$tar" 2> err || status=$?
	same "sqfs2tar $* $image: status" "$status" 0
	same "sqfs2tar $* $image: silence" "$(head -n 5 err)" ''
}

# tell TAR ARG...: runs it, whatever comes of it; status and err are left.
tell() {
	tar=$1
	shift
	status=0
	"$sqfs2tar" "$@" > "$tar" 2> err || status=$?
	[ "$status" -lt 124 ] || {
		sed 's/^/    /' err
		ok "sqfs2tar $*: status $status" false
	}
}

# refuses STATUS PATTERN ARG...: it fails so, with one line that matches, and
# writes nothing.
refuses() {
	want=$1
	pattern=$2
	shift 2
	tell refused.tar "$@" < /dev/null
	same "sqfs2tar $*: status" "$status" "$want"
	same "sqfs2tar $*: one line" "$(wc -l < err)" 1
	has "sqfs2tar $*: message" err "^sqfs2tar: .*$pattern"
	same "sqfs2tar $*: nothing written" "$(wc -c < refused.tar)" 0
}

# names TAR: the names in it, as GNU tar reads them.
names() {
	tar -tf "$1" | tr '\n' ' '
}

# same_content TAR TAR: both ask for the same tree.
same_content() {
	wanted "$1" > want.tree && wanted "$2" > have.tree
	trees_agree $? "$1 and $2 ask for the same"
}

# fixpoint IMAGE OPTION...: what the image gives as an archive, packed again,
# gives the same bytes. Leaves the archive in fix.tar.
fixpoint() {
	image=$1
	shift
	write "$image" fix.tar "$@"
	pack fix.tar fix.sqfs -q --no-compression all
	write fix.sqfs fix2.tar "$@"
	same_bytes "$image $*: fixpoint" fix.tar fix2.tar
}
