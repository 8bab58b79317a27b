# SPDX-License-Identifier: GPL-2.0-or-later
"""The same jobs by our programs, by others, and by a loop that only reads,
compresses and writes (bare.c)."""
import os
import subprocess
import sys

from context import Job

NAME = "compare"
TITLE = "The same job by all"
PART = 32 << 20
# Codec, options, the level of them, the archive, how much of it (0: all).
PACK = (("lz4", (), None, "debian", 0),
        ("zstd", ("-X", "level=1"), 1, "debian", 0),
        ("gzip", ("-X", "level=1"), 1, "small", PART),
        ("gzip", ("-X", "level=5"), 5, "small", PART),
        ("gzip", (), 9, "small", PART),
        ("zstd", (), 15, "small", PART),
        ("xz", (), 6, "small", PART),
        ("lz4", (), None, "many_small_400k", 0))
LEVELS = {"lz4": None, "gzip": 9, "zstd": 15, "xz": 6}
# The same for reading, and what is done.
READ = (("lz4", (), "debian", 0, ("tar", "unpack", "list")),
        ("zstd", ("-X", "level=1"), "debian", 0, ("tar", "unpack")),
        ("gzip", (), "small", PART, ("tar",)),
        ("xz", (), "small", PART, ("tar",)),
        ("lz4", (), "many_small_400k", 0, ("tar", "list")))
HERE = os.path.dirname(os.path.abspath(__file__))


def show(report, title, found):
    """A table of what each took, and that in parts of ours."""
    ours, rows = found["sqfskit"], []
    for name, r in found.items():
        parts = ["%.2f" % (r.mean(w) / ours.mean(w))
                 if r.mean(w) and ours.mean(w) else "" for w in ("wall",
                                                                 "cpu")]
        rows.append([name, r.cell("wall"), parts[0], r.cell("cpu"), parts[1],
                     r.cell("main"), r.cell("rss", "%.0f", 1 / 1024),
                     "%.1f" % (r.size / 1e6) if r.size and not r.word else ""])
    report.text("**%s**" % title)
    report.table(["", "wall s", "of ours", "CPU s", "of ours",
                  "main thread s", "memory MiB", "output MB"], rows)
    report.data[title] = {n: r.data() for n, r in found.items()}


def bare(ctx, codec, level, archive, options):
    """The bare loop, with the very blocks that we compress; or None."""
    tool, plain = ctx.ours("tests/bench/bare"), ctx.at("plain")
    if not os.path.exists(tool) or codec not in LEVELS:
        return None
    made = ctx.pack(codec, ctx.cores, archive, plain, *options,
                    "--no-compression=all")
    made.output = None
    ctx.once(made)
    with open(ctx.at("blocks"), "w") as out:
        subprocess.run([sys.executable, os.path.join(HERE, "blocks.py"),
                        plain], stdout=out, check=True)
    # Our gzip 9 is libdeflate's 8: doc/codecs.md.
    level = 8 if (codec, level) == ("gzip", 9) else level
    levels = ["-l", str(level)] if level else []
    return Job([tool, "-c", codec, "-j", str(ctx.cores), *levels, "-L",
                ctx.at("blocks"), plain, ctx.at("image")],
               output=ctx.at("image"), reads=[plain])


def pack(ctx, report, codec, options, level, archive, name):
    how = codec, ctx.cores, archive, ctx.at("image")
    # sqfstar 4.5.1 takes the level for the name of the image.
    star = None if options else ctx.star_pack(*how)
    found = ctx.paired({
        "sqfskit": ctx.pack(*how, *options),
        "ng": ctx.peer_pack(*how, *options),
        "sqfstar": star,
        "bare loop": bare(ctx, codec, level, archive, options)})
    show(report, "%s: packed by %s%s" % (
        name, codec, " " + str(level) if level else ""), found)


def everything():
    """Options to unpack with all attributes, which takes root."""
    return ["-X", "-T", "-C", "-O"] if os.geteuid() == 0 else ["-T"]


def to_tar(ctx, image):
    tar, ng = ctx.at("out.tar"), ctx.peer("sqfs2tar")
    return {
        "sqfskit": Job([ctx.ours("sqfs2tar"), "-j", str(ctx.cores), image],
                       stdout=tar, output=tar, reads=[image]),
        "ng": ng and Job([ng, image], stdout=tar, output=tar, peer=True)}


