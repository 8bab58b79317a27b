#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The inputs of the benchmark: valid archives, and the same ones every time.
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

# inputs ARG...: runs corpus.py; status, out, err are left.
inputs() {
	status=0
	python3 -B "$tests/bench/corpus.py" "$@" > out 2> err || status=$?
}

sum() {
	sha256sum | cut -d' ' -f1
}

# reads TAR: tar, bsdtar and our packer do.
reads() {
	ok "tar reads $1" tar -tf "$1" > names
	! have bsdtar || ok "bsdtar reads $1" bsdtar -tf "$1" > names.bsd
	pack "$1" image -q -f
}

# Each name has a word about it.
inputs --list
same 'list: status' "$status" 0
has 'the list names an input' out '^random_medium +one file of 10 MiB'
lacks 'a name without a word about it' out '^[^ ]* *$'

# Synthetic ones: twice the same, and the same as on any other machine.
some='zero_small random_medium one_directory_100k sparse'
for folder in one two; do
	# shellcheck disable=SC2086
	inputs $folder $some
	same "$folder: status" "$status" 0
	same "$folder: what is said" "$(cat out err)" \
		"$(for name in $some; do echo "making $name"; done)"
done
for name in $some; do
	same_bytes "$name, twice" one/$name.tar two/$name.tar
	reads one/$name.tar
done
# shellcheck disable=SC2086
inputs one $some
same 'what is there is kept: status' "$status" 0
same 'what is there is kept' "$(cat out err)" ''
same 'content of zero_small' "$(tar -xOf one/zero_small.tar zero | sum)" \
	"$(head -c 10240 /dev/zero | sum)"
same 'bytes of random_medium' "$(sum < one/random_medium.tar)" \
	bfd5e05a0fc8d8910bf2f4c9b483576f3f3e79a4be5c730f529f08021145c493
same 'entries of one_directory_100k' \
	"$(tar -tf one/one_directory_100k.tar | sort -u | wc -l | tr -d ' ')" \
	100000
if tar --version 2> /dev/null | grep -q GNU; then
	same 'size of the sparse file' \
		"$(tar -tvf one/sparse.tar | awk '{ print $3 }')" 4294967296
	tar -xSf one/sparse.tar
	python3 -c 'import random
source = random.Random(7)
for i in range(256):
    last = source.randbytes(262144)
open("island", "wb").write(last)'
	same 'its last island' "$(tail -c 16777216 sparse.tar.img |
		head -c 262144 | sum)" "$(sum < island)"
	rm sparse.tar.img
fi
rm -r one two

# Made of others: from a small one that stands for the root file system.
mkdir real twin
mktar real/small.tar << 'END'
dir ./
dir ./etc/
file ./etc/settings text=on
file ./etc/empty
dir ./usr/
dir ./usr/bin/
file ./usr/bin/program parts=t3000,r9000 mode=0755 uid=3 xattr.user.a=b
link ./usr/bin/again to=./usr/bin/program
link ./usr/bin/elsewhere to=./etc/settings
slink ./usr/bin/soft to=program
dir ./usr/share/
file ./usr/share/text parts=t200000
END
cp real/small.tar twin
derived='tree several_trees bigfiles'
for folder in real twin; do
	# shellcheck disable=SC2086
	inputs $folder $derived
	same "$folder: status" "$status" 0
	same "$folder: faults" "$(cat err)" ''
done
for name in $derived; do
	same_bytes "$name, twice" real/$name.tar twin/$name.tar
	pack real/$name.tar image -q -f
	same_tree image real/$name.tar
done
same 'names of tree' "$(tar -tf real/tree.tar)" "usr/
usr/bin/
usr/bin/program
usr/bin/again
usr/bin/soft
usr/share/
usr/share/text"
same 'names of several_trees' "$(tar -tf real/several_trees.tar |
	grep -c '^one/')$(tar -tf real/several_trees.tar |
	grep '^three/' | tr '\n' ' ')" '11three/usr/share/ three/usr/share/text '
same 'a hard link within its tree' "$(tar -tvf real/several_trees.tar |
	grep 'two/usr/bin/again' | sed 's/.* to //')" two/usr/bin/program
same 'files of bigfiles' "$(tar -tf real/bigfiles.tar | tr '\n' ' ')" \
	'etc.cat usr.cat '
same 'content of bigfiles' "$(tar -xOf real/bigfiles.tar usr.cat | sum)" \
	"$(tar -xOf real/small.tar ./usr/bin/program ./usr/share/text | sum)"
if have mkfs.ext4; then
	inputs real disk_image
	same 'disk_image: faults' "$(cat err)" ''
	same 'disk_image: size' "$(tar -tvf real/disk_image.tar |
		awk '{ print $3 }')" 4294967296
	ok 'the disk image has holes' \
		test "$(wc -c < real/disk_image.tar)" -lt 200000000
	rm real/disk_image.tar
fi

# What cannot be made leaves nothing, and says why.
python=$(python3 -c 'import sys; print(sys.executable)')
status=0
PATH=$PWD/none "$python" -B "$tests/bench/corpus.py" none small \
	> out 2> err || status=$?
same 'without mmdebstrap: status' "$status" 1
same 'without mmdebstrap: why' "$(cat err)" 'small: no program mmdebstrap'
same 'without mmdebstrap: left' "$(ls none)" ''
inputs none no_such
same 'an unknown name: status' "$status" 2
has 'an unknown name: why' err 'no input is called no_such'

finish
