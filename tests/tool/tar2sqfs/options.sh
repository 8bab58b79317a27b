#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The command line: order, clusters, prefixes, repetition, and what is refused.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d
file d/f parts=t200000
file d/g text=hello
.

# The same image, however the words are put.
pack a.tar want.sqfs -q -f -c gzip -b 65536
for words in '-qf -c gzip -b 64K IMG' 'IMG -q -f -b64k -cgzip' \
	'-b 65536 IMG --quiet --force --compressor gzip' \
	'--compressor=gzip --block-size=64K -fq IMG' \
	'-c lz4 -b 4096 IMG -fq -b 64K -c gzip' \
	'--block-s 64K --quie --forc --compr gzip IMG' \
	'-qfcgzip -b 64K -- IMG' 'IMG a.tar -qf -c gzip -b 64K'; do
	rm -f img.sqfs
	# shellcheck disable=SC2046
	run $(echo "$words" | sed 's/IMG/img.sqfs/') < a.tar
	same "$words: status" "$status" 0
	same "$words: words" "$(cat out err)" ''
	same_bytes "$words" img.sqfs want.sqfs
done

# Sizes.
for size in 4096 4K 4k 8192 1M 1m 1048576; do
	pack a.tar img.sqfs -q -b $size
	facts img.sqfs
	case $size in
	4*) want=4096 ;;
	8*) want=8192 ;;
	*) want=1048576 ;;
	esac
	same "-b $size" "$(fact block_size)" $want
done

# Nothing but numbers in range passes for one.
refuses 2 'num-jobs|-j' -j abc no.sqfs
for bad in '-j -1' '-j 3x' '-j' '-Q abc' '-b 5000' '-b 2048' \
	'-b 2M' '-b 4KB' '-b 4KiB' '-b 0' '-b -4096' '-b x' \
	'-b 18446744073709555712' '-B 512' '-B x' '-B 4096T' \
	'-c nonesuch' '-c' '-X nonesuch=1' '-X level=abc' '-X level' \
	'-d uid=abc' '-d nonesuch=1' '-d uid' '-d mode=0999' '-d mode=17777' \
	'-d uid=4294967296' '--set-uid abc' '--set-uid 4294967296' \
	'--set-gid -1' '--set-gid 1x' '--root-mode 8' '--root-mode 10000' \
	'--root-uid x' '--root-gid 4294967296' '--root-time -1' \
	'--root-time 4294967296' '--no-compression=nonesuch' \
	'--no-compression=' '--memory-limit x' '--memory-limit 0' \
	'--nonesuch' '--comp gzip' '--no 1' '-y' '--quiet=yes' \
	'--root-becomes=../a' '-r ..' '--set-uid='; do
	# shellcheck disable=SC2086
	refuses 2 '^tar2sqfs: ' $bad no.sqfs
	same "$bad: one line" "$(wc -l < err)" 1
done
refuses 2 '^tar2sqfs: .*level' -c gzip -X level=13 no.sqfs
refuses 2 '^tar2sqfs: ' -c gzip -X level=1,level=2 no.sqfs

# One image, and archives that are there.
refuses 2 '^tar2sqfs: '
refuses 1 'b.tar' no.sqfs a.tar b.tar
refuses 1 'none.tar' no.sqfs none.tar

# Help and version go to standard output, whatever else is asked.
run -h
same 'help: status' "$status" 0
has 'help' out '^Usage: .*tar2sqfs'
same 'help: stderr' "$(cat err)" ''
cp out help
run --help
same_bytes 'both helps' out help
run no.sqfs --version
same 'version: status' "$status" 0
has 'version' out '^tar2sqfs \(sqfskit\) [0-9]'
cp out version
run -V
same_bytes 'both versions' out version
not_ok 'version makes no image' test -e no.sqfs
finish
