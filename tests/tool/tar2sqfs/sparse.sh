#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Zero blocks become holes, in the middle, at the end, and as whole files.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
file hole parts=z300000
file middle parts=t131072,z262144,t131072
file tail parts=t131072,z500
file start parts=z131072,t10
file near parts=z131071,t1
file small parts=z100
.
pack a.tar img.sqfs -q
same_tree img.sqfs a.tar
facts img.sqfs
same 'hole: type' "$(inode /hole type)" 9
same 'hole: sparse' "$(inode /hole sparse)" 300000
same 'hole: start' "$(inode /hole start)" 0
same 'hole: words' "$(inode /hole words)" 0,0,0
same 'middle: sparse' "$(inode /middle sparse)" 262144
same 'tail: sparse' "$(inode /tail sparse)" 500
same 'tail: fragment' "$(inode /tail fragment)" -
same 'start: sparse' "$(inode /start sparse)" 131072
same 'near: sparse' "$(inode /near sparse)" 0
same 'small: sparse' "$(inode /small sparse)" 100
holes=$(fact data_bytes)

pack a.tar img.sqfs -q --no-sparse
same_tree img.sqfs a.tar
facts img.sqfs
for path in /hole /middle /tail /start /near /small; do
	same "--no-sparse: $path" "$(inode $path sparse)" 0
done
lacks '--no-sparse: no hole' facts '^inode .* words=(.*,)?0(,| )'
ok '--no-sparse stores zeros' test "$(fact data_bytes)" -gt "$holes"

# Larger than 32 bits can say; the archive itself is sparse, too.
python3 - "$tests" << '.'
import os, sys
sys.path.insert(0, sys.argv[1])
import mktar
size = (4 << 30) + 5
with open("big.tar", "wb") as f:
    f.write(mktar.header(b"big", b"0", {}, size, b"", "gnu"))
    f.seek(size - 3, 1)
    f.write(b"end")
    f.write(bytes(-size % 512 + 1024))
.
if ! is_sanitized; then
	pack big.tar img.sqfs -q -b 1M
	facts img.sqfs
	same 'big: type' "$(inode /big type)" 9
	same 'big: size' "$(inode /big size)" 4294967301
	same 'big: sparse' "$(inode /big sparse)" 4294967296
fi
finish
