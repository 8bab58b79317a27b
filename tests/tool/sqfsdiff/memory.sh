#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Memory stays below 64 MiB at -j 2, however large blocks and files are, and
# does not grow with the entries of images.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python
! is_sanitized || skip 'a sanitizer changes what memory is used'

cat > measure.py << '.'
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:], stdout=subprocess.DEVNULL)
print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
.
# measured WHAT KIB ARG...: there is no difference, and no more memory is used.
measured() {
	what=$1
	limit=$2
	shift 2
	python3 measure.py "$sqfsdiff" -j 2 "$@" > measured
	read -r status memory < measured
	same "$what: status" "$status" 0
	echo "$what: $memory KiB"
	ok "$what: below $limit KiB" test "$memory" -lt "$limit"
}

# Files of several blocks, and many tail-ends.
python3 - << '.'
import base64, random, tarfile, io
rand = random.Random(1)
text = base64.b64encode(rand.randbytes(3000000))
with tarfile.open("a.tar", "w") as t:
    for n in range(7):
        at = rand.randrange(1000000)
        for name, size in ("big", 2500000), ("tail", 900000):
            info = tarfile.TarInfo("%s%d" % (name, n))
            info.size = size - n
            t.addfile(info, io.BytesIO(text[at:at + size - n]))
with tarfile.open("many.tar", "w") as t:
    for n in range(20000):
        info = tarfile.TarInfo("d%d/file%d" % (n % 100, n))
        info.size = 10
        t.addfile(info, io.BytesIO(b"%010d" % (n % 50)))
.
fast=$(codecs | grep -x -e gzip -e lz4 | tail -n 1)
pack a.tar a.sqfs -q -b 1M -c "${fast:-xz}"
pack a.tar b.sqfs -q -b 1M -c "${fast:-xz}" --no-fragments
gzip -1 -k a.tar
measured 'large blocks' 65536 a.sqfs b.sqfs
measured 'an archive' 65536 a.sqfs a.tar
measured 'a compressed archive' 65536 a.sqfs a.tar.gz
pack many.tar many1.sqfs -q -c "${fast:-xz}"
pack many.tar many2.sqfs -q -c "${fast:-xz}" -b 64K
measured 'many entries' 24576 many1.sqfs many2.sqfs
measured 'many entries of an archive' 24576 many1.sqfs many.tar
finish
