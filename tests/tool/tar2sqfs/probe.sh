#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --probe: what looks as if it did not compress is stored raw, untried.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

# Nearly all random: there is something to gain, but the probe overlooks it.
python3 - << '.'
import random

rand = random.Random(1)
open("almost", "wb").write(b"".join(
    rand.randbytes(60000) + rand.randbytes(1600).hex().encode() +
    rand.randbytes(131072 - 60000 - 3200) for _ in range(3)))
open("random", "wb").write(rand.randbytes(150000))
open("text", "wb").write(b"what is seldom is wonderful\n" * 5000)
.
tar --owner=0 --group=0 --mtime=@0 -cf a.tar almost random text

# size OPTION...: bytes of the image.
size() {
	pack a.tar img.sqfs -q "$@" >&2
	stat -c %s img.sqfs
}

for codec in gzip xz zstd; do
	has_codec $codec || continue
	off=$(size -c $codec -B 1K --probe=off)
	manifest img.sqfs > want.tree
	on=$(size -c $codec -B 1K --probe=on)
	cp img.sqfs on.sqfs
	manifest img.sqfs > have.tree
	ok "$codec: the same content" cmp have.tree want.tree
	ok "$codec: raw is not smaller" test "$on" -ge "$off"
	pack a.tar img.sqfs -q -c $codec -B 1K --probe
	same_bytes "$codec: bare --probe is on" img.sqfs on.sqfs
	cat a.tar | "$tar2sqfs" -q -f -j 0 -c $codec -B 1K --probe img.sqfs
	same_bytes "$codec: a pipe, no threads" img.sqfs on.sqfs
	case $codec in
	gzip) ok 'it makes a difference' test "$on" -gt "$off" ;;
	esac
done
sound on.sqfs

# default CODEC WORDS WANT: as which of both the default is.
default() {
	has_codec "$1" || return 0
	for how in on off; do
		pack a.tar $how.sqfs -q -c "$1" -X "$2" --probe=$how
	done
	pack a.tar img.sqfs -q -c "$1" -X "$2"
	same_bytes "$1 $2" img.sqfs "$3.sqfs"
}
default gzip level=1 on
default zstd level=15 on
default zstd level=4 off
default xz level=6 on
default lz4 hc on
default lz4 acceleration=1 off
default lzo algorithm=lzo1x_1 off
default lzo level=8 on

refuses 2 '^tar2sqfs: --probe.*"maybe" is not on or off' --probe=maybe no.sqfs
refuses 2 '^tar2sqfs: --probe.*"" is not on or off' --probe= no.sqfs
finish
