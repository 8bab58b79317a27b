#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Profiles: what tests/bench/flame.py makes of samples, of callgrind's files
# and of stacks. All of them are made up, so that every figure is known.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

flame() {
	python3 "$tests/bench/flame.py" "$@"
}

# Three threads: the second is known as a worker by its other sample.
cat > samples << '.'
 70/70     1000
	          1d080 tar_next+0x1f (/x/tar2sqfs)
	           6a9a main (/x/tar2sqfs)
	          27249 __libc_start_call_main (/usr/lib/libc.so.6)

 70/71     2000
	ffffffff81b6ccb0 _copy_to_iter ([kernel.kallsyms])
	ffffffff816badaa vfs_read ([kernel.kallsyms])
	          f6417 __libc_pread (/usr/lib/libc.so.6)
	          1ab96 run_block (/x/tar2sqfs)
	          21b1e thread_main (/x/tar2sqfs)
	          891f4 start_thread (/usr/lib/libc.so.6)

 70/71     3000
	          891f4 [unknown] (/usr/lib/libzstd.so.1.5.4)
	          21b1e thread_main.isra.0 (/x/tar2sqfs)

 70/72      500
	ffffffff81b6ccb0 futex_wake ([kernel.kallsyms])
	          f6417 __lll_lock_wake (/usr/lib/libc.so.6)
	          1ab96 write_blocks (/x/tar2sqfs)
.
flame fold perf < samples > stacks
cat > want << '.'
main;main;tar_next 1000
worker;thread_main;@libzstd 3000
worker;thread_main;run_block;__libc_pread@libc;vfs_read@kernel;_copy_to_iter@kernel 2000
writer;write_blocks;__lll_lock_wake@libc;futex_wake@kernel 500
.
ok 'samples become stacks' cmp want stacks

flame shares stacks > out
ok 'a worker has codec and kernel copy' \
	grep -Eq '^ +worker +46\.2 +30\.8 +0\.0 +0\.0 +76\.9$' out
ok 'the writer has a wake-up' \
	grep -Eq '^ +writer +0\.0 +0\.0 +7\.7 +0\.0 +7\.7$' out
ok 'the main thread has our own' \
	grep -Eq '^ +main +0\.0 +0\.0 +0\.0 +15\.4 +15\.4$' out

# Own costs 10, 20 and 70; half of leaf's is charged to each of its callers.
cat > callgrind.out << '.'
version: 1
creator: by hand
positions: line
events: Ir

ob=(1) /x/tar2sqfs
fl=(1) a.c
fn=(1) main
5 10
cfn=(2) run_block
calls=1 20
6 55
cob=(2) /usr/lib/liblz4.so.1.9.4
cfn=(3) LZ4_compress
calls=3 1
+1 35

fn=(2)
20 20
cob=(2)
cfn=(3)
calls=3 1
* 35

ob=(2)
fn=(3)
1 30
+2 40
.
flame fold callgrind callgrind.out > folded
cat > want << '.'
main;main 10
main;main;LZ4_compress@liblz4 35
worker;main;run_block 20
worker;main;run_block;LZ4_compress@liblz4 35
.
ok 'a call graph becomes stacks' cmp want folded

flame draw --title 'a <b>' stacks > one.svg
ok 'the graph is well-formed' python3 -c \
	'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' one.svg
ok 'a frame says its share' \
	grep -q '<title>@libzstd: 46.15 %</title>' one.svg
ok 'and is as wide' grep -q \
	'<title>@libzstd: 46.15 %</title><rect x="[0-9.]*" y="[0-9]*" width="553.8"' \
	one.svg
ok 'a codec has its colour' grep -q \
	'<title>@libzstd: [^>]*</title><rect [^>]*fill="#f0a35e"' one.svg
ok 'the title is escaped' grep -q '>a &lt;b&gt;</text>' one.svg
ok 'every frame is there' \
	test "$(grep -o '<title>' one.svg | wc -l)" -eq 14

sed 's/tar_next 1000/tar_next 250/; s/^writer.*/worker;fresh 400/' stacks > new
flame diff stacks new > out
ok 'the largest change comes first' sh -c \
	'sed -n 3p out | grep -Eq "^tar_next +1000 +250 +-11\.54$"'
ok 'what went is told' grep -Eq '^futex_wake@kernel +500 +0 +-7\.69$' out
ok 'what came is told' grep -Eq '^fresh +0 +400 +\+6\.15$' out
ok 'what stayed is not' sh -c '! grep -q @libzstd out'
flame draw new stacks > two.svg
ok 'two graphs stand side by side' sh -c \
	'grep -q ">before</text>" two.svg && grep -q ">after</text>" two.svg'

# The guard of instruction counts.
cat > guard.py << '.'
import importlib.machinery, importlib.util, sys
sys.dont_write_bytecode = True
loader = importlib.machinery.SourceFileLoader("guard", sys.argv[1])
guard = importlib.util.module_from_spec(
    importlib.util.spec_from_loader("guard", loader))
loader.exec_module(guard)
old = {"job": {"ours": 10000, "codec": 900000, "libc": 1000}}
for ours, codec, libc, good in (
        (10000, 900000, 1000, True), (10290, 900000, 1000, True),
        (10310, 900000, 1000, False), (5000, 900000, 1000, True),
        (10000, 928000, 1000, False), (10000, 900000, 2000, True)):
    found = {"ours": ours, "codec": codec, "libc": libc}
    assert guard.compare("job", found, old) == good, found
assert not guard.compare("other", found, old)
known, figures = guard.read_figures()
assert set(known) == {"compiler", "flags", "libc", "libraries", "machine",
                      "processor", "valgrind"}, known
assert set(figures) == {"pack-lz4", "pack-zstd", "pack-small", "unpack",
                        "tar-out", "list"}, figures
assert guard.flags_of("-O2 -g -Wall -Wl,-z,now") == "-O2 -Wl,-z,now"
.
ok 'more than 3 % more instructions fail' \
	python3 guard.py "$tests/bench/instructions"

echo 'no cost' > bad
ok 'what is no stack is refused' sh -c \
	'! python3 "$1" shares bad 2> err && grep -q "line 1" err' - \
	"$tests/bench/flame.py"
finish
