#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same bytes whatever the number of jobs and the way in.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

{
	echo 'dir d'
	echo 'file d/t%d copies=200 parts=t700 seed=%d'
	echo 'file big%d copies=2 parts=t150000,z131072,r90000,t5 seed=%d'
	echo 'file x parts=r700000 xattr.user.a=b'
	echo 'link h to=x'
	echo 'file y parts=z3000000,t9'
	echo 'file z%d copies=3 parts=t131072,t100 seed=%d'
} | mktar a.tar
for codec in $(codecs); do
	case $codec in
	xz|zstd) more='-X level=1' ;;
	*) more= ;;
	esac
	for size in 4K 1M; do
		[ $size = 4K ] || [ "$codec" = gzip ] || size=128K
		# shellcheck disable=SC2086
		pack a.tar img.sqfs -q -c "$codec" -b $size $more
		write img.sqfs got.tar -j 0
		[ -e want.tar ] || cp got.tar want.tar
		same_bytes "$codec $size" got.tar want.tar
		for jobs in 1 2 8; do
			write img.sqfs got.tar -j $jobs
			same_bytes "$codec $size -j $jobs" got.tar want.tar
		done
	done
done
write img.sqfs plain.tar --sparse 0
same_content plain.tar a.tar
write img.sqfs got.tar
same_bytes 'the default' got.tar want.tar
cat img.sqfs | "$sqfs2tar" --num-jobs=2 - | cat > got.tar
same_bytes 'from a pipe to a pipe' got.tar want.tar
for format in gzip xz zstd; do
	"$sqfs2tar" -c $format --level 1 -j 1 img.sqfs > one.tar 2> err || {
		has "$format is not built in" err 'built in'
		continue
	}
	for jobs in 0 2 5; do
		write img.sqfs got.tar -c $format --level 1 -j $jobs
		same_bytes "$format -j $jobs" got.tar one.tar
	done
done
finish
