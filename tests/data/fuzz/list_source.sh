#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the seeds in list_source.tar.xz: descriptions of every kind. What
# fuzzing found is kept from the archive that is there: found-*.
set -eu
out=$(cd "$(dirname "$0")" && pwd)/list_source.tar.xz
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
mkdir seeds
[ ! -e "$out" ] || xz -dc "$out" | tar -C seeds -xf - --wildcards '*/found-*' ||
	true
cat > seeds/all << '.'
# a comment
dir / 0711 1 2
	dir	/usr  755 3  4
file /usr/one 04755 5 6 f
slink /usr/l 0 7 8 "../some where"
nod /dev/c 0600 0 5 c 4 64
nod "/dev/b" 0600 0 5 B 8 1
pipe /run/pipe 0622 4294967295 0
sock run//./sock 1777 1 1
link /usr/hard - - - usr/one
file "new\nline\042q\"\\\001" 0644 0 0 /dev/null
time /usr/one 12345
xattr /usr/one user.text "a \"b\"\n\001"
xattr /usr/one user.hex 0x00ff
xattr /usr/one user.base 0saGk=
xattr / user.root 1
.
cat > seeds/glob << '.'
glob /t 0644 * 0 -type f -type D -name f* -path /t/* -xdev -mount -keeptime -nonrecursive -nohardlinks -- .
dir /t/f 0 0 0
.
printf 'dir /a 0755 0 0\ndir /a 0755 0 0\n' > seeds/twice
printf 'pipe /a 0755 0 0\ndir /a/b 0755 0 0\n' > seeds/below
printf 'link a - - - b\ntime a 5\nlink b - - - a\n' > seeds/links
printf 'glob / * * *\nglob / * * * "."\n' > seeds/globs
printf 'xattr a b "\\377\\000"\ndir a 0 0 0' > seeds/bytes
printf 'dir "a 0 0 0\n' > seeds/quotes
tar -C seeds --sort=name --mtime=@0 --owner=0 --group=0 -cf - . |
	xz -9 > "$out"
