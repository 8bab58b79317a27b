#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The door rule: a room includes only the doors that the table below names, a
# header compiles alone, and a .c file includes its own header first. First
# the check is tried on planted faults, then on the tree.
#
#   doors.sh [TREE]
set -u
: "${CC:=cc}"
top=${1:-${top_srcdir:-$(cd "$(dirname "$0")/.." && pwd)}}

# room: the doors it may include besides its own
doors='
util:
codec: util
pool: util
io: util codec pool
entry: util io
flow: util codec pool entry
tar: util io pool entry flow
dir: util io pool entry flow
list: util io entry dir
sqfs: util codec io
tree: util entry
pack: util codec io pool entry flow sqfs tree
unpack: util codec io pool entry flow sqfs
check: util codec io pool entry sqfs unpack
diff: util pool entry sqfs tree unpack
'

# Prints FILE:LINE:NAME for each include in quotes of the given files.
quoted_includes() {
	[ $# -eq 0 ] ||
		grep -Hn '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$@" |
		sed 's/^\([^:]*:[0-9]*:\)[^"]*"\([^"]*\)".*/\1\2/'
}

# check_room TREE ROOM: a line for each include that the rule forbids.
check_room() {
	allowed=$(printf '%s' "$doors" | sed -n "s/^$2://p")
	if ! printf '%s' "$doors" | grep -q "^$2:"; then
		echo "$1/lib/$2: no such room in the table"
		return
	fi
	find "$1/lib/$2" "$1/include/$2" -name '*.[ch]' 2>/dev/null | sort |
	while read -r file; do
		quoted_includes "$file"
	done | while IFS=: read -r file line name; do
		case $name in
		config.h)
			case $file in
			*.c) continue ;;
			esac
			echo "$file:$line: a header includes config.h"
			continue ;;
		*../*)
			echo "$file:$line: \"$name\" climbs out of its room"
			continue ;;
		*/*)
			room=${name%%/*} ;;
		*)
			[ -f "$(dirname "$file")/$name" ] &&
				[ "$(dirname "$file")" = "$1/lib/$2" ] ||
				echo "$file:$line: \"$name\" is not of $2"
			continue ;;
		esac
		case " $allowed $2 " in
		*" $room "*) ;;
		*) echo "$file:$line: $2 may not include \"$name\"" ;;
		esac
		[ -f "$1/include/$name" ] ||
			echo "$file:$line: \"$name\" is not a door"
	done
}

# A .c file whose header has the same name includes that first.
check_first() {
	find "$1/lib" -name '*.c' | sort | while read -r file; do
		room=$(basename "$(dirname "$file")")
		name=$(basename "$file" .c).h
		if [ -f "$1/include/$room/$name" ]; then
			own=$room/$name
		elif [ -f "$1/lib/$room/$name" ]; then
			own=$name
		else
			continue
		fi
		first=$(grep -n '^[[:space:]]*#[[:space:]]*include' "$file" |
			grep -v '"config.h"' | head -n 1)
		case $first in
		*"\"$own\""*) ;;
		*) echo "$file:${first%%:*}: the first include is not \"$own\"" ;;
		esac
	done
}

# Every header, doors and private ones, compiles alone.
check_alone() {
	find "$1/include" "$1/lib" -name '*.h' | sort | while read -r file; do
		# CC may be several words.
		# shellcheck disable=SC2086
		$CC -std=c11 -D_GNU_SOURCE -I"$1/include" -fsyntax-only -x c \
			"$file" 2>&1 | grep -E '(error|warning):'
	done
}

check_tree() {
	for dir in "$1"/lib/*/ "$1"/include/*/; do
		[ -d "$dir" ] && basename "$dir"
	done | sort -u | while read -r room; do
		check_room "$1" "$room"
	done
	# Programs may use every door, but nothing behind one.
	find "$1/bin" -name '*.[ch]' 2>/dev/null | sort | while read -r file; do
		quoted_includes "$file"
	done | grep -E ':[^:]*lib/' | sed 's/$/: not a door/'
	check_first "$1"
	check_alone "$1"
}

checks=0
failed=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/doors.XXXXXX") || exit 99
trap 'rm -rf "$scratch"' EXIT

# planted WHERE PATTERN: the next lines, added to a sound tree as the file
# WHERE, make the check complain with PATTERN and nothing without it.
planted() {
	rm -rf "$scratch/t"
	mkdir -p "$scratch/t/lib/pool" "$scratch/t/lib/tar" \
		"$scratch/t/include/pool" "$scratch/t/include/util" \
		"$scratch/t/include/tar" "$scratch/t/bin/x"
	echo 'int util_one(void);' > "$scratch/t/include/util/one.h"
	echo '#include "util/one.h"' > "$scratch/t/include/pool/two.h"
	echo '#include "util/one.h"' > "$scratch/t/include/tar/three.h"
	printf '#include "config.h"\n#include "pool/two.h"\n' \
		> "$scratch/t/lib/pool/two.c"
	echo 'int private;' > "$scratch/t/lib/tar/private.h"
	[ -z "$1" ] || cat > "$scratch/t/$1"
	checks=$((checks + 1))
	found=$(check_tree "$scratch/t")
	if [ -z "$2" ] && [ -n "$found" ]; then
		echo "a sound tree: $found"
		failed=$((failed + 1))
	elif [ -n "$2" ] && ! printf '%s\n' "$found" |
	     grep -q "$1:[0-9]*:.*$2"; then
		echo "planted $1: not found: $2; but: $found"
		failed=$((failed + 1))
	fi
}

planted '' ''
planted lib/pool/a.c 'may not include' << '.'
#include "tar/three.h"
.
planted include/pool/a.h 'may not include' << '.'
#  include "tar/three.h"
.
planted lib/pool/a.c 'is not of pool' << '.'
#include "private.h"
.
planted lib/pool/a.c 'is not a door' << '.'
#include "pool/none.h"
.
planted lib/pool/a.c 'climbs' << '.'
#include "../tar/private.h"
.
planted include/pool/a.h 'config.h' << '.'
#include "config.h"
.
planted lib/pool/two.c 'first include' << '.'
#include <stdio.h>
#include "pool/two.h"
.
planted include/pool/a.h 'error' << '.'
struct pool *pool_make(size_t count);
.
planted bin/x/a.c 'not a door' << '.'
#include "../../lib/tar/private.h"
.
mkdir "$scratch/t/lib/attic"
checks=$((checks + 1))
if ! check_tree "$scratch/t" | grep -q 'lib/attic: no such room'; then
	echo 'planted lib/attic: not found'
	failed=$((failed + 1))
fi

found=$(check_tree "$top")
checks=$((checks + 1))
if [ -n "$found" ]; then
	printf '%s\n' "$found"
	failed=$((failed + 1))
fi
echo "$checks checks, $failed failed"
[ "$failed" -eq 0 ]
