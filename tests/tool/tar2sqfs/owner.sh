#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Owners and modes that options set: for all, for the root, for what no entry
# names.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir ./ mode=0711 uid=11 gid=12 mtime=13
dir d mode=0700 uid=1 gid=2
file d/a text=a mode=4755 uid=70000 gid=4000000000
slink d/l to=a uid=5 gid=6
file none/b text=b uid=7 gid=8
.
grep_tree() {
	manifest img.sqfs > have.tree
	for path in / /d /d/a /d/l /none /none/b; do
		printf '%s ' "$(field $path 4):$(field $path 5)"
	done
}

pack a.tar img.sqfs -q
same_tree img.sqfs a.tar
same 'owners' "$(grep_tree)" '11:12 1:2 70000:4000000000 5:6 0:0 7:8 '

pack a.tar img.sqfs -q --all-root
same '--all-root' "$(grep_tree)" '0:0 0:0 0:0 0:0 0:0 0:0 '
facts img.sqfs
same '--all-root: one id' "$(fact ids)" 0
pack a.tar img.sqfs -q --set-uid 33
same '--set-uid' "$(grep_tree)" '33:12 33:2 33:4000000000 33:6 33:0 33:8 '
pack a.tar img.sqfs -q --set-gid=4294967295
same '--set-gid' "$(grep_tree)" "11:4294967295 1:4294967295 \
70000:4294967295 5:4294967295 0:4294967295 7:4294967295 "
pack a.tar img.sqfs -q --set-uid=1 --set-gid 2 --set-uid=3
same 'both' "$(grep_tree)" '3:2 3:2 3:2 3:2 3:2 3:2 '

# The root: its entry, the options above the entry.
root() {
	manifest img.sqfs > have.tree
	echo "$(field / 3) $(field / 4) $(field / 5) $(field / 7)"
}
pack a.tar img.sqfs -q
same 'root of the archive' "$(root)" '0711 11 12 13'
pack a.tar img.sqfs -q --root-mode 755
same '--root-mode' "$(root)" '0755 11 12 13'
pack a.tar img.sqfs -q --root-mode=01777
same '--root-mode' "$(root)" '1777 11 12 13'
pack a.tar img.sqfs -q --root-uid 21
same '--root-uid' "$(root)" '0711 21 12 13'
pack a.tar img.sqfs -q --root-gid 22
same '--root-gid' "$(root)" '0711 11 22 13'
pack a.tar img.sqfs -q --root-time 23
same '--root-time' "$(root)" '0711 11 12 23'

# Defaults are for the root without an entry and for missing parents; the
# mode is octal with or without its zero.
echo 'file x/y text=z uid=9' | mktar b.tar
for mode in 750 0750; do
	for option in "-d uid=1,gid=2,mode=$mode,mtime=3" \
		"--defaults=mtime=3,mode=$mode,gid=2,uid=1"; do
		# shellcheck disable=SC2086
		pack b.tar img.sqfs -q $option
		same "$option: root" "$(root)" '0750 1 2 3'
		same "$option: parent" "$(grep '^/x ' have.tree)" \
			'/x d 0750 1 2 2 3 - - - - -'
		same "$option: file" "$(field /x/y 4)" 9
	done
done
pack b.tar img.sqfs -q -d uid=5
same '-d uid' "$(root)" '0755 5 0 0'
finish
