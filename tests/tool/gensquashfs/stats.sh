#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --stats: what packing a tree costs.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/gensquashfs/lib.sh"
need_python

mkdir -p tree/d
head -c 6000000 /dev/urandom > tree/large
i=0
while [ "$i" -lt 300 ]; do
	echo "file number $i" > "tree/d/$i"
	i=$((i + 1))
done

run -D tree -q --stats=json img.sqfs
same 'status' "$status" 0
same 'silence' "$(cat err)" ''
cost 'figures' "j['files'] == 301 and j['directories'] == 2"
cost 'the image' "j['image_bytes'] == $(wc -c < img.sqfs)"
cost 'entries' "k['entries'] >= 302"
cost 'content stays where it is' "5000 < k['copied_bytes'] < 400000"
cost 'allocations of an entry' "k['allocations'] is None or \
	302 <= k['allocations'] <= 3 * 302 + 1000"
cost 'reads' "k['stages']['read']['count'] >= 6000000 // 131072"
run -D tree --stats=text -f img.sqfs
has 'text' out '^Files: 301$'
same 'status' "$status" 0
refuses 2 '--stats: "" is not text or json$' -D tree --stats= no.sqfs
finish
