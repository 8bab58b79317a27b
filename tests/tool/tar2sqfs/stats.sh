#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --stats: the figures as text and as JSON, and what a run costs.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

# The first is of large files, the second has as many blocks again, and the
# third is of small files.
mktar large.tar << '.'
file a parts=r4194304
file b parts=r4194304 seed=2
.
mktar larger.tar << '.'
file a parts=r8388608
file b parts=r8388608 seed=2
.
mktar small.tar << '.'
dir d
file d/f%d copies=2000 parts=r700
link l to=d/f000007
slink s to=d
fifo p
.

# costs TAR ARG...: packs it with --stats=json; the object is left in out.
costs() {
	tar=$1
	shift
	rm -f img.sqfs
	run --stats json "$@" img.sqfs "$tar"
	same "tar2sqfs --stats=json $* $tar: status" "$status" 0
	same "tar2sqfs --stats=json $* $tar: silence" "$(cat err)" ''
}

# The same figures in both forms, and text is what there is without --stats.
run -f a.sqfs small.tar
same 'text by default' "$status" 0
mv out plain
run -f --stats=text a.sqfs small.tar
same_bytes '--stats=text' out plain
costs small.tar -q
for row in 'Files:files' 'Directories:directories' 'Hard links:hard_links' \
	'Soft links:symlinks' 'IPC files:ipc_files' \
	'Data blocks written:blocks' 'Total number of inodes:inodes' \
	'Fragments actually written:tail_ends'; do
	same "${row%:*}" "$(json "j['${row#*:}']")" \
		"$(sed -n "s/^${row%:*}: //p" plain)"
done
same 'content' "$(json 'j["bytes_read"]')" 1400000
same 'the image' "$(json 'j["image_bytes"]')" "$(wc -c < img.sqfs | tr -d ' ')"
cp img.sqfs img.costs
run -f -q img.sqfs small.tar
same_bytes 'counting changes nothing in the image' img.sqfs img.costs

# Small files are copied into fragment blocks, and with little else besides;
# from a pipe out of the window, too, but then some are where they belong.
costs small.tar
cost 'entries' "k['entries'] == 2004"
cost 'the tables are written once, by the main thread' \
	"k['stages']['tables']['count'] == 1 and
	0 < k['stages']['tables']['cpu_ns'] <= k['stages']['main']['cpu_ns']"
cost 'copied, of a file' "1400000 <= k['copied_bytes'] < 2200000"
cost 'reads' "k['stages']['read']['count'] > 0"
cost 'a fragment block each' \
	"k['stages']['fragment']['count'] == j['fragment_blocks'] > 0"
cost 'no blocks' "k['stages']['work']['count'] == 0"
cost 'written' "k['stages']['write']['count'] > 0"
cost 'times' "0 < k['stages']['main']['cpu_ns'] <= \
	k['cpu_user_ns'] + k['cpu_system_ns'] + 10**7 and k['wall_ns'] > 0"
cost 'memory' "k['peak_rss'] > 10**6"
cost 'allocations of an entry' "k['allocations'] is None or \
	2004 <= k['allocations'] <= 3 * 2004 + 1000"
# shellcheck disable=SC2002
cat small.tar | "$tar2sqfs" -f --stats=json img.sqfs > out
cost 'copied, of a pipe' "1400000 <= k['copied_bytes'] < 2000 * 1536"
cost 'nothing is read by workers' "k['stages']['read']['count'] == 0"

# Blocks are neither copied nor allocated. There are no more threads than
# processors, of which the default takes all.
costs large.tar
most=$(json "j['costs']['threads']")
for jobs in 0 1 3; do
	costs large.tar -j "$jobs"
	cost "threads at -j $jobs" "k['backlog'] > 1 and \
		k['threads'] == min($jobs, $most)"
	cost "blocks at -j $jobs" "k['stages']['read']['count'] == 64 and \
		k['stages']['work']['count'] == 64"
	cost "copied at -j $jobs" "k['copied_bytes'] < 80000"
	few=$(json "j['costs']['allocations']")
	costs larger.tar -j "$jobs"
	cost "twice the blocks at -j $jobs" \
		"k['stages']['work']['count'] == 128"
	[ "$few" = None ] || cost "allocations of blocks at -j $jobs" \
		"k['allocations'] <= $few + 10"
done

# Where it goes, and what it has to be called.
refuses 2 '^tar2sqfs: --stats: "xml" is not text or json$' --stats xml no.sqfs
refuses 2 '^tar2sqfs: --stats: needs an argument' no.sqfs --stats
finish
