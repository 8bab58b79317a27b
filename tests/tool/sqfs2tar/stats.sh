#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --stats: what writing an archive costs, on standard error.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

mktar a.tar << '.'
dir d
file d/f%d copies=1000 parts=t700
file large parts=r4194304
file larger parts=t4194304
slink s to=d
.
pack a.tar a.sqfs -q

# costs ARG...: writes a.sqfs with --stats=json; the object is left in out.
costs() {
	tell cost.tar --stats=json "$@" a.sqfs
	same "sqfs2tar --stats=json $*: status" "$status" 0
	same "sqfs2tar --stats=json $*: one line" "$(wc -l < err | tr -d ' ')" 1
	mv err out
}

write a.sqfs plain.tar
for jobs in 0 2; do
	costs -q -j "$jobs"
	same_bytes 'the archive is the same' cost.tar plain.tar
	cost 'entries' "k['entries'] == 1005"
	cost 'threads' "k['threads'] == $jobs"
	cost 'content of small files is copied' \
		"700000 <= k['copied_bytes'] < 3000000"
	cost 'reads, the rest is copied by the system' \
		"0 < k['stages']['read']['count'] < 64"
	cost 'writes' "k['stages']['write']['count'] > 0"
	cost 'allocations of an entry' "k['allocations'] is None or \
		1005 <= k['allocations'] <= 3 * 1005 + 500"
done
"$sqfs2tar" --stats text a.sqfs 2> err | cat > cost.tar
same_bytes 'with text' cost.tar plain.tar
has 'text' err '^Bytes copied: [0-9.]+[kM]$'
has 'time' err '^Processor time: [0-9]+\.[0-9]{3} s$'
if "$sqfs2tar" -c gzip a.sqfs > /dev/null 2>&1; then
	costs -c gzip
	cost 'parts of the output' "k['stages']['output']['count'] > 0"
	cost 'which are gathered' "k['copied_bytes'] > 5000000"
fi
refuses 2 '--stats: "yes" is not text or json$' --stats=yes a.sqfs

# A run that fails tells the failure alone.
head -c 50000 a.sqfs > cut.sqfs
tell cost.tar --stats=json cut.sqfs
same 'status of a failure' "$status" 1
lacks 'no costs of a failure' err costs

# Costs that nobody gets are not lost in silence.
if [ -c /dev/full ]; then
	"$sqfs2tar" --stats=json a.sqfs > cost.tar 2> /dev/full
	same 'status where costs cannot be written' $? 1
fi
finish
