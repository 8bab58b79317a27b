#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every option of --help is used by one of these tests, and by its right name.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
sd --help
sed -n 's/^ *\(-[a-zA-Z], *\)\{0,1\}\(--[a-z-]*\).*/\2/p' out | sort -u > listed
ok 'help lists options' test "$(wc -l < listed)" -gt 15
while read -r option; do
	# shellcheck disable=SC2016
	ok "$option has a test" \
		sh -c 'grep -qe "$1\([^a-z-]\|\$\)" "$0"/*.sh' \
		"$tests/tool/sqfsdiff" "$option"
done < listed

# Letters stand for the long names that people and scripts know.
while read -r letter name; do
	has "-$letter is --$name" out "^ *-$letter, --$name( |\$)"
done << '.'
a old
b new
C no-contents
O no-owner
P no-permissions
T timestamps
I inode-num
S super
e extract
q quiet
j num-jobs
h help
V version
.
for name in exclude exclude-from include no-xattrs no-hard-links json offset
do
	ok "--$name is there" grep -qx -e "--$name" listed
done

# Help and version go to standard output, whatever else is asked.
same 'help: status' "$status" 0
has 'help' out '^Usage: sqfsdiff'
same 'help: stderr' "$(cat err)" ''
cp out help
sd -h
same_bytes 'both helps' out help
sd none.sqfs --version
same 'version: status' "$status" 0
has 'version' out '^sqfsdiff \(sqfskit\) [0-9]'
cp out version
sd -V
same_bytes 'both versions' out version
status=0
"$sqfsdiff" -V > /dev/full 2> err || status=$?
same 'version to a full disk' "$status" 2

# Wrong usage is trouble, too: 1 says that there are differences.
refuses 'two names are needed'
refuses 'two names are needed' -a one
refuses 'two names are needed' one
refuses '"three": two are compared' one two three
refuses '"two": two are compared' -a x -b y two
refuses 'the name is empty' '' x
refuses 'there is no such option' --nosuch
refuses '-j: "x" is not a number' -j x a b
finish
