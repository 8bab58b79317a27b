#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is there already, and symlinks that lead elsewhere.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs << .
file d/x text=new
file d/y text=more
slink l to=x
.
before() {
	rm -rf tree && mkdir -p tree/d && printf old > tree/d/x
}
before
refuses 1 'd/x: .*exists' -u / -p tree a.sqfs
same 'it stays' "$(cat tree/d/x)" old
before
rd -u / -p tree --no-clobber a.sqfs
same 'status' "$status" 0
has 'it is told' err '^rdsquashfs: warning: 2 names were there already'
same 'it stays' "$(cat tree/d/x)$(cat tree/d/y)" oldmore
before
fine -u / -p tree --no-clobber --quiet a.sqfs
same 'it stays' "$(cat tree/d/x)$(cat tree/d/y)" oldmore
before
fine -u / -p tree --overwrite a.sqfs
same 'it is replaced' "$(cat tree/d/x)$(cat tree/d/y)" newmore
before
fine -u / -p tree --overwrite --no-clobber -q a.sqfs
same 'the last one' "$(cat tree/d/x)" old

# The directory itself stays as it is, but if it was made.
image root.sqfs << '.'
dir . mode=700 mtime=5
dir d mode=700 mtime=6
.
rm -rf tree
mkdir -p tree/d
chmod 755 tree tree/d
touch -d @99 tree/d tree
fine -u / -p tree --all --no-clobber -q root.sqfs
same 'kept' "$(stat -c '%a %Y' tree tree/d | tr '\n' ' ')" '755 99 755 99 '
fine -u / -p tree/new --all --no-clobber root.sqfs
same 'made' "$(stat -c '%a %Y' tree/new)" '700 5'
fine -u / -p tree --all --overwrite root.sqfs
same 'replaced' "$(stat -c '%a %Y' tree)" '700 5'

# A symlink in the way is never followed.
for option in '' --no-clobber --overwrite; do
	rm -rf tree elsewhere && mkdir tree elsewhere
	ln -s ../elsewhere tree/d
	# shellcheck disable=SC2086
	rd -q -u / -p tree $option a.sqfs
	left_only elsewhere ''
	rm -rf tree && mkdir -p tree/d && printf old > elsewhere/x
	ln -s ../../elsewhere/x tree/d/x
	# shellcheck disable=SC2086
	rd -q -u / -p tree $option a.sqfs
	same "$option: what it leads to" "$(cat elsewhere/x)" old
done
same 'replaced' "$(cat tree/d/x)" new

# The root may be a symlink: the user named it.
rm -rf real && mkdir real && ln -s real named
fine -u / -p named a.sqfs
same 'below it' "$(below real)" 'd d/x d/y l '
finish
