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
    if size == len(data):
        time.sleep(0.5)  # until all that can be ahead is
status = tool.wait()
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
.
# Files of several blocks, and many tail-ends.
python3 - << '.'
import base64, random, tarfile, io
rand = random.Random(1)
text = base64.b64encode(rand.randbytes(3000000))
with tarfile.open("a.tar", "w") as t:
    for n in range(14):
        at = rand.randrange(1000000)
        for name, size in ("big", 2500000), ("tail", 900000):
            info = tarfile.TarInfo("%s%d" % (name, n))
            info.size = size - n
            t.addfile(info, io.BytesIO(text[at:at + size - n]))
.
for codec in $(codecs); do
	case $codec in
	gzip|zstd) level='-X level=1' ;;
	*) continue ;;
	esac
	# shellcheck disable=SC2086
	pack a.tar img.sqfs -q -b 1M -c "$codec" $level
	python3 measure.py "$sqfs2tar" -j 2 img.sqfs > measured
	read -r status memory < measured
	same "$codec: status" "$status" 0
	echo "$codec: $memory KiB"
	ok "$codec: below 64 MiB" test "$memory" -lt 65536
done
finish
