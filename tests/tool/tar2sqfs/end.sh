#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The end of the archive: its mark, archives glued together, no mark at all.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

echo 'file a text=1' | mktar a.tar
echo 'file b text=2' | mktar b.tar
cat a.tar b.tar > both.tar
paths() {
	manifest img.sqfs | cut -d' ' -f1 | tr '\n' ' '
}
pack both.tar img.sqfs -q
same 'up to the mark' "$(paths)" '/ /a '
has 'what follows is told of' err '^tar2sqfs: '
for option in -i --ignore-zeros; do
	pack both.tar img.sqfs -q $option
	same "$option" "$(paths)" '/ /a /b '
	same "$option: no word" "$(cat err)" ''
done

printf 'file a text=1\ncut\n' | mktar c.tar
pack c.tar img.sqfs -q
same 'no mark' "$(paths)" '/ /a '
has 'no mark: told of' err '^tar2sqfs: '
pack c.tar img.sqfs -q --ignore-missing-eof
same '--ignore-missing-eof' "$(paths)" '/ /a '
same '--ignore-missing-eof: no word' "$(cat err)" ''

# What tar pads with is no reason for a word.
head -c 8192 /dev/zero >> a.tar
pack a.tar img.sqfs -q
same 'padding: no word' "$(cat err)" ''
finish
