#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# How the report looks: names that would break a line, JSON, silence, and that
# it does not depend on the number of threads.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python

# Names that try to look like something else.
both a << '.'
file ~%20x text=1
file a%0A-%20b text=1
file quote%22\ text=1
file esc%1B[2J text=1
file %FF%FE text=1
file s:x text=1
dir dir%20name
slink l to=a%0A+%20b
file x text=1 xattr.user.k=v%0Aw xattr.user.bin=hex:00ff
.
both b << '.'
file ~%20x text=2
file a%0A-%20b text=2
file quote%22\ text=2
file esc%1B[2J text=2
file %FF%FE text=2
file s:x text=2
slink l to=c
file x text=1 xattr.user.k=v%0Ax
.
sd a.sqfs b.sqfs
cat > want << '.'
~ "a\n- b": content differs from byte 0
- "dir name"/
~ "esc\033[2J": content differs from byte 0
~ l: target "a\n+ b" -> c
~ "quote\"\\": content differs from byte 0
~ s:x: content differs from byte 0
~ x: xattr user.bin 0x00ff -> none, xattr user.k "v\nw" -> "v\nx"
~ "~ x": content differs from byte 0
.
LC_ALL=C grep -av "$(printf '^~ \377\376: content differs from byte 0$')" out > rest
same 'bytes above 127 stay' "$(($(wc -l < out) - $(wc -l < rest)))" 1
same 'lines' "$(sed '$d' rest)" "$(cat want)"
has 'summary' out '^9 of 10 paths differ: 1 only in old, 0 only in new, 8 ch'

# The same as JSON, which any reader takes.
sd --json a.sqfs b.sqfs
same 'JSON: status' "$status" 1
same 'JSON: summary' "$(json 'j["summary"]["compared"],
	j["summary"]["removed"], j["summary"]["added"],
	j["summary"]["changed"], j["complete"]')" '(10, 1, 0, 8, True)'
same 'JSON: paths' "$(json '[c["path"] for c in j["changes"]][:3]')" \
	"['a\\n- b', 'dir name', 'esc\\x1b[2J']"
same 'JSON: any bytes' "$(json '[c["path_base64"] for c in j["changes"]
	if "path_base64" in c]')" "['//4=']"
same 'JSON: what' "$(json '[c["differs"] for c in j["changes"]
	if c["path"] in "lx"]')" "[['target'], ['xattrs']]"
same 'JSON: values' "$(json 'ascii([[x["name"], x["old"], x["new"]]
	for c in j["changes"] if c["path"] == "x" for x in c["xattrs"]])')" \
	"[['user.bin', '\\x00\ufffd', None], ['user.k', 'v\\nw', 'v\\nx']]"
same 'JSON: removed' "$(json '[[c["change"], c["new"], c["old"]["type"],
	c["old"]["mode"]] for c in j["changes"]][1]')" \
	"['removed', None, 'directory', '0755']"
same 'JSON: where' "$(json '[c["differs_at"] for c in j["changes"]
	if "differs_at" in c]')" '[0, 0, 0, 0, 0, 0]'
sd --json -S a.sqfs a.sqfs
same 'JSON: nothing' "$(json 'j["changes"], j["super"],
	j["summary"]["changed"]')" '([], [], 0)'
pack a.tar c.sqfs -q -b 64K
sd --json -S a.sqfs c.sqfs
same 'JSON: super: status' "$status" 1
same 'JSON: super' "$(json 'j["super"][0]')" \
	"{'field': 'block_size', 'old': 131072, 'new': 65536}"

# Quiet is silent, whatever else is asked.
for option in -q --quiet '-q --json' '-qS'; do
	# shellcheck disable=SC2086
	sd $option a.sqfs b.sqfs
	same "$option: status" "$status" 1
	same "$option: silence" "$(cat out err)" ''
	# shellcheck disable=SC2086
	sd $option a.sqfs a.sqfs
	same "$option: status of none" "$status" 0
	same "$option: silence of none" "$(cat out err)" ''
done
sd -qS a.sqfs c.sqfs
same '-qS: super blocks' "$status" 1

# The same bytes from any number of threads.
mktar many.tar << '.'
file big parts=r3000000
file many/%d parts=t900 copies=200
file z parts=t100000
.
mktar many2.tar << '.'
file big parts=r2999999,z1
file many/%d parts=t900 copies=200
file many/17 text=x
file z parts=t99999,z1
.
pack many.tar many.sqfs -q
pack many2.tar many2.sqfs -q -b 32K
gzip -1 many2.tar
for new in many2.sqfs many2.tar.gz; do
	sd -j 0 many.sqfs $new
	cp out want
	same "$new: status" "$status" 1
	has "$new: all are found" out '^3 of 20[0-9] paths differ'
	for jobs in 1 2 5; do
		sd -j $jobs many.sqfs $new
		same_bytes "$new: -j $jobs" want out
	done
done

# Output that cannot be written is trouble.
if [ -w /dev/full ]; then
	status=0
	"$sqfsdiff" a.sqfs b.sqfs > /dev/full 2> err || status=$?
	same 'a full disk' "$status" 2
	has 'a full disk' err '^sqfsdiff: standard output: '
fi
status=0
"$sqfsdiff" -q a.sqfs b.sqfs >&- 2> err || status=$?
same 'no standard output' "$status$(cat err)" 1
finish
