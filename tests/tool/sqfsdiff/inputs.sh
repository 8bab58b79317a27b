#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Images, archives of all kinds and directories against each other: the kind is
# found by looking, and the same tree is the same in every form.
# shellcheck source=lib.sh
. "${top_srcdir:-.}/tests/tool/sqfsdiff/lib.sh"
need_python

both a << '.'
dir .
dir d mode=0750
file d/big parts=t150000,z300000,r100
file d/small text=abc mode=0600
file empty
link d/hard to=d/small
slink s to=%20a
fifo p
file %0Aline%22 text=x
.
mkdir a.dir
tar -xpf a.tar -C a.dir
chmod 755 a.dir
touch -d @1000000000 a.dir/d a.dir
[ "$(id -u)" -eq 0 ] || chown=--no-owner
pack a.tar b.sqfs -q -b 16K --no-fragments
gzip -k a.tar
xz -k a.tar
ln a.tar a.image # the name tells nothing

forms="a.sqfs b.sqfs a.tar a.tar.gz a.tar.xz a.image a.dir"
for old in $forms; do
	for new in a.sqfs a.tar a.tar.gz a.dir; do
		# shellcheck disable=SC2086
		equal ${chown:-} -T "$old" "$new"
	done
done

# One of both from a pipe or a file as standard input.
for form in a.sqfs a.tar a.tar.gz; do
	# shellcheck disable=SC2002
	cat $form | "$sqfsdiff" - a.sqfs > out 2> err
	same "$form from a pipe" "$(cat out err)" 'no differences in 9 paths'
	equal --new - --old a.tar < $form
done
refuses 'only one of both' - -
refuses 'only one of both' -a - -b -

# Changes are found in every form, at the same place.
both c << '.'
dir .
dir d mode=0750
file d/big parts=t150000,z300000,r99,z1
file d/small text=abd mode=0600
file empty
link d/hard to=d/small
slink s to=%20b
file %0Aline%22 text=x
.
mkdir c.dir
tar -xpf c.tar -C c.dir
chmod 755 c.dir
gzip -k c.tar
python3 - > changes << '.'
import tarfile
a, c = tarfile.open("a.tar"), tarfile.open("c.tar")
x, y = a.extractfile("d/big").read(), c.extractfile("d/big").read()
at = next(i for i in range(len(x)) if x[i] != y[i])
print("~ d/big: content differs from byte %d" % at)
print("~ d/hard: content differs from byte 2")
print("~ d/small: content differs from byte 2")
print("- p")
print('~ s: target " a" -> " b"')
.
for old in a.sqfs b.sqfs a.tar a.dir; do
	for new in c.sqfs c.tar c.dir; do
		# shellcheck disable=SC2086
		differs ${chown:-} $old $new < changes
	done
done

# What goes by but once is known by the piece.
python3 - > changes << '.'
import tarfile
a, c = tarfile.open("a.tar"), tarfile.open("c.tar")
x, y = a.extractfile("d/big").read(), c.extractfile("d/big").read()
at = next(i for i in range(len(x)) if x[i] != y[i])
step = 4096
while len(x) // step > 64:
    step *= 2
first = at - at % step
last = min(first + step, len(x)) - 1
print("~ d/big: content differs in bytes %d to %d" % (first, last))
print("~ d/hard: content differs in bytes 0 to 2")
print("~ d/small: content differs in bytes 0 to 2")
print("- p")
print('~ s: target " a" -> " b"')
.
for new in c.sqfs c.tar c.tar.gz c.dir; do
	# shellcheck disable=SC2086
	differs ${chown:-} a.tar.gz $new < changes
done

# An archive means what an image made of it holds: the last of equal paths,
# links that come before their target, parents that nobody names.
both odd << '.'
link early to=x/y/file
file x/y/file text=1
file twice text=old
file twice text=new!
dir x mode=0700
.
for j in 0 2; do
	equal -j $j odd.tar odd.sqfs
	equal --num-jobs=$j odd.sqfs odd.tar
done
both implied << '.'
file x/y text=1
.
both named << '.'
dir . mode=0700
dir x mode=0700 uid=7
file x/y text=1
.
equal implied.tar named.sqfs
sd implied.sqfs named.sqfs
same 'an image names all directories' "$status" 1

# Images somewhere in a file; both of them, or an archive besides.
{ head -c 5000 a.tar.xz; cat a.sqfs; } > late.a
{ head -c 5000 a.tar.xz; cat b.sqfs; } > late.b
equal --offset 5000 late.a late.b
equal --offset auto late.a b.sqfs
equal --offset 5000 late.a a.tar
head -c 5000 /dev/zero | tr '\0' x > late.c
cat a.sqfs >> late.c
refuses 'use --offset 5000' late.c a.sqfs

# What only a file system can hold counts between two of them.
mkdir old.dir new.dir
echo same > old.dir/f
cp old.dir/f new.dir/f
touch -d @-5 old.dir/f
touch -d @0 new.dir/f
touch -d @5 old.dir new.dir
have setfacl && setfacl -m u:5:r old.dir/f 2> err
sd -TP old.dir new.dir
has 'two directories' out \
	'^~ f: time 1969-12-31T23:59:55Z -> 1970-01-01T00:00:00Z'
tar -C new.dir -cf new.tar . --mode=u=rwX,go=rX
pack new.tar new.sqfs -q
for new in new.tar new.sqfs; do
	# shellcheck disable=SC2086
	equal ${chown:-} -TP old.dir $new
done

# What is none of them.
echo some text > text
refuses 'text: no image, archive or directory: ' text a.sqfs
refuses 'text: no image' a.sqfs text
: > nothing
refuses 'nothing: ' nothing a.sqfs
refuses 'missing: .*No such file' a.sqfs missing
refuses 'null: .*character device' /dev/null a.sqfs
refuses 'both have to be images' -S a.sqfs a.tar
refuses 'both have to be images' -I a.dir a.sqfs
dd if=/dev/zero of=empty.tar bs=10240 count=1 2> /dev/null
sd empty.tar a.sqfs
same 'an empty archive: status' "$status" 1
has 'an empty archive' out '^8 of 9 paths differ: 0 only in old, 8 only'
finish
