# SPDX-License-Identifier: GPL-2.0-or-later
"""An archive of an image against an archive of the same tree."""
import os
import re
import subprocess
import tempfile

import accounts
import context
import preload

NAME = "tarout"
TITLE = "Tar out"
TREES = (("small_files_23k", "many small"), ("large_files_1k", "few large"))
CODECS = {"lz4": (), "zstd": ("-X", "level=1")}
DROP = "/proc/sys/vm/drop_caches"


def in_memory(path):
    """The file system of a folder is one that has no disk."""
    best, kind = "", ""
    with open("/proc/mounts", encoding="utf-8") as f:
        for line in f:
            _, where, what = line.split()[:3]
            if (os.path.realpath(path) + "/").startswith(
                    where.rstrip("/") + "/") and len(where) >= len(best):
                best, kind = where, what
    return kind in ("tmpfs", "ramfs")


def files_below(path):
    if os.path.isfile(path):
        yield path
    for folder, _, names in os.walk(path):
        for name in names:
            yield os.path.join(folder, name)


class Cache:
    """Takes what is read out of the page cache, in one of two ways."""

    def __init__(self, may_drop_all):
        self.all = may_drop_all and os.access(DROP, os.W_OK)

    def way(self):
        return ("all caches of the system are dropped, directories and inodes "
                "included (`%s`)" % DROP if self.all else
                "the pages of all files are dropped (`posix_fadvise`), "
                "directories and inodes remain")

    def drop(self, path):
        if self.all:
            try:
                with open(DROP, "w", encoding="ascii") as f:
                    f.write("3")
                return
            except OSError:
                self.all = False
        for name in files_below(path):
            with open(name, "rb") as f:
                os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def makers(ctx, tree, images, out):
    """What makes an archive: {name: (command, what it reads, peer)}. All
    write to a file: tar reads nothing where the archive goes to
    /dev/null."""
    found = {}
    for codec, image in images.items():
        found["sqfs2tar, " + codec] = (
            [ctx.ours("sqfs2tar"), "-q", image], image, False)
        if ctx.peer("sqfs2tar"):
            found["ng sqfs2tar, " + codec] = (
                [ctx.peer("sqfs2tar"), image], image, True)
    for name in ("tar", "bsdtar"):
        if ctx.peer(name):
            found[name] = ([ctx.peer(name), "-C", tree, "-cf", "-", "."],
                           tree, True)
    return found


def calls(ctx, command, out):
    """The system calls of a command, all threads together, or None."""
    strace = ctx.peer("strace")
    if not strace:
        return None
    report = ctx.at("strace")
    with open(out, "wb") as f:
        done = subprocess.run([strace, "-f", "-c", "-o", report, *command],
                              stdin=subprocess.DEVNULL, stdout=f,
                              stderr=subprocess.DEVNULL, check=False)
    with open(report, encoding="utf-8") as f:
        rows = re.findall(r"^ *[\d.]+ +[\d.]+ +\d+ +(\d+) (?: *\d+)? *(\w+)$",
                          f.read(), re.M)
    os.unlink(report)
    if done.returncode or not rows:
        return None
    counts = {name: int(n) for n, name in rows if name != "total"}
    return sum(counts.values()), sorted(
        counts.items(), key=lambda pair: -pair[1])[:4]


def moved(command, out):
    """Bytes that a command read and wrote by system calls, or None."""
    with open(out, "wb") as f, \
            subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=f,
                             stderr=subprocess.DEVNULL) as tool:
        # Until it is waited for, the system still tells.
        os.waitid(os.P_PID, tool.pid, os.WEXITED | os.WNOWAIT)
        try:
            with open("/proc/%d/io" % tool.pid, encoding="ascii") as told:
                rows = dict(line.split(": ") for line in told)
        except (OSError, ValueError):
            return None
    return int(rows["rchar"]), int(rows["wchar"])


