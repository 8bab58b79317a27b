#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Every option of --help is used by one of these tests, and by its right name.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/gensquashfs/lib.sh"
run --help
sed -n 's/^ *\(-[a-zA-Z], *\)\{0,1\}\(--[a-z-]*\).*/\2/p' out | sort -u > listed
ok 'help lists options' test "$(wc -l < listed)" -gt 40
while read -r option; do
	# shellcheck disable=SC2016
	ok "$option has a test" \
		sh -c 'grep -qe "$1\([^a-z-]\|\$\)" "$0"/*.sh' \
		"$tests/tool/gensquashfs" "$option"
done < listed

# Letters stand for the long names that people and scripts know.
while read -r letter name; do
	has "-$letter is --$name" out "^ *-$letter, --$name( |\$)"
done << '.'
F pack-file
D pack-dir
u set-uid
g set-gid
S sort-file
s selinux
A xattr-file
k keep-time
x keep-xattr
o one-file-system
H no-hard-links
c compressor
X comp-extra
j num-jobs
Q queue-backlog
b block-size
B dev-block-size
d defaults
e exportable
T no-tail-packing
f force
q quiet
h help
V version
.
same 'help: status' "$status" 0
has 'help' out '^Usage: gensquashfs'
same 'help: stderr' "$(cat err)" ''
cp out help
run -h
same_bytes 'both helps' out help
run none.sqfs --version
has 'version' out '^gensquashfs \(sqfskit\) [0-9]'
cp out version
run -V
same_bytes 'both versions' out version
run -c gzip -X help
same '-X help: status' "$status" 0
has '-X help' out 'level'

mkdir t
refuses 2 'no output file is named' -D t
refuses 2 'nothing to be packed is named' no.sqfs
refuses 2 'there is one output only' -D t no.sqfs other
refuses 2 'goes with one -D only' -D t -D t -F list no.sqfs
refuses 2 'goes with one -D only' -D t -D t --files-from list no.sqfs
refuses 2 'exclude each other' -F list --files-from list no.sqfs
refuses 2 '--null: goes with' -D t --null no.sqfs
refuses 2 'name is empty' -D '' no.sqfs
refuses 2 'cannot go to standard output' -D t -
refuses 2 'it has to be input, path or size' -D t --order tap no.sqfs
: > there.sqfs
echo there > there.sqfs
refuses 1 'there.sqfs: is there already' -D t there.sqfs
same 'it stays' "$(cat there.sqfs)" there
run -q --force -D t there.sqfs
same '--force' "$status" 0
finish
