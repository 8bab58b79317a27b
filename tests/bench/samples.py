# SPDX-License-Identifier: GPL-2.0-or-later
"""Small inputs: a tiny archive of everything, and the beginning of another."""
import random

import tarstream


def tiny(path):
    """About 500 KB, to see that things work."""
    source = random.Random(1)
    with open(path, "wb") as out:
        tar = tarstream.Writer(out)
        for d in range(3):
            tar.directory("d%d" % d)
            for i in range(40):
                tar.file("d%d/f%d" % (d, i),
                         b"file %d of %d\n" % (i, d) * 30)
        tar.file("text", b"".join(b"line %d\n" % source.randrange(10000)
                                  for _ in range(15000)))
        tar.file("zeros", bytes(1 << 20))
        tar.file("noise", source.randbytes(150000))
        tar.hard_link("again", "text")
        tar.symlink("where", "d0/f0")
        tar.end()


def cut(source, path, size):
    """Copies the first members of an archive, as many as fit into size."""
    with open(source, "rb") as f, open(path, "wb") as out:
        pending, done = b"", 0
        while True:
            head = f.read(512)
            if len(head) < 512 or not any(head):
                break
            length = int(head[124:135].rstrip(b"\0 ") or b"0", 8)
            pending += head + f.read(length + -length % 512)
            if head[156:157] in b"xgLK":
                continue
            if done + len(pending) > size:
                break
            out.write(pending)
            done += len(pending)
            pending = b""
        out.write(bytes(1024))
