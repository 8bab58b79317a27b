#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every option of --help is used by one of these tests, and by its right name.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
tell out --help
sed -n 's/^ *\(-[a-zA-Z], *\)\{0,1\}\(--[a-z-]*\).*/\2/p' out | sort -u > listed
ok 'help lists options' test "$(wc -l < listed)" -gt 15
while read -r option; do
	# shellcheck disable=SC2016
	ok "$option has a test" \
		sh -c 'grep -qe "$1\([^a-z-]\|\$\)" "$0"/*.sh' \
		"$tests/tool/sqfs2tar" "$option"
done < listed

# Letters stand for the long names that people and scripts know.
while read -r letter name; do
	has "-$letter is --$name" out "^ *-$letter, --$name( |\$)"
done << '.'
d subdir
k keep-as-dir
r root-becomes
X no-xattr
L no-hard-links
s no-skip
c compressor
j num-jobs
q quiet
h help
V version
.
for name in exclude exclude-from include no-root format sparse level offset; do
	ok "--$name is there" grep -qx -e "--$name" listed
done

# Help and version go to standard output, whatever else is asked.
same 'help: status' "$status" 0
has 'help' out '^Usage: sqfs2tar'
same 'help: stderr' "$(cat err)" ''
tell help -h
same_bytes 'both helps' out help
tell out none.sqfs --version
same 'version: status' "$status" 0
has 'version' out '^sqfs2tar \(sqfskit\) [0-9]'
tell version -V
same_bytes 'both versions' out version
"$sqfs2tar" -V > /dev/full 2> err && status=0 || status=$?
same 'version to a full disk' "$status" 1
finish
