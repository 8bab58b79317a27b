#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What is taken: --exclude, --include, --exclude-from, --strip-components and
# --prefix. doc/select.md.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

mktar a.tar << '.'
dir . mode=0711
dir pkg mode=0750 uid=5
dir pkg/bin mode=0700
file pkg/bin/tool text=tool
link pkg/bin/alias to=pkg/bin/tool
dir pkg/doc
file pkg/doc/a.txt text=a
file pkg/doc/b.md text=b
dir pkg/doc/deep
file pkg/doc/deep/c.txt text=c
slink pkg/abs to=/pkg/bin/tool
file top.txt text=t
.

# paths OPTION...: the paths that a.tar becomes.
paths() {
	rm -f img.sqfs
	pack a.tar img.sqfs -q "$@"
	sound img.sqfs
	manifest img.sqfs > have.tree
	cut -d' ' -f1 have.tree | tr '\n' ' '
}
# check WANT OPTION...: these are the paths, and nothing is said.
check() {
	want=$1
	shift
	paths "$@" > list
	same "$*" "$(cat list)" "$want"
	same "$*: silence" "$(cat err)" ''
}
all='/ /pkg /pkg/abs /pkg/bin /pkg/bin/alias /pkg/bin/tool /pkg/doc '
all="$all/pkg/doc/a.txt /pkg/doc/b.md /pkg/doc/deep /pkg/doc/deep/c.txt "
all="$all/top.txt "
check "$all"

# --exclude
check '/ /pkg /pkg/abs /pkg/bin /pkg/bin/alias /pkg/bin/tool /top.txt ' \
	--exclude doc
check '/ /pkg /pkg/abs /pkg/bin /pkg/bin/alias /pkg/bin/tool /top.txt ' \
	--exclude=/pkg/doc/
check '/ /top.txt ' --exclude pkg
has 'the root keeps its mode' have.tree '^/ d 0711 '
rest='/ /pkg /pkg/abs /pkg/bin /pkg/bin/alias /pkg/bin/tool /pkg/doc '
check "$rest/pkg/doc/b.md /pkg/doc/deep " --exclude '*.txt'
check "$rest/pkg/doc/b.md /pkg/doc/deep /pkg/doc/deep/c.txt /top.txt " \
	--exclude 'pkg/*/*.txt'
check "$rest/pkg/doc/b.md /pkg/doc/deep /top.txt " --exclude 'pkg/**/*.txt'
check "$rest/pkg/doc/b.md /pkg/doc/deep /top.txt " --exclude 'pkg/**.txt'
check "$rest/pkg/doc/deep /top.txt " --exclude '[ab].*' --exclude '[!ab].txt'
printf '# a comment\n\n*.md\n/pkg/doc/deep\n' > list.ex
check "$rest/pkg/doc/a.txt " --exclude-from list.ex --exclude top.txt
printf '/pkg/doc\n/top.txt' > list2.ex
check '/ /pkg /pkg/abs /pkg/bin /pkg/bin/alias /pkg/bin/tool ' \
	--exclude-from=list2.ex
check '/ /pkg /pkg/abs /pkg/bin /pkg/bin/alias /pkg/bin/tool ' \
	--exclude doc -E 'top*' -c "$(codecs | head -n 1)"

# --include; what leads there keeps its attributes, whoever comes first.
check '/ /pkg /pkg/bin /pkg/bin/alias /pkg/bin/tool ' --include pkg/bin
same 'what leads there' "$(field /pkg 3) $(field /pkg 4)" '0750 5'
same 'what leads there: root' "$(field / 3)" 0711
check '/ /pkg /pkg/doc /pkg/doc/deep /pkg/doc/deep/c.txt ' --include c.txt
check '/ /pkg /pkg/doc /pkg/doc/a.txt /top.txt ' --include '*.txt' \
	--exclude deep
check '/ /pkg /pkg/bin /pkg/bin/alias /pkg/bin/tool /top.txt ' \
	--include bin/ --include /top.txt
mktar late.tar << '.'
file x/y/z text=1
dir x/y mode=0700
dir x mode=0710
.
pack late.tar img.sqfs -q --include z
manifest img.sqfs > have.tree
same 'late directories' "$(field /x 3) $(field /x/y 3)" '0710 0700'

# --strip-components
rest='/ /abs /bin /bin/alias /bin/tool /doc /doc/a.txt /doc/b.md '
check "$rest/doc/deep /doc/deep/c.txt " --strip-components 1 -E top.txt
same 'hard link target' "$(field /bin/tool 10)" =bin/alias
paths --strip-components=1 > list
has 'stripped entries are counted' err 'components: left out .*: 1$'
paths --strip-components=2 > list
same 'two components' "$(cat list)" \
	'/ /a.txt /alias /b.md /deep /deep/c.txt /tool '
check '/ /deep /deep/c.txt ' -r pkg --strip-components=1 --include deep -E '*/abs'
# A link whose target has no name left goes along, and is told of.
mktar gone.tar << '.'
file f text=f
link d/h to=f
link d/i to=d/h
file d/g text=g
.
pack gone.tar img.sqfs -q --strip-components 1
has 'the link is told of' err 'd/h: hard link to "f" is left out'
sound img.sqfs
manifest img.sqfs > have.tree
same 'links go along' "$(cut -d' ' -f1 have.tree | tr '\n' ' ')" '/ /g '

# --prefix
check "$(echo "$all" | sed 's|/pkg|/opt/x/pkg|g; s|/top|/opt/x/top|;
	s|^/ |/ /opt /opt/x |')" --prefix /opt//x/
same 'the root becomes the prefix' "$(field /opt/x 3) $(field /opt 3)" \
	'0711 0755'
same 'symlinks stay' "$(field /opt/x/pkg/abs 10)" '->/pkg/bin/tool'
paths --strip-components 2 --include /tool --prefix q > list
same 'strip, include, prefix' "$(cat list)" '/ /q /q/tool '
check '/ /q /q/bin /q/bin/alias /q/bin/tool ' -r pkg --include bin --prefix q

# Links to what is left out.
mktar links.tar << '.'
file a text=a
link b to=a
link c to=b
.
pack links.tar img.sqfs -q --exclude a
has 'a link to what is excluded' err '^tar2sqfs: warning: .*b: left out'
sound img.sqfs
pack links.tar img.sqfs -q --include c
has 'a link to what is not included' err 'c: left out'

# What matches nothing.
paths --exclude nothing --exclude /bin -E none > list
same 'unused patterns: paths' "$(cat list)" "$all"
has 'an unused pattern' err 'warning: --exclude: "nothing" matches nothing'
has 'an anchored one' err 'warning: --exclude: "/bin" matches nothing'
same 'each is told once' "$(wc -l < err)" 3
refuses 2 'nothing in the input matches "nothing"' --include pkg \
	--include nothing no.sqfs
refuses 1 'none.ex: No such file' --exclude-from none.ex no.sqfs
printf 'a\n[b\n' > bad.ex
refuses 2 'exclude-from: bad.ex: line 2: "\[b": ' --exclude-from bad.ex no.sqfs
printf 'a\nb\0c\n' > nul.ex
refuses 2 'exclude-from: nul.ex: line 2 has a NUL' --exclude-from nul.ex no.sqfs
for bad in '--exclude /' '--exclude=' '--include .' '--include [a' \
	'--exclude [a' '--strip-components x' '--strip-components -1' \
	'--prefix ..' '--prefix='; do
	# shellcheck disable=SC2086
	refuses 2 "^tar2sqfs: ${bad%%[ =]*}: " $bad no.sqfs
done
finish
