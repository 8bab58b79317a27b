#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tells how much CPU time the main thread of a command took.

    mainthread.py [-n RUNS] [--stdin FILE [--pipe]] [--per FILE] COMMAND...

--per FILE adds the seconds per GB (1e9 bytes) of that file. The median of RUNS
is printed, with the time of all threads beside it.
"""
import argparse
import os
import statistics
import sys

import measure


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("-n", type=int, default=3, metavar="RUNS")
    ap.add_argument("--stdin", metavar="FILE")
    ap.add_argument("--pipe", action="store_true")
    ap.add_argument("--per", metavar="FILE")
    ap.add_argument("command", nargs=argparse.REMAINDER)
    a = ap.parse_args()
    runs = [measure.run(a.command, a.stdin, a.pipe) for _ in range(a.n)]
    for r in runs:
        if r.status:
            print("the command failed: status %d" % r.status, file=sys.stderr)
            return 1
        if r.main is None:
            print("this system does not tell", file=sys.stderr)
            return 1
    main_cpu = statistics.median(r.main for r in runs)
    text = "main thread %.3f s, all threads %.3f s, wall %.3f s" % (
        main_cpu, statistics.median(r.cpu for r in runs),
        statistics.median(r.wall for r in runs))
    if a.per:
        text += ", %.3f s/GB" % (main_cpu / (os.path.getsize(a.per) / 1e9))
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
