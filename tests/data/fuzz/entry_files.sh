#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes the seeds in entry_contexts.tar.xz, entry_sort_file.tar.xz and
# entry_xattr_file.tar.xz: small files of each kind.
set -eu
out=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir "$dir/entry_contexts" "$dir/entry_sort_file" "$dir/entry_xattr_file"

cd "$dir/entry_contexts"
printf '# comment\n/usr(/.*)?\tu:r:usr\n/usr/lib -d u:r:lib:s0\n' > plain
printf '/usr/[^/]+ u:r:t\n/usr/li. <<none>>\0usr/lib/x' > path
printf '/(a|b)|/c -- u:r:t\n/\\.x{2} -l u:r:t #\n/\\Qx|\\E u:r:t\0c' > several
printf '(?i)/A(/.*)?\tu:r:t\n/[[:alpha:]|]+ u:r:t\n.* u:r:any\0a/b' > odd
printf '/(a+)+[bc] u:r:t\0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' > slow
printf '/a[ u:r:t\n' > bad-expression
printf '/a -x u:r:t\n' > bad-type

cd "$dir/entry_sort_file"
printf '# comment\n-5 a\n10 [dont_compress,align] b/c\n' > plain
printf '1 [glob] usr/*/x.*\n2 [glob_no_path,nosparse] *x.so\n' > globs
printf '3 "d \\"e\\\\"\n4 "d e"\n0 [ glob , dont_fragment ] **/c\n' > quotes
printf 'x a\n' > bad-number
printf '1 [nonsense] a\n' > bad-flag

cd "$dir/entry_xattr_file"
printf '# file: a\nuser.x="t\\012\\"\\\\"\nuser.y=0x00ff\nuser.z=0sAAEC\n' > plain
printf '# file: .\nuser.none\n\n# file: /b\\057c\nuser.\\075=text\n' > names
printf '# file: d\nuser.x="1"\n# file: d\nuser.x="2"\n' > twice
printf 'user.x="1"\n' > bad-place
printf '# file: a\nuser.x="\n' > bad-quote

for name in entry_contexts entry_sort_file entry_xattr_file; do
	tar -C "$dir/$name" --sort=name --mtime=@0 --owner=0 --group=0 \
		--mode=u=rwX,go=rX -cf - . | xz -9 > "$out/$name.tar.xz"
done
