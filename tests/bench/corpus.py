#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes the inputs of the benchmark, each a tar archive DIR/NAME.tar.

    corpus.py --list            names, and what each is for
    corpus.py DIR               the synthetic ones, about 2.4 GB
    corpus.py DIR --all         the real ones, too, 5 GB more; minutes
    corpus.py DIR NAME...       these, and what they are made from

What is there already is kept. Synthetic inputs have the same bytes whenever
and wherever they are made. Real ones are made of Debian packages by mmdebstrap
and apt-get, from the package sources of this machine: the same packages give
the same bytes. An input appears under its name when it is complete.
"""
import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

import tarstream

MIB = 1 << 20
GTK_SYSTEM = ("gcc", "python3", "perl", "vim", "git", "linux-image-amd64",
              "firmware-linux-free", "fonts-dejavu", "cmake", "manpages-dev",
              "libgtk-3-dev")
WORDS = ("archive block cache data entry file group hash index job key list "
         "memory name owner path queue read size table unit value write "
         "zero").split()


class Missing(Exception):
    """An input cannot be made here; the text says what it would take."""


# Content

def noise(seed, size):
    """Random bytes, in pieces."""
    source = random.Random(seed)
    for at in range(0, size, MIB):
        yield source.randbytes(min(MIB, size - at))


def zeros(size):
    for at in range(0, size, MIB):
        yield bytes(min(MIB, size - at))


def text(source, size):
    """Words: compressible as program text is, three or four times."""
    lines = []
    length = 0
    while length < size:
        line = "%s %d\n" % (" ".join(source.choices(WORDS, k=9)),
                            source.randrange(1 << 20))
        lines.append(line)
        length += len(line)
    return "".join(lines)[:size].encode()


# Synthetic inputs: each takes a tarstream.Writer, and fills it.

def one_file(name, size, pieces):
    return lambda tar: tar.stream(name, size, pieces())


def half_zeros(tar):
    def pieces():
        yield from zeros(50 * MIB)
        yield from noise(2, 50 * MIB)

    tar.stream("half", 100 * MIB, pieces())


def many_small(count):
    def fill(tar):
        for i in range(count):
            tar.file("d%04d/e%02d/f%07d" % (i // 5000, i // 50 % 100, i),
                     b"file number %d\n" % i * 20)
    return fill


def same_size(count):
    def fill(tar):
        source = random.Random(1)
        for i in range(count):
            tar.file("d%d/f%d" % (i // 1000, i), source.randbytes(8192))
    return fill


def one_directory(count):
    def fill(tar):
        for i in range(count):
            tar.file("dir/n%07d" % (i * 7919 % count))
    return fill


def duplicates(count, size, copies):
    def fill(tar):
        for copy in range(copies):
            for i in range(count):
                tar.stream("copy%d/f%d" % (copy, i), size, noise(i, size))
    return fill


def sparse(tar):
    """An island of 256 KiB at each 16 MiB of a file of 4 GiB."""
    step, length = 16 * MIB, 256 << 10
    source = random.Random(7)
    content = {i * step: source.randbytes(length) for i in range(256)}
    tar.sparse("sparse.tar.img", 4 << 30, [(at, length) for at in content],
               lambda at, n: content[at][:n])
    tar.end(10240)


def files_of(count, total, seed):
    """count files of total bytes: sizes spread as in real trees, most of them
    small; three in four are text, the others random bytes."""
    def fill(tar):
        source = random.Random(seed)
        weights = [source.lognormvariate(0, 1.4) for _ in range(count)]
        scale = total / sum(weights)
        sizes = [int(w * scale) for w in weights]
        sizes[-1] += total - sum(sizes)
        pools = [text(source, 4 * MIB) * 2] * 3 + [source.randbytes(8 * MIB)]
        for folder in range((count + 499) // 500):
            tar.directory("d%02d" % folder)
            for sub in range(folder * 10, min(folder * 10 + 10,
                                              (count + 49) // 50)):
                tar.directory("d%02d/e%04d" % (folder, sub))
        for i, size in enumerate(sizes):
            tar.stream("d%02d/e%04d/f%05d" % (i // 500, i // 50, i), size,
                       slices(source, pools[i % 4], size))
    return fill


def slices(source, pool, size):
    """size bytes out of pool, from a random place in it for each MiB."""
    for at in range(0, size, MIB):
        begin = source.randrange(len(pool) - MIB)
        yield pool[begin:begin + min(MIB, size - at)]


def write_tar(fill):
    """A maker of an archive with the members that fill puts in it."""
    def make(path, _):
        with open(path, "wb") as out:
            tar = tarstream.Writer(out)
            fill(tar)
            if fill is not sparse:
                tar.end()
    return make


# Inputs made of Debian packages

def need(*programs):
    for program in programs:
        if not shutil.which(program):
            raise Missing("no program " + program)


def run(command, what, **more):
    done = subprocess.run(command, stdin=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, check=False, **more)
    if done.returncode:
        words = done.stderr.decode(errors="replace").strip().splitlines()
        raise Missing("%s: %s" % (what, words[-1] if words else
                                  "status %d" % done.returncode))


def suite():
    """The name of this machine's Debian release."""
    with open("/etc/os-release", encoding="utf-8") as f:
        found = re.search(r"^VERSION_CODENAME=(\w+)", f.read(), re.M)
    if not found:
        raise Missing("no Debian release in /etc/os-release")
    return found.group(1)


