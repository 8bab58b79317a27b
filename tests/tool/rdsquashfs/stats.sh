#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --stats: what reading costs, on standard error.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs << '.'
dir d
file d/f%d copies=1000 parts=t700
file large parts=r4194304
slink s to=d
.

# costs ARG...: reads a.sqfs with --stats=json; the object is left in out, what
# was printed in printed.
costs() {
	rd --stats=json "$@" a.sqfs
	same "rdsquashfs --stats=json $*: status" "$status" 0
	same "rdsquashfs --stats=json $*: one line" \
		"$(wc -l < err | tr -d ' ')" 1
	mv out printed && mv err out
}

costs -l / -R
same 'the listing' "$(wc -l < printed | tr -d ' ')" 1004
cost 'entries of a listing' "k['entries'] == 1004"
cost 'a listing copies metadata only' "20000 < k['copied_bytes'] < 400000"
cost 'allocations of a listing' \
	"k['allocations'] is None or k['allocations'] < 300"
cost 'times' "0 < k['stages']['main']['cpu_ns'] <= \
	k['cpu_user_ns'] + k['cpu_system_ns'] + 10**7 and k['wall_ns'] > 0"

for jobs in 0 2; do
	rm -rf tree
	costs -q -j "$jobs" -u / -p tree
	cost 'entries unpacked' "k['entries'] == 1004"
	cost 'threads' "k['threads'] == $jobs"
	cost 'content of small files is copied' \
		"700000 <= k['copied_bytes'] < 1500000"
	cost 'reads' "0 < k['stages']['read']['count']"
	cost 'allocations of an entry' "k['allocations'] is None or \
		1004 <= k['allocations'] <= 3 * 1004 + 500"
done
costs -c large
same 'content' "$(wc -c < printed | tr -d ' ')" 4194304
cost 'what lies in a file is not copied' "k['copied_bytes'] < 100000"
costs --check
cost 'entries checked' "k['entries'] == 1003"
cost 'blocks checked' "k['stages']['read']['count'] > 0"
costs --manifest=sha256
cost 'files digested' "k['stages']['work']['count'] > 0"
costs --manifest sha256
cost 'entries hashed' "k['entries'] == 1004"
costs -d
cost 'entries described' "k['entries'] == 1004"

rd --stats=text -l / a.sqfs
same 'status' "$status" 0
has 'text' err '^Bytes copied: [0-9.]+[kM]?$'
has 'memory' err '^Memory at most: [0-9.]+[kM]$'
refuses 2 '--stats: "csv" is not text or json$' --stats=csv -l / a.sqfs
rd --stats=json -l /none a.sqfs
lacks 'no costs of a failure' err costs
finish
