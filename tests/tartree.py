#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints the tree that a tar file asks for, in the lines of readimage.py.

    tartree.py [TAR]              standard input if no TAR is named

The archive is applied in order to an empty tree: the last of several members
for one path holds, a directory named again keeps what is in it, missing
parents are 0755 root root at time 0. A hard link binds to what its target is
by then, else to what it is in the end. v7, ustar, GNU and pax headers; no
sparse files.
"""
import base64
import hashlib
import sys
import urllib.parse

from readimage import escape

TYPES = {b"0": "f", b"\0": "f", b"7": "f", b"1": "h", b"2": "l", b"3": "c",
         b"4": "b", b"5": "d", b"6": "p"}


class Node:
    def __init__(self, kind="d"):
        self.kind, self.mode, self.uid, self.gid = kind, 0o755, 0, 0
        self.mtime, self.size, self.rdev, self.target = 0, "-", "-", b""
        self.sha256, self.xattrs, self.paths = "-", {}, []
        self.children = {}


def number(field):
    if field[0] & 0x80:
        value = int.from_bytes(field, "big")
        bits = 8 * len(field)
        return value - (1 << bits) if field[0] & 0x40 \
            else value - (1 << bits - 1)
    text = field.split(b"\0")[0].strip()
    return int(text, 8) if text else 0


def text(field):
    return field.split(b"\0")[0]


def pax_records(raw):
    at = 0
    while at < len(raw):
        n = int(raw[at:raw.index(b" ", at)])
        key, value = raw[raw.index(b" ", at) + 1:at + n - 1].split(b"=", 1)
        yield key, value
        at += n


class Tree:
    def __init__(self):
        self.root, self.late = Node(), []

    def find(self, parts, make):
        node = self.root
        for k, name in enumerate(parts):
            if node.kind == "l":
                base = [] if node.target.startswith(b"/") else parts[:k - 1]
                node = self.find(clean(b"/".join(base + [node.target])), make)
            if node is None or node.kind != "d":
                return None
            if name not in node.children:
                if not make:
                    return None
                node.children[name] = Node()
            node = node.children[name]
        return node

    def put(self, parts, node):
        if not parts:
            self.root.__dict__.update({k: v for k, v in node.__dict__.items()
                                       if k != "children"})
            return
        parent = self.directory(parts[:-1])
        old = parent.children.get(parts[-1])
        if old is not None and old.kind == "d" and node.kind == "d":
            node.children = old.children
        parent.children[parts[-1]] = node

    def directory(self, parts):
        node = self.find(parts, True)
        if node is None:
            raise ValueError("a parent is no directory")
        if node.kind == "l":
            base = [] if node.target.startswith(b"/") else parts[:-1]
            node = self.directory(clean(b"/".join(base + [node.target])))
        return node

    def link(self, parts, target):
        node = self.find(target, False)
        if node is not None:
            self.put(parts, node)
        else:
            place = Node("h")
            self.put(parts, place)
            self.late.append((parts, place, target))

    def finish(self):
        left = self.late
        while left:
            again = []
            for parts, place, target in left:
                node = self.find(target, False)
                parent = self.directory(parts[:-1])
                if parent.children.get(parts[-1]) is not place:
                    continue
                if node is None or node.kind == "d":
                    raise ValueError("hard link to nothing")
                if node.kind == "h":
                    again.append((parts, place, target))
                else:
                    parent.children[parts[-1]] = node
            if len(again) == len(left):
                raise ValueError("hard links in a circle")
            left = again


def clean(path):
    parts = []
    for part in path.split(b"/"):
        if part == b"..":
            parts = parts[:-1]
        elif part not in (b"", b"."):
            parts.append(part)
    return parts


class Reader:
    def __init__(self, stream):
        self.stream, self.tree, self.world = stream, Tree(), {}

    def bytes(self, n):
        raw = self.stream.read(n)
        if len(raw) != n:
            raise ValueError("the archive is cut")
        return raw

    def body(self, size):
        raw = self.bytes(size)
        self.bytes(-size % 512)
        return raw

    def digest(self, size):
        h, left = hashlib.sha256(), size
        while left:
            raw = self.bytes(min(left, 1 << 20))
            h.update(raw)
            left -= len(raw)
        self.bytes(-size % 512)
        return h.hexdigest()

    def run(self):
        pax, long_name, long_link = {}, None, None
        while True:
            head = self.stream.read(512)
            if len(head) < 512 or not any(head):
                break
            kind, size = head[156:157], number(head[124:136])
            if kind in (b"x", b"g"):
                (pax if kind == b"x" else self.world).update(
                    pax_records(self.body(size)))
            elif kind == b"L":
                long_name = text(self.body(size))
            elif kind == b"K":
                long_link = text(self.body(size))
            else:
                self.member(head, kind, {**self.world, **pax},
                            long_name, long_link)
                pax, long_name, long_link = {}, None, None
        self.tree.finish()

    def member(self, head, kind, pax, name, link):
        if name is None:
            name = text(head[:100])
            if head[257:263] == b"ustar\0" and head[345]:
                name = text(head[345:500]) + b"/" + name
        name = pax.get(b"path", name)
        link = pax.get(b"linkpath", text(head[157:257])
                       if link is None else link)
        size = int(pax.get(b"size", number(head[124:136])))
        kind = TYPES.get(kind, "?")
        if kind == "f" and name.endswith(b"/") and b"path" not in pax:
            kind = "d"
        node = Node(kind)
        node.mode = number(head[100:108]) & 0o7777
        node.uid = int(pax.get(b"uid", number(head[108:116])))
        node.gid = int(pax.get(b"gid", number(head[116:124])))
        when = pax.get(b"mtime", b"%d" % number(head[136:148]))
        seconds = int(when.split(b".")[0])
        if when.startswith(b"-") and b"." in when and \
                when.split(b".")[1].strip(b"0"):
            seconds -= 1
        node.mtime = max(0, min(seconds, (1 << 32) - 1))
        for key, value in pax.items():
            if key.startswith(b"SCHILY.xattr."):
                node.xattrs[key[13:]] = value
            elif key.startswith(b"LIBARCHIVE.xattr."):
                key = urllib.parse.unquote_to_bytes(key[17:])
                node.xattrs.setdefault(key, base64.b64decode(
                    value + b"=" * (-len(value) % 4)))
        node.xattrs = {k: v for k, v in node.xattrs.items() if
                       k.split(b".")[0] in (b"user", b"trusted", b"security")}
        parts = clean(name)
        if kind == "f":
            node.size, node.sha256 = size, self.digest(size)
        elif kind == "l":
            node.target, node.size = link, len(link)
        elif kind in "bc":
            node.rdev = "%d:%d" % (number(head[329:337]),
                                   number(head[337:345]))
        if kind == "h":
            self.tree.link(parts, clean(link))
            if size:
                self.digest(size)
        elif kind != "?":
            self.tree.put(parts, node)
        else:
            self.digest(size)


def walk(root):
    out, todo = [], [(b"", root)]
    while todo:
        path, node = todo.pop()
        node.paths.append(path)
        out.append((path, node))
        for name, child in node.children.items():
            todo.append((path + b"/" + name if path else name, child))
    out.sort(key=lambda o: o[0])
    for node in {id(node): node for _, node in out}.values():
        node.paths.sort()
    return out


def line(path, node):
    nlink, link = len(node.paths), "-"
    if node.kind == "d":
        nlink = 2 + sum(c.kind == "d" for c in node.children.values())
    elif node.kind == "l":
        link = "->" + escape(node.target)
    if node.kind != "d" and nlink > 1:
        link = (link if node.kind == "l" else "") + "=" + escape(node.paths[0])
    xattrs = ",".join("%s=%s" % (escape(k), v.hex())
                      for k, v in sorted(node.xattrs.items()))
    return " ".join(("/" + escape(path), node.kind, "%04o" % node.mode,
                     str(node.uid), str(node.gid), str(nlink),
                     str(node.mtime), str(node.size), node.rdev, link,
                     node.sha256, xattrs or "-"))


def main():
    stream = open(sys.argv[1], "rb") if sys.argv[1:] else sys.stdin.buffer
    with stream:
        reader = Reader(stream)
        reader.run()
    sys.stdout.write("".join(line(p, n) + "\n"
                             for p, n in walk(reader.tree.root)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
