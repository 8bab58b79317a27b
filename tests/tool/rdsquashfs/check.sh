#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --check: a sound image has no faults; a damaged one has a line for each.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs -b 4K << .
file a parts=t9000 xattr.user.k=v
file b parts=t8192
slink l to=a
dir d
.
for jobs in 0 1 3; do
	fine --check -j $jobs a.sqfs
	has 'a summary' out '^a.sqfs: 5 inodes, .*: 0 faults$'
	same 'one line' "$(wc -l < out)" 1
done
fine --check --json a.sqfs
same 'JSON' "$(json 'j["faults"], j["fault_count"], j["inodes"]')" '([], 0, 5)'

"$rdsquashfs" -s b --json a.sqfs > out
at=$(json 'j[0]["blocks"][1]["at"]')
cp a.sqfs 'b
ad.sqfs'
printf '\377\377\377\377\377\377' | dd of='b
ad.sqfs' bs=1 seek="$at" conv=notrunc 2> /dev/null
for jobs in 0 2; do
	rd --check -j $jobs 'b
ad.sqfs'
	same 'status' "$status" 1
	has 'the fault' out "^b.012ad.sqfs: data at $at: .*"
	has 'the summary' out ': [1-9][0-9]* faults?$'
	same 'lines' "$(wc -l < out)" 2
done
rd --check --json 'b
ad.sqfs'
same 'status' "$status" 1
same 'JSON' "$(json 'j["fault_count"], j["faults"][0]["at"]')" "(1, $at)"
head -c 200 a.sqfs > cut.sqfs
rd --check cut.sqfs
same 'a cut image' "$status" 1
finish
