#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The benchmark, with tiny inputs: all of it works. What it measures is then
# without meaning and not looked at, but that it is a number.
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python
# Its leak checker cannot work in a process that is traced.
! is_sanitized || skip 'a sanitized build is not measured'
for tool in sqfs2tar rdsquashfs gensquashfs sqfsdiff; do
	need_program "$builddir/$tool"
done
export PYTHONDONTWRITEBYTECODE=1
PYTHONPATH=$tests/bench
export PYTHONPATH

# bench ARG...: status, out, err are left.
bench() {
	status=0
	python3 "$tests/bench/bench.py" --build "$builddir" --quick \
		--scratch "$scratch" "$@" > out 2> err || status=$?
	[ "$status" -eq 0 ] || tail -n 5 err
}

# What is counted: a process of known time, memory and end.
ok 'what a process takes' python3 - << 'END'
import os
import measure
r = measure.run(["sh", "-c", "echo why >&2; exit 3"])
assert (r.status, r.errors, r.over) == (3, "why", False), vars(r)
r = measure.run(["sleep", "60"], limit=0.2)
assert r.over and r.status == -9 and 0.2 <= r.wall < 30, vars(r)
r = measure.run(["sh", "-c", "kill -USR1 $$"])
assert r.status == -10 and not r.over, vars(r)
python = os.path.realpath("/proc/self/exe")
big = [python, "-S", "-c", "x = b'1' * (200 << 20); i = 0\n"
       "while i < 2000000: i += 1"]
r = measure.run(big)
assert r.status == 0 and r.cpu > 0.02 and r.main > 0.02, vars(r)
assert 200 << 10 < r.rss < 250 << 10 and r.vsize > r.rss, vars(r)
# A pipeline: the sum. No more than a child uses is told of a small one.
ballast = b"1" * (100 << 20)
both = measure.run([big, ["sleep", "0.1"]])
assert both.status == 0 and both.main is None, vars(both)
assert r.rss < both.rss + 4096 < 260 << 10 and both.cpu > 0.02, vars(both)
with open("in", "w") as f:
    f.write("text\n")
for piped in (False, True):
    r = measure.run([["cat"], ["tr", "a-z", "A-Z"]], "in", piped, "shout")
    assert r.status == 0 and open("shout").read() == "TEXT\n", vars(r)
END

# Figures, ratios, exponents and the page.
ok 'what is made of figures' python3 - << 'END'
import context
import growth
import report
import scaling
assert abs(growth.exponent([(n, 3 * n ** 2) for n in (1, 10, 100)]) - 2) < 1e-9
assert growth.exponent([(10, 5)]) is None
assert growth.expected([(10, 1.0)], 30) == 3
assert abs(growth.expected([(10, 1.0), (30, 9.0)], 60) - 36) < 1e-9
assert growth.expected([(10, 9.0), (30, 9.0)], 60) == 18
assert scaling.counts(1) == [1, 2] and scaling.counts(2) == [1, 2, 3, 4]
assert scaling.counts(20) == [*range(1, 9), 16, 20, 32, 40]
assert context.Spread([3, 1, 2]).text("%d") == "2 (1..3)"
assert context.Spread([1]).text("%d") == "1"
assert report.braces(["a -j 1", "a -j 2", "b -j 1", "b -j 2", "a x"]) == [
    "{a,b} -j {1,2}", "a x"]
r = report.Report("n", "t")
r.text("some\n   words")
r.table(["", "x"], [["a", 1], ["long", "2"]])
assert report.plain(r) == "some words\n\n      x\na     1\nlong  2\n"
END

# Turns: each command as often as asked, in both orders, output gone.
ok 'turns of several commands' python3 - << 'END'
import os
import context
os.mkdir("turns")
ctx = context.Context(".", ".", os.path.abspath("turns"), ".", 2, limit=0.5)
say = 'echo %s >> log; head -c 3 /dev/zero > turns/made'
made = ctx.at("made")
found = ctx.paired({
    "one": context.Job(["sh", "-c", say % "one"], output=made),
    "none": None,
    "two": context.Job(["sh", "-c", say % "two"], output=made),
    "slow": context.Job(["sleep", "60"], peer=True),
    "bad": context.Job(["false"], peer=True)})
assert open("log").read().split() == ["one", "two", "two", "one"]
assert list(found) == ["one", "two", "slow", "bad"]
assert found["one"].size == 3 and not os.path.exists(made)
assert found["one"].mean("wall") > 0
assert found["slow"].cell("wall") == "over 0.5 s", found["slow"].cell("wall")
assert found["bad"].cell("cpu") == "failed"
assert found["bad"].mean("cpu") is None
assert len(ctx.commands) == 4
os.makedirs("turns/closed/in")
open("turns/closed/in/file", "w").close()
os.symlink("/", "turns/closed/link")
os.chmod("turns/closed/in", 0)
os.chmod("turns/closed", 0o500)
ctx.clear()
assert os.listdir("turns") == []
try:
    ctx.paired({"ours": ["false"]})
    raise AssertionError("that ours fails was not noticed")
