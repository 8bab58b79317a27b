# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of the tools share. A test begins with
#
#	. "${top_srcdir:-.}/tests/tool/lib.sh"
#
# and is then in a folder of its own, which goes away at the end. It ends with
# "finish". Status 0: all checks held; 1: some did not; 77: skipped; 99: the
# test itself broke off.
set -u
LC_ALL=C TZ=UTC
export LC_ALL TZ
unset SOURCE_DATE_EPOCH
umask 022

: "${builddir:=$PWD}"
top_srcdir=$(cd "${top_srcdir:-.}" && pwd)
builddir=$(cd "$builddir" && pwd)
tests=$top_srcdir/tests
tar2sqfs=${TAR2SQFS:-$builddir/tar2sqfs}
checks=0
failed=0
finished=no

scratch=$(mktemp -d "${TMPDIR:-/tmp}/sqfskit.XXXXXX") || exit 99
cleanup=:
on_exit() {
	status=$?
	eval "$cleanup"
	cd / && rm -rf "$scratch"
	[ "$finished" = yes ] || exit 99
	exit "$status"
}
trap on_exit EXIT
trap 'exit 99' INT TERM HUP
cd "$scratch" || exit 99

# need_program PROGRAM: breaks the test off if it is not there.
need_program() {
	[ ! -x "$1" ] || return 0
	echo "no program $1"
	exit 99
}
need_program "$tar2sqfs"

# Ends the test: its number of checks, and the status.
finish() {
	finished=yes
	echo "$checks checks, $failed failed"
	[ "$failed" -eq 0 ] && [ "$checks" -gt 0 ]
	exit
}

# skip WHY: ends the test if nothing was checked yet, else goes on.
skip() {
	echo "skipped: $*"
	[ "$checks" -eq 0 ] || return 0
	finished=yes
	exit 77
}

# missing WHY: as skip, but a fault where TESTS_NEED_ALL is set, as in CI.
missing() {
	if [ -n "${TESTS_NEED_ALL:-}" ]; then
		ok "$* is missing" false
	else
		skip "$*"
	fi
}

have() {
	command -v "$1" > /dev/null 2>&1
}

need_python() {
	have python3 || missing 'no python3'
}

is_root() {
	[ "$(id -u)" -eq 0 ]
}

# True if the program runs under a sanitizer, which changes its memory.
is_sanitized() {
	[ -n "${sanitizers:-}" ]
}

# ok WHAT COMMAND...: COMMAND succeeds.
ok() {
	what=$1
	shift
	checks=$((checks + 1))
	if ! "$@"; then
		failed=$((failed + 1))
		echo "failed: $what"
	fi
}

# not_ok WHAT COMMAND...: COMMAND fails.
not_ok() {
	what=$1
	shift
	checks=$((checks + 1))
	if "$@"; then
		failed=$((failed + 1))
		echo "failed: $what"
	fi
}

# same WHAT HAVE WANT: two texts are equal.
same() {
	checks=$((checks + 1))
	if [ "$2" != "$3" ]; then
		failed=$((failed + 1))
		printf 'failed: %s\n  have "%s"\n  want "%s"\n' "$1" "$2" "$3" |
			head -c 4000
	fi
}

# same_bytes WHAT FILE FILE / other_bytes WHAT FILE FILE
same_bytes() {
	ok "$1" cmp "$2" "$3"
}

other_bytes() {
	not_ok "$1" cmp -s "$2" "$3"
}

# has WHAT FILE PATTERN: a line of FILE matches the extended PATTERN.
has() {
	checks=$((checks + 1))
	if ! grep -Eq -e "$3" "$2"; then
		failed=$((failed + 1))
		printf 'failed: %s\n  no "%s" in:\n' "$1" "$3"
		head -n 20 "$2" | sed 's/^/    /'
	fi
}

# lacks WHAT FILE PATTERN: no line of FILE matches it.
lacks() {
	checks=$((checks + 1))
	if grep -E -e "$3" "$2"; then
		failed=$((failed + 1))
		echo "failed: $1"
	fi
}

