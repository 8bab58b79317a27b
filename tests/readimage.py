#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a SquashFS 4.0 image strictly and prints what it holds.

    readimage.py IMAGE            the manifest, one line an object
    readimage.py --facts IMAGE    how it is stored: super block, tables, inodes
    readimage.py --verify IMAGE   nothing, but reads everything
    --lax                         before IMAGE: allows what other writers do

It shares no code with the library, needs no module beyond Python's own, and
refuses what a reader in the wild might forgive: gaps between tables, blocks
that grew by being compressed, a wrong link count, a bad directory index.
Status 0: sound; 1: the first fault is on standard error.

A manifest line has these fields, separated by one space, "-" for none:

    path type mode uid gid nlink mtime size rdev link sha256 xattrs

Bytes outside of 0x21 to 0x7e, and the backslash, are written \\ooo. link is
"->" and a symlink's target, or "=" and the first path of the same inode where
it has several. xattrs are name=hex joined by commas. tartree.py prints the
same from a tar file.
"""
import argparse
import ctypes
import ctypes.util
import hashlib
import lzma
import mmap
import struct
import subprocess
import sys
import zlib

NONE64 = (1 << 64) - 1
NONE32 = (1 << 32) - 1
META = 8192
COMPRESSORS = {1: "gzip", 2: "lzma", 3: "lzo", 4: "xz", 5: "lz4", 6: "zstd"}
FLAGS = ["raw_inodes", "raw_data", "check", "raw_fragments", "no_fragments",
         "always_fragments", "duplicates", "exportable", "raw_xattrs",
         "no_xattrs", "options", "raw_ids"]
LETTERS = "?dflbcps"
PREFIXES = [b"user.", b"trusted.", b"security."]
OPTIONS_LEN = {1: (8,), 3: (8,), 4: (8,), 5: (8, 12), 6: (4,)}


class Bad(Exception):
    """The image is not sound."""


def need(ok, text, *args):
    if not ok:
        raise Bad(text % args if args else text)


def wish(ok, text, *args):
    """What the format leaves open and this writer promises."""
    need(ok or LAX, text, *args)


def escape(raw):
    return "".join(chr(c) if 0x21 <= c <= 0x7e and c != 0x5c else "\\%03o" % c
                   for c in raw)


def library(name):
    path = ctypes.util.find_library(name)
    try:
        return ctypes.CDLL(path) if path else None
    except OSError:
        return None


# ---------------------------------------------------------------- compressors

def gzip_decode(raw, bound):
    d = zlib.decompressobj()
    out = d.decompress(raw, bound + 1)
    need(d.eof, "zlib stream does not end")
    need(not d.unused_data, "bytes after the zlib stream")
    return out


def lzma_decode(raw, bound):
    need(len(raw) > 13, "lzma header is cut")
    size = struct.unpack_from("<Q", raw, 5)[0]
    need(size <= bound, "lzma header says %d bytes", size)
    d = lzma.LZMADecompressor(format=lzma.FORMAT_ALONE)
    out = d.decompress(raw, bound + 1)
    need(len(out) == size, "lzma stream holds %d of %d bytes", len(out), size)
    need(not d.unused_data, "bytes after the lzma stream")
    return out


def xz_decode(raw, bound):
    need(raw[:6] == b"\xfd7zXZ\0" and raw[6:8] == b"\0\x01",
         "xz stream without CRC32")
    d = lzma.LZMADecompressor(format=lzma.FORMAT_XZ)
    out = d.decompress(raw, bound + 1)
    need(d.eof, "xz stream does not end")
    need(not d.unused_data, "bytes after the xz stream")
    return out


def xz_filters(raw):
    """The filter ids of a stream's only block, and its dictionary's size."""
    p, ids, dictionary = 14, [], 0
    flags = raw[13]
    need(not flags & 0x3c, "xz block flags are %#x", flags)
    for bit in (0x40, 0x80):
        while flags & bit:
            p += 1
            if not raw[p - 1] & 0x80:
                break
    for _ in range((flags & 3) + 1):
        kind, length = raw[p], raw[p + 1]
        if kind == 0x21:
            n = raw[p + 2]
            dictionary = (2 | n & 1) << n // 2 + 11
        ids.append(kind)
        p += 2 + length
    need(ids[-1] == 0x21 and len(ids) <= 2, "xz filters are %s", ids)
    return ids, dictionary


def lz4_decode(raw, bound):
    lib = LIBS.get("lz4")
    if lib:
        out = ctypes.create_string_buffer(bound)
        n = lib.LZ4_decompress_safe(raw, out, len(raw), bound)
        need(n >= 0, "damaged lz4 block")
        return out.raw[:n]
    out, p = bytearray(), 0
    while True:
        token = raw[p]
        p += 1
        n = token >> 4
        if n == 15:
            while raw[p] == 255:
                n, p = n + 255, p + 1
            n, p = n + raw[p], p + 1
        need(p + n <= len(raw), "lz4 block is cut")
        out += raw[p:p + n]
        p += n
        if p == len(raw):
            break
        back = raw[p] | raw[p + 1] << 8
        p += 2
        need(0 < back <= len(out), "lz4 match points before the block")
        n = (token & 15) + 4
        if token & 15 == 15:
            while raw[p] == 255:
                n, p = n + 255, p + 1
            n, p = n + raw[p], p + 1
        need(len(out) + n <= bound, "lz4 block holds too much")
        at = len(out) - back
        while n > 0:
            out += out[at:at + min(n, len(out) - at)]
            n -= back if n > back else n
            at = len(out) - back
    return bytes(out)


def zstd_window(raw):
    need(raw[:4] == b"\x28\xb5\x2f\xfd", "no zstd frame")
    if raw[4] & 0x20:
        return 0
    log, part = raw[5] >> 3, raw[5] & 7
    return (1 << log + 10) // 8 * (8 + part)


def zstd_decode(raw, bound):
    lib = LIBS.get("zstd")
    if lib:
        out = ctypes.create_string_buffer(bound)
        lib.ZSTD_decompress.restype = ctypes.c_size_t
        n = lib.ZSTD_decompress(out, ctypes.c_size_t(bound), raw,
                                ctypes.c_size_t(len(raw)))
        need(n <= bound, "damaged zstd frame")
        return out.raw[:n]
    run = subprocess.run(["zstd", "-dcq"], input=raw, stdout=subprocess.PIPE,
                         check=False)
    need(run.returncode == 0, "damaged zstd frame")
    return run.stdout


def lzo_decode(raw, bound):
    lib = LIBS.get("lzo2")
    need(lib, "liblzo2 is needed to read this image")
    out = ctypes.create_string_buffer(bound)
    n = ctypes.c_size_t(bound)
    lib.lzo1x_decompress_safe.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p,
        ctypes.POINTER(ctypes.c_size_t), ctypes.c_void_p]
    need(lib.lzo1x_decompress_safe(raw, len(raw), out, ctypes.byref(n),
                                   None) == 0, "damaged lzo block")
    return out.raw[:n.value]


DECODERS = {1: gzip_decode, 2: lzma_decode, 3: lzo_decode, 4: xz_decode,
            5: lz4_decode, 6: zstd_decode}
LIBS = {}
LAX = False


# ---------------------------------------------------------------- the image

class Stream:
    """Metadata blocks that follow each other, decoded as one run of bytes."""

    def __init__(self, image, start, end, what):
        self.starts = {}        # stored position from start: decoded position
        self.order = []         # the same positions, in order
        self.raw = 0            # blocks stored as they are
        self.packed = 0
        parts, at, total = [], start, 0
        while at < end:
            block, after, raw = image.meta_block(at, end, what)
            need(total % META == 0, "%s: a short block in the middle", what)
            self.starts[at - start] = total
            self.order.append(at - start)
            parts.append(block)
            total += len(block)
            self.raw += raw
            self.packed += not raw
            at = after
        need(at == end, "%s: blocks end at %d, not %d", what, at, end)
        self.data = b"".join(parts)
        self.what = what

    def position(self, block, offset):
        need(block in self.starts, "%s: no block at %d", self.what, block)
        need(offset < META, "%s: offset %d", self.what, offset)
        at = self.starts[block] + offset
        need(at <= len(self.data), "%s: past the end", self.what)
        return at

    def unpack(self, form, at):
        need(at + struct.calcsize(form) <= len(self.data),
             "%s: cut at %d", self.what, at)
        return struct.unpack_from(form, self.data, at)

    def bytes(self, at, n):
        need(at + n <= len(self.data), "%s: cut at %d", self.what, at)
        return self.data[at:at + n]


class Inode:
    """One inode; which fields there are depends on the type."""

    def __init__(self):
        self.nlink = 1
        self.xattr = NONE32
        self.paths = []


class Image:
    """All of an image but the contents of its files."""

    def __init__(self, path):
        with open(path, "rb") as f:
            f.seek(0, 2)
            need(f.tell() >= 96, "shorter than a super block")
            self.map = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
        self.file_len = len(self.map)
        self.data_raw = self.data_packed = 0
        self.filters = {}
        self.used_ids = set()
        self.used_fragments = {}
        self.fragment_cache = {}
        self.seen_words = {}
        self.read_super()
        self.read_tables()
        self.read_xattrs()
        self.read_inodes()
        self.walk()

    def read_super(self):
        names = ("magic inode_count mkfs_time block_size fragment_count "
                 "compressor block_log flags id_count major minor root "
                 "bytes_used id_table xattr_table inode_table "
                 "directory_table fragment_table export_table").split()
        v = dict(zip(names, struct.unpack_from("<5I6H8Q", self.map, 0)))
        self.super = v
        need(v["magic"] == 0x73717368, "magic is %#x", v["magic"])
        need((v["major"], v["minor"]) == (4, 0), "version %d.%d", v["major"],
             v["minor"])
        need(12 <= v["block_log"] <= 20, "block log %d", v["block_log"])
        need(v["block_size"] == 1 << v["block_log"], "block size %d, log %d",
             v["block_size"], v["block_log"])
        need(v["compressor"] in COMPRESSORS, "compressor %d", v["compressor"])
        need(not v["flags"] & 0xf004, "flags %#x", v["flags"])
        need(96 < v["bytes_used"] <= self.file_len, "bytes used %d of %d",
             v["bytes_used"], self.file_len)
        need(self.file_len % 1024 == 0, "length %d is not padded",
             self.file_len)
        need(not any(self.map[v["bytes_used"]:]), "padding is not zero")
        need(v["inode_count"] and v["id_count"], "no inodes or no ids")
        self.block_size = v["block_size"]
        self.options, self.data_start = b"", 96
        self.decode = DECODERS[v["compressor"]]
        if v["compressor"] == 5:
            LIBS["lz4"] = library("lz4")
        elif v["compressor"] == 6:
            LIBS["zstd"] = library("zstd")
        elif v["compressor"] == 3:
            LIBS["lzo2"] = library("lzo2")
        self.dictionary = max(self.block_size, META)
        if v["flags"] & 0x400:
            head = struct.unpack_from("<H", self.map, 96)[0]
            n = head & 0x7fff
            need(head & 0x8000, "options block is compressed")
            need(n in OPTIONS_LEN.get(v["compressor"], ()),
                 "options block of %d bytes", n)
            self.options = self.map[98:98 + n]
            self.data_start = 98 + n
            if v["compressor"] == 4:
                self.dictionary = struct.unpack_from("<I", self.options)[0]
        need(v["compressor"] != 5 or self.options, "lz4 without options")

    def decode_block(self, raw, bound, what, is_data=False):
        try:
            out = self.decode(raw, bound)
            kind = self.super["compressor"]
            if kind == 4:
                ids, dictionary = xz_filters(raw)
                need(dictionary <= self.dictionary,
                     "dictionary of %d bytes, %d declared", dictionary,
                     self.dictionary)
                need(is_data or len(ids) == 1, "BCJ filter on metadata")
                if is_data:
                    self.filters[ids[0]] = self.filters.get(ids[0], 0) + 1
            elif kind == 6:
                need(zstd_window(raw) <= max(self.block_size, META),
                     "zstd window of %d", zstd_window(raw))
        except (zlib.error, lzma.LZMAError, IndexError) as e:
            raise Bad("%s: %s" % (what, e)) from e
        except Bad as e:
            raise Bad("%s: %s" % (what, e)) from e
        need(0 < len(out) <= bound, "%s: holds %d bytes, at most %d", what,
             len(out), bound)
        wish(len(raw) < len(out), "%s: %d bytes were compressed to %d", what,
             len(out), len(raw))
        return out

    def meta_block(self, at, end, what):
        need(at + 2 < end, "%s: header past the end", what)
        head = struct.unpack_from("<H", self.map, at)[0]
        n = head & 0x7fff
        need(0 < n <= META, "%s: block of %d bytes", what, n)
        need(at + 2 + n <= end, "%s: block past the end", what)
        raw = self.map[at + 2:at + 2 + n]
        if head & 0x8000:
            return raw, at + 2 + n, True
        return (self.decode_block(raw, META, "%s: block at %d" % (what, at)),
                at + 2 + n, False)

    def table(self, index, size, count, what, after):
        """A look-up table whose index must end at after."""
        blocks = -(-size * count // META)
        need(index + 8 * blocks == after, "%s: index ends at %d, not %d", what,
             index + 8 * blocks, after)
        places = struct.unpack_from("<%dQ" % blocks, self.map, index)
        stream = Stream(self, places[0], index, what)
        need([p - places[0] for p in places] == stream.order,
             "%s: index and blocks differ", what)
        need(len(stream.data) == size * count, "%s: %d bytes, not %d", what,
             len(stream.data), size * count)
        return places[0], stream

    def read_tables(self):
        v = self.super
        if v["xattr_table"] == NONE64:
            wish(v["flags"] & 0x200, "no xattr table, yet no flag")
            after, self.xattr_start = v["bytes_used"], None
        else:
            need(not v["flags"] & 0x200, "xattr table, yet a flag")
            need(v["xattr_table"] + 16 <= v["bytes_used"], "xattr table")
            self.xattr_start, self.xattr_count, unused = struct.unpack_from(
                "<QII", self.map, v["xattr_table"])
            need(self.xattr_count and not unused, "xattr header")
            after = self.xattr_start
        after, self.id_stream = self.table(v["id_table"], 4, v["id_count"],
                                           "id table", after)
        self.ids = struct.unpack("<%dI" % v["id_count"], self.id_stream.data)
        need(len(set(self.ids)) == len(self.ids), "id table: a value twice")
        self.exports = None
        need((v["export_table"] != NONE64) == bool(v["flags"] & 0x80),
             "export table and its flag differ")
        if v["export_table"] != NONE64:
            after, s = self.table(v["export_table"], 8, v["inode_count"],
                                  "export table", after)
            self.exports = struct.unpack("<%dQ" % v["inode_count"], s.data)
        self.fragments, self.fragment_stream = [], None
        if v["fragment_count"]:
            after, s = self.table(v["fragment_table"], 16, v["fragment_count"],
                                  "fragment table", after)
            self.fragment_stream = s
            for start, word, unused in struct.iter_unpack("<QII", s.data):
                need(not unused, "fragment table: unused field")
                self.fragments.append((start, word))
        else:
            need(v["fragment_table"] == after, "fragment table at %#x, not %#x",
                 v["fragment_table"], after)
        need(self.data_start <= v["inode_table"] < v["directory_table"] <=
             after, "tables out of order")
        self.inodes = Stream(self, v["inode_table"], v["directory_table"],
                             "inode table")
        self.dirs = Stream(self, v["directory_table"], after,
                           "directory table")

    def read_xattrs(self):
        self.sets, self.xattr_pairs, self.out_of_line = [], 0, 0
        self.xattr_stream = None
        if self.xattr_start is None:
            return
        first, ids = self.xattr_ids()
        kv = Stream(self, self.xattr_start, first, "xattr pairs")
        self.xattr_stream = kv
        seen = set()
        for ref, count, size in struct.iter_unpack("<QII", ids):
            at, pairs = kv.position(ref >> 16, ref & 0xffff), []
            need(count, "xattr set without pairs")
            for _ in range(count):
                kind, n = kv.unpack("<HH", at)
                name = kv.bytes(at + 4, n)
                need(n and kind & ~0x100 <= 2, "xattr type %#x", kind)
                at += 4 + n
                m = kv.unpack("<I", at)[0]
                if kind & 0x100:
                    need(m == 8, "out of line value of %d bytes", m)
                    there = kv.unpack("<Q", at + 4)[0]
                    where = kv.position(there >> 16, there & 0xffff)
                    value = kv.bytes(where + 4, kv.unpack("<I", where)[0])
                    self.out_of_line += 1
                else:
                    value = kv.bytes(at + 4, m)
                at += 4 + m
                pairs.append((PREFIXES[kind & 0xff] + name, value))
            self.xattr_pairs += count
            need(len(dict(pairs)) == count, "xattr set with a name twice")
            wish(size == sum(len(k) + 1 + len(x) for k, x in pairs),
                 "xattr set of size %d", size)
            pairs.sort()
            wish(tuple(pairs) not in seen, "xattr set stored twice")
            seen.add(tuple(pairs))
            self.sets.append(pairs)

    def xattr_ids(self):
        """The id blocks lie between the pairs and the header."""
        v = self.super
        blocks = -(-16 * self.xattr_count // META)
        need(v["xattr_table"] + 16 + 8 * blocks == v["bytes_used"],
             "xattr index ends at %d, not %d",
             v["xattr_table"] + 16 + 8 * blocks, v["bytes_used"])
        places = struct.unpack_from("<%dQ" % blocks, self.map,
                                    v["xattr_table"] + 16)
        s = Stream(self, places[0], v["xattr_table"], "xattr id table")
        need([p - places[0] for p in places] == s.order, "xattr index")
        need(len(s.data) == 16 * self.xattr_count, "xattr id table: length")
        return places[0], s.data

    def owner(self, index):
        need(index < len(self.ids), "id index %d", index)
        self.used_ids.add(index)
        return self.ids[index]

    def read_inodes(self):
        """The inode table from front to back: no gaps, nothing left over."""
        s, at = self.inodes, 0
        self.by_position, self.by_number = {}, {}
        while at < len(s.data):
            i = Inode()
            i.at = at
            i.type, i.mode, uid, gid, i.mtime, i.number = s.unpack("<4H2I", at)
            need(1 <= i.type <= 14, "inode type %d", i.type)
            need(i.mode <= 0o7777, "inode mode %o", i.mode)
            i.uid, i.gid = self.owner(uid), self.owner(gid)
            i.kind = (i.type - 1) % 7 + 1
            need(1 <= i.number <= self.super["inode_count"] and
                 i.number not in self.by_number, "inode number %d", i.number)
            at = self.read_inode_body(s, i, at + 16)
            need(i.xattr == NONE32 or i.xattr < len(self.sets),
                 "xattr index %d", i.xattr)
            self.by_position[i.at] = self.by_number[i.number] = i
        need(len(self.by_number) == self.super["inode_count"],
             "%d inodes, %d counted", len(self.by_number),
             self.super["inode_count"])

    def read_inode_body(self, s, i, at):
        if i.type == 1:
            i.block, i.nlink, i.size, i.offset, i.parent = \
                s.unpack("<IIHHI", at)
            i.index = []
            return at + 16
        if i.type == 8:
            i.nlink, i.size, i.block, i.parent, count, i.offset, i.xattr = \
                s.unpack("<IIIIHHI", at)
            at, i.index = at + 24, []
            for _ in range(count):
                pos, block, n = s.unpack("<III", at)
                i.index.append((pos, block, s.bytes(at + 12, n + 1)))
                at += 13 + n
            return at
        if i.kind == 2:
            return self.read_file_body(s, i, at)
        i.nlink = s.unpack("<I", at)[0]
        at += 4
        if i.kind == 3:
            n = s.unpack("<I", at)[0]
            need(0 < n < 4096, "symlink target of %d bytes", n)
            i.target = s.bytes(at + 4, n)
            at += 4 + n
        elif i.kind in (4, 5):
            i.rdev = s.unpack("<I", at)[0]
            at += 4
        if i.type > 7:
            i.xattr = s.unpack("<I", at)[0]
            at += 4
        return at

    def read_file_body(self, s, i, at):
        if i.type == 2:
            i.start, i.fragment, i.offset, i.size = s.unpack("<4I", at)
            at, i.sparse = at + 16, 0
        else:
            (i.start, i.size, i.sparse, i.nlink, i.fragment, i.offset,
             i.xattr) = s.unpack("<3Q4I", at)
            at += 40
        size = self.block_size
        n = i.size // size
        if i.fragment == NONE32:
            n += i.size % size != 0
        else:
            need(i.size % size, "file of whole blocks with a fragment")
            need(i.fragment < len(self.fragments), "fragment %d", i.fragment)
        need(n * 4 <= len(s.data), "file of %d bytes", i.size)
        i.words = struct.unpack_from("<%dI" % n, s.bytes(at, 4 * n))
        need(i.sparse <= i.size, "sparse %d of %d", i.sparse, i.size)
        hole = sum(min(size, i.size - k * size)
                   for k, w in enumerate(i.words) if not w)
        wish(i.sparse in ((0, hole) if i.type == 2 else (hole,)),
             "sparse is %d, holes have %d", i.sparse, hole)
        stored = 0
        for w in i.words:
            need(not w >> 25 and w != 1 << 24, "block word %#x", w)
            stored += w & 0xffffff
        if stored:
            need(i.start >= self.data_start and
                 i.start + stored <= self.super["inode_table"],
                 "blocks from %d, %d bytes", i.start, stored)
        return at + 4 * n

    # -------------------------------------------------------------- the tree

    def walk(self):
        v = self.super
        at = self.inodes.position(v["root"] >> 16, v["root"] & 0xffff)
        self.root = self.by_position.get(at)
        need(self.root and self.root.kind == 1, "root inode")
        self.refs = {self.root.number: v["root"]}
        self.objects = [(b"", self.root)]
        self.root.paths.append(b"")
        wish(self.root.parent == v["inode_count"] + 1, "parent of the root")
        todo = [(b"", self.root)]
        while todo:
            path, d = todo.pop()
            subdirs = 0
            for name, i in self.listing(path, d):
                full = path + b"/" + name if path else name
                self.objects.append((full, i))
                i.paths.append(full)
                if i.kind == 1:
                    need(len(i.paths) == 1, "%s: directory twice", escape(full))
                    need(i.parent == d.number, "%s: parent", escape(full))
                    subdirs += 1
                    todo.append((full, i))
            wish(d.nlink == 2 + subdirs, "%s: %d links, %d subdirectories",
                 escape(path) or "/", d.nlink, subdirs)
        for i in self.by_number.values():
            need(i.paths, "inode %d has no name", i.number)
            need(i.kind == 1 or len(i.paths) == i.nlink,
                 "%s: %d names, %d links", escape(i.paths[0]), len(i.paths),
                 i.nlink)
            i.paths.sort()
        need(len(self.used_ids) == len(self.ids), "unused ids")
        if self.exports:
            for number, ref in enumerate(self.exports, 1):
                need(self.refs.get(number) == ref, "export of inode %d",
                     number)
        for p in self.by_number.values():
            if p.kind == 2 and p.fragment != NONE32:
                self.used_fragments[p.fragment] = True
        need(len(self.used_fragments) == len(self.fragments),
             "unused fragment blocks")
        self.objects.sort(key=lambda o: o[0])

    def listing(self, path, d):
        where = escape(path) or "/"
        need(d.size >= 3, "%s: listing of %d", where, d.size)
        d.headers = 0
        if d.size == 3:
            need(not d.index, "%s: index of nothing", where)
            return []
        out, last = [], b""
        begin = self.dirs.position(d.block, d.offset)
        at, end, firsts = begin, begin + d.size - 3, {}
        while at < end:
            count, block, base = self.dirs.unpack("<3I", at)
            need(count < 256, "%s: header for %d", where, count + 1)
            head, at = at - begin, at + 12
            d.headers += 1
            for k in range(count + 1):
                offset, delta, kind, n = self.dirs.unpack("<HhHH", at)
                name = self.dirs.bytes(at + 8, n + 1)
                at += 9 + n
                need(name > last and b"/" not in name and b"\0" not in name and
                     name not in (b".", b"..") and n < 255,
                     "%s: name %s", where, escape(name))
                if not k:
                    firsts[head] = name
                last = name
                i = self.by_position.get(self.inodes.position(block, offset))
                need(i and i.number == base + delta and i.kind == kind,
                     "%s/%s: entry and inode differ", where, escape(name))
                self.refs[i.number] = block << 16 | offset
                out.append((name, i))
        need(at == end, "%s: listing ends at %d, not %d", where, at, end)
        self.check_index(where, d, begin, firsts)
        return out

    def check_index(self, where, d, begin, firsts):
        last = -1
        for pos, block, name in d.index:
            need(pos > last and firsts.get(pos) == name,
                 "%s: index at %d", where, pos)
            start = self.dirs.starts.get(block)
            need(start is not None and start <= begin + pos < start + META,
                 "%s: index at %d: block %d", where, pos, block)
            need((d.offset + pos) % META == begin + pos - start,
                 "%s: index at %d: offset", where, pos)
            last = pos

    # -------------------------------------------------------------- contents

    def stored(self, at, word, want, what):
        n = word & 0xffffff
        need(n <= want, "%s: %d bytes for %d", what, n, want)
        raw = self.map[at:at + n]
        if word >> 24:
            self.data_raw += 1
            out = raw
        else:
            self.data_packed += 1
            out = self.decode_block(raw, want, what, True)
        return out

    def fragment(self, index):
        block = self.fragment_cache.get(index)
        if block is None:
            start, word = self.fragments[index]
            n = word & 0xffffff
            need(n and not word >> 25, "fragment word %#x", word)
            need(self.data_start <= start and
                 start + n <= self.super["inode_table"], "fragment block %d",
                 index)
            if len(self.fragment_cache) > 64:
                self.fragment_cache.clear()
            block = self.stored(start, word, self.block_size,
                                "fragment block %d" % index)
            self.fragment_cache[index] = block
        return block

    def content(self, i):
        """The pieces of a file."""
        where, at, left = escape(i.paths[0]), i.start, i.size
        for k, word in enumerate(i.words):
            n = min(left, self.block_size)
            if word:
                piece = self.stored(at, word, n, "%s: block %d" % (where, k))
                need(len(piece) == n, "%s: block %d holds %d, not %d", where,
                     k, len(piece), n)
                yield piece
                at += word & 0xffffff
            else:
                yield bytes(n)
            left -= n
        if i.fragment != NONE32:
            block = self.fragment(i.fragment)
            need(i.offset + left <= len(block), "%s: tail-end at %d", where,
                 i.offset)
            yield block[i.offset:i.offset + left]
            left = 0
        need(not left, "%s: %d bytes have no block", where, left)

    def digests(self):
        for i in sorted((i for i in self.by_number.values() if i.kind == 2),
                        key=lambda i: (i.fragment, i.offset, i.start)):
            h = hashlib.sha256()
            for piece in self.content(i):
                h.update(piece)
            i.sha256 = h.hexdigest()

    # -------------------------------------------------------------- printing

    def line(self, path, i):
        size = rdev = link = digest = "-"
        if i.kind == 2:
            size, digest = str(i.size), i.sha256
        elif i.kind == 3:
            link = "->" + escape(i.target)
            size = str(len(i.target))
        elif i.kind in (4, 5):
            rdev = "%d:%d" % (i.rdev >> 8 & 0xfff,
                              i.rdev & 0xff | i.rdev >> 12 & 0xfff00)
        if i.kind != 1 and i.nlink > 1:
            link = (link if i.kind == 3 else "") + "=" + escape(i.paths[0])
        xattrs = ",".join("%s=%s" % (escape(k), x.hex()) for k, x in
                          (self.sets[i.xattr] if i.xattr != NONE32 else []))
        return " ".join(("/" + escape(path), LETTERS[i.kind], "%04o" % i.mode,
                         str(i.uid), str(i.gid), str(i.nlink), str(i.mtime),
                         size, rdev, link, digest, xattrs or "-"))

    def facts(self):
        v = self.super
        for k in ("inode_count", "mkfs_time", "block_size", "fragment_count",
                  "id_count", "bytes_used", "inode_table", "directory_table"):
            yield k, v[k]
        yield "compressor", COMPRESSORS[v["compressor"]]
        yield "flags", ",".join(n for b, n in enumerate(FLAGS)
                                if v["flags"] >> b & 1) or "-"
        yield "file_len", self.file_len
        yield "options", self.options.hex() or "-"
        yield "export_table", "yes" if self.exports else "no"
        yield "ids", ",".join(str(i) for i in self.ids[:20])
        yield "xattr_sets", len(self.sets)
        yield "xattr_pairs", self.xattr_pairs
        yield "xattr_out_of_line", self.out_of_line
        for name, s in (("inode", self.inodes), ("directory", self.dirs),
                        ("id", self.id_stream), ("xattr", self.xattr_stream),
                        ("fragment", self.fragment_stream)):
            yield name + "_blocks_raw", s.raw if s else 0
            yield name + "_blocks_packed", s.packed if s else 0
        self.fragment_cache.clear()
        self.data_raw = self.data_packed = 0
        packed = [0, 0]
        for k in range(len(self.fragments)):
            self.fragment(k)
            packed[self.fragments[k][1] >> 24] += 1
        yield "fragments_packed", packed[0]
        yield "fragments_raw", packed[1]
        places = {}
        for i in self.by_number.values():
            if i.kind == 2:
                at = i.start
                for w in i.words:
                    if w:
                        places[at] = w
                    at += w & 0xffffff
        yield "data_raw", sum(w >> 24 for w in places.values())
        yield "data_packed", sum(not w >> 24 for w in places.values())
        yield "data_bytes", sum(w & 0xffffff for w in places.values()) + \
            sum(w & 0xffffff for _, w in self.fragments)
        first = min(places, default=None)
        yield "first_block", first if first is not None else "-"
        yield "first_bytes", self.map[first:first + 16].hex() \
            if first is not None else "-"
        for k, n in sorted(self.filters.items()):
            yield "xz_filter_%#x" % k, n
        for path, i in self.objects:
            more = ""
            if i.kind == 1:
                more = " headers=%d index=%d size=%d" % (i.headers,
                                                         len(i.index), i.size)
            elif i.kind == 2:
                more = (" start=%d size=%d sparse=%d words=%s fragment=%s"
                        " offset=%d" % (
                            i.start, i.size, i.sparse,
                            ",".join("%x" % w for w in i.words) or "-",
                            "-" if i.fragment == NONE32 else i.fragment,
                            i.offset))
            yield "inode /" + escape(path), "type=%d number=%d xattr=%s%s" % (
                i.type, i.number, "-" if i.xattr == NONE32 else i.xattr, more)


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--facts", action="store_true")
    ap.add_argument("--verify", action="store_true")
    ap.add_argument("--lax", action="store_true",
                    help="allow what other writers do within the format")
    ap.add_argument("image")
    a = ap.parse_args()
    global LAX
    LAX = a.lax
    out = []
    try:
        image = Image(a.image)
        image.digests()
        if a.facts:
            out = ["%s %s" % (k, x) for k, x in image.facts()]
        elif not a.verify:
            out = [image.line(path, i) for path, i in image.objects]
    except (Bad, OSError, struct.error) as e:
        print("%s: %s" % (a.image, e), file=sys.stderr)
        return 1
    sys.stdout.write("".join(line + "\n" for line in out))
    return 0


if __name__ == "__main__":
    sys.exit(main())
