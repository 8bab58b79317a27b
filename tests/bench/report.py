# SPDX-License-Identifier: GPL-2.0-or-later
"""What a section found, kept as JSON; the page and the plots made from it."""
import json
import os
import subprocess

import machine

HEAD = """# Benchmark

This page is written by `make bench`, which anyone can run:

    apt-get install %(packages)s
    make bench

It takes about half an hour on two cores and %(space)s of memory and disk.
`BENCH` passes options, as in

    make bench BENCH='--section scaling --section growth -n 5'
    make bench BENCH='--corpus DIR --out DIR --doc DIR'
    make bench BENCH='-c lz4,zstd TAR...'

The last one compares with your own archives, and writes no page.

| option | |
|---|---|
| `--section NAME` | only this one; repeatable; the page keeps what an earlier run found of the others |
| `-n RUNS` | how often each command is run; default 3 |
| `--corpus DIR` | where the inputs are, or are made if missing |
| `--out DIR` | where results, and the data and scripts of the plots are kept; default `bench-out` |
| `--doc DIR` | where this page goes; default the source's `doc` |
| `--serial-build DIR` | a build that was configured `--without-pthread`, to compare with; else `-j 0` |
| `--limit SECONDS` | time for a run of another's program; default 60 |
| `--quick` | tiny inputs and one run, to see that all works; the figures mean nothing |

The commands of a comparison take turns, so that what else the machine does hits
all alike. A figure is the median of its runs, followed by the least and the most
in parentheses where they differ. Inputs are in the page cache, outputs go to
memory, unless a section says otherwise. CPU is user and system time of all
threads together. *ng* is squashfs-tools-ng; a program of another that took too
long is listed as such, and not asked about larger inputs.
"""


class Report:
    """The findings of one section, in order."""

    def __init__(self, name, title):
        self.name, self.title, self.seconds = name, title, 0
        self.blocks, self.data, self.commands = [], {}, []

    def text(self, words):
        """A paragraph."""
        self.blocks.append({"text": " ".join(words.split())})

    def table(self, head, rows):
        """Rows of cells, which become text as they are."""
        self.blocks.append({"head": [str(c) for c in head],
                            "rows": [[str(c) for c in r] for r in rows]})

    def plot(self, name, title, x, y, series, log="", style="linespoints",
             extra=()):
        """A plot, doc/benchmark/NAME.svg.

        x y      what the axes show
        series   {label: [(x, y), ...]}
        log      axes that are logarithmic: "", "x", "y" or "xy"
        extra    more lines of gnuplot, before it plots
        """
        self.blocks.append({
            "plot": name, "title": title, "x": x, "y": y, "log": log,
            "style": style, "extra": list(extra),
            "series": [[k, [list(p) for p in v]] for k, v in series.items()
                       if v]})

    def save(self, out):
        with open(os.path.join(out, self.name + ".json"), "w") as f:
            json.dump(vars(self), f, indent=1)


def load(path):
    report = Report("", "")
    with open(path) as f:
        vars(report).update(json.load(f))
    return report


def plain(report):
    """The tables and words of a section, for the terminal."""
    out = []
    for b in report.blocks:
        if "text" in b:
            out.append(b["text"] + "\n")
        elif "rows" in b:
            rows = [b["head"]] + b["rows"]
            wide = [max(len(r[i]) for r in rows if i < len(r))
                    for i in range(len(b["head"]))]
            out += ["  ".join(c.ljust(w) for c, w in zip(r, wide)).rstrip()
                    for r in rows]
            out.append("")
    return "\n".join(out)


def braces(commands):
    """Joins commands that differ in one word, as the shell's {a,b} does."""
    todo = [[[w] for w in c.split(" ")] for c in commands]
    at = 0
    while todo and at < max(len(c) for c in todo):
        groups = {}
        for c in todo:
            rest = [tuple(w) for i, w in enumerate(c) if i != at]
            groups.setdefault((len(c), tuple(rest)), []).append(c)
        todo = []
        for same in groups.values():
            if at < len(same[0]):
                words = [w for c in same for w in c[at]]
                same = [same[0][:at] + [list(dict.fromkeys(words))] +
                        same[0][at + 1:]]
            todo += same
        at += 1
    return [" ".join(w[0] if len(w) == 1 else "{%s}" % ",".join(w)
                     for w in c) for c in todo]


def quoted(text):
    return '"%s"' % text.replace("\\", "\\\\").replace('"', '\\"')


def draw(block, out, folder):
    """Makes folder/NAME.svg; its script and data stay in out."""
    name = block["plot"]
    data = os.path.join(out, name + ".data")
    script = os.path.join(out, name + ".gnuplot")
    with open(data, "w") as f:
        for label, points in block["series"]:
            f.write("# %s\n" % label)
            f.writelines("%s\n" % "\t".join(map(str, p)) for p in points)
            f.write("\n\n")
    plots = ["%s index %d with %s title %s" % (
        quoted(data), i, block["style"], quoted(label))
        for i, (label, _) in enumerate(block["series"])]
    svg = os.path.join(folder, name + ".svg")
    lines = ["set terminal svg size 720,432 font 'sans-serif,13' "
             "background 'white'", "set output " + quoted(svg),
             "set title %s noenhanced" % quoted(block["title"]),
             "set xlabel %s noenhanced" % quoted(block["x"]),
             "set ylabel %s noenhanced" % quoted(block["y"]),
             "set key outside right top noenhanced", "set grid"]
    if block["log"]:
        lines.append("set logscale " + block["log"])
    lines += block["extra"] + ["plot " + ", \\\n  ".join(plots)]
    with open(script, "w") as f:
        f.write("\n".join(lines) + "\n")
    subprocess.run(["gnuplot", script], check=True)


def section(report):
    """A section in Markdown."""
    out = ["## " + report.title, ""]
    for b in report.blocks:
        if "text" in b:
            out.append(b["text"])
        elif "plot" in b:
            out.append("![%s](benchmark/%s.svg)" % (b["title"], b["plot"]))
        else:
            out += ["| %s |" % " | ".join(r) for r in
                    [b["head"], ["---"] * len(b["head"])] + b["rows"]]
        out.append("")
    if report.commands:
        out += ["<details><summary>Commands</summary>", "", "```",
                *braces(report.commands), "```", "", "</details>", ""]
    out += ["This section took %d seconds." % report.seconds, ""]
    return out


def write(reports, ctx, doc, packages):
    """The page, doc/benchmark.md, and its plots. Returns what it lacks."""
    folder = os.path.join(doc, "benchmark")
    os.makedirs(folder, exist_ok=True)
    lacks = []
    for b in [b for r in reports for b in r.blocks if "plot" in b]:
        if not ctx.peer("gnuplot"):
            lacks.append(b["plot"])
            continue
        draw(b, ctx.out, folder)
    lines = [HEAD % {"packages": " ".join(packages), "space": "6 GB"}]
    if ctx.quick:
        lines.append("**A quick run: the figures mean nothing.**\n")
    lines += machine.describe(ctx)
    for r in reports:
        blocks = [b for b in r.blocks if b.get("plot") not in lacks]
        r.blocks = blocks + [{"text": "Without gnuplot there are no plots."}
                             ] * (len(blocks) < len(r.blocks))
        lines += section(r)
    with open(os.path.join(doc, "benchmark.md"), "w") as f:
        f.write("\n".join(lines).rstrip() + "\n")
    return lacks