# run ARG...: runs the tool with standard input; status, out, err are left.
run() {
	status=0
	"$tar2sqfs" "$@" > out 2> err || status=$?
	[ "$status" -lt 124 ] || {
		sed 's/^/    /' err
		ok "tar2sqfs $*: status $status" false
	}
}

# pack TAR IMAGE OPTION...: must succeed, without a word if -q is the first.
pack() {
	tar=$1
	image=$2
	shift 2
	rm -f "$image"
	run "$@" "$image" < "$tar"
	[ "$status" -eq 0 ] || sed 's/^/    /' err
	same "tar2sqfs $* < $tar: status" "$status" 0
}

# refuses STATUS PATTERN OPTION...: the tool fails so, with one line that
# matches, and leaves no file "no.sqfs". Input is a.tar if there is one.
refuses() {
	want=$1
	pattern=$2
	shift 2
	rm -f no.sqfs
	if [ -f a.tar ]; then
		run "$@" < a.tar
	else
		run "$@" < /dev/null
	fi
	same "tar2sqfs $*: status" "$status" "$want"
	has "tar2sqfs $*: message" err "$pattern"
	not_ok "tar2sqfs $*: an image was left" test -e no.sqfs
}

# has_codec NAME: it is built in.
has_codec() {
	"$tar2sqfs" -c "$1" -X help > /dev/null 2>&1
}

codecs() {
	for codec in gzip xz lzma lzo lz4 zstd; do
		! has_codec "$codec" || echo "$codec"
	done
}

# Makes a tar from lines; see mktar.py.
mktar() {
	python3 "$tests/mktar.py" > "$1" || ok "mktar.py $1" false
}

manifest() {
	python3 "$tests/readimage.py" "$1"
}

# The lines a tar asks for.
wanted() {
	python3 "$tests/tartree.py" "$1"
}

# sound IMAGE: the strict reader accepts it.
sound() {
	ok "$1 is sound" python3 "$tests/readimage.py" --verify "$1"
}

# same_tree IMAGE TAR: the image is sound and holds what the tar says.
same_tree() {
	manifest "$1" > have.tree && wanted "$2" > want.tree
	trees_agree $? "$1 holds what $2 does"
}

# trees_agree STATUS WHAT: making want.tree and have.tree ended with STATUS,
# which is 0, and they are equal.
trees_agree() {
	checks=$((checks + 1))
	if [ "$1" -ne 0 ] || ! diff want.tree have.tree > tree.diff; then
		failed=$((failed + 1))
		echo "failed: $2"
		head -n 20 tree.diff 2> /dev/null | sed 's/^/    /'
	fi
}

# json EXPRESSION: of the value in out, which is called j, as Python prints it.
json() {
	python3 -c 'import json, sys
j = json.load(open("out", encoding="utf-8"))
print(eval("(" + sys.argv[1] + ")"))' "$1"
}

# cost WHAT EXPRESSION: it is true of what --stats=json left in out, which is j,
# and of its costs, which are k.
cost() {
	same "$1" "$(json "$(printf '(lambda k: bool(%s))(j["costs"])' "$2")")" \
		True
}

# facts IMAGE: how it is stored, for fact and inode below.
facts() {
	checks=$((checks + 1))
	python3 "$tests/readimage.py" --facts "$1" > facts ||
		failed=$((failed + 1))
}

# fact KEY: its value, from the last "facts".
fact() {
	sed -n "s/^$1 //p" facts
}

# inode PATH KEY: likewise, of an inode.
inode() {
	awk -v path="$1" -v key="$2=" '$1 == "inode" && $2 == path {
		for (i = 3; i <= NF; i++)
			if (index($i, key) == 1)
				print substr($i, length(key) + 1)
	}' facts
}

# field PATH N: the Nth field of a line of the manifest in have.tree.
field() {
	awk -v path="$1" -v n="$2" '$1 == path { print $n }' have.tree
}

# No file of ours is left besides the ones named.
left_only() {
	same "left in $1" "$(ls -A "$1")" "$2"
}
