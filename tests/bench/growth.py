# SPDX-License-Identifier: GPL-2.0-or-later
"""How cost grows with the number of entries, in inputs of several shapes."""
import math
import os
import random

import tarstream

NAME = "growth"
TITLE = "Growth"
SIZES = (10000, 30000, 100000, 300000, 1000000)
CODECS = ("lz4", "zstd", "gzip", "lzo", "xz")  # the first that is there
QUICK = (100, 300, 1000)
ONCE = 100000
TARGET = 1.05
POOL = random.Random(5).randbytes(1 << 16)


def small_files(tar, i):
    tar.file("d%04d/e%02d/f%07d" % (i // 5000, i // 50 % 100, i),
             b"file number %d\n" % i * 20)


def same_size(tar, i):
    """Two blocks of 4 KiB, none like another."""
    at = i * 31 % (len(POOL) - 8000)
    tar.file("d%d/f%d" % (i // 1000, i),
             b"%0192d" % i + POOL[at:at + 3904] + b"%0192d" % i +
             POOL[at + 4000:at + 7904])


def one_directory(tar, i):
    tar.file("dir/n%07d" % (i * 7919 % 1000003))


def directories(tar, i):
    words = [str(i // 10000), str(i // 100 % 100), str(i % 100)]
    tar.directory("/".join(words))


def hard_links(tar, i):
    if i % 10 == 0:
        tar.file("d%d/f%d" % (i // 1000, i), b"file %d\n" % i)
    else:
        tar.hard_link("d%d/f%d" % (i // 1000, i),
                      "d%d/f%d" % (i // 1000, i // 10 * 10))


def attributes(tar, i):
    tar.file("d%d/f%d" % (i // 1000, i), xattrs=[
        ("user.number", b"%d" % i), ("user.group", b"%d" % (i // 100)),
        ("user.kind", b"file")])


class Shape:
    """Inputs whose entry i is written by add, up to most entries."""

    def __init__(self, name, about, add, most=SIZES[-1], block=131072):
        self.name, self.about, self.add = name, about, add
        self.most, self.block = most, str(block)


SHAPES = (
    Shape("small files", "files of some hundred bytes, 50 in a directory",
          small_files),
    Shape("same size", "files of 8 KiB, all different, blocks of 4 KiB: any "
          "two could be duplicates", same_size, 300000, 4096),
    Shape("one directory", "empty files in one directory, in no order",
          one_directory),
    Shape("directories", "empty directories, three levels deep", directories),
    Shape("hard links", "one file in ten, the rest links to it", hard_links),
    Shape("attributes", "empty files with three extended attributes, one of "
          "them different each time", attributes))


def whole(ctx, shape, sizes):
    """Writes the largest archive. Returns its path, and how many bytes of it
    are the first SIZE entries: {SIZE: bytes}."""
    path, ends = ctx.at("growth.tar"), {}
    with open(path, "wb", buffering=1 << 20) as out:
        tar = tarstream.Writer(out)
        for i in range(sizes[-1]):
            if i in sizes:
                ends[i] = tar.size
            shape.add(tar, i)
        ends[sizes[-1]] = tar.size
        tar.end()
    return path, ends


def beginning(source, path, size):
    """Copies the first size bytes of an archive, and ends them."""
    with open(source, "rb") as f, open(path, "wb") as out:
        left = size
        while left:
            left -= out.write(f.read(min(left, 1 << 20)))
        out.write(bytes(1024))


def exponent(points):
    """The slope of the line that fits best to points, both axes being
    logarithmic; None for less than two."""
    points = [(math.log(x), math.log(y)) for x, y in points if y]
    if len(points) < 2:
        return None
    mx = sum(x for x, _ in points) / len(points)
    my = sum(y for _, y in points) / len(points)
    return (sum((x - mx) * (y - my) for x, y in points) /
            sum((x - mx) ** 2 for x, _ in points))


def expected(seen, x):
    """What follows at x if it goes on as from the last but one of the points
    seen to the last, or linearly if that was less."""
    last, y = seen[-1]
    slope = exponent(seen[-2:]) or 1
    return y * (x / last) ** max(slope, 1)


def number(value):
    return "?" if value is None else "%.2f" % value


def commands(ctx, shape, archive, skip):
    codec, = ctx.codecs(CODECS)[:1]
    how = codec, ctx.cores, archive, ctx.at("image"), "-b", shape.block
    jobs = {"sqfskit": ctx.pack(*how), "ng": ctx.peer_pack(*how),
            "sqfstar": ctx.star_pack(*how)}
    return {n: j for n, j in jobs.items() if n not in skip}


def grow(ctx, shape, sizes):
    """{tool: [(size, Result), ...]}. A tool of others is not asked again
    after it was over its time, or where it would be, going by its growth so
    far. Large inputs are packed once: what they take outweighs what
    disturbs."""
    path, ends = whole(ctx, shape, sizes)
    found, skip = {}, set()
    for size, more in zip(sizes, [*sizes[1:], 0]):
        archive = path
        if size != sizes[-1]:
            archive = ctx.at("growth-%d.tar" % size)
            beginning(path, archive, ends[size])
        for name, r in ctx.paired(commands(ctx, shape, archive, skip),
                                  1 if size > ONCE else None).items():
            found.setdefault(name, []).append((size, r))
            if r.word or name != "sqfskit" and expected(
                    points(found, name, "wall"), more) > ctx.limit:
                skip.add(name)
        os.unlink(archive)
    return found


def points(found, name, what, scale=1.0):
    return [(size, r.mean(what) * scale) for size, r in found[name]
            if r.mean(what)]


def show(report, shape, found):
    """The table of a shape; returns the exponents {(tool, figure): e}."""
    sizes = [size for size, _ in found["sqfskit"]]
    rows = []
    for size in sizes:
        row = ["{:,}".format(size)]
        for name in found:
            r = dict(found[name]).get(size)
            row += [r.cell("cpu"), r.cell("rss", "%.0f", 1 / 1024)
                    ] if r else ["not asked"] * 2
        rows.append(row)
    fits = {(name, what): exponent(points(found, name, what))
            for name in found for what in ("cpu", "rss")}
    rows.append(["exponent"] + [number(e) for e in fits.values()])
    report.text("**%s**: %s." % (shape.name, shape.about))
    report.table(["entries"] + [name + unit for name in found
                                for unit in (", CPU s", ", MiB")], rows)
    file = "growth-" + shape.name.replace(" ", "-")
    for what, unit, scale in (("cpu", "CPU seconds", 1),
                              ("rss", "peak memory, MiB", 1 / 1024)):
        report.plot("%s-%s" % (file, what), shape.name, "entries", unit,
                    {n: points(found, n, what, scale) for n in found}, "xy")
    report.data[shape.name] = {n: {str(size): r.data() for size, r in v}
                               for n, v in found.items()}
    return fits


def run(ctx, report):
    report.text("""`tar2sqfs` packs archives of more and more entries with
        a fast codec and as many workers as cores; *sqfstar* is that of
        squashfs-tools.
        The exponent is that of the power of the number of entries that fits
        CPU time, and peak memory, best (least squares of logarithms); 1 is
        linear, and at most %.2f is the target. Another's program is not asked
        about a size that would take it over its time.""" % TARGET)
    rows = []
    for shape in SHAPES:
        sizes = QUICK if ctx.quick else [s for s in SIZES if s <= shape.most]
        found = grow(ctx, shape, sizes)
        fits = show(report, shape, found)
        cpu, rss = fits["sqfskit", "cpu"], fits["sqfskit", "rss"]
        own = exponent(points(found, "sqfskit", "user"))
        rows.append([shape.name, number(cpu), number(own), number(rss),
                     "met" if max(cpu or 9, rss or 9) <= TARGET
                     else "missed"])
    report.text("""The exponents of sqfskit, also of the CPU time without the
        kernel's: a small archive comes out of the processor's cache, a large
        one does not, and the copy of the same bytes takes up to five times
        as long.""")
    report.table(["", "CPU", "outside the kernel", "memory", "target"], rows)
