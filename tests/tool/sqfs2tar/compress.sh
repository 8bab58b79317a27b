#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -c: each compressor's own program takes what comes out, and it is the same
# archive.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

{
	echo 'file t%d copies=3 parts=t300000,r50000 seed=%d'
	echo 'file small text=x'
} | mktar a.tar
mktar empty.tar < /dev/null
pack a.tar a.sqfs -q
pack empty.tar empty.sqfs -q
write a.sqfs want.tar
write empty.sqfs empty.want
for name in gzip xz zstd bzip2 lz4; do
	tell got.tar -c $name a.sqfs
	if [ "$status" -ne 0 ]; then
		has "$name is not built in" err 'built in'
		continue
	fi
	if ! have $name; then
		missing "no $name"
		continue
	fi
	ok "$name: tested" $name -t < got.tar
	$name -dc < got.tar > plain.tar
	same_bytes "$name" plain.tar want.tar
	ok "$name: smaller" test "$(wc -c < got.tar)" -lt \
		$(($(wc -c < want.tar) * 3 / 4))
	write empty.sqfs got.tar --compressor=$name
	$name -dc < got.tar > plain.tar
	same_bytes "$name: an empty image" plain.tar empty.want
	write a.sqfs low.tar -c $name --level 1
	write a.sqfs high.tar -c $name --level 9
	$name -dc < low.tar > plain.tar
	same_bytes "$name: a low level" plain.tar want.tar
	$name -dc < high.tar > plain.tar
	same_bytes "$name: a high level" plain.tar want.tar
	other_bytes "$name: levels differ" low.tar high.tar

	# What is read again without naming the compressor.
	run -q -f again.sqfs high.tar
	same "$name: read again" "$status" 0
	same_tree again.sqfs a.tar
done
finish
