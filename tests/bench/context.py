# SPDX-License-Identifier: GPL-2.0-or-later
"""What a section of the benchmark works with: programs, inputs, and runs of
several commands in turn, so that what else the machine does hits all alike."""
import os
import shlex
import shutil
import statistics
import subprocess
import sys

import corpus
import measure
import samples

# What is compared with, and the Debian package it comes in.
PEERS = {
    "tar2sqfs": "squashfs-tools-ng", "sqfs2tar": "squashfs-tools-ng",
    "gensquashfs": "squashfs-tools-ng", "rdsquashfs": "squashfs-tools-ng",
    "sqfstar": "squashfs-tools", "mksquashfs": "squashfs-tools",
    "unsquashfs": "squashfs-tools", "bsdtar": "libarchive-tools",
    "tar": "tar", "strace": "strace", "gnuplot": "gnuplot-nox",
}
FIGURES = ("wall", "user", "system", "cpu", "rss", "vsize", "main")


class Job:
    """A command, the words of it or a pipeline, a list of such lists.

    stdin piped     the file that it reads on standard input; through cat
    stdout          the file that its standard output goes to
    output          what it makes, file or folder: removed before and after
                    each run; its size is told
    reads           more files and folders to have in the page cache before
    prepare         called before each run; its time is not counted
    peer            of others: that it fails or is too slow is told in the
                    tables, with our own programs it is a fault
    """

    def __init__(self, command, stdin=None, piped=False, stdout=None,
                 output=None, reads=(), prepare=None, peer=False):
        self.command, self.stdin, self.piped = command, stdin, piped
        self.stdout, self.output, self.prepare = stdout, output, prepare
        self.reads, self.peer = list(reads) + [stdin] * bool(stdin), peer

    def text(self):
        words = self.command
        pipeline = words if isinstance(words[0], list) else [words]
        out = " | ".join(shlex.join(w) for w in pipeline)
        if self.stdin and self.piped:
            out = "cat %s | %s" % (shlex.quote(self.stdin), out)
        elif self.stdin:
            out += " < " + shlex.quote(self.stdin)
        if self.stdout:
            out += " > " + shlex.quote(self.stdout)
        return out


class Spread:
    """The median of some runs, the least and the most."""

    def __init__(self, values):
        self.median, self.low, self.high = (statistics.median(values),
                                            min(values), max(values))

    def text(self, form="%.2f", scale=1.0):
        out = form % (self.median * scale)
        low, high = form % (self.low * scale), form % (self.high * scale)
        return out if low == high else "%s (%s..%s)" % (out, low, high)


class Result:
    """What the runs of a job took: a Spread for each of FIGURES, or None
    where the system does not tell; size of the output in bytes; word is ""
    or, for a peer, what kept it from having figures; errors is what the last
    run said."""

    def __init__(self, runs, sizes, word=""):
        self.word = word
        self.errors = runs[-1].errors if runs else ""
        self.size = sizes[-1] if sizes else None
        for what in FIGURES:
            values = [getattr(r, what) for r in runs]
            good = not word and values and None not in values
            setattr(self, what, Spread(values) if good else None)

    def cell(self, what, form="%.2f", scale=1.0):
        """For a table: "1.20 (1.10..1.30)", or the word."""
        spread = getattr(self, what)
        return self.word or (spread.text(form, scale) if spread else "?")

    def mean(self, what):
        """The median, or None."""
        spread = getattr(self, what)
        return spread.median if spread else None

    def data(self):
        """As JSON has it."""
        out = {w: [s.median, s.low, s.high] for w in FIGURES
               for s in [getattr(self, w)] if s}
        out.update(size=self.size, word=self.word)
        return out


def remove(path):
    """A file or a folder, if it is there; folders may be read-only."""
    if path and os.path.isdir(path) and not os.path.islink(path):
        os.chmod(path, 0o700)
        for folder, names, _ in os.walk(path):
            for name in names:
                name = os.path.join(folder, name)
                if not os.path.islink(name):
                    os.chmod(name, 0o700)
        shutil.rmtree(path)
    elif path and os.path.lexists(path):
        os.unlink(path)


