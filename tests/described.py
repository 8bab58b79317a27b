#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints the tree of a description in the lines of readimage.py.

    described.py [--old] [SOURCES] < DESCRIPTION

It reads what doc/describe.md says, strictly: parents come first, and nothing
twice. SOURCES is the directory that sources of files are relative to. With
--old only the language without additions is read, as other programs have it.
"""
import argparse
import base64
import hashlib
import os
import re
import sys

from readimage import escape

KINDS = {b"dir": "d", b"file": "f", b"slink": "l", b"pipe": "p", b"sock": "s"}
WORD = re.compile(rb'[ \t]*(?:"((?:[^"\\\n]|\\.)*)"(?=[ \t]|$)|([^ \t"]'
                  rb'[^ \t]*))')


class Node:
    def __init__(self, kind, mode=0, uid=0, gid=0):
        self.kind, self.mode, self.uid, self.gid = kind, mode, uid, gid
        self.mtime, self.rdev, self.target, self.xattrs = 0, "-", b"", {}
        self.size, self.sha256, self.paths = "-", "-", []


def unquote(text, old):
    def byte(m):
        c = m.group(1)
        if c in (b'"', b"\\"):
            return c
        assert not old, "an addition: %r" % text
        if c == b"n":
            return b"\n"
        assert re.fullmatch(rb"[0-3][0-7][0-7]", c), "bad escape: %r" % text
        return bytes([int(c, 8)])
    return re.sub(rb"\\([0-7]{3}|.)", byte, text)


def words(line, old):
    at, out = 0, []
    while line[at:].strip(b" \t"):
        m = WORD.match(line, at)
        assert m, "no word: %r" % line
        quoted = m.group(1) is not None
        out.append((unquote(m.group(1), old) if quoted else m.group(2),
                    quoted))
        at = m.end()
    return out


def value(word, quoted):
    if quoted:
        return word
    if word.startswith(b"0x"):
        return bytes.fromhex(word[2:].decode())
    if word.startswith(b"0s"):
        return base64.b64decode(word[2:], validate=True)
    return word


def number(word, base=10):
    assert re.fullmatch(rb"[0-7]+" if base == 8 else rb"[0-9]+", word), word
    return int(word, base)


class Tree:
    def __init__(self, sources, old):
        self.nodes, self.sources, self.old = {}, sources, old

    def add(self, path, node):
        assert path not in self.nodes, "twice: %r" % path
        assert not path or os.path.dirname(path) in self.nodes, \
            "no parent: %r" % path
        assert b"\0" not in path and b"//" not in path, path
        node.paths.append(path)
        self.nodes[path] = node

    def content(self, node, source):
        with open(os.path.join(self.sources, source), "rb") as f:
            data = f.read()
        node.size, node.sha256 = len(data), hashlib.sha256(data).hexdigest()

    def entry(self, kind, path, w):
        node = Node(KINDS.get(kind), number(w[0], 8), number(w[1]),
                    number(w[2]))
        rest = w[3:]
        if kind == b"nod":
            node.kind = {b"c": "c", b"b": "b"}[rest[0]]
            node.rdev = "%d:%d" % (number(rest[1]), number(rest[2]))
            rest = rest[3:]
        elif kind == b"slink":
            node.target, rest = rest[0], rest[1:]
            node.size = len(node.target)
        elif kind == b"file":
            self.content(node, rest[0] if rest else path)
            rest = rest[1:]
        assert not rest, rest
        self.add(path, node)

    def line(self, line):
        w = words(line, self.old)
        if not w or line.lstrip(b" \t").startswith(b"#"):
            return
        kind, path = w[0][0], w[1][0].lstrip(b"/")
        plain = [word for word, _ in w[2:]]
        if kind == b"link":
            assert plain[:3] == [b"-"] * 3 and len(plain) == 4, line
            self.add(path, self.nodes[plain[3]])
        elif kind in (b"time", b"xattr"):
            assert not self.old, "an addition: %r" % line
            node = self.nodes[path]
            if kind == b"time":
                node.mtime = number(plain[0])
                assert len(plain) == 1, line
            else:
                assert plain[0] not in node.xattrs and len(plain) == 2, line
                node.xattrs[plain[0]] = value(*w[3])
        else:
            self.entry(kind, path, plain)

    def show(self):
        for path in sorted(self.nodes):
            node = self.nodes[path]
            link = "->" + escape(node.target) if node.kind == "l" else "-"
            nlink = len(node.paths)
            if node.kind == "d":
                nlink = 2 + sum(1 for p, n in self.nodes.items() if p and
                                n.kind == "d" and os.path.dirname(p) == path)
            elif nlink > 1:
                link = ("" if link == "-" else link) + "=" + \
                    escape(node.paths[0])
            print("/" + escape(path), node.kind, "%04o" % node.mode, node.uid,
                  node.gid, nlink, node.mtime, node.size, node.rdev, link,
                  node.sha256, ",".join("%s=%s" % (
                      escape(k), node.xattrs[k].hex())
                      for k in sorted(node.xattrs)) or "-")


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--old", action="store_true")
    ap.add_argument("sources", nargs="?", default=".")
    a = ap.parse_args()
    tree = Tree(os.fsencode(a.sources), a.old)
    for line in sys.stdin.buffer.read().split(b"\n"):
        tree.line(line)
    tree.show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
