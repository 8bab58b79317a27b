# shellcheck shell=sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of sqfsdiff share besides ../lib.sh.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
sqfsdiff=${SQFSDIFF:-$builddir/sqfsdiff}
need_program "$sqfsdiff"

# sd ARG...: runs it, whatever comes of it; status, out, err are left.
sd() {
	status=0
	"$sqfsdiff" "$@" > out 2> err || status=$?
	[ "$status" -lt 124 ] || {
		sed 's/^/    /' err
		ok "sqfsdiff $*: status $status" false
	}
}

# equal ARG...: it finds no difference, and says so in one line.
equal() {
	sd "$@"
	same "sqfsdiff $*: status" "$status" 0
	same "sqfsdiff $*: silence" "$(head -n 5 err)" ''
	same "sqfsdiff $*: output" "$(sed 's/[0-9][0-9]*/N/' out)" \
		'no differences in N paths'
}

# differs ARG...: it prints the lines on standard input, and a summary.
differs() {
	cat > want
	sd "$@"
	same "sqfsdiff $*: status" "$status" 1
	same "sqfsdiff $*: silence" "$(head -n 5 err)" ''
	same "sqfsdiff $*: lines" "$(sed '$d' out)" "$(cat want)"
	has "sqfsdiff $*: summary" out '^[0-9]+ of [0-9]+ paths differ: '
}

# refuses PATTERN ARG...: trouble, told in one line that matches.
refuses() {
	pattern=$1
	shift
	sd "$@" < /dev/null
	same "sqfsdiff $*: status" "$status" 2
	same "sqfsdiff $*: one line" "$(wc -l < err)" 1
	has "sqfsdiff $*: message" err "^sqfsdiff: .*$pattern"
}

# Makes NAME.tar and NAME.sqfs of what the lines for mktar.py say:
# both NAME OPTION...
both() {
	name=$1
	shift
	mktar "$name.tar"
	pack "$name.tar" "$name.sqfs" -q "$@"
}
