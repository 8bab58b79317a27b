#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The benchmark: runs its sections and writes doc/benchmark.md, whose head
tells more. A section is a module with NAME, TITLE and run(ctx, report)."""
import argparse
import importlib
import os
import signal
import sys
import tempfile
import time

import context
import corpus
import report

SECTIONS = ("compare", "scaling", "accounts", "holes", "tarout", "growth",
            "pipeline", "model")
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def options():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--build", default=".", metavar="DIR")
    ap.add_argument("--serial-build", metavar="DIR")
    ap.add_argument("--corpus", metavar="DIR")
    ap.add_argument("--out", default="bench-out", metavar="DIR")
    ap.add_argument("--doc", metavar="DIR")
    ap.add_argument("--scratch", metavar="DIR",
                    help="where images go; default a folder in memory")
    ap.add_argument("--section", action="append", choices=SECTIONS)
    ap.add_argument("-n", type=int, metavar="RUNS")
    ap.add_argument("--limit", type=int, default=60, metavar="SECONDS")
    ap.add_argument("--quick", action="store_true")
    ap.add_argument("-c", "--codecs", default="lz4", metavar="A,B",
                    help="to pack TAR with; default lz4")
    ap.add_argument("tars", nargs="*", metavar="TAR",
                    help="compare with these only, and write no page")
    a = ap.parse_args()
    a.out = os.path.abspath(a.out)
    a.n = a.n or (1 if a.quick else 3)
    if not a.doc:
        a.doc = a.out if a.quick else os.path.join(TOP, "doc")
    if not a.scratch and os.access("/dev/shm", os.W_OK):
        a.scratch = "/dev/shm"
    return a


def run(name, ctx):
    module = importlib.import_module(name)
    found = report.Report(module.NAME, module.TITLE)
    print("== " + module.TITLE, flush=True)
    begin = time.monotonic()
    ctx.commands = []
    try:
        module.run(ctx, found)
    except corpus.Missing as fault:
        found.text("Not done, an input is missing: %s." % fault)
    ctx.clear()
    found.seconds = round(time.monotonic() - begin)
    found.commands = ctx.commands
    if not ctx.tars:
        found.save(ctx.out)
    print("%s\n(%s: %d seconds)\n" % (report.plain(found), name,
                                      found.seconds), flush=True)


def write(ctx, doc):
    """The page, of all sections that there are results of."""
    there = [os.path.join(ctx.out, s + ".json") for s in SECTIONS]
    found = [report.load(p) for p in there if os.path.exists(p)]
    packages = sorted(set(context.PEERS.values()) | {"python3"})
    lacks = report.write(found, ctx, doc, packages)
    print("written: %s" % os.path.join(doc, "benchmark.md"))
    if lacks:
        print("no gnuplot, no plots: apt-get install gnuplot-nox")


def main():
    a = options()
    # What is in memory does not stay there.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    os.makedirs(a.out, exist_ok=True)
    scratch = tempfile.mkdtemp(prefix="sqfskit-bench-", dir=a.scratch)
    try:
        ctx = context.Context(
            a.build, os.path.abspath(a.corpus or
                                     os.path.join(a.out, "corpus")),
            scratch, a.out, a.n, a.limit, a.quick, a.serial_build)
        if ctx.missing():
            print("some programs to compare with are not there: "
                  "apt-get install " + " ".join(ctx.missing()))
        ctx.tars, ctx.with_codecs = a.tars, a.codecs.split(",")
        for name in ["compare"] if a.tars else a.section or SECTIONS:
            run(name, ctx)
        if not a.tars:
            write(ctx, a.doc)
    finally:
        context.remove(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(main())
