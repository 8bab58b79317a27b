#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Packs tars with our tar2sqfs and its peers in turn, and compares.

    compare.py [OPTION]... TAR...            time, CPU, memory, size
    compare.py --growth SMALL LARGE [...]    how cost grows with the input

The tools take turns, so that what else the machine does hits all alike; the
figures are medians, the ratios are those of the pairs' medians, ours being 1.
Inputs are read once beforehand: the page cache is warm. Peers that are not
there are left out.
"""
import argparse
import os
import shlex
import shutil
import statistics
import sys
import tempfile

import measure


def tools(a, codec):
    """Pairs of a name and what makes its command from input and output."""
    size = a.block_size

    def ours(tar, out):
        return [a.ours, "-q", "-f", "-c", codec, "-j", a.jobs, "-b", size,
                *a.ours_args, out] + ([] if a.pipe else [tar])

    def ng(_, out):
        return [a.ng, "-q", "-f", "-c", codec, "-j", a.jobs, "-b", size,
                *a.peer_args, out]

    def sqfstar(_, out):
        return [a.sqfstar, "-comp", codec, "-processors", a.jobs, "-b", size,
                "-no-progress", "-quiet", out]

    def bare(tar, out):
        levels = ["-l", a.bare_level] if a.bare_level else []
        return [a.bare, "-c", codec, "-j", a.jobs, "-b", size, *levels, tar,
                out]

    out = [("ours", ours)]
    if a.ng and shutil.which(a.ng):
        out.append(("squashfs-tools-ng", ng))
    if a.sqfstar and shutil.which(a.sqfstar) and codec != "lzma":
        out.append(("squashfs-tools", sqfstar))
    if a.bare and shutil.which(a.bare) and codec in ("lz4", "zstd", "xz",
                                                     "gzip"):
        out.append(("bare loop", bare))
    return out


def warm(path):
    with open(path, "rb") as f:
        while f.read(1 << 22):
            pass


def turn(chosen, a, tar, scratch):
    """Runs of each tool, interleaved, and the size of what it made."""
    runs, sizes = {name: [] for name, _ in chosen}, {}
    warm(tar)
    for k in range(a.n):
        order = chosen if k % 2 == 0 else chosen[::-1]
        for name, command in order:
            out = os.path.join(scratch, "image")
            if os.path.exists(out):
                os.unlink(out)
            r = measure.run(command(tar, out), tar, a.pipe)
            if r.status:
                sys.exit("%s failed: %s" % (name,
                                            shlex.join(command(tar, out))))
            runs[name].append(r)
            sizes[name] = os.path.getsize(out)
    return runs, sizes


def median(runs, what):
    return statistics.median(getattr(r, what) for r in runs)


def show(codec, tar, runs, sizes):
    print("\n%s, %s, %d bytes" % (os.path.basename(tar), codec,
                                  os.path.getsize(tar)))
    print("%-18s %8s %6s %8s %6s %8s %6s %12s %6s %9s" % (
        "", "wall s", "", "CPU s", "", "MiB", "", "bytes", "", "main s"))
    base = runs["ours"]
    for name, mine in runs.items():
        main_cpu = [r.main for r in mine if r.main is not None]
        print("%-18s %8.3f %6.2f %8.3f %6.2f %8.1f %6.2f %12d %6.3f %9s" % (
            name, median(mine, "wall"),
            median(mine, "wall") / median(base, "wall"), median(mine, "cpu"),
            median(mine, "cpu") / median(base, "cpu"),
            median(mine, "rss") / 1024,
            median(mine, "rss") / median(base, "rss"), sizes[name],
            sizes[name] / sizes["ours"],
            "%.3f" % statistics.median(main_cpu) if main_cpu else "-"))


def growth(a, scratch):
    if len(a.tars) % 2:
        sys.exit("--growth takes pairs of a small and a large archive")
    for small, large in zip(a.tars[::2], a.tars[1::2]):
        for codec in a.codecs.split(","):
            chosen = [t for t in tools(a, codec) if t[0] != "bare loop"]
            few, _ = turn(chosen, a, small, scratch)
            many, _ = turn(chosen, a, large, scratch)
            print("\n%s to %s, %s" % (os.path.basename(small),
                                      os.path.basename(large), codec))
            for name in few:
                print("%-18s CPU %.3f to %.3f s: %.2f times; wall %.2f "
                      "times; %.1f to %.1f MiB" % (
                          name, median(few[name], "cpu"),
                          median(many[name], "cpu"),
                          median(many[name], "cpu") /
                          median(few[name], "cpu"),
                          median(many[name], "wall") /
                          median(few[name], "wall"),
                          median(few[name], "rss") / 1024,
                          median(many[name], "rss") / 1024))


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--ours", default="./tar2sqfs", metavar="PROGRAM")
    ap.add_argument("--ng", default="/usr/bin/tar2sqfs", metavar="PROGRAM")
    ap.add_argument("--sqfstar", default="sqfstar", metavar="PROGRAM")
    ap.add_argument("--bare", default="tests/bench/bare", metavar="PROGRAM")
    ap.add_argument("--bare-level", metavar="N")
    ap.add_argument("--ours-args", type=shlex.split, default=[],
                    metavar="'ARGS'")
    ap.add_argument("--peer-args", type=shlex.split, default=[],
                    metavar="'ARGS'", help="of squashfs-tools-ng")
    ap.add_argument("-n", type=int, default=5, metavar="RUNS")
    ap.add_argument("-j", "--jobs", default="2")
    ap.add_argument("-b", "--block-size", default="131072",
                    help="in bytes; default 131072")
    ap.add_argument("-c", "--codecs", default="lz4", metavar="A,B")
    ap.add_argument("--pipe", action="store_true",
                    help="through a pipe instead of from the file")
    ap.add_argument("--growth", action="store_true")
    ap.add_argument("--out", metavar="DIR",
                    help="where images go, as a folder in memory")
    ap.add_argument("tars", nargs="+", metavar="TAR")
    a = ap.parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-", dir=a.out) as scratch:
        if a.growth:
            growth(a, scratch)
            return 0
        for tar in a.tars:
            for codec in a.codecs.split(","):
                show(codec, tar, *turn(tools(a, codec), a, tar, scratch))
                sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
