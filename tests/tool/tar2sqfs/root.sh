#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --root-becomes keeps what lies under one folder, and rewrites links.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d mode=0751 uid=3 gid=4 mtime=99 xattr.user.root=yes
dir d/sub
file d/sub/b text=bee
link d/hard to=d/sub/b
slink d/abs to=/d/sub/b
slink d/rel to=d/sub/b
slink d/other to=/e/x
file e/x text=gone
file dd/y text=gone
file top text=gone
.
for words in '-r d' '--root-becomes=d' '--root-becomes d/' '-r ./d' '-r /d'; do
	# shellcheck disable=SC2086
	pack a.tar img.sqfs -q $words
	sound img.sqfs
	manifest img.sqfs > have.tree
	same "$words: paths" "$(cut -d' ' -f1 have.tree | tr '\n' ' ')" \
		'/ /abs /hard /other /rel /sub /sub/b '
	same "$words: root" "$(grep '^/ ' have.tree)" \
		'/ d 0751 3 4 3 99 - - - - user.root=796573'
	same "$words: hard link" "$(field /sub/b 10)" =hard
	same "$words: symlink" "$(field /abs 10)" '->/sub/b'
	same "$words: symlink elsewhere" "$(field /other 10)" '->/e/x'
done
for option in -S --no-symlink-retarget; do
	pack a.tar img.sqfs -q -r d $option
	manifest img.sqfs > have.tree
	same "$option: symlink" "$(field /abs 10)" '->/d/sub/b'
	same "$option: hard link" "$(field /sub/b 10)" =hard
done
pack a.tar img.sqfs -q -r d/sub
manifest img.sqfs > have.tree
same 'two levels' "$(cut -d' ' -f1 have.tree | tr '\n' ' ')" '/ /b '

# Nothing under that name: said, and no image.
rm -f no.sqfs
run -q -r nothing no.sqfs < a.tar
not_ok 'no such folder: status' test "$status" -eq 0
has 'no such folder: message' err nothing
not_ok 'no such folder: image' test -e no.sqfs
finish
