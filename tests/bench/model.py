#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How our programs would do on larger machines, by the simulation of
simulate.py. By itself it predicts from what --stats=json said of a run:

    model.py [--cores N] STATS       STATS is that, of a run with -j 1
"""
import argparse
import json
import os
import statistics
import subprocess
import sys

import context
import simulate

NAME = "model"
TITLE = "Larger machines"
TARGET = 0.10
JOBS = (1, 2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128)
SHOWN = (4, 8, 16, 32, 64, 128)
BUSY = 0.6     # of the time: then a stage is what bounds the run
NEAR = 1.1     # of the least time: then more cores gain no more
CALL_NS = 2000 # of a system call that writes, beside the bytes
WAKES = (2300, 4100, 5000) # of simulate.Costs, where not measured

# Label, tool, codec and its options, the archive, how much of it, by a pipe.
CASES = (
    ("lz4", "tar2sqfs", ("-c", "lz4"), "debian", 0, False),
    ("lz4, pipe", "tar2sqfs", ("-c", "lz4"), "debian", 0, True),
    ("zstd 1", "tar2sqfs", ("-c", "zstd", "-X", "level=1"), "debian", 0,
     False),
    ("zstd 15", "tar2sqfs", ("-c", "zstd"), "small", 64 << 20, False),
    ("gzip", "tar2sqfs", ("-c", "gzip"), "small", 64 << 20, False),
    ("xz", "tar2sqfs", ("-c", "xz"), "small", 64 << 20, False),
    ("sqfs2tar, lz4", "sqfs2tar", ("lz4",), "debian", 0, False),
    ("sqfs2tar, xz", "sqfs2tar", ("xz",), "small", 64 << 20, False),
    ("unpack, lz4", "rdsquashfs", ("lz4",), "debian", 0, False),
)


# ----------------------------------------------------- costs out of a run

def mean(stage):
    return stage["cpu_ns"] / stage["count"] if stage["count"] else 0.0


def costs_of(stats, wake, feed_ns=None):
    """simulate.Costs from --stats=json of a run with one worker.

    feed_ns   what the process at the other end of the pipe spent in all
    """
    stages = stats["costs"]["stages"]
    none = {"count": 0, "cpu_ns": 0}
    get = {name: stages.get(name, none)
           for name in ("read", "work", "tail_ends", "fragment", "write",
                        "tables")}
    c = simulate.Costs(wake_ns=wake[0], latency_ns=wake[1],
                       sleep_ns=wake[2])
    c.data, c.tail = get["work"]["count"], get["tail_ends"]["count"]
    c.fragment = get["fragment"]["count"]
    if c.data + c.tail == 0:
        c.data = get["read"]["count"]
    read = get["read"]["cpu_ns"] / max(1, c.data + c.tail)
    c.data_ns = read + mean(get["work"])
    c.tail_ns = read + mean(get["tail_ends"])
    c.fragment_ns = mean(get["fragment"])
    # Without work of its own for workers, the main thread writes.
    if get["write"]["count"] and get["work"]["count"]:
        blocks = max(1, c.data + c.fragment)
        c.call_ns = min(CALL_NS, mean(get["write"]) / 2)
        spent = get["write"]["cpu_ns"] - c.call_ns * get["write"]["count"]
        c.write_ns = spent / blocks
    if feed_ns is not None:
        c.feed_ns = feed_ns / max(1, c.data + c.tail)
    c.main_end = float(get["tables"]["cpu_ns"])
    share_main(c, stages["main"]["cpu_ns"])
    return c


def share_main(c, main_ns):
    """Shares what the main thread spent among the blocks, without what it
    spent in waking others and in sleeping, which depends on the number of
    workers."""
    blocks = max(1, c.data + c.tail)
    for _ in range(3):
        waiting = 0.0
        if c.cut_ns:
            p = simulate.Pipeline(c, 1, 2)
            p.run()
            waiting = p.waiting()
        each = max(0.0, main_ns - c.main_end - waiting) / blocks
        c.cut_ns = c.take_ns = each / 2


def predict(c, jobs, cores):
    """A run: seconds, and the shares of it that threads computed."""
    p = simulate.Pipeline(c, jobs, cores)
    wall = p.run()
    busy = {"main thread": p.main.spent / wall,
            "workers": sum(t.spent for t in p.workers) / jobs / wall}
    if c.write_ns is not None:
        busy["writing to one file"] = p.written / wall
    if p.feeder:
        busy["other end of the pipe"] = p.feeder.spent / wall
    return wall / 1e9, busy


def bound_of(runs):
    """(what bounds, from how many workers on) of {jobs: (wall, busy)}: the
    busiest of what is done by one thread at a time, where more cores begin to
    gain no more. None if they still do with the most that there are."""
    last = max(runs)
    least = min(wall for wall, _ in runs.values())
    first = min(j for j in runs if runs[j][0] <= NEAR * least)
    busy = {k: v for k, v in runs[first][1].items() if k != "workers"}
    name = max(busy, key=busy.get)
    if first == last or busy[name] < BUSY:
        return "workers", None
    return name, first


# ----------------------------------------------------------- measurements

def wake_costs(build):
    """Nanoseconds to wake a thread, until it runs, and of its own time."""
    program = os.path.join("tests", "bench", "wake")
    try:
        subprocess.run(["make", "-s", "-C", build, program],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
        said = subprocess.run([os.path.join(build, program)], check=True,
                              stdout=subprocess.PIPE, text=True).stdout
        words = said.split()
        return (float(words[1]), float(words[3]), float(words[5])), True
    except (OSError, subprocess.CalledProcessError, IndexError, ValueError):
        return WAKES, False


class Measured:
    """Runs of one command with a number of workers."""

    def __init__(self):
        self.walls, self.stats, self.feeds = [], [], []


def run_once(command, archive, output, piped, found):
    """One run; its statistics, and what the other end of the pipe took."""
    context.remove(output)
    tool = os.path.basename(command[0])
    if tool == "rdsquashfs":
        os.mkdir(output)
    source, feeder = subprocess.DEVNULL, None
    if piped:
        feeder = subprocess.Popen(["cat", archive], stdout=subprocess.PIPE)
        source = feeder.stdout
    with open(output if tool == "sqfs2tar" else os.devnull, "wb") as out:
        said = subprocess.run(
            command, stdin=source, stderr=subprocess.PIPE, check=False,
            stdout=subprocess.PIPE if tool == "tar2sqfs" else out)
    if feeder:
        feeder.stdout.close()
        _, _, use = os.wait4(feeder.pid, 0)
        feeder.returncode = 0
        found.feeds.append((use.ru_utime + use.ru_stime) * 1e9)
    if said.returncode:
        sys.exit("%s failed: %s" % (" ".join(command),
                                    said.stderr.decode(errors="replace")))
    text = said.stdout if tool == "tar2sqfs" else said.stderr
    stats = json.loads(text.splitlines()[-1])
    found.walls.append(stats["costs"]["wall_ns"] / 1e9)
    found.stats.append(stats)
    context.remove(output)


def command_of(ctx, case, jobs, archive, output):
    label, tool, options, _, _, piped = case
    head = [ctx.ours(tool), "-q", "--stats=json", "-j", str(jobs)]
    if tool == "tar2sqfs":
        return head + ["-f", *options, output] + ([] if piped else [archive])
    if tool == "sqfs2tar":
        return head + [archive]
    return head + ["-u", "/", "-p", output, archive]


def measure_case(ctx, case):
    """{jobs: Measured} for one worker and for as many as there are cores."""
    _, tool, options, source, size, piped = case
    archive = ctx.cut(source, size) if size else ctx.input(source)
    if tool != "tar2sqfs":
        image = ctx.at("image-%s-%s" % (options[0], source))
        if not os.path.exists(image):
            subprocess.run([ctx.ours("tar2sqfs"), "-q", "-f", "-c",
                            options[0], image, archive], check=True)
        archive = image
    with open(archive, "rb") as f:
        while f.read(1 << 22):
            pass
    output = ctx.at("output")
    counts = sorted({1, ctx.cores})
    found = {j: Measured() for j in counts}
    for _ in range(ctx.runs):
        for j in counts:
            run_once(command_of(ctx, case, j, archive, output),
                     archive, output, piped, found[j])
        counts.reverse()
    ctx.commands.append(ctx.tidy(" ".join(command_of(
        ctx, case, 1, archive, output))))
    return found


def cpu_of(stats):
    return stats["costs"]["cpu_user_ns"] + stats["costs"]["cpu_system_ns"]


def typical(found):
    """The statistics of the run whose CPU time is the median, and what its
    feeder took."""
    order = sorted(range(len(found.stats)),
                   key=lambda i: cpu_of(found.stats[i]))
    i = order[(len(order) - 1) // 2]
    return found.stats[i], found.feeds[i] if found.feeds else None


# ---------------------------------------------------------------- section

def model_case(ctx, case, wake):
    """What was measured and what is predicted of one case, for the tables."""
    found = measure_case(ctx, case)
    stats, feed = typical(found[1])
    c = costs_of(stats, wake, feed)
    out = {"label": case[0], "here": [], "costs": vars(c)}
    for j in sorted(found):
        walls = found[j].walls
        seen = statistics.median(walls)
        told = predict(c, j, ctx.cores)[0]
        out["here"].append((j, seen, told, told / seen - 1))
    out["runs"] = {j: predict(c, j, max(j, ctx.cores)) for j in JOBS}
    out["bound"] = bound_of(out["runs"])
    return out


def per_block(c):
    """Microseconds of each stage, for the table of costs."""
    blocks = max(1, c["data"] + c["tail"])
    writes = (c["write_ns"] or 0) * (c["data"] + c["fragment"])
    return ["%d" % blocks, "%d" % c["fragment"], "%.0f" % (c["data_ns"] / 1e3),
            "%.0f" % (c["tail_ns"] / 1e3), "%.0f" % (c["fragment_ns"] / 1e3),
            "%.1f" % ((c["cut_ns"] + c["take_ns"]) / 1e3),
            "%.1f" % (writes / blocks / 1e3) if writes else "",
            "%.0f" % (c["main_end"] / 1e6)]


def run(ctx, report):
    wake, is_measured = wake_costs(ctx.build)
    report.text("""A simulation of the pipeline (`tests/bench/simulate.py`)
        predicts the time with more cores than there are here, as many as
        workers. It is fed by what the stages of a run with `-j 1` cost, which
        `--stats=json` tells: reading, working on and writing a block, and the
        main thread; the rest follows from how threads wait for each other. To
        wake a thread costs %.1f µs, %.1f µs pass until it runs, and to sleep and
        wake up takes %.1f µs of its own time, as %s. Not in it are
        memory bandwidth and caches that cores share, clocks that slow down
        when all cores work, and what locks cost when several threads want
        them at once: it tells what the design allows, real machines stay
        below.""" % (wake[0] / 1e3, wake[1] / 1e3, wake[2] / 1e3,
                     "measured here" if is_measured else "assumed"))
    cases = CASES[:2] if ctx.quick else CASES
    done = [model_case(ctx, case, wake) for case in cases]
    report.text("""What was measured on %d cores, and what the simulation
        says; costs are those of `-j 1` for both.""" % ctx.cores)
    report.table(
        ["", "workers", "measured s", "predicted s", "error", "under 10 %"],
        [[d["label"], "%d" % j, "%.3f" % seen, "%.3f" % told,
          "%+.1f %%" % (100 * error),
          "met" if abs(error) < TARGET else "missed"]
         for d in done for j, seen, told, error in d["here"]])
    report.text("""Speed-up against one worker, and what bounds it: what is
        done by one thread at a time and is busiest with %d workers, if it is
        for %d %% of the time or more; and the number of workers that comes
        within %d %% of the time of %d. The system lets one thread at a time
        write to a file; the threads of the bare loop wait for each other
        there, too.""" % (max(JOBS), 100 * BUSY, 100 * NEAR - 99.5,
                          max(JOBS)))
    rows = []
    for d in done:
        base = d["runs"][1][0]
        name, count = d["bound"]
        rows.append([d["label"], *("%.1f" % (base / d["runs"][j][0])
                                   for j in SHOWN),
                     "%.2f" % d["runs"][max(JOBS)][0], name,
                     "over %d" % max(JOBS) if count is None else str(count)])
    report.table(["", *("%d cores" % j for j in SHOWN), "s at 128",
                  "bound by", "from cores"], rows)
    report.text("""Costs in microseconds: a worker's for a data block, a block
        of tail-ends and a fragment block, the main thread's and of writing
        for one block of any kind; and the tables at the end, in
        milliseconds.""")
    report.table(["", "blocks", "fragment blocks", "data", "tail-ends",
                  "fragment", "main", "writing", "tables ms"],
                 [[d["label"], *per_block(d["costs"])] for d in done])
    series = {d["label"]: [(j, d["runs"][1][0] / d["runs"][j][0])
                           for j in JOBS] for d in done}
    series["ideal"] = [(j, j) for j in JOBS]
    for d in done:
        points = [(j, d["here"][0][1] / seen) for j, seen, _, _ in d["here"]]
        series["measured"] = series.get("measured", []) + points
    report.plot("model", "Predicted speed-up on larger machines",
                "cores, and workers (-j)", "speed-up against -j 1", series,
                log="xy", extra=["set xrange [1:128]", "set yrange [0.9:130]"])
    report.data["cases"] = done


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--cores", type=int, metavar="N",
                    help="default: as many as workers")
    ap.add_argument("stats", metavar="STATS")
    a = ap.parse_args()
    with open(a.stats, encoding="utf-8") as f:
        c = costs_of(json.load(f), WAKES)
    print("%8s %10s %9s  busy" % ("workers", "seconds", "speed-up"))
    runs = {}
    for j in JOBS:
        runs[j] = predict(c, j, a.cores or j)
        print("%8d %10.3f %9.2f  %s" % (
            j, runs[j][0], runs[1][0] / runs[j][0],
            ", ".join("%s %.0f %%" % (k, 100 * v)
                      for k, v in runs[j][1].items())))
    name, count = bound_of(runs)
    print("bound by: %s%s" % (name, " from %d workers" % count if count
                              else ", over %d workers" % max(JOBS)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
