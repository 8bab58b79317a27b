#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The super block: export table, padding, and the times of SOURCE_DATE_EPOCH.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d mtime=1000000000
file d/a text=a mtime=1500000000
file implicit/b text=b mtime=500000000
.
pack a.tar img.sqfs -q
facts img.sqfs
same 'no export table' "$(fact export_table)" no
same 'padding' "$(($(fact file_len) % 4096))" 0
same 'time' "$(fact mkfs_time)" 0

for option in -e --exportable; do
	pack a.tar img.sqfs -q $option
	facts img.sqfs
	same "$option" "$(fact export_table)" yes
	has "$option: flag" facts '^flags .*exportable'
done
# More inodes than one block of the export table can tell: 1024, 1025.
for n in 1023 1024; do
	echo "fifo f%d copies=$n" | mktar b.tar
	pack b.tar img.sqfs -q -e
	same_tree img.sqfs b.tar
done

for size in 1024 1K 4096 64K 1M; do
	for option in "-B $size" "--dev-block-size=$size"; do
		# shellcheck disable=SC2086
		pack a.tar img.sqfs -q $option
		facts img.sqfs
		case $size in
		1K) want=1024 ;;
		64K) want=65536 ;;
		1M) want=1048576 ;;
		*) want=$size ;;
		esac
		used=$(fact bytes_used)
		same "$option" "$(fact file_len)" \
			$(((used + want - 1) / want * want))
	done
done

# stored_times IMAGE: of the super block, the root, a missing parent, d, d/a.
stored_times() {
	facts "$1"
	manifest "$1" > have.tree
	echo "$(fact mkfs_time)" "$(field / 7)" "$(field /implicit 7)" \
		"$(field /d 7)" "$(field /d/a 7)"
}

pack a.tar img.sqfs -q
same 'as the archive says' "$(stored_times img.sqfs)" '0 0 0 1000000000 1500000000'

export SOURCE_DATE_EPOCH=1200000000
pack a.tar img.sqfs -q
same 'SOURCE_DATE_EPOCH' "$(stored_times img.sqfs)" \
	'1200000000 1200000000 1200000000 1000000000 1200000000'
pack a.tar img.sqfs -q -k
same 'SOURCE_DATE_EPOCH and -k' "$(stored_times img.sqfs)" \
	'1200000000 1200000000 1200000000 1200000000 1200000000'

# Options beside it are no conflict; what a user names is not clamped.
for option in '-d mtime=1300000000' '--defaults mtime=1300000000'; do
	# shellcheck disable=SC2086
	pack a.tar img.sqfs -q $option
	stored_times img.sqfs > times.txt
	has "$option: root, parent" times.txt '^[0-9]+ 1300000000 1300000000 '
done
pack a.tar img.sqfs -q --root-time 7
stored_times img.sqfs > times.txt
has '--root-time' times.txt '^1200000000 7 1200000000 '

SOURCE_DATE_EPOCH=0
pack a.tar img.sqfs -q
same 'at 0' "$(stored_times img.sqfs)" '0 0 0 0 0'
SOURCE_DATE_EPOCH=4294967295
pack a.tar img.sqfs -q
same 'at the end' "$(stored_times img.sqfs)" \
	'4294967295 4294967295 4294967295 1000000000 1500000000'

# What is no number of seconds is an error, not a silent 0.
for bad in abc 12x -1 4294967296 ' 5' 1e3; do
	SOURCE_DATE_EPOCH=$bad
	run -q -f no.sqfs < a.tar
	not_ok "SOURCE_DATE_EPOCH=$bad" test "$status" -eq 0
	has "SOURCE_DATE_EPOCH=$bad" err SOURCE_DATE_EPOCH
	not_ok "SOURCE_DATE_EPOCH=$bad: image" test -e no.sqfs
done
unset SOURCE_DATE_EPOCH

# -d without mtime keeps the rest.
pack a.tar img.sqfs -q -k
same '-k' "$(stored_times img.sqfs)" '0 0 0 0 0'
for option in -k --no-keep-time; do
	pack a.tar img.sqfs -q $option --defaults mtime=99
	stored_times img.sqfs > times.txt
	has "$option -d mtime" times.txt ' 99 99 99 99$'
done
finish
