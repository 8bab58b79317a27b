#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --du: every byte of the image is charged once.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs -b 16K -e << .
file usr/lib/a.so.1.2 parts=r40000 uid=5
file usr/lib/copy.so parts=r40000 seed=0 uid=5
file usr/share/x.txt parts=t5000
file usr/share/y.txt parts=t3000 xattr.user.k=v
file usr/share/deep/er/z.txt parts=r100000
file etc/conf text=conf
file etc/.hidden text=h
link etc/hard to=usr/lib/a.so.1.2
slink l to=etc
fifo p
chr c dev=1:3
dir empty
file many/%d.x parts=t200 copies=500
.
facts a.sqfs
for depth in '' =0 =65535; do
	fine --du$depth --json a.sqfs
	same "$depth: adds up, sorted, complete" "$(json '(
	j["entries"] + j["super"] + j["tables"] + j["unnamed"] == j["total"],
	j["total"], j["twice"],
	[sum(e["bytes"] for e in j[t]) == j["entries"]
		for t in ("kinds", "owners")],
	all(a["bytes"] >= b["bytes"]
		for t in ("directories", "kinds", "owners", "files")
		for a, b in zip(j[t], j[t][1:])),
	j["directories"][0]["path"], j["directories"][0]["entries"])')" \
		"(True, $(fact bytes_used), 0, [True, True], True, '', 520)"
done
fine --du=1 --json a.sqfs
same 'directories' "$(json 'sorted(e["path"] for e in j["directories"])')" \
	"['', 'empty', 'etc', 'many', 'usr']"
fine --du=2 --json a.sqfs
same 'parts of a directory' "$(json '(lambda d: d["usr"] >= d["usr/lib"] +
	d["usr/share"])({e["path"]: e["bytes"] for e in j["directories"]})')" True
same 'owners' "$(json 'sorted((e["owner"], e["entries"]) for e in
	j["owners"])')" "[('0', 517), ('5', 3)]"
same 'the largest' "$(json 'j["files"][0]["path"], len(j["files"])')" \
	"('usr/share/deep/er/z.txt', 20)"

fine --du a.sqfs
has 'text: the root' out '^ +[0-9]+ +[0-9.]+% +[0-9]+ +520  /$'
has 'text: a directory' out '^ +[0-9]+ .*  /usr$'
has 'text: in all' out "^ +$(fact bytes_used) 100.0%  in all\$"
has 'text: shared' out '^ +[0-9]+ +[0-9.]+% +[1-9][0-9]+ +[0-9]+  /usr$'

# Content that is there twice is charged to the first.
image same.sqfs -b 4K << .
file a/first parts=r20000 seed=1
file b/again parts=r20000 seed=1
.
fine --du --json same.sqfs
same 'shared' "$(json '[(e["path"], e["shared"] >= 20000, e["bytes"] >= 20000)
	for e in sorted(j["files"], key=lambda e: e["path"])]')" \
	"[('a/first', False, True), ('b/again', True, False)]"

image none.sqfs << .
dir .
.
fine --du none.sqfs
fine --du --json none.sqfs
same 'an empty image' "$(json 'j["entries"] + j["super"] + j["tables"] +
	j["unnamed"] - j["twice"] == j["total"]')" True
finish
