#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every option of --help is used by one of these tests, and by its right name.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
run --help
sed -n 's/^ *\(-[a-zA-Z], *\)\{0,1\}\(--[a-z-]*\).*/\2/p' out | sort -u > listed
ok 'help lists options' test "$(wc -l < listed)" -gt 20
while read -r option; do
	# shellcheck disable=SC2016
	ok "$option has a test" \
		sh -c 'grep -qe "$1\([^a-z-]\|\$\)" "$0"/*.sh' \
		"$tests/tool/tar2sqfs" "$option"
done < listed

# Letters stand for the long names that people and scripts know.
while read -r letter name; do
	has "-$letter is --$name" out "^ *-$letter, --$name( |\$)"
done << '.'
r root-becomes
S no-symlink-retarget
c compressor
X comp-extra
j num-jobs
Q queue-backlog
b block-size
B dev-block-size
d defaults
s no-skip
x no-xattr
k no-keep-time
e exportable
T no-tail-packing
E exclude-dir
f force
q quiet
h help
V version
.
for name in all-root set-uid set-gid root-mode root-uid root-gid root-time \
	no-fragments no-duplicates no-sparse no-compression memory-limit; do
	ok "--$name is there" grep -qx -e "--$name" listed
done
finish
