#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is taken: --exclude, --include, --exclude-from. doc/select.md.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfs2tar/lib.sh"
need_python

mktar a.tar << '.'
dir . mode=0711
dir pkg mode=0750 uid=5
file pkg/a.first text=content
dir pkg/bin mode=0700
link pkg/bin/alias to=pkg/a.first
link pkg/bin/tool to=pkg/a.first
dir pkg/doc
file pkg/doc/a.txt text=a
file pkg/doc/b.md text=b
dir pkg/doc/deep
file pkg/doc/deep/c.txt text=c
file top.txt text=t
.
pack a.tar a.sqfs -q

check() {
	want=$1
	shift
	write a.sqfs got.tar "$@"
	same "$*" "$(names got.tar)" "$want"
}
bin='pkg/bin/ pkg/bin/alias pkg/bin/tool '
doc='pkg/doc/ pkg/doc/a.txt pkg/doc/b.md pkg/doc/deep/ pkg/doc/deep/c.txt '
check "./ pkg/ pkg/a.first $bin${doc}top.txt "
check "./ pkg/ pkg/a.first ${bin}top.txt " --exclude doc
check "./ pkg/ pkg/a.first ${bin}top.txt " --exclude /pkg/doc/
check './ top.txt ' --exclude pkg
check "./ pkg/ pkg/a.first ${bin}pkg/doc/ pkg/doc/b.md pkg/doc/deep/ " \
	--exclude '*.txt'
printf '# a comment\n\n*.md\n/pkg/doc/deep\n' > list.ex
check "./ pkg/ pkg/a.first ${bin}pkg/doc/ pkg/doc/a.txt " \
	--exclude-from list.ex --exclude=/top.txt
check "./ pkg/ pkg/doc/ pkg/doc/a.txt top.txt " --include '*.txt' \
	--exclude deep
check "pkg/ $doc" --include doc --no-root
check './ deep/ deep/c.txt ' -d pkg/doc --include deep
check 'x/ x/pkg/ x/pkg/doc/ x/pkg/doc/b.md ' -r x --include '*.md'
check './ ./pkg/ ./pkg/doc/ ./pkg/doc/b.md ' -r . --include 'pkg/*/*.md'
check './ pkg/ pkg/doc/ pkg/doc/b.md ' -d pkg -d top.txt --include '*.md'

# What leads there is what it is in the image.
write a.sqfs got.tar --include tool
tar --numeric-owner -tvf got.tar > list
has 'what leads there' list '^drwxr-x--- 5/0 .* pkg/$'
has 'the root' list '^drwx--x--x 0/0 .* \./$'

# The content comes with the first name that is taken.
write a.sqfs got.tar --exclude a.first
tar -tvf got.tar > list
has 'a file' list '^-.* pkg/bin/alias$'
has 'a link to it' list '^h.* pkg/bin/tool link to pkg/bin/alias$'
wanted got.tar > have.tree
sum=$(printf content | sha256sum | cut -d' ' -f1)
has 'its content' have.tree "^/pkg/bin/alias f .*$sum"
check './ pkg/ pkg/bin/ pkg/bin/tool ' --include tool
pack got.tar b.sqfs -q
manifest b.sqfs > have.tree
has 'the last name alone' have.tree "^/pkg/bin/tool f .*$sum"

# What matches nothing.
tell got.tar --exclude nothing --exclude /bin --exclude doc a.sqfs
same 'unused patterns: status' "$status" 0
has 'an unused pattern' err 'warning: --exclude: "nothing" matches nothing'
has 'an anchored one' err 'warning: --exclude: "/bin" matches nothing'
same 'each is told once' "$(wc -l < err)" 2
tell got.tar --include pkg --include nothing a.sqfs
same 'an unused inclusion: status' "$status" 2
has 'an unused inclusion' err 'nothing in the image matches "nothing"'
printf 'a\n[b\n' > bad.ex
refuses 2 'exclude-from: bad.ex: line 2: "\[b": ' --exclude-from bad.ex a.sqfs
finish
