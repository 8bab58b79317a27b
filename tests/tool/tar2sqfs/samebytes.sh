#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same bytes whatever the number of jobs, buffers, and the way in.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

{
	echo 'dir d'
	echo 'file d/t%d copies=400 parts=t700 seed=%d'
	echo 'file d/same%d copies=20 parts=t5000,r300 seed=1'
	echo 'file big%d copies=6 parts=t150000,z131072,r90000,t5 seed=%d'
	echo 'file big2%d copies=6 parts=t150000,z131072,r90000,t5 seed=%d'
	echo 'file x parts=r700000 xattr.user.a=b'
	echo 'link h to=x'
	echo 'file z%d copies=10 parts=t131072,t100 seed=%d'
} | mktar a.tar
for codec in $(codecs); do
	# The fast levels, for the ways through the tool are the same; the
	# levels that people use follow.
	case $codec in
	xz|lzma) sizes=128K fast='-X level=0' ;;
	lzo) sizes=128K fast='-X algorithm=lzo1x_1' ;;
	lz4) sizes='4K 128K 1M' fast= ;;
	*) sizes='4K 1M' fast='-X level=1' ;;
	esac
	pack a.tar want.sqfs -q -c "$codec" -j 1
	for jobs in 2 3; do
		pack a.tar img.sqfs -q -c "$codec" -j $jobs
		same_bytes "$codec -j $jobs" img.sqfs want.sqfs
	done
	for size in $sizes; do
		options="-q -c $codec -b $size $fast"
		# shellcheck disable=SC2086
		pack a.tar want.sqfs $options -j 1
		for more in '-j 0' '-j 2' '-j 3' '-j 8' '-j 64' '--num-jobs=2' \
			'-j 3 -Q 2' '-j 2 -Q 1' '-j 8 --queue-backlog 5' \
			'-j 2 --memory-limit 40M' '-j 2 -Q 500'; do
			# shellcheck disable=SC2086
			pack a.tar img.sqfs $options $more
			same_bytes "$options $more" img.sqfs want.sqfs
		done
		for more in '-j 1' '-j 2' '-j 8 -Q 2'; do
			# shellcheck disable=SC2086
			cat a.tar | "$tar2sqfs" -f $options $more img.sqfs
			same_bytes "$options $more from a pipe" img.sqfs \
				want.sqfs
		done
		# shellcheck disable=SC2086
		run -f $options -j 3 img.sqfs a.tar
		same_bytes "$options by name" img.sqfs want.sqfs
	done
	same_tree want.sqfs a.tar
done

# A pipe that gives little at a time, and a file that does not begin at its
# start.
pack a.tar want.sqfs -q
cat a.tar | dd bs=1000 iflag=fullblock 2> /dev/null |
	"$tar2sqfs" -q -f img.sqfs
same_bytes 'a slow pipe' img.sqfs want.sqfs
{ head -c 700 /dev/zero; cat a.tar; } > b.tar
python3 - "$tar2sqfs" << '.'
import os, subprocess, sys
fd = os.open("b.tar", os.O_RDONLY)
os.lseek(fd, 700, os.SEEK_SET)
subprocess.run([sys.argv[1], "-q", "-f", "img.sqfs"], stdin=fd, check=True)
.
same_bytes 'from the middle of a file' img.sqfs want.sqfs
finish
