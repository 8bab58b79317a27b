# SPDX-License-Identifier: GPL-2.0-or-later
"""What holes save, by the size of the zeros that become one, and what looking
for them costs while unpacking."""
import os

import context

NAME = "holes"
TITLE = "Holes"
CODEC = "lz4"
GRAIN = 4096
UNITS = [GRAIN << k for k in range(13)]
BLOCK_MAX = 1 << 20
JOBS = (1, 2, 4, 8)


def size_text(size):
    return "%dM" % (size >> 20) if size >> 20 else "%dK" % (size >> 10)


def mib(size):
    return "?" if size is None else "%.1f" % (size / (1 << 20))


def zero_map(path):
    """A byte for each 4 KiB of a file: 1 where all of them are zero."""
    with open(path, "rb") as f:
        fd, size = f.fileno(), os.fstat(f.fileno()).st_size
        out = bytearray(b"\1") * (size // GRAIN)
        at = 0
        while at < size:
            try:
                at = os.lseek(fd, at, os.SEEK_DATA)
            except OSError:
                break
            end = os.lseek(fd, at, os.SEEK_HOLE)
            for offset in range(at, min(end, len(out) * GRAIN), GRAIN):
                out[offset // GRAIN] = os.pread(fd, GRAIN,
                                                offset) == bytes(GRAIN)
            at = end
    return bytes(out)


def zeros_in_units(zero, unit):
    """Bytes in units, at multiples of their size, that are all zero."""
    n = unit // GRAIN
    full = b"\1" * n
    return unit * sum(zero[i:i + n] == full
                      for i in range(0, len(zero) - n + 1, n))


def largest(folder):
    """The largest file below a folder."""
    paths = [os.path.join(where, name) for where, _, names in
             os.walk(folder) for name in names]
    return max(paths, key=os.path.getsize)


def holes_of(path):
    """Bytes of a file that take no place."""
    status = os.stat(path)
    return status.st_size - 512 * status.st_blocks


class Bench:
    """One archive, and our ways to make a file of it again."""

    def __init__(self, ctx, archive):
        self.ctx, self.archive = ctx, archive
        self.image, self.out = ctx.at("image"), ctx.at("unpacked")

    def pack(self, block):
        image = "%s-%d" % (self.image, block)
        if not os.path.exists(image):
            context.do(self.ctx.pack(CODEC, self.ctx.cores, self.archive,
                                      image, "-b", str(block)).command)
        return image

    def job(self, jobs, image, *more):
        return context.Job(
            [self.ctx.ours("rdsquashfs"), "-q", "-j", str(jobs), *more, "-u",
             "/", "-p", self.out, image], output=self.out, reads=[image])

    def unpacked(self, image, *more):
        """Bytes of holes of what the image is unpacked to."""
        context.remove(self.out)
        context.do(self.job(self.ctx.cores, image, *more).command)
        return holes_of(largest(self.out))

    def archived(self, image, unit):
        """Bytes that the archive of the image is shorter than its file."""
        path = self.ctx.at("again.tar")
        with open(path, "wb") as out:
            context.do([self.ctx.ours("sqfs2tar"), "-q", "--sparse",
                         str(unit), image], stdout=out)
        size = os.path.getsize(path)
        os.unlink(path)
        return size


def savings(bench, report, title):
    """The table and plot of bytes by size of unit."""
    image = bench.pack(131072)
    bench.unpacked(image, "--sparse", str(GRAIN))
    path = largest(bench.out)
    size, zero = os.path.getsize(path), zero_map(path)
    full = bench.archived(image, 0)
    rows, series = [], {"possible": [], "image, -b": [],
                        "rdsquashfs --sparse": [], "sqfs2tar --sparse": []}
    for unit in UNITS:
        found = {"possible": zeros_in_units(zero, unit)}
        stored = None
        if unit <= BLOCK_MAX:
            other = bench.pack(unit)
            stored = os.path.getsize(other)
            found["image, -b"] = bench.unpacked(other, "--sparse", "0")
            found["rdsquashfs --sparse"] = bench.unpacked(
                image, "--sparse", str(unit))
        found["sqfs2tar --sparse"] = full - bench.archived(image, unit)
        for what, saved in found.items():
            series[what].append((unit >> 10, saved / (1 << 20)))
        rows.append([size_text(unit), *(mib(found.get(w)).replace("?", "")
                                        for w in series),
                     mib(stored).replace("?", "")])
    report.table(["unit", *(w + ", MiB" for w in series), "image, MiB"], rows)
    most = zeros_in_units(zero, GRAIN)
    report.plot("holes", "Zeros that are not left out, %s of %s MiB" % (
        title, mib(size)), "unit", "MiB", {
            what: [(x, most / (1 << 20) - y) for x, y in points]
            for what, points in series.items()}, log="x", extra=[
                "set key below", "set xtics (%s)" % ", ".join(
                    '"%s" %d' % (size_text(unit), unit >> 10)
                    for unit in UNITS[::2])])
    report.data["saved"] = series
    report.data["size"] = size


def times(bench, report, name, archive):
    """Unpacking with and without a look for holes."""
    ctx, many = bench.ctx, Bench(bench.ctx, archive)
    many.image = ctx.at("image-" + name)
    image = many.pack(131072)
    ways = {"default: --sparse 4K": (), "--sparse 0": ("--sparse", "0"),
            "-Z": ("-Z",)}
    found = ctx.paired({**{(way, j): many.job(j, image, *more)
                           for way, more in ways.items() for j in JOBS},
                        **peers(ctx, image, many.out)})
    rows = []
    for way in dict.fromkeys(way for way, _ in found):
        row = [way]
        for j in JOBS:
            r = found.get((way, j))
            row += [r.cell("wall"), r.cell("cpu")] if r else ["", ""]
        rows.append(row)
    report.text("**%s**" % name)
    report.table(["", *("-j %d: %s" % (j, what) for j in JOBS
                        for what in ("wall s", "CPU s"))], rows)
    report.data[name] = {"%s, %d" % k: r.data() for k, r in found.items()}
    return {"%s, %s" % (name, way): [
        (j, found[way, j].mean("wall")) for j in JOBS] for way in ways}


def peers(ctx, image, out):
    """Jobs of others; the one without threads stands below -j 1."""
    ng, unsquashfs = ctx.peer("rdsquashfs"), ctx.peer("unsquashfs")
    jobs = {}
    if ng:
        jobs["ng rdsquashfs", 1] = context.Job(
            [ng, "-q", "-u", "/", "-p", out, image], output=out, peer=True)
    if unsquashfs:
        for j in JOBS:
            jobs["unsquashfs", j] = context.Job(
                [unsquashfs, "-q", "-n", "-p", str(j), "-d", out, image],
                output=out, peer=True)
    return jobs


def run(ctx, report):
    report.text("""`disk_image` is a file of 4 GiB, an ext4 file system that
        `mkfs.ext4 -d` made of a root file system of 170 MB. What is zero in it
        can be left out in units of some size, at multiples of that size.
        *Possible* are the zeros that fill such units; what is counted beside it
        are the holes of the image packed with blocks of that size, of the file
        that `rdsquashfs` unpacks from an image with blocks of 128K, and what
        the archive of `sqfs2tar` is shorter by (its map of holes
        included). Blocks, and the units of `rdsquashfs`, end at 1M.""")
    bench = Bench(ctx, ctx.input("disk_image"))
    savings(bench, report, "a disk image")
    report.text("""Unpacking, blocks of 128K, to memory. `--sparse 0`
        makes holes only of what the image calls one, the default also of zeros
        within its blocks; `-Z` writes all zeros. `random_large` has no zeros,
        so that looking for them is in vain; what it stored as it is goes
        to the file within the kernel if nobody looks.""")
    series = {}
    for name in ("disk_image", "random_large"):
        series.update(times(bench, report, name, ctx.input(name)))
    report.plot("holes-unpack", "Unpacking with and without holes",
                "workers (-j)", "wall s", series,
                extra=["set yrange [0:]", "set logscale x 2",
                       "set key below"])
