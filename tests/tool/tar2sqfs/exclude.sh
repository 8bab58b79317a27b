#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --exclude-dir leaves out what matches.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir a
dir a/tmp
file a/tmp/x text=x
file a/keep text=k
dir b
dir b/tmp
file b/tmp/y text=y
file c.log text=c
link a/z to=b/tmp/y
.
paths() {
	manifest img.sqfs > have.tree
	cut -d' ' -f1 have.tree | tr '\n' ' '
}
pack a.tar img.sqfs -q -E nothing
same_tree img.sqfs a.tar
pack a.tar img.sqfs -q -E c.log
same 'a file' "$(paths)" '/ /a /a/keep /a/tmp /a/tmp/x /a/z /b /b/tmp /b/tmp/y '
pack a.tar img.sqfs -q --exclude-dir 'a*' --exclude-dir='*.log'
same 'two patterns' "$(paths)" '/ /b /b/tmp /b/tmp/y '
sound img.sqfs
pack a.tar img.sqfs -q -E 'a/tmp*' -E c.log
same 'below' "$(paths)" '/ /a /a/keep /a/z /b /b/tmp /b/tmp/y '
# A hard link to what was left out on purpose does not end the run.
pack a.tar img.sqfs -q -E '*/tmp*'
has 'the link is told of' err 'z'
sound img.sqfs
finish
