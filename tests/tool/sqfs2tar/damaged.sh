#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Damaged and cut images: an error that names the place, status 1, and an
# archive that nobody takes for a whole one.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

mktar a.tar << '.'
dir d
file d/big parts=t600000 xattr.user.a=b
file d/small1 parts=t500
file d/small2 parts=t700 seed=2
slink s to=d
.
codec=$(codecs | head -n 1)
pack a.tar a.sqfs -q -c "$codec" -b 64K
write a.sqfs want.tar
facts a.sqfs
start=$(inode /d/big start)

# An archive that tar and python both miss the end of, or no archive.
cut_off() {
	checks=$((checks + 1))
	tail -c 1024 "$1" | tr -d '\0' > tail.bin
	if [ -s "$1" ] && [ ! -s tail.bin ]; then
		failed=$((failed + 1))
		echo "failed: $2: it has an end"
	fi
}

# A damaged block, by any number of jobs.
cp a.sqfs bad.sqfs
printf '\377\377\377\377' |
	dd of=bad.sqfs bs=1 seek="$start" conv=notrunc 2> /dev/null
tell one.tar -j 0 bad.sqfs
cp err one.err
for jobs in 0 1 3; do
	tell got.tar -j $jobs bad.sqfs
	same "-j $jobs: status" "$status" 1
	has "-j $jobs: where" err "^sqfs2tar: bad.sqfs: d/big: .*byte $start"
	same "-j $jobs: one line" "$(wc -l < err)" 1
	same_bytes "-j $jobs: the same words" err one.err
	cut_off got.tar "-j $jobs"
done
tell got.tar -c gzip bad.sqfs
if ! grep -q 'built in' err; then
	same 'compressed: status' "$status" 1
	not_ok 'compressed: has no end' sh -c 'gzip -t < got.tar 2> /dev/null'
fi
# What is not read does not matter.
write bad.sqfs got.tar --exclude big
write bad.sqfs got.tar -d s

# A set that counts millions of attributes would be sorted for hours. The table
# of sets is as short as one set, so it is stored as it is.
python3 - << '.'
data = bytearray(open("a.sqfs", "rb").read())
table = int.from_bytes(data[56:64], "little")
sets = int.from_bytes(data[table + 16:table + 24], "little")
assert data[sets:sets + 2] == b"\x10\x80"
data[sets + 10:sets + 14] = (65537).to_bytes(4, "little")
open("bad.sqfs", "wb").write(data)
.
tell got.tar bad.sqfs
same 'too many attributes: status' "$status" 1
has 'too many attributes' err 'd/big: .*65537 attributes, more than 65536$'

# Cut at many lengths.
cat > cut.py << '.'
import subprocess, sys
data = open("a.sqfs", "rb").read()
used = int.from_bytes(data[40:48], "little")
want = open("want.tar", "rb").read()
steps = sorted({*range(0, 100, 9), *range(100, used, used // 40), used - 1})
for n in steps:
    with open("cut.sqfs", "wb") as f:
        f.write(data[:n])
    p = subprocess.run([sys.argv[1], "cut.sqfs"], capture_output=True)
    if p.returncode != 1 or p.stderr.count(b"\n") != 1 or \
            not p.stderr.startswith(b"sqfs2tar: cut.sqfs: ") or \
            not want.startswith(p.stdout) or len(p.stdout) == len(want):
        print(n, p.returncode, p.stderr, len(p.stdout))
.
python3 cut.py "$sqfs2tar" > odd
same 'cut images' "$(cat odd)" ''

# Single bytes changed: some archive and 0, or one line and 1; never a crash.
cat > change.py << '.'
import random, subprocess, sys
data = open("a.sqfs", "rb").read()
used = int.from_bytes(data[40:48], "little")
rand = random.Random(4)
for n in [*range(0, 96, 3)] + [rand.randrange(96, used) for _ in range(60)]:
    with open("cut.sqfs", "wb") as f:
        f.write(data[:n] + bytes([data[n] ^ 1 << rand.randrange(8)]) +
                data[n + 1:])
    p = subprocess.run([sys.argv[1], "-j", "1", "cut.sqfs"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if p.returncode not in (0, 1) or \
            p.returncode == 1 and p.stderr.count(b"\n") != 1:
        print(n, p.returncode, p.stderr)
.
python3 change.py "$sqfs2tar" > odd
same 'changed images' "$(cat odd)" ''
finish