def debian(variant, packages=()):
    """A root file system. --format says that it is a tar: by the name of the
    output alone, mmdebstrap would make a directory of one that is not called
    .tar."""
    def make(path, _):
        need("mmdebstrap")
        command = ["mmdebstrap", "--format=tar", "--variant=" + variant]
        if os.geteuid() == 0:
            command.append("--mode=root")
        if packages:
            command.append("--include=" + ",".join(packages))
        sources = (glob.glob("/etc/apt/sources.list.d/debian.sources") or
                   ["/etc/apt/sources.list"])
        run([*command, suite(), path, *sources], "mmdebstrap",
            stdout=subprocess.DEVNULL,
            env=dict(os.environ, SOURCE_DATE_EPOCH=str(tarstream.MTIME)))
    return make


def linux_source(path, _):
    """The source of the kernel, the tar that its Debian package holds."""
    need("apt-get", "apt-cache", "dpkg-deb", "xz")
    shown = subprocess.run(["apt-cache", "depends", "linux-source"],
                           stdout=subprocess.PIPE, check=False).stdout
    found = re.search(rb"linux-source-[0-9.]+", shown)
    if not found:
        raise Missing("no package linux-source")
    package = found.group().decode()
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        run(["apt-get", "download", "-q", package], package, cwd=folder,
            stdout=subprocess.DEVNULL)
        deb, = glob.glob(os.path.join(folder, package + "_*.deb"))
        member = "./usr/src/%s.tar.xz" % package
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", deb],
                              stdout=subprocess.PIPE) as opened, \
                open(path, "wb") as out:
            with tarfile.open(fileobj=opened.stdout, mode="r|") as tar:
                for entry in tar:
                    if entry.name.lstrip("./") == member.lstrip("./"):
                        unpack_xz(tar.extractfile(entry), out)
    if not os.path.getsize(path):
        raise Missing("%s holds no %s" % (package, member))


def unpack_xz(packed, out):
    with subprocess.Popen(["xz", "-dc"], stdin=subprocess.PIPE,
                          stdout=out) as xz:
        shutil.copyfileobj(packed, xz.stdin, MIB)
        xz.stdin.close()
    if xz.returncode:
        raise Missing("xz: status %d" % xz.returncode)


# Inputs made of other inputs

def top(entry):
    return entry.name.lstrip("./").split("/")[0] or "root"


def big_files(path, parts):
    """The files of each top directory put end to end."""
    with tarfile.open(parts[0]) as source, \
            tarfile.open(path, "w", format=tarfile.GNU_FORMAT) as tar:
        files = {}
        for entry in source:
            if entry.isreg() and entry.size:
                files.setdefault(top(entry), []).append(entry)
        for name in sorted(files):
            big = tarfile.TarInfo(name + ".cat")
            big.size = sum(entry.size for entry in files[name])
            big.mtime = tarstream.MTIME
            tar.addfile(big, Joined(source, files[name]))


