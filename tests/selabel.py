#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Asks libselinux for labels, to compare ours with.

    selabel.py FILE < LINES      lines "d /a/path", the type as find -printf %y
                                 has it; prints each with its label or -
    selabel.py --policy COUNT    prints a file of contexts with COUNT lines
    selabel.py --modules DIR     prints the one of a policy's modules
    selabel.py --paths FILE      prints lines that its expressions may match

Ends with status 77 where there is no libselinux.
"""
import bz2
import ctypes
import glob
import random
import re
import stat
import struct
import sys

TYPES = {"f": stat.S_IFREG, "d": stat.S_IFDIR, "l": stat.S_IFLNK,
         "b": stat.S_IFBLK, "c": stat.S_IFCHR, "p": stat.S_IFIFO,
         "s": stat.S_IFSOCK}
FILE_BACKEND, OPTION_PATH = 0, 3
CONTEXTS_MAGIC = 0xf97cff90


class Option(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("value", ctypes.c_char_p)]


def library():
    try:
        lib = ctypes.CDLL("libselinux.so.1", use_errno=True)
    except OSError:
        sys.exit(77)
    lib.selabel_open.restype = ctypes.c_void_p
    lib.selabel_open.argtypes = [ctypes.c_uint, ctypes.POINTER(Option),
                                 ctypes.c_uint]
    lib.selabel_lookup_raw.argtypes = [ctypes.c_void_p,
                                       ctypes.POINTER(ctypes.c_char_p),
                                       ctypes.c_char_p, ctypes.c_int]
    return lib


def look_up(path):
    lib = library()
    options = (Option * 1)(Option(OPTION_PATH, path.encode()))
    handle = lib.selabel_open(FILE_BACKEND, options, 1)
    if not handle:
        sys.exit("selabel_open failed")
    for line in sys.stdin:
        line = line.rstrip("\n")
        label = ctypes.c_char_p()
        found = lib.selabel_lookup_raw(handle, ctypes.byref(label),
                                       line[2:].encode(), TYPES[line[0]])
        print(line, label.value.decode() if found == 0 else "-")


def policy(count):
    """Expressions of the shapes that policies have, nested and overlapping."""
    rand = random.Random(1)
    words = ["usr", "etc", "var", "lib", "bin", "run", "log", "x", "share",
             "local", "a.b", "c++"]
    tails = ["", "(/.*)?", "/.*", "/[^/]*", "/[^/]+", r"/.*\.so", "[0-9]+",
             r"(-[^/]*)?", "/(x|bin)/.*", "?", r"/x\.y", r"\.d(/.*)?",
             "/(.*/)?bin(/.*)?", r"/[a-l].*", "/x{1,3}"]
    types = ["", "", "", "\t--", " -d", " -l", " -b", " -c", " -p", " -s"]
    for i in range(count):
        path = "".join("/" + rand.choice(words) for _ in
                       range(rand.randrange(1, 5)))
        path = re.sub(r"[.+]", r"\\\g<0>", path) + rand.choice(tails)
        label = "system_u:object_r:t%d_t:s0" % i
        if rand.random() < 0.1:
            label = "<<none>>"
        print("%s%s\t%s" % (path, rand.choice(types), label))


def modules(folder):
    """The contexts in compiled modules, but for those of home directories."""
    for name in sorted(glob.glob(folder + "/*.pp.bz2")):
        with bz2.open(name) as file:
            data = file.read()
        count, = struct.unpack_from("<I", data, 8)
        starts = struct.unpack_from("<%dI" % count, data, 12) + (len(data),)
        for start, end in zip(starts, starts[1:]):
            if struct.unpack_from("<I", data, start)[0] != CONTEXTS_MAGIC:
                continue
            for line in data[start + 4:end].decode().splitlines():
                if line.startswith("/"):
                    print(line)


def matching(expression, rand):
    """A path that the expression may match, or nearly."""
    def one_of(match):
        return rand.choice(match.group(1).split("|") + [""])

    path = re.sub(r"\[\^[^]]*\]|\[\D[^]]*\]", "a", expression)
    path = path.replace("[0-9]", "7").replace(r"\.", "\0")
    path = re.sub(r"\.[*+]", lambda m: rand.choice(["", "z", "z/y"]), path)
    while "(" in path:
        path = re.sub(r"\(([^()]*)\)", one_of, path)
    path = re.sub(r"\{.*?\}|[\\?*+]", "", path).replace("\0", ".")
    path += rand.choice(["", "", "", "", "/x", "q", ".so", "/bin/x"])
    return re.sub("/+", "/", path).rstrip("/") or "/"


def paths(name):
    rand = random.Random(2)
    seen = set()
    for line in open(name):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        for _ in range(2):
            path = matching(words[0], rand)
            if path.startswith("/") and re.fullmatch("[!-~]+", path):
                seen.add((path, rand.choice("ffffdddlbcps")))
    for path, kind in sorted(seen):
        print(kind, path)


if sys.argv[1] == "--policy":
    policy(int(sys.argv[2]))
elif sys.argv[1] == "--modules":
    modules(sys.argv[2])
elif sys.argv[1] == "--paths":
    paths(sys.argv[2])
else:
    look_up(sys.argv[1])
