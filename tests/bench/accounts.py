# SPDX-License-Identifier: GPL-2.0-or-later
"""What each job costs: time, memory, bytes copied, allocations."""
import json
import os
import subprocess
import tarfile

import context
import preload

NAME = "accounts"
TITLE = "Cost accounts"
CODEC = "lz4"
BLOCK = 131072
# The name of an input, of its archive, and whether small files dominate.
INPUTS = (("zero_small", "zero_small", True),
          ("zero_large", "zero_large", False),
          ("random_medium", "random_medium", False),
          ("halfzero_large", "halfzero_large", False),
          ("random_large", "random_large", False),
          ("tree", "tree", True),
          ("several trees", "several_trees", True),
          ("big files", "bigfiles", False),
          ("everything", "everything", True))
NAMES = ("ours", "ng", "squashfs-tools")
JOBS = ("pack", "pack, pipe", "unpack", "to tar", "list")
PIPE_MAX, SMALL_MAX, LARGE_MAX, BY_ENTRY_MAX = 1.0, 0.35, 0.01, 3.0
# Where the allocations are counted from outside, too.
CHECKED = ("random_large", "tree")


def costs(text):
    """The object "costs" of what --stats=json printed, or None."""
    for start, char in enumerate(text):
        if char != "{" or start and text[start - 1] != "\n":
            continue
        try:
            found = json.JSONDecoder().raw_decode(text, start)[0]
        except ValueError:
            continue
        if isinstance(found, dict) and "costs" in found:
            return found["costs"]
    return None


def feed(path):
    """The process that pipes a file."""
    with open(path, "rb") as f:
        return subprocess.Popen(["cat"], stdin=f, stdout=subprocess.PIPE)


def counted(command, stdout=None, stdin=None, env=None):
    """What a run of one of our programs says that it cost, or None.

    stdout   the file that its output goes to; the figures are then looked
             for on standard error alone
    stdin    the file that is piped into it
    """
    feeder = feed(stdin) if stdin else None
    out = open(stdout, "wb") if stdout else subprocess.PIPE
    done = subprocess.run([command[0], "--stats=json", *command[1:]],
                          stdin=feeder.stdout if feeder else
                          subprocess.DEVNULL, stdout=out,
                          stderr=subprocess.PIPE, check=False, env=env)
    if feeder:
        feeder.stdout.close()
        feeder.wait()
    if stdout:
        out.close()
    said = done.stderr.decode(errors="replace")
    if not stdout:
        said += "\n" + done.stdout.decode(errors="replace")
    return costs(said)