class Joined:
    """A file of the content of several members."""

    def __init__(self, tar, entries):
        self.tar, self.left, self.now = tar, list(reversed(entries)), None

    def read(self, n):
        got = b""
        while len(got) < n:
            piece = self.now.read(n - len(got)) if self.now else b""
            if not piece and not self.left:
                break
            if not piece:
                self.now = self.tar.extractfile(self.left.pop())
            got += piece
        return got


def nested(*chosen):
    """The members of other archives that lie below a path, each archive's
    below a name of its own: (name, path)."""
    def make(path, parts):
        with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
            for (name, below), part in zip(chosen, parts):
                with tarfile.open(part) as source:
                    copy(source, tar, name, below)
    return make


def copy(source, tar, name, below):
    for entry in source:
        inner = entry.name[2:] if entry.name[:2] == "./" else entry.name
        if not (inner + "/").startswith(below) or inner == ".":
            continue
        entry.name = name + inner
        if entry.islnk():
            linked = entry.linkname
            entry.linkname = name + (linked[2:] if linked[:2] == "./"
                                     else linked)
            if not entry.linkname.startswith(name + below):
                continue
        for key in ("path", "linkpath"):
            entry.pax_headers.pop(key, None)
        tar.addfile(entry, source.extractfile(entry) if entry.isreg()
                    else None)


def disk_image(path, parts):
    """An ext4 file system of 4 GiB that holds a root file system, with holes
    where mkfs wrote nothing."""
    need("mkfs.ext4", "tar")
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        root = os.path.join(folder, "root")
        image = os.path.join(folder, "disk.img")
        os.mkdir(root)
        run(["tar", "-C", root, "--no-same-owner", "--no-same-permissions",
             "--exclude=./dev/*", "-xf", parts[0]], "tar",
            stdout=subprocess.DEVNULL)
        with open(image, "wb") as f:
            f.truncate(4 << 30)
        run(["mkfs.ext4", "-q", "-F", "-U",
             "00000000-0000-4000-8000-000000000000", "-E",
             "root_owner=0:0,lazy_itable_init=1,hash_seed="
             "00000000-0000-4000-8000-000000000001", "-d", root, image],
            "mkfs.ext4", stdout=subprocess.DEVNULL,
            env=dict(os.environ, E2FSPROGS_FAKE_TIME=str(tarstream.MTIME)))
        with open(image, "rb") as disk, open(path, "wb") as out:
            tar = tarstream.Writer(out)
            tar.sparse("disk.img", 4 << 30, islands(disk),
                       lambda at, n: os.pread(disk.fileno(), n, at))
            tar.end()


def islands(file):
    """Offset and length of what is no hole of a file, or zeros all over."""
    size, at, found = os.fstat(file.fileno()).st_size, 0, []
    while at < size:
        try:
            at = os.lseek(file.fileno(), at, os.SEEK_DATA)
        except OSError:
            break
        end = os.lseek(file.fileno(), at, os.SEEK_HOLE)
        for offset in range(at, end, 4096):
            data = os.pread(file.fileno(), min(4096, end - offset), offset)
            if not data.count(0) == len(data):
                if found and sum(found[-1]) == offset:
                    found[-1] = (found[-1][0], found[-1][1] + len(data))
                else:
                    found.append((offset, len(data)))
        at = end
    return found


class Input:
    """What an input is for, how it is made, and of which others."""

    def __init__(self, about, make, real=False, parts=()):
        self.about, self.make, self.real = about, make, real
        self.parts = parts


def synthetic(about, fill):
    return Input(about, write_tar(fill))


EVERYTHING = ("zero_small", "zero_large", "random_medium", "halfzero_large",
              "random_large", "tree", "several_trees", "bigfiles")

