#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Memory stays below 64 MiB at -j 2, however large blocks and files are.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python
! is_sanitized || skip 'a sanitizer changes what memory is used'

cat > measure.py << '.'
import resource, subprocess, sys, time
tool = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
size = 0
while True:
    data = tool.stdout.read(1 << 20)
    if not data:
        break
    size += len(data)
    if size < 4 << 20:
        time.sleep(0.1)  # until all that can be ahead is
status = tool.wait()
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
.
{
	echo 'file r%d copies=12 parts=r4000000 seed=%d'
	echo 'file t%d copies=60 parts=t900000 seed=%d'
} | mktar a.tar
for codec in $(codecs); do
	case $codec in
	gzip) more='-X level=1' ;;
	xz|zstd) more='-X level=1' ;;
	*) continue ;;
	esac
	# shellcheck disable=SC2086
	pack a.tar img.sqfs -q -b 1M -c "$codec" $more
	python3 measure.py "$sqfs2tar" -j 2 img.sqfs > measured
	read -r status memory < measured
	same "$codec: status" "$status" 0
	echo "$codec: $memory KiB"
	ok "$codec: below 64 MiB" test "$memory" -lt 65536
done
finish
