#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Where the image comes from: a file, a part of one, standard input; and what
# becomes of one that is cut.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs << .
file f parts=r200000
file g text=g
.
"$rdsquashfs" -c f a.sqfs > want
{ printf '#!/bin/sh\nexit\n'; head -c 5000 /dev/zero; cat a.sqfs; } > app
for offset in 5015 auto; do
	fine -c f --offset $offset app
	same_bytes "--offset $offset" out want
	fine -u f -p "tree$offset" --offset=$offset app
	same_bytes "--offset $offset: unpacked" "tree$offset/f" want
	fine --manifest sha256 --offset $offset app
	same '' "$(head -n 1 out | cut -c 1-64)" "$(sha256sum want | cut -c 1-64)"
done
refuses 1 'app: .*--offset' -d app
refuses 1 'app: ' -d --offset 5016 app
"$rdsquashfs" -c f - < a.sqfs > have
same_bytes 'standard input' have want
# shellcheck disable=SC2002
cat a.sqfs | "$rdsquashfs" -c f - > have
same_bytes 'a pipe' have want
# shellcheck disable=SC2002
cat app | "$rdsquashfs" --offset auto -c f - > have
same_bytes 'a pipe, and an offset' have want

refuses 1 "$top_srcdir: .*directory" -d "$top_srcdir"
size=$(wc -c < a.sqfs)
for n in 95 5000 $((size - 4097)); do
	head -c "$n" a.sqfs > cut.sqfs
	for op in '-l /' -d '-u / -p cut'; do
		# shellcheck disable=SC2086
		rd $op cut.sqfs
		same "$op of $n bytes: status" "$status" 1
		same "$op of $n bytes: one line" "$(wc -l < err)" 1
	done
done

# What cannot be printed is not done; unpacking prints nothing.
for op in '-l /' '-s /' '-x / -R' '-c f' -d '--manifest sha256' --du --check \
	--help '-v -u / -p closed'; do
	status=0
	# shellcheck disable=SC2086
	"$rdsquashfs" $op a.sqfs >&- 2> err || status=$?
	same "$op, closed output: status" "$status" 1
	same "$op, closed output" "$(cat err)" \
		'rdsquashfs: standard output is closed'
done
ok 'closed output: unpacked' "$rdsquashfs" -u / -p closed a.sqfs >&-
finish