INPUTS = {
    "zero_small": synthetic(
        "one file of 10 KiB of zeros",
        one_file("zero", 10240, lambda: zeros(10240))),
    "zero_large": synthetic(
        "one file of 100 MiB of zeros",
        one_file("zero", 100 * MIB, lambda: zeros(100 * MIB))),
    "random_medium": synthetic(
        "one file of 10 MiB of random bytes",
        one_file("rnd", 10 * MIB, lambda: noise(1, 10 * MIB))),
    "halfzero_large": synthetic(
        "one file: 50 MiB of zeros, 50 MiB of random bytes", half_zeros),
    "random_large": synthetic(
        "one file of 100 MiB of random bytes",
        one_file("rnd", 100 * MIB, lambda: noise(3, 100 * MIB))),
    "many_small_100k": synthetic(
        "100,000 files of some hundred bytes", many_small(100000)),
    "many_small_400k": synthetic(
        "400,000 such files, for growth", many_small(400000)),
    "same_size_10k": synthetic(
        "10,000 files of 8 KiB, every one a candidate for a duplicate",
        same_size(10000)),
    "same_size_40k": synthetic(
        "40,000 such files, for growth", same_size(40000)),
    "one_directory_100k": synthetic(
        "100,000 empty files in one directory", one_directory(100000)),
    "duplicates": synthetic(
        "40 files of 1 MiB of random bytes, four times each",
        duplicates(40, MIB, 4)),
    "sparse": synthetic(
        "a file of 4 GiB, of it 64 MiB random bytes in 256 places", sparse),
    "small_files_23k": synthetic(
        "23,000 files of 583 MB, text and random bytes",
        files_of(23000, 583000000, 11)),
    "large_files_1k": synthetic(
        "1,000 files of 284 MB, text and random bytes",
        files_of(1000, 284000000, 12)),
    "small": Input(
        "Debian's smallest root file system: 170 MB, 9,000 entries",
        debian("minbase"), True),
    "debian": Input(
        "a Debian system with kernel, compilers, desktop libraries: 1.65 GB, "
        "52,000 entries", debian("standard", GTK_SYSTEM), True),
    "linux": Input(
        "the source of Linux: 1.3 GB, 80,000 files", linux_source, True),
    "bigfiles": Input(
        "the files of small end to end, one file for each top directory",
        big_files, True, ("small",)),
    "tree": Input(
        "one tree: /usr of small, 160 MB, 8,000 entries",
        nested(("", "usr/")), True, ("small",)),
    "several_trees": Input(
        "three trees with much in common: small twice, its /usr/share once "
        "more; 390 MB, 23,000 entries",
        nested(("one/", ""), ("two/", ""), ("three/", "usr/share/")), True,
        ("small", "small", "small")),
    "everything": Input(
        "%s and %s in one archive" % (", ".join(EVERYTHING[:-1]),
                                      EVERYTHING[-1]),
        nested(*((name + "/", "") for name in EVERYTHING)), True, EVERYTHING),
    "disk_image": Input(
        "an ext4 file system of 4 GiB with small in it, sparse", disk_image,
        True, ("small",)),
}


def make(name, folder, tell=lambda text: None):
    """The path of an input, made if it is not there; may raise Missing."""
    what = INPUTS[name]
    path = os.path.join(os.path.abspath(folder), name + ".tar")
    if os.path.exists(path):
        return path
    os.makedirs(folder, exist_ok=True)
    parts = [make(part, folder, tell) for part in what.parts]
    tell("making " + name)
    partial = path + ".part"
    try:
        what.make(partial, parts)
        os.rename(partial, path)
    finally:
        if os.path.exists(partial):
            os.unlink(partial)
    return path


def main():
    ap = argparse.ArgumentParser(
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--list", action="store_true", help="list the names")
    ap.add_argument("--all", action="store_true", help="the real ones, too")
    ap.add_argument("folder", nargs="?", metavar="DIR")
    ap.add_argument("names", nargs="*", metavar="NAME", default=[])
    a = ap.parse_args()
    if a.list:
        for name, what in INPUTS.items():
            print("%-20s %s%s" % (name, what.about,
                                  " (real)" if what.real else ""))
        return 0
    if not a.folder:
        ap.error("a folder is needed")
    for name in a.names:
        if name not in INPUTS:
            ap.error("no input is called " + name)
    status = 0
    for name in a.names or [name for name, what in INPUTS.items()
                            if a.all or not what.real]:
        try:
            make(name, a.folder, lambda text: print(text, flush=True))
        except (Missing, OSError) as fault:
            print("%s: %s" % (name, fault), file=sys.stderr)
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
