#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# -O -X -D -S: owners, attributes and devices, as root; and what becomes of
# them without the right to do so.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/rdsquashfs/lib.sh"
need_python

image a.sqfs << .
dir . mode=0755 uid=3 gid=4 xattr.user.root=1
file x text=x uid=1000 gid=100 mode=04711 xattr.user.k=v xattr.trusted.t=hex:00ff
link y to=x
slink l to=x uid=7
chr c dev=1:3 uid=8 mode=0666
blk b dev=7:0
fifo p
dir d uid=9 mode=02770 xattr.security.s=1
.
if is_root; then
	fine -u / -p all --all a.sqfs
	if touch t && setfattr -n trusted.t t 2> /dev/null; then
		unpacked all a.sqfs
	fi
	fine -u / -p letters -X -T -C -O a.sqfs
	fine -u / -p words --set-xattr --set-times --chmod --chown a.sqfs
	for dir in letters words; do
		python3 "$tests/dirtree.py" all > want
		python3 "$tests/dirtree.py" $dir > have
		same_bytes "$dir" have want
	done
	fine -u / -p owners --chown a.sqfs
	same 'owners only' "$(cd owners && stat -c '%u:%g' . x l c d |
		tr '\n' ' ')" '3:4 1000:100 7:0 8:0 9:0 '
	same 'no modes' "$(stat -c %a owners/d owners/x | tr '\n' ' ')" '755 644 '
	fine -u / -p nodev -D a.sqfs
	same 'no devices' "$(below nodev)" 'd l p x y '
	fine -u / -p nodev2 --no-dev a.sqfs
	same 'no devices' "$(below nodev2)" 'd l p x y '
fi

# As someone else: all that can be done is done, and the rest told of.
user=
if ! is_root; then
	user='env'
elif have setpriv; then
	user='setpriv --reuid 12345 --regid 12345 --clear-groups'
fi
if [ -n "$user" ]; then
	chmod 711 . && mkdir -m 777 other
	cp a.sqfs other/ && chmod 644 other/a.sqfs
	status=0
	(cd other && $user "$rdsquashfs" -q -u / -p tree --all a.sqfs) \
		> out 2> err || status=$?
	if grep -q 'Permission denied' err && [ $status -gt 3 ]; then
		skip 'the program cannot be run by another user'
	else
		same 'status' "$status" 3
		has 'owners' err '^rdsquashfs: warning: .*owner'
		same 'one line a kind' "$(grep -vc ' more of this kind ' err)" \
			"$(grep -v ' more of this kind ' err | sort -u | wc -l)"
		same 'all that can be' "$(below other/tree)" 'd l p x y '
		same 'content' "$(cat other/tree/x)" x
		status=0
		(cd other && $user "$rdsquashfs" -u / -p tree2 -D -T a.sqfs) \
			> out 2> err || status=$?
		same 'nothing lost' "$status $(cat err)" '0 '
		if touch t && setfattr -n user.t t 2> /dev/null; then
			image other/ro.sqfs << '.'
file small text=x mode=0444 xattr.user.a=1
file large parts=t300000 mode=0444 xattr.user.a=1
dir d mode=0555 xattr.user.a=1
.
			chmod 644 other/ro.sqfs
			status=0
			(cd other && $user "$rdsquashfs" -u / -p tree3 -C -X \
				ro.sqfs) > out 2> err || status=$?
			same 'read-only' "$status $(cat err)" '0 '
			same 'modes' "$(cd other/tree3 && stat -c %a ./* |
				tr '\n' ' ')" '555 444 444 '
		fi
	fi
fi
finish
