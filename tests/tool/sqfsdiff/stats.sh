#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --stats: what comparing costs, on standard error.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python

both a << '.'
dir d
file d/f%d copies=300 parts=t700
file large parts=r2097152
.
both b << '.'
dir d
file d/f%d copies=300 parts=t700
file large parts=r2097152 seed=3
.

sd --stats=json a.sqfs a.tar
same 'status of equal ones' "$status" 0
has 'output' out '^no differences in [0-9]+ paths$'
mv err out
cost 'entries of both' "k['entries'] >= 2 * 302"
cost 'time' "k['stages']['main']['cpu_ns'] > 0"
sd -q --stats=json -j 2 a.sqfs b.sqfs
same 'status of different ones' "$status" 1
same 'no output' "$(cat out)" ''
mv err out
cost 'threads' "k['threads'] == 2"
cost 'what workers did' "k['stages']['work']['count'] > 0 and
	k['stages']['work']['cpu_ns'] > 0"
cost 'image against image' "0 < k['copied_bytes'] < 4000000"
sd --stats=text a.tar b.tar
has 'text' err '^Time: [0-9]+\.[0-9]{3} s$'
refuses '--stats: "" is not text or json$' --stats= a.tar b.tar
finish