class Input:
    """An archive, what is in it, and its image."""

    def __init__(self, ctx, name):
        self.ctx, self.archive = ctx, ctx.input(name)
        self.image, self.out = ctx.at(name + ".sqfs"), ctx.at("out")
        self.size = os.path.getsize(self.archive)
        self.entries = self.blocks = 0
        with tarfile.open(self.archive) as tar:
            for entry in tar:
                self.entries += 1
                if entry.isreg():
                    self.blocks += -(-entry.size // BLOCK)
                tar.members = []
        context.do(ctx.pack(CODEC, ctx.cores, self.archive,
                            self.image).command)

    def ours(self, job):
        """(command, file to pipe into it, file for what it prints)"""
        ctx, out = self.ctx, self.out
        packer = ctx.pack(CODEC, ctx.cores, self.archive, out).command
        reader = [ctx.ours("rdsquashfs"), "-q", "-j", str(ctx.cores)]
        return {
            "pack": (packer, None, None),
            "pack, pipe": (packer[:-1], self.archive, None),
            "unpack": (reader + ["-u", "/", "-p", out, self.image], None,
                       None),
            "to tar": ([ctx.ours("sqfs2tar"), "-q", "-j", str(ctx.cores),
                        self.image], None, out),
            "list": (reader + ["-R", "-l", "/", self.image], None, out),
        }[job]

    def ng(self, job):
        """The same of squashfs-tools-ng."""
        tar2sqfs, sqfs2tar, rdsquashfs = (
            self.ctx.peer(p) for p in ("tar2sqfs", "sqfs2tar", "rdsquashfs"))
        pack = tar2sqfs and [tar2sqfs, "-q", "-f", "-c", CODEC, "-j",
                             str(self.ctx.cores), self.out]
        if job.startswith("pack"):
            return pack, self.archive, None
        if job == "unpack":
            return rdsquashfs and [rdsquashfs, "-q", "-u", "/", "-p",
                                   self.out, self.image], None, None
        if job == "to tar":
            return sqfs2tar and [sqfs2tar, self.image], None, self.out
        return rdsquashfs and [rdsquashfs, "-d", self.image], None, self.out

    def others(self, job):
        """The same of squashfs-tools, which makes no tar."""
        star, un = self.ctx.peer("sqfstar"), self.ctx.peer("unsquashfs")
        cores = str(self.ctx.cores)
        if job.startswith("pack"):
            return star and [star, "-comp", CODEC, "-processors", cores,
                             "-no-progress", "-quiet",
                             self.out], self.archive, None
        if job == "unpack":
            return un and [un, "-q", "-n", "-p", cores, "-d", self.out,
                           self.image], None, None
        if job == "list":
            return un and [un, "-ll", self.image], None, self.out
        return None, None, None

    def commands(self, job):
        """(name, command, standard input and output), of those there are."""
        for name, make in zip(NAMES, (self.ours, self.ng, self.others)):
            command, stdin, stdout = make(job)
            if command:
                yield name, command, stdin, stdout

    def paired(self, job):
        """Ours and the others' in turn."""
        jobs = {}
        for name, command, stdin, stdout in self.commands(job):
            jobs[name] = context.Job(
                command, stdin=stdin, piped=job == "pack, pipe",
                stdout=stdout, output=self.out, peer=name != "ours",
                reads=[self.image if command[-1] == self.image else
                       self.archive])
        return self.ctx.paired(jobs)

    def copies(self, job, counter):
        """Bytes that each copies in memory, as seen from outside."""
        found = {}
        for name, command, stdin, stdout in self.commands(job):
            context.remove(self.out)
            found[name] = counter.count(command, stdin, stdout,
                                        piped=job == "pack, pipe")
        context.remove(self.out)
        return found

    def counted(self, job, env=None):
        command, stdin, stdout = self.ours(job)
        context.remove(self.out)
        found = counted(command, stdout, stdin, env)
        context.remove(self.out)
        return found


def limit(job, small):
    """The most that may be copied, by byte of input; None: no target."""
    if job == "pack, pipe":
        return PIPE_MAX
    if job == "pack":
        return SMALL_MAX if small else LARGE_MAX
    return None


def number(value, form="%.2f", scale=1.0):
    return "?" if value is None else form % (value * scale)


def met(value, most):
    if value is None or most is None:
        return ""
    return ("at most %g: " % most) + ("met" if value <= most else "missed")


def peers_table(report, found):
    head = ["", "job"]
    for what in ("CPU s", "resident MiB", "virtual MiB", "copied MiB"):
        head += ["%s: %s" % (what, name) for name in NAMES]
    rows = []
    for (title, job), (_, results, _, copies) in found.items():
        row = [title, job]
        for what, scale in (("cpu", 1), ("rss", 1 / 1024),
                            ("vsize", 1 / 1024)):
            for name in NAMES:
                r = results.get(name)
                row.append(r.cell(what, "%.3f" if what == "cpu" else "%.1f",
                                  scale) if r else "")
        row += [number(copies[name], "%.1f", 1 / (1 << 20))
                if name in copies else "" for name in NAMES]
        rows.append(row)
    report.table(head, rows)


def own_table(report, found, small):
    rows, missed = [], []
    for (title, job), (data, _, own, _) in found.items():
        own = own or {}
        copied = own.get("copied_bytes")
        share = None if copied is None else copied / data.size
        word = met(share, limit(job, small[title]))
        if word.endswith("missed"):
            missed.append("%s, %s: %.2f" % (title, job, share))
        rows.append([title, job, "%.1f" % (data.size / (1 << 20)), data.entries,
                     data.blocks, number(copied, "%.2f", 1 / (1 << 20)),
                     number(share, "%.4f"), word,
                     number(own.get("allocated_bytes"), "%.2f",
                            1 / (1 << 20)),
                     number(own.get("allocations"), "%d")])
    report.table(["", "job", "archive MiB", "entries", "blocks", "copied MiB",
                  "by byte of it", "target", "allocated MiB",
                  "allocations"], rows)
    return missed


def slope(found, job, few, many, what, unit):
    """What grew from one input to another, by unit of the growth."""
    low, high = found[few, job], found[many, job]
    if not (low[2] and high[2]) or high[2].get(what) is None:
        return None
    units = getattr(high[0], unit) - getattr(low[0], unit)
    return (high[2][what] - low[2][what]) / units if units else None


def by_unit(report, found):
    """Allocations and copies, by block and by entry: the differences between
    two inputs, so that what a run begins with is not in it."""
    rows, missed = [], []
    for job in JOBS:
        block = slope(found, job, "random_medium", "random_large",
                      "allocations", "blocks")
        entry = slope(found, job, "zero_small", "tree", "allocations",
                      "entries")
        copies = slope(found, job, "random_medium", "random_large",
                       "copied_bytes", "blocks")
        memory = slope(found, job, "zero_small", "tree", "allocated_bytes",
                       "entries")
        words = [met(block and round(block, 1), 0), met(entry, BY_ENTRY_MAX)]
        missed += ["%s, allocations by %s: %.3f" % (job, unit, value)
                   for unit, value, word in (("block", block, words[0]),
                                             ("entry", entry, words[1]))
                   if word.endswith("missed")]
        rows.append([job, number(block, "%.3f"), words[0],
                     number(copies, "%.0f"), number(entry), words[1],
                     number(memory, "%.0f")])
    report.table(["job", "allocations by block", "target",
                  "bytes copied by block", "allocations by entry", "target",
                  "bytes allocated by entry"], rows)
    return missed


def from_outside(ctx, report, found):
    """What our programs say of their allocations beside what a library sees
    that is loaded in front of the C library, in the same runs."""
    mallocs = preload.Mallocs(ctx)
    rows = []
    for (title, job), (data, _, own, _) in found.items():
        if title not in CHECKED or not own or not mallocs.library:
            continue
        own = data.counted(job, mallocs.env())
        seen = mallocs.counts()
        if not own or not seen or own.get("allocations") is None:
            continue
        rows.append([title, job, own["allocations"], seen["program"][0],
                     own["allocated_bytes"], seen["program"][1],
                     seen["libc"][0], seen["libraries"][0],
                     number(seen["libraries"][1], "%.2f", 1 / (1 << 20))])
        report.data.setdefault("mallocs", {})["%s, %s" % (title, job)] = seen
    if not rows:
        return
    report.text("""The same allocations counted from outside
        (`tests/bench/mallocs.c`), told apart by who calls: the program itself,
        the C library for it (streams, directories that are listed), other
        libraries (compressors, once for each thread). A program begins to
        count when its options are read.""")
    report.table(["", "job", "own", "outside", "own bytes", "outside",
                  "C library", "other libraries", "their MiB"], rows)


def run(ctx, report):
    report.text("""Inputs of several kinds, and all that can be done with
        each, lz4, `-j %d`. `tree` is the `/usr` of a small root
        file system, `several trees` are three trees that share much of their
        content, `big files` all files of that system put end to end,
        `everything` these and all of the others in one archive. *unpack* makes
        files in memory, *list* prints all paths. CPU and memory are
        seen from outside, and so is what is copied in memory: what goes through
        the C library's functions, those of a compressor included
        (`tests/bench/copies.c`).""" % ctx.cores)
    found, small, counter = {}, {}, preload.Copies(ctx)
    for title, name, is_small in INPUTS:
        data = Input(ctx, name)
        small[title] = is_small
        for job in JOBS:
            found[title, job] = (data, data.paired(job), data.counted(job),
                                 data.copies(job, counter))
    peers_table(report, found)
    report.text("""What our programs count of themselves (`--stats=json`):
        bytes copied in memory by our own code, by byte of the archive that is
        packed, or that the image was made of; memory asked for, all calls
        together, and how often. Blocks are those of 128K that the files have.""")
    missed = own_table(report, found, small)
    report.text("""The same by block (from `random_medium` to
        `random_large`) and by entry (from `zero_small` to `tree`). A list that
        doubles when it is full is not an allocation by block.""")
    missed += by_unit(report, found)
    from_outside(ctx, report, found)
    report.text("Targets missed: %s." % "; ".join(missed) if missed else
                "All targets that could be looked at are met.")
    report.data["own"] = {"%s, %s" % key: own
                          for key, (_, _, own, _) in found.items()}
    report.data["paired"] = {
        "%s, %s" % key: {name: r.data() for name, r in results.items()}
        for key, (_, results, _, _) in found.items()}
    report.data["copies"] = {"%s, %s" % key: copies
                             for key, (_, _, _, copies) in found.items()}