class Tree:
    """A tree on disk and in images, and what makes an archive of it."""

    def __init__(self, ctx, name, folder):
        self.ctx, self.out = ctx, ctx.at("out.tar")
        self.archive = ctx.input(name)
        self.tree = os.path.join(folder, name)
        os.makedirs(self.tree)
        context.do(["tar", "-C", self.tree, "-xf", self.archive])
        self.images = {}
        for codec, more in CODECS.items():
            image = "%s.%s" % (self.tree, codec)
            context.do(ctx.pack(codec, ctx.cores, self.archive, image,
                                *more).command)
            self.images[codec] = image
        os.sync()
        sizes = [os.path.getsize(p) for p in files_below(self.tree)]
        self.files, self.content = len(sizes), sum(sizes)
        self.entries = sum(len(folders) + len(names) for _, folders, names
                           in os.walk(self.tree)) + 1
        self.makers = makers(ctx, self.tree, self.images, self.out)

    def timed(self, cache):
        """Paired runs, the caches warm, or emptied before each."""
        jobs = {}
        for name, (command, source, peer) in self.makers.items():
            prepare = None
            if cache:
                def prepare(path=source):
                    cache.drop(path)
            jobs[name] = context.Job(
                command, stdout=self.out, output=self.out, peer=peer,
                reads=[] if cache else [source], prepare=prepare)
        return self.ctx.paired(jobs)

    def told(self):
        """{name: what else there is to know}; a None is not known.

        calls, most     system calls by entry; how often each was made
        moved           bytes read and written, by byte of content
        copied, own     bytes copied in memory, seen from outside and by
                        our own account, likewise
        """
        found, copies = {}, preload.Copies(self.ctx)
        for name, (command, _, peer) in self.makers.items():
            counts = calls(self.ctx, command, self.out)
            bytes_ = moved(command, self.out)
            own = None if peer else accounts.counted(command, self.out)
            seen = copies.count(command, stdout=self.out)
            found[name] = {
                "calls": counts and counts[0] / self.entries,
                "most": counts and counts[1],
                "moved": bytes_ and [n / self.content for n in bytes_],
                "copied": seen and seen / self.content,
                "own": own and own["copied_bytes"] / self.content}
            context.remove(self.out)
        return found


def number(value, form="%.2f"):
    return "?" if value is None else form % value


def most(entries, counts):
    return "?" if counts is None else ", ".join(
        "%s %.2f" % (name, n / entries) for name, n in counts)


def measure(ctx, report, tree, label, cache):
    warm = tree.timed(None)
    cold = tree.timed(cache) if cache else {}
    told = tree.told()
    report.text("**%s**: %d files, %d entries, %.0f MB" % (
        label, tree.files, tree.entries, tree.content / 1e6))
    rows = []
    for name, r in warm.items():
        other = cold.get(name)
        t = told[name]
        moved_ = t["moved"] or [None, None]
        rows.append([name, r.cell("wall"), r.cell("cpu"),
                     other.cell("wall") if other else "",
                     other.cell("cpu") if other else "",
                     number(t["calls"]), *map(number, moved_),
                     number(t["copied"], "%.3f"),
                     number(t["own"], "%.3f") if t["own"] is not None else "",
                     mib(r.size)])
    report.table(["", "warm: wall s", "CPU s", "cold: wall s", "CPU s",
                  "system calls by entry", "bytes read", "written",
                  "copied: seen", "counted", "archive MiB"], rows)
    report.text("The most frequent system calls, by entry:")
    report.table(["", "calls"], [[name, most(tree.entries, t["most"])]
                                 for name, t in told.items()])
    report.data[label] = {
        "files": tree.files, "entries": tree.entries,
        "content": tree.content, "told": told,
        "warm": {name: r.data() for name, r in warm.items()},
        "cold": {name: r.data() for name, r in cold.items()}}
    return warm, cold


def mib(size):
    return "?" if size is None else "%.1f" % (size / (1 << 20))


def bars(report, found):
    """Wall time: a group of bars for each tree and state of the cache."""
    names = list(dict.fromkeys(name for results in found for name in results))
    width = 0.8 / len(names)
    series = {name: [
        (group + width * (k - (len(names) - 1) / 2), results[name].mean("wall"))
        for group, results in enumerate(found)
        if name in results and results[name].mean("wall") is not None]
        for k, name in enumerate(names)}
    labels = ", ".join('"%s\\n%s" %d' % (label, state, i)
                       for i, (label, state) in enumerate(
                           (label, state) for _, label in TREES
                           for state in ("warm", "cold")))
    report.plot("tarout", "An archive of a tree", "", "wall s", series,
                style="boxes", extra=[
                    "set key above", "set bmargin 4",
                    "set xtics (%s)" % labels,
                    "set xrange [-0.5:3.5]",
                    "set yrange [0:]", "set style fill solid 0.6",
                    "set boxwidth %.3f" % (width * 0.9)])


def run(ctx, report):
    cache = Cache(not ctx.quick)
    with tempfile.TemporaryDirectory(prefix="tarout-", dir=ctx.out) as folder:
        on_disk = not in_memory(folder)
        report.text("""An archive of a tree that is in an image, by
            `sqfs2tar`, against an archive of the same tree unpacked, by `tar`
            and `bsdtar`. Archives go to a file in memory. Bytes are by
            byte of the files' content: read and written by system calls
            (`/proc/PID/io`; what went from file to file within the
            kernel is in it, too), and copied in the program's memory: *seen*
            is what goes through the C library's functions, those of a
            compressor included (`tests/bench/copies.c`), *counted* what our own
            code counts (`--stats=json`). System calls are those that `strace -f
            -c` counts.""")
        if on_disk:
            report.text("Before a cold run %s." % cache.way())
        else:
            report.text("The trees are not on a disk, but in memory: there "
                        "are no cold runs.")
        found = []
        for name, label in TREES:
            tree = Tree(ctx, name, folder)
            found += measure(ctx, report, tree, label,
                             cache if on_disk else None)
        bars(report, found)
