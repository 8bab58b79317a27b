# SPDX-License-Identifier: GPL-2.0-or-later
"""How packing gets faster with more workers, and what bounds it."""

NAME = "scaling"
TITLE = "Scaling"
MANY = 64
TARGET = 1.05
# Codec, its options, the archive, and how much of it for each core (0: all).
CODECS = (("lz4", (), "debian", 0),
          ("zstd", ("-X", "level=1"), "debian", 0),
          ("gzip", (), "small", 8 << 20),
          ("zstd", (), "small", 8 << 20),
          ("lzo", (), "small", 8 << 20),
          ("xz", (), "small", 8 << 20))
VARIATIONS = (("--no-tail-packing", ("--no-tail-packing",)),
              ("--no-fragments", ("--no-fragments",)),
              ("-b 4K", ("-b", "4096")), ("-b 1M", ("-b", "1048576")))


def counts(cores):
    """1 to twice the cores: each up to 8, then some."""
    most = 2 * cores
    return sorted({*range(1, min(most, 8) + 1), cores, most,
                   *(1 << k for k in range(most.bit_length()))})


def label(codec, options):
    return codec + "".join(" " + o.split("=")[-1] for o in options[1:])


def scale(ctx, name, codec, options, archive):
    """Runs one codec with every number of workers; {number: Result}, where
    "serial" is the build without threads and "ng" another's packer."""
    image = ctx.at("image")
    jobs = {j: ctx.pack(codec, j, archive, image, *options)
            for j in [0, *counts(ctx.cores), MANY]}
    if ctx.serial:
        jobs["serial"] = ctx.pack(codec, 0, archive, image, *options)
        jobs["serial"].command[0] = ctx.serial + "/tar2sqfs"
    for j in {1, ctx.cores}:
        jobs["ng", j] = ctx.peer_pack(codec, j, archive, image, *options)
    return ctx.paired(jobs)


def table(ctx, report, name, found):
    base = found.get("serial", found[0]).mean("wall")
    one = found[1].mean("wall")
    rows = []
    for key, r in found.items():
        wall = r.mean("wall")
        number = key if isinstance(key, int) else 0
        ratios = ["", "", "", ""]
        if number:
            ratios = ["%.2f" % x for x in (
                base / wall, base / wall / number, one / wall,
                one / wall / number)]
        title = "serial build" if key == "serial" else "-j %s" % (key,)
        if isinstance(key, tuple):
            title = "%s, -j %d" % key
        rows.append([title, r.cell("wall"), r.cell("cpu"), r.cell("main"),
                     *ratios])
    report.text("**%s**" % name)
    report.table(["", "wall s", "CPU s", "main thread s",
                  "absolute speed-up", "efficiency", "relative speed-up",
                  "efficiency"], rows)
    report.data[name] = {str(k): r.data() for k, r in found.items()}
    return [(j, base / found[j].mean("wall")) for j in counts(ctx.cores)]


def vary(ctx, report, name, codec, options, archive, found):
    """The variations beside what was found as is."""
    image, two = ctx.at("image"), (1, ctx.cores)
    jobs = {(what, j): ctx.pack(codec, j, archive, image, *options, *more)
            for what, more in VARIATIONS for j in two}
    more = ctx.paired(jobs, (ctx.runs + 1) // 2)
    more.update({("as is, -b 128K", j): found[j] for j in two})
    rows = []
    for what in ("as is, -b 128K", *(w for w, _ in VARIATIONS)):
        one, all_ = (more[what, j] for j in two)
        speed = one.mean("wall") / all_.mean("wall")
        rows.append([name, what, one.cell("wall"), all_.cell("wall"),
                     all_.cell("cpu"), "%.2f" % speed,
                     "%.2f" % (speed / ctx.cores),
                     "%.1f" % (all_.size / 1e6)])
        report.data[name]["%s, cores" % what] = all_.data()
    return rows


def run(ctx, report):
    report.text("""`tar2sqfs` packs an archive with each codec and with one to
        twice as many workers as there are cores. *Absolute* speed-up is
        against the %s, *relative* against `-j 1`; efficiency is speed-up by
        worker. `debian` is a root file system of 1.65 GB, `small` the first
        8 MiB per core of one of 170 MB.""" % (
            "serial build" if ctx.serial else
            "program without workers, `-j 0`, which is what a serial build "
            "does"))
    series, rows, many = {}, [], []
    there = ctx.codecs(dict.fromkeys(c[0] for c in CODECS))
    for codec, options, source, size in CODECS:
        if codec not in there:
            continue
        archive = (ctx.cut(source, size * ctx.cores) if size
                   else ctx.input(source))
        name = "%s, %s" % (label(codec, options), source)
        found = scale(ctx, name, codec, options, archive)
        series[label(codec, options)] = table(ctx, report, name, found)
        rows += vary(ctx, report, name, codec, options, archive, found)
        best = min((found[j].mean("wall"), j) for j in counts(ctx.cores))
        ratio = found[MANY].mean("wall") / best[0]
        many.append([name, "-j %d: %.2f s" % best[::-1],
                     found[MANY].cell("wall"), "%.2f" % ratio,
                     "met" if ratio <= TARGET else "missed"])
    series["ideal"] = [(j, min(j, ctx.cores)) for j in counts(ctx.cores)]
    report.plot("scaling", "Packing with more workers, %d cores" % ctx.cores,
                "workers (-j)", "absolute speed-up", series,
                extra=["set yrange [0:]", "set xtics 1"
                       if ctx.cores < 9 else "set xtics auto"])
    report.text("""How the step that collects tail-ends into fragment blocks
        bears on it, and the size of blocks: packing with one worker and with
        as many as there are cores.""")
    report.table(["", "", "-j 1: wall s", "-j %d: wall s" % ctx.cores,
                  "CPU s", "speed-up", "efficiency", "image MB"], rows)
    report.text("""Never slower with more workers than cores: `-j %d` against
        the best of the others; at most %.2f is the target.""" % (MANY,
                                                                  TARGET))
    report.table(["", "best", "-j %d: wall s" % MANY, "ratio", "target"],
                 many)
