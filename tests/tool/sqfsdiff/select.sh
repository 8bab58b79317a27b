#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# --exclude, --exclude-from and --include, on both sides alike.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python

both a << '.'
file etc/a.conf text=1
file etc/b text=1
file usr/bin/x text=1
file usr/lib/y text=1
file var/old text=1
.
both b << '.'
file etc/a.conf text=2
file etc/b text=2
file usr/bin/x text=2
file usr/lib/y text=2
file var/new text=1
.
mkdir b.dir
tar -xf b.tar -C b.dir
for new in b.sqfs b.tar b.dir; do
	differs --exclude var --exclude '*.conf' --exclude=usr/lib \
		--no-owner --no-permissions a.sqfs $new << '.'
~ etc/b: content differs from byte 0
~ usr/bin/x: content differs from byte 0
.
	differs --include usr/bin --include 'var/n*' -OP $new a.tar << '.'
~ usr/bin/x: content differs from byte 0
- var/new
.
done
printf '# a comment\nusr\n\nvar\n' > list
differs --exclude-from list --include '**/b' --include x a.sqfs b.sqfs << '.'
~ etc/b: content differs from byte 0
.
equal --exclude '**/[a-z]*' --exclude var a.sqfs b.sqfs

# What matches nothing, on neither side.
sd --exclude nosuch a.sqfs b.sqfs
same 'an exclusion that matches nothing: status' "$status" 1
has 'an exclusion that matches nothing' err \
	'^sqfsdiff: warning: --exclude: "nosuch" matches nothing$'
refuses 'nothing .*matches "nosuch"' --include nosuch a.sqfs b.sqfs
refuses '--exclude: "\[": a bracket' --exclude '[' a.sqfs b.sqfs

# A directory that is excluded need not be readable.
if ! is_root; then
	mkdir b.dir/secret
	chmod 0 b.dir/secret
	refuses 'b.dir: secret: ' -OP a.sqfs b.dir
	sd -OP --exclude secret a.sqfs b.dir
	same 'excluded: status' "$status" 1
	chmod 700 b.dir/secret
fi
finish
