#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every option of --help is used by one of these tests, and by its right name.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
fine --help
sed -n 's/^ *\(-[a-zA-Z], *\)\{0,1\}\(--[a-z-]*\).*/\2/p' out | sort -u > listed
ok 'help lists options' test "$(wc -l < listed)" -gt 30
while read -r option; do
	# shellcheck disable=SC2016
	ok "$option has a test" \
		sh -c 'grep -qe "$1\([^a-z-]\|\$\)" "$0"/*.sh' \
		"$tests/tool/rdsquashfs" "$option"
done < listed

# Letters stand for the long names that people and scripts know.
while read -r letter name; do
	has "-$letter is --$name" out "^ *-$letter, --$name( |\$)"
done << '.'
l list
c cat
x xattr
s stat
d describe
u unpack-path
p unpack-root
D no-dev
S no-sock
F no-fifo
L no-slink
E no-empty-dir
Z no-sparse
X set-xattr
T set-times
C chmod
O chown
j num-jobs
q quiet
h help
V version
.
has 'exit statuses' out '^Exit status: 0 done'
fine --version
has 'version' out '^rdsquashfs \(sqfskit\) [0-9]'
fine -V
fine -h

refuses 2 'nothing is asked for'
refuses 2 'no image is named' -l /
refuses 2 'no image is named' -d
refuses 2 'one image can be named' -d a b
refuses 2 'the name of the image is empty' -d ''
refuses 2 '-l: the path is empty' -l '' a
refuses 2 '--json: goes with' -d --json a
refuses 2 '--manifest: "md5" is not sha256 or mtree' --manifest md5 a
refuses 2 '--du: "x" is not a number' --du=x a
refuses 2 '--sparse: must be a power of two from 4K on, or 0' -u / --sparse 5000 a
refuses 2 '-p: the name of the directory is empty' -u / -p '' a
refuses 2 '--offset: ' -d --offset x a
refuses 2 '-j: "x" is not a number' -d -j x a
refuses 1 'no.sqfs: opening it: No such file' -d no.sqfs
refuses 1 'standard input: ' -d -
finish
