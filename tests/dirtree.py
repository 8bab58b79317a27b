#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints a folder of the file system in the lines of readimage.py.

    dirtree.py DIR

Link counts of directories are computed, since file systems differ in them.
Attributes outside of user, trusted and security are left out.
"""
import hashlib
import os
import stat
import sys

from readimage import escape

KINDS = {stat.S_IFREG: "f", stat.S_IFDIR: "d", stat.S_IFLNK: "l",
         stat.S_IFCHR: "c", stat.S_IFBLK: "b", stat.S_IFIFO: "p",
         stat.S_IFSOCK: "s"}


def attributes(path):
    out = []
    try:
        for name in sorted(os.listxattr(path, follow_symlinks=False)):
            raw = os.fsencode(name)
            if raw.split(b".")[0] in (b"user", b"trusted", b"security"):
                out.append("%s=%s" % (escape(raw), os.getxattr(
                    path, name, follow_symlinks=False).hex()))
    except OSError:
        pass
    return ",".join(out) or "-"


def digest(path):
    h = hashlib.sha256()
    with open(path, "rb") as f:
        while True:
            piece = f.read(1 << 20)
            if not piece:
                return h.hexdigest()
            h.update(piece)


def main():
    top = os.fsencode(sys.argv[1])
    found, todo = [], [b""]
    while todo:
        rel = todo.pop()
        path = os.path.join(top, rel) if rel else top
        st = os.lstat(path)
        subdirs = 0
        if stat.S_ISDIR(st.st_mode):
            for entry in os.scandir(path):
                todo.append(os.path.join(rel, entry.name))
                subdirs += entry.is_dir(follow_symlinks=False)
        found.append((rel, path, st, subdirs))
    found.sort()
    names = {}
    for rel, _, st, _ in found:
        names.setdefault((st.st_dev, st.st_ino), []).append(rel)
    for rel, path, st, subdirs in found:
        kind = KINDS[stat.S_IFMT(st.st_mode)]
        nlink, size, rdev, link, sha = st.st_nlink, "-", "-", "-", "-"
        if kind == "d":
            nlink = 2 + subdirs
        elif kind == "f":
            size, sha = st.st_size, digest(path)
        elif kind == "l":
            link = "->" + escape(os.readlink(path))
            size = st.st_size
        elif kind in "bc":
            rdev = "%d:%d" % (os.major(st.st_rdev), os.minor(st.st_rdev))
        if kind != "d" and nlink > 1:
            link = (link if kind == "l" else "") + "=" + \
                escape(names[st.st_dev, st.st_ino][0])
        print("/" + escape(rel), kind, "%04o" % (st.st_mode & 0o7777),
              st.st_uid, st.st_gid, nlink, int(st.st_mtime), size, rdev, link,
              sha, attributes(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
