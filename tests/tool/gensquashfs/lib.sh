# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of gensquashfs share besides ../lib.sh.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
gensquashfs=${GENSQUASHFS:-$builddir/gensquashfs}
need_program "$gensquashfs"

# run ARG...: runs it, whatever comes of it; status, out and err are left.
run() {
	status=0
	"$gensquashfs" "$@" > out 2> err || status=$?
	[ "$status" -lt 124 ] || {
		sed 's/^/    /' err
		ok "gensquashfs $*: status $status" false
	}
}

# gen IMAGE ARG...: must succeed without a word.
gen() {
	image=$1
	shift
	rm -f "$image"
	run -q --no-compression all "$@" "$image"
	same "gensquashfs $*: status" "$status" 0
	same "gensquashfs $*: silence" "$(head -n 5 err)" ''
}

# refuses STATUS PATTERN ARG...: it fails so, with one line that matches, and
# leaves no file "no.sqfs", which is the output unless ARG names another.
refuses() {
	want=$1
	pattern=$2
	shift 2
	rm -f no.sqfs
	run "$@" < "${input:-/dev/null}"
	same "gensquashfs $*: status" "$status" "$want"
	same "gensquashfs $*: one line" "$(wc -l < err)" 1
	has "gensquashfs $*: message" err "^gensquashfs: .*$pattern"
	not_ok "gensquashfs $*: an image was left" test -e no.sqfs
	same "gensquashfs $*: nothing is left" \
		"$(find . -maxdepth 1 -name "*sqfs?*")" ''
}

# holds IMAGE DIR: the image is sound and holds what the directory does.
holds() {
	manifest "$1" > have.tree &&
		python3 "$tests/dirtree.py" "$2" > want.tree
	trees_agree $? "$1 holds what $2 does"
}

# same_image_tree WHAT IMAGE IMAGE: both hold the same.
same_image_tree() {
	manifest "$2" > want.tree && manifest "$3" > have.tree
	trees_agree $? "$1"
}

# paths IMAGE: what is in it, in one line.
paths() {
	manifest "$1" | awk '{ printf "%s ", $1 }'
}

# everything DIR: a tree of all that a file system can hold.
everything() {
	mkdir -p "$1/dir/sub/empty" "$1/-dash" "$1/a" "$1/sp ace" &&
	printf 'one\n' > "$1/one" && : > "$1/zero" &&
	head -c 400000 /dev/urandom > "$1/dir/large" &&
	head -c 131072 /dev/zero > "$1/dir/zeros" &&
	head -c 262145 "$1/dir/large" > "$1/a/blocks" &&
	cp "$1/a/blocks" "$1/a/copy" &&
	printf x > "$1/a-b" && printf y > "$1/a/x" && printf z > "$1/a.b" &&
	printf 'ends' | dd of="$1/dir/sparse" bs=1 seek=3000000 2> /dev/null &&
	truncate -s 700000 "$1/dir/hole" &&
	printf s > "$1/set" && chmod 6755 "$1/set" && chmod 1777 "$1/-dash" &&
	ln "$1/one" "$1/dir/link" && ln "$1/dir/link" "$1/zlink" &&
	ln -s /nowhere/at/all "$1/symlink" && ln "$1/symlink" "$1/dir/symlink2" &&
	ln -s "$(printf '%0250d' 1)" "$1/longlink" &&
	mkfifo "$1/fifo" &&
	python3 -c 'import socket, sys, os
os.chdir(sys.argv[1])
socket.socket(socket.AF_UNIX).bind("sock")
for name in (b"caf\xe9", b"new\nline", b"q\"uote\\s", b"tab\t", b"\x01\xff",
             b"n" * 255):
    open(name, "wb").write(name)
deep = "dir"
for i in range(30):
    os.mkdir(deep + "/" + "d" * 100)
    os.chdir(deep)
    deep = "d" * 100
open("deepest", "w").write("deep")
' "$1" &&
	touch -d @1 "$1/one" && touch -d @4294967295 "$1/zero" &&
	touch -d @1234567890.987654321 "$1/dir/sub" || return 1
	if python3 -c 'import os, sys
os.setxattr(sys.argv[1], "user.k", b"a value \x00\xff")
os.setxattr(sys.argv[1], "user.empty", b"")' "$1/zero" 2> /dev/null; then
		python3 -c 'import os, sys
os.setxattr(sys.argv[1], "user.dir", b"text")' "$1/dir"
	fi
	if is_root; then
		mknod "$1/char" c 4 64 && mknod "$1/block" b 4095 1048575 &&
		chown 4294967294:4294967293 "$1/a/x" &&
		chown -h 1234:5678 "$1/symlink" || return 1
		python3 -c 'import os, sys
os.setxattr(sys.argv[1] + "/symlink", "trusted.t", b"on a link",
            follow_symlinks=False)
os.setxattr(sys.argv[1] + "/fifo", "security.s", b"\x00")
' "$1" 2> /dev/null || :
	fi
}