def unpack(ctx, image):
    tree, ng, un = ctx.at("tree"), ctx.peer("rdsquashfs"), ctx.peer(
        "unsquashfs")
    words = ["-q", *everything(), "-u", "/", "-p", tree, image]
    return {
        "sqfskit": Job([ctx.ours("rdsquashfs"), "-j", str(ctx.cores),
                        *words], output=tree, reads=[image]),
        "ng": ng and Job([ng, *words], output=tree, peer=True,
                         prepare=lambda: os.mkdir(tree)),
        "unsquashfs": un and Job([un, "-q", "-n", "-p", str(ctx.cores), "-d",
                                  tree, image], output=tree, peer=True)}


def listing(ctx, image):
    ng, un = ctx.peer("rdsquashfs"), ctx.peer("unsquashfs")
    return {
        "sqfskit": Job([ctx.ours("rdsquashfs"), "-d", image], reads=[image]),
        "ng": ng and Job([ng, "-d", image], peer=True),
        "unsquashfs": un and Job([un, "-lls", image], peer=True)}


DONE = {"tar": ("to tar", to_tar), "unpack": ("unpacked", unpack),
        "list": ("listed", listing)}


def read(ctx, report, codec, options, archive, name, what=tuple(DONE)):
    image = ctx.at("source")
    made = ctx.pack(codec, ctx.cores, archive, image, *options)
    made.output = None
    ctx.once(made)
    for title, jobs in (DONE[w] for w in what):
        show(report, "%s, %s: %s" % (name, codec, title),
             ctx.paired(jobs(ctx, image)))


def tree(ctx, report, archive, name):
    """A directory is packed."""
    folder, image, jobs = ctx.at("tree"), ctx.at("image"), str(ctx.cores)
    made = ctx.pack("lz4", ctx.cores, archive, image)
    made.output = None
    ctx.once(made)
    ctx.once(Job([ctx.ours("rdsquashfs"), "-q", *everything(), "-u", "/",
                  "-p", folder, image]))
    ng, mk = ctx.peer("gensquashfs"), ctx.peer("mksquashfs")
    words = ["-q", "-f", "-c", "lz4", "-j", jobs, "-k", "-x", "-D", folder,
             image]
    show(report, "%s: a directory packed by lz4" % name, ctx.paired({
        "sqfskit": Job([ctx.ours("gensquashfs"), *words], output=image,
                       reads=[folder]),
        "ng": ng and Job([ng, *words], output=image, peer=True),
        "mksquashfs": mk and Job([mk, folder, image, "-comp", "lz4", "-quiet",
                                  "-no-progress", "-processors", jobs],
                                 output=image, peer=True)}))


def part(ctx, source, size):
    return ctx.cut(source, size) if size else ctx.input(source)


def own(ctx, report):
    """Archives that were named, in place of those of the corpus."""
    for path in ctx.tars:
        name = os.path.basename(path)
        for codec in ctx.with_codecs:
            pack(ctx, report, codec, (), LEVELS.get(codec), path, name)
            read(ctx, report, codec, (), path, name)


def run(ctx, report):
    report.text("""With as many workers as cores. *ng* is of
        squashfs-tools-ng; *sqfstar*, *mksquashfs* and *unsquashfs* are
        squashfs-tools. The *bare loop* (`tests/bench/bare.c`) takes the same
        blocks that we compress, out of one file: each thread reads the next
        one, compresses and writes it. What we take beyond it is what all the
        rest costs. Of `small` the first 32 MB are taken. Where this is not
        done by root, unpacking restores times only.""")
    if ctx.tars:
        own(ctx, report)
        return
    there = ctx.codecs(LEVELS)
    for codec, options, level, source, size in PACK:
        if codec in there:
            pack(ctx, report, codec, options, level,
                 part(ctx, source, size), source)
    if "lz4" in there:
        tree(ctx, report, ctx.input("debian"), "debian")
    for codec, options, source, size, what in READ:
        if codec in there:
            read(ctx, report, codec, options, part(ctx, source, size), source,
                 what)