def do(command, stdout=subprocess.DEVNULL):
    """Runs what has to succeed, and is not measured."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout,
                          stderr=subprocess.PIPE, check=False)
    if done.returncode:
        sys.exit("status %d: %s\n%s" % (
            done.returncode, shlex.join(command),
            done.stderr.decode(errors="replace")))


def size_of(path):
    if not path or not os.path.isfile(path):
        return None
    return os.path.getsize(path)


def warm(path):
    """Reads a file, or all files of a folder, so that they are cached."""
    if not os.path.isdir(path):
        with open(path, "rb") as f:
            while f.read(1 << 22):
                pass
        return
    for folder, _, names in os.walk(path):
        for name in names:
            path = os.path.join(folder, name)
            if os.path.isfile(path) and not os.path.islink(path):
                warm(path)


class Context:
    """The choices of this run of the benchmark.

    build      where our programs are
    serial     a build without threads, or None
    corpus     folder of the inputs, made there if missing
    scratch    folder in memory for what is made; a section empties it
    out        folder of the results
    runs       how often each command is run
    limit      seconds for a peer's run
    quick      inputs as small as can be, to see that all works
    cores      processors that may be used
    tars       archives to take in place of the corpus, and with_codecs those
               to pack them with
    """

    def __init__(self, build, corpus_dir, scratch, out, runs=3, limit=60,
                 quick=False, serial=None):
        self.build, self.corpus = os.path.abspath(build), corpus_dir
        self.scratch, self.out, self.runs = scratch, out, runs
        self.limit, self.quick = limit, quick
        self.serial = os.path.abspath(serial) if serial else None
        self.cores = len(os.sched_getaffinity(0))
        self.tars, self.with_codecs = [], ["lz4"]
        self.commands, self.found = [], {}

    def ours(self, name):
        return os.path.join(self.build, name)

    def peer(self, name):
        """The path of another's program, or None; never one of ours."""
        if name not in self.found:
            self.found[name] = None
            for folder in os.get_exec_path():
                path = os.path.join(folder, name)
                if os.access(path, os.X_OK) and not self.is_ours(path):
                    self.found[name] = path
                    break
        return self.found[name]

    def is_ours(self, path):
        if not os.path.exists(self.ours(os.path.basename(path))):
            return False
        said = subprocess.run([path, "--version"], stdin=subprocess.DEVNULL,
                              capture_output=True, check=False)
        return b"sqfskit" in said.stdout

    def has_codec(self, name):
        """Whether our programs were built with it."""
        return not subprocess.run(
            [self.ours("tar2sqfs"), "-c", name, "-X", "help"], check=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode

    def codecs(self, names):
        """Those of names that there are; two at most where it has to be
        quick."""
        return [n for n in names if self.has_codec(n)
                ][:2 if self.quick else None]

    def missing(self):
        """Debian packages of what is not there."""
        return sorted({PEERS[p] for p in PEERS if not self.peer(p)})

    def input(self, name):
        """The path of an archive of the corpus; may raise Missing. All are
        alike where it has to be quick."""
        if not self.quick:
            return corpus.make(name, self.corpus,
                               lambda text: print(text, flush=True))
        path = os.path.join(self.at("corpus"), name + ".tar")
        if not os.path.exists(path):
            os.makedirs(self.at("corpus"), exist_ok=True)
            samples.tiny(path)
        return path

    def cut(self, name, size):
        """The first members of an archive, up to size bytes."""
        path = os.path.join(self.scratch, "%s-%dM.tar" % (name, size >> 20))
        if not os.path.exists(path):
            samples.cut(self.input(name), path, size)
        return path

    def at(self, name):
        """A path in the folder in memory."""
        return os.path.join(self.scratch, name)

    def clear(self):
        for name in os.listdir(self.scratch):
            remove(self.at(name))

    def tidy(self, text):
        """A command without the folders of this machine."""
        for path, short in ((self.scratch, "$SCRATCH"),
                            (os.path.abspath(self.corpus), "$CORPUS"),
                            (self.corpus, "$CORPUS"), (self.build, "."),
                            (self.out, "$OUT")):
            text = text.replace(path + "/", short + "/")
        return text

    def once(self, job):
        """One run of a job and the size of its output."""
        remove(job.output)
        if job.prepare:
            job.prepare()
        run = measure.run(job.command, job.stdin, job.piped, job.stdout,
                          self.limit if job.peer else None)
        size = size_of(job.output or job.stdout)
        remove(job.output)
        if run.status and not job.peer:
            sys.exit("status %d: %s\n%s" % (run.status, job.text(),
                                            run.errors))
        return run, size

    def paired(self, jobs, runs=None):
        """Runs jobs, {name: Job or command or None}, in turn. Returns
        {name: Result} of those that are not None."""
        jobs = {n: j if isinstance(j, Job) else Job(j)
                for n, j in jobs.items() if j}
        for path in sorted({p for j in jobs.values() for p in j.reads}):
            warm(path)
        for job in jobs.values():
            text = self.tidy(job.text())
            if text not in self.commands:
                self.commands.append(text)
        made = {name: ([], [], []) for name in jobs}
        order = list(jobs)
        for _ in range(runs or self.runs):
            for name in order:
                all_runs, sizes, words = made[name]
                if words:
                    continue
                run, size = self.once(jobs[name])
                all_runs.append(run)
                sizes.append(size)
                if run.over:
                    words.append("over %g s" % self.limit)
                elif run.status:
                    words.append("failed")
            order.reverse()
        return {n: Result(r, s, "".join(w)) for n, (r, s, w) in made.items()}

    def pack(self, codec, jobs, archive, output, *more):
        """A job of our tar2sqfs."""
        return Job([self.ours("tar2sqfs"), "-q", "-f", "-c", codec, "-j",
                    str(jobs), *more, output, archive], output=output,
                   reads=[archive])

    def peer_pack(self, codec, jobs, archive, output, *more):
        """The same of squashfs-tools-ng, or None."""
        tool = self.peer("tar2sqfs")
        return tool and Job([tool, "-q", "-f", "-c", codec, "-j", str(jobs),
                             *more, output], archive, output=output,
                            peer=True)

    def star_pack(self, codec, jobs, archive, output, *more):
        """The same of squashfs-tools, or None."""
        tool = self.peer("sqfstar")
        return tool and Job([tool, "-comp", codec, "-processors", str(jobs),
                             "-no-progress", "-quiet", *more, output],
                            archive, output=output, peer=True)
