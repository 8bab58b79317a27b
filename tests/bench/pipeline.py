# SPDX-License-Identifier: GPL-2.0-or-later
"""An image to tar to an image again, each program at its end of a pipe."""
from context import Job

NAME = "pipeline"
TITLE = "Pipeline"
CODECS = ("gzip", "lz4", "zstd", "xz")
PART = 24 << 20


def pair(ctx, unpack, pack, source, codec, peer):
    """A job of sqfs2tar and tar2sqfs, or None if one of them is not there."""
    image = ctx.at("image")
    return unpack and pack and Job(
        [[unpack, source], [pack, "-q", "-f", "-c", codec, "-j",
                            str(ctx.cores), image]],
        output=image, reads=[source], peer=peer)


def sources(ctx, codec):
    """Images of codec: {whole: path}."""
    out = {}
    for whole in (True, False):
        archive = ctx.input("small") if whole else ctx.cut("small", PART)
        out[whole] = ctx.at("%s.%s" % (codec, "all" if whole else "part"))
        job = ctx.pack(codec, ctx.cores, archive, out[whole])
        job.output = None
        ctx.once(job)
    return out


def show(found, what):
    """Cells of ours, of the others', and ours in parts of theirs."""
    ours, ng = found["sqfskit"], found.get("ng")
    theirs = ng and ng.mean(what)
    return [ours.cell(what), ng.cell(what) if ng else "not there",
            "%.2f" % (ours.mean(what) / theirs) if theirs else ""]


def run(ctx, report):
    report.text("""`sqfs2tar A | tar2sqfs B` for each pair of codecs, both
        programs with as many workers as cores, against the same pipeline of
        squashfs-tools-ng; CPU of both ends. A is an image of `small`, 170 MB,
        where B is lz4, and of its first 24 MB where B takes longer; all are
        made by our `tar2sqfs`.""")
    rows, bars, names = [], {"sqfskit": [], "ng": []}, []
    for one in ctx.codecs(CODECS):
        images = sources(ctx, one)
        for two in ctx.codecs(CODECS):
            image = images[two == "lz4"]
            found = ctx.paired({
                "sqfskit": pair(ctx, ctx.ours("sqfs2tar"),
                                ctx.ours("tar2sqfs"), image, two, False),
                "ng": pair(ctx, ctx.peer("sqfs2tar"), ctx.peer("tar2sqfs"),
                           image, two, True)})
            name = "%s to %s" % (one, two)
            rows.append([name, *show(found, "wall"), *show(found, "cpu")])
            report.data[name] = {n: r.data() for n, r in found.items()}
            for n, r in found.items():
                if not r.word:
                    shift = -0.2 if n == "sqfskit" else 0.2
                    bars[n].append((len(names) + shift, r.mean("wall")))
            names.append(name)
    report.table(["", "wall s", "ng", "ratio", "CPU s", "ng", "ratio"], rows)
    report.plot("pipeline", "sqfs2tar A | tar2sqfs B, %d cores" % ctx.cores,
                "", "wall seconds", bars, style="boxes", extra=[
                    "set boxwidth 0.4", "set style fill solid 0.7",
                    "set yrange [0:]", "set xtics rotate by -45 (%s)" %
                    ", ".join('"%s" %d' % (n, i)
                              for i, n in enumerate(names))])
