#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is changed: ids by ranges, modes by rules, attributes by patterns, and
# access control lists. doc/select.md.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir d uid=1000 gid=100000 mode=02775 xattr.user.a=1 xattr.security.selinux=s
file d/f uid=0 gid=100001 mode=0600 xattr.user.a=2 xattr.user.b=3
file d/x uid=65535 gid=165535 mode=04711
slink d/s to=f uid=1001 gid=7
link d/h to=d/f
fifo d/p mode=0666 uid=2000
.
# change OPTION...: packs; check FIELD PATH WANT ...: what became of it.
change() {
	pack a.tar img.sqfs -q "$@"
	same "$*: silence" "$(cat err)" ''
	sound img.sqfs
	manifest img.sqfs > have.tree
	options="$*"
}
# check N WANT: the Nth fields of d, d/f, d/p, d/s and d/x.
check() {
	same "$options" "$(awk -v n="$1" '$1 != "/" && $1 != "/d/h" {
		printf "%s ", $n }' have.tree)" "$2 "
}
change
check 4 '1000 0 2000 1001 65535'
check 3 '2775 0600 0666 0777 4711'

# --uid-map, --gid-map: 4 and 5 are owner and group.
change --uid-map 0:100000:1000 --uid-map=2000:5:1
check 4 '1000 100000 5 1001 65535'
change --uid-map 1001:0:1 --uid-map 1000:1001:1 --gid-map 100000:0:65536
check 4 '1001 0 2000 0 65535'
check 5 '0 1 0 7 65535'
change --gid-map 0:1:4294967295
check 5 '100001 100002 1 8 165536'
change --uid-map 0:1:10 --set-uid 3
check 4 '3 3 3 3 3'

# --chmod: 3 is the mode; symlinks have none that counts.
change --chmod u=rwX,go=rX
check 3 '0755 0644 0644 0777 0755'
change --chmod a-x,D+x
check 3 '2775 0600 0666 0777 4600'
change --chmod D755 --chmod F644,u-w
check 3 '0555 0444 0444 0777 0444'
change --chmod ug+s,o+t
check 3 '7775 7600 7666 0777 7711'
change --chmod Fg=u,o=,a-s
check 3 '0770 0660 0660 0777 0770'
change --chmod=+X
check 3 '2775 0600 0666 0777 4711'
change --chmod a=
check 3 '0000 0000 0000 0777 0000'

# Attributes: the last field.
attrs() {
	printf '%s ' "$(field "$1" 12)"
}
change --xattrs-exclude 'user.*'
same 'exclude' "$(attrs /d)$(attrs /d/f)" 'security.selinux=73 - '
change --xattrs-include 'user.*' --xattrs-exclude '*.b'
same 'include and exclude' "$(attrs /d)$(attrs /d/f)" 'user.a=31 user.a=32 '
change --xattrs-include '*.b' --xattrs-include 'security.*'
same 'two includes' "$(attrs /d)$(attrs /d/f)" 'security.selinux=73 user.b=33 '
change -x --xattr-add user.new=text --xattr-add security.k=0x00fF7a \
	--xattr-add trusted.b=0saGVsbG8=
new='security.k=00ff7a,trusted.b=68656c6c6f'
for path in /d /d/f /d/x; do
	same "add: $path" "$(attrs $path)" "$new,user.new=74657874 "
done
for path in /d/s /d/p; do
	same "add: $path has no user." "$(attrs $path)" "$new "
done
change --xattr-add user.a= --xattrs-exclude user.b
same 'add replaces' "$(attrs /d/f)" 'user.a= '

# --acl, in both forms that archives have.
mktar acl.tar << '.'
file one pax.SCHILY.acl.access=user::rw-%2Cgroup::r--%2Cother::r--
file two xattr.system.posix_acl_access=hex:0200000001000600ffffffff
file three text=x xattr.user.k=v
.
pack acl.tar img.sqfs -q
has 'warned of' err '^tar2sqfs: warning: .*one.*: access control list'
has 'counted' err '1 more of this kind \(access control list'
cp img.sqfs want.sqfs
pack acl.tar img.sqfs -q --acl=warn
has '--acl=warn' err 'access control list'
same_bytes '--acl=warn' img.sqfs want.sqfs
pack acl.tar img.sqfs -q --acl drop
same '--acl=drop: silence' "$(cat err)" ''
same_bytes '--acl=drop' img.sqfs want.sqfs
pack acl.tar img.sqfs -q --no-skip --acl drop
same '--acl=drop with --no-skip' "$(cat err)" ''
manifest img.sqfs > have.tree
same 'the rest is kept' "$(attrs /three)" 'user.k=76 '
cp a.tar saved.tar
cp acl.tar a.tar
refuses 1 '"one": access control list' --acl=fail no.sqfs
echo 'file t xattr.system.posix_acl_default=hex:02000000' | mktar a.tar
refuses 1 '"t": access control list' --acl=fail no.sqfs
refuses 1 '"t": access control list' --no-skip no.sqfs
cp saved.tar a.tar

for bad in '--uid-map 1' '--uid-map 1:2' '--uid-map 1:2:0' \
	'--uid-map 1:2:3:4' '--uid-map -1:2:3' '--uid-map 4294967295:0:2' \
	'--uid-map 0:4294967295:2' '--uid-map 4294967296:0:1' \
	'--uid-map 0:5:10 --uid-map 9:0:1' '--gid-map 5:5:5 --gid-map 0:0:6' \
	'--gid-map x:0:1' '--gid-map ::' \
	'--chmod 8' '--chmod 17777' '--chmod u' '--chmod u=w,' '--chmod=' \
	'--chmod q=r' '--chmod u=rq' '--chmod DF755' '--chmod u+r755' \
	'--xattr-add x' '--xattr-add =v' '--xattr-add system.x=1' \
	'--xattr-add user.=1' '--xattr-add user.k=0x1' \
	'--xattr-add user.k=0xzz' '--xattr-add user.k=0s*' \
	'--xattr-add user.k=0sa' '--acl no' '--acl='; do
	# shellcheck disable=SC2086
	refuses 2 "^tar2sqfs: ${bad%%[ =]*}: " $bad no.sqfs
done
finish