except SystemExit as end:
    assert "status 1: false" in str(end)
END

# All sections, then one of them again: the page has all of them.
bench --out all --doc page
same 'all sections: status' "$status" 0
bench --out all --doc page --section growth
same 'one section: status' "$status" 0
page=page/benchmark.md
has 'the page tells how' $page '^    make bench$'
has 'the page tells the machine' $page '^\| processor \| .* used of [0-9]+ \|$'
has 'the page tells the version' $page '^\| sqfskit \| tar2sqfs \(sqfskit\)'
has 'the page warns' $page 'quick run: the figures mean nothing'
for title in 'The same job by all' Scaling 'Cost accounts' Holes 'Tar out' \
	Growth Pipeline; do
	has "section $title" $page "^## $title\$"
done
has 'commands are told' $page '^\./sqfs2tar .* \| \./tar2sqfs -q'
lacks 'nothing of this folder is told' $page "$scratch"
ok 'figures are positive' python3 - << 'END'
import glob
import json
names = glob.glob("all/*.json")
assert len(names) >= 3, names
for name in names:
    with open(name) as f:
        report = json.load(f)
    assert report["commands"], name
    assert any("rows" in b and b["rows"] for b in report["blocks"]), name
    todo, seen = [report["data"]], 0
    while todo:
        for key, value in todo.pop().items():
            if isinstance(value, dict):
                todo.append(value)
            elif key in ("wall", "rss", "vsize"):
                low, high = min(value), max(value)
                assert 0 < low <= value[0] <= high, (name, key, value)
                seen += 1
    assert seen or name not in ("all/scaling.json", "all/growth.json",
                                "all/pipeline.json"), name
END
if have gnuplot; then
	grep -o 'benchmark/[^)]*\.svg' $page > plots
	ok 'there are plots' test "$(wc -l < plots)" -gt 10
	while read -r plot; do
		ok "$plot is drawn" grep -q '<path' "page/$plot"
	done < plots
	ok 'plots are well-formed' python3 - page/benchmark/*.svg << 'END'
import sys
import xml.etree.ElementTree
for name in sys.argv[1:]:
    xml.etree.ElementTree.parse(name)
END
else
	missing 'gnuplot: no plots'
fi

# Archives of one's own: tables, and no page.
mktar own.tar << 'END'
file text parts=t300000
END
if has_codec gzip; then
	bench --out own --doc own -c gzip own.tar
	same 'an archive: status' "$status" 0
	has 'an archive: packed' out '^\*\*own\.tar: packed by gzip 9\*\*$'
	has 'an archive: to tar' out '^\*\*own\.tar, gzip: to tar\*\*$'
	has 'an archive: figures' out '^sqfskit +[0-9]+\.[0-9]+ +1\.00 '
	same 'an archive: no page' "$(ls own)" ''
fi

# Without gnuplot and all others: tables, and a word about it.
python=$(python3 -c 'import sys; print(sys.executable)')
status=0
PATH=$PWD/none "$python" "$tests/bench/bench.py" --build "$builddir" --quick \
	--scratch "$scratch" --out bare --section pipeline > out 2> err ||
	status=$?
same 'without others: status' "$status" 0
has 'without others: what to install' out \
	'^some programs .*apt-get install .*gnuplot-nox.*squashfs-tools-ng'
has 'without others: no plots' out '^no gnuplot, no plots: apt-get install'
has 'without others: a table' bare/benchmark.md '^\| [a-z4]+ to .*not there'
has 'without others: a word' bare/benchmark.md '^Without gnuplot there'
lacks 'without others: no plot' bare/benchmark.md svg

# Stopped halfway, it leaves no folder in memory.
python3 "$tests/bench/bench.py" --build "$builddir" --quick \
	--scratch "$scratch" --out stopped > out 2> err &
pid=$!
tries=0
while [ -z "$(find . -name 'sqfskit-bench-*')" ] && [ $tries -lt 300 ]; do
	sleep 0.1
	tries=$((tries + 1))
done
ok 'it runs' test $tries -lt 300
kill -TERM $pid
status=0
wait $pid || status=$?
same 'stopped: status' "$status" 1
not_ok 'stopped: no page' test -e stopped/benchmark.md
same 'nothing is left' "$(find . -name 'sqfskit-bench-*')" ''
finish
