#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes a tar file from a list on standard input, for tests.

    mktar.py > TAR << EOF
    file PATH [mode=0644] [text=abc] [parts=r4096,z131072,t10] ...
    dir PATH | slink PATH to=TARGET | link PATH to=TARGET | fifo PATH
    chr PATH dev=1:3 | blk PATH dev=8:0 | global uid=7 | raw hex=00..
    EOF

Any member takes mode= uid= gid= mtime= format= (pax, gnu, ustar, v7; gnu is
the default, pax where a pax record is needed), xattr.NAME=hex:00ff or text,
and pax.KEY=VALUE for any other record. parts= are runs of content: r random,
z zero, t text, of so many bytes, drawn from seed=. copies=N makes N members,
%d in the path being the number, from=K the first. Words are split at blanks;
%XX in a word is a byte. Lines may come in any order and lie about anything.
The archive ends with two zero blocks unless the last line is "cut".
"""
import base64
import random
import sys
import urllib.parse

KINDS = {"file": b"0", "link": b"1", "slink": b"2", "chr": b"3", "blk": b"4",
         "dir": b"5", "fifo": b"6", "contiguous": b"7"}
MODES = {b"5": "0755", b"2": "0777"}
WORDS = ("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu "
         "nu xi omicron pi rho sigma tau upsilon phi chi psi omega").split()


def content(words, number):
    if "text" in words:
        return urllib.parse.unquote_to_bytes(words["text"])
    if "hex" in words:
        return bytes.fromhex(words["hex"])
    rand = random.Random("%s/%d" % (words.get("seed", "0"), number))
    out = []
    for part in words.get("parts", "").split(","):
        n = int(part[1:] or 0) if part else 0
        if part.startswith("r"):
            out.append(rand.getrandbits(8 * n).to_bytes(n, "big") if n else b"")
        elif part.startswith("t"):
            line = " ".join(rand.choice(WORDS) for _ in range(n // 4 + 1))
            out.append(line.encode()[:n])
        else:
            out.append(bytes(n))
    return b"".join(out)


def octal(value, length, gnu):
    if 0 <= value < 8 ** (length - 1):
        return b"%0*o\0" % (length - 1, value)
    if not gnu:
        raise ValueError("%d does not fit" % value)
    return (value + (1 << 8 * length if value < 0 else
                     1 << 8 * length - 1)).to_bytes(length, "big")


def header(name, kind, words, size, link, form):
    head, gnu = bytearray(512), form in ("gnu", "pax")
    head[0:min(len(name), 100)] = name[:100]
    if form == "ustar" and len(name) > 100:
        cut = name.rindex(b"/", 0, 156)
        head[0:100] = name[cut + 1:].ljust(100, b"\0")
        head[345:345 + cut] = name[:cut]
    head[100:108] = octal(int(words.get("mode", MODES.get(kind, "0644")), 8),
                          8, False)
    head[108:116] = octal(int(words.get("uid", 0)), 8, gnu)
    head[116:124] = octal(int(words.get("gid", 0)), 8, gnu)
    head[124:136] = octal(size, 12, gnu)
    head[136:148] = octal(int(words.get("mtime", 1000000000)), 12, gnu)
    head[156:157] = b"\0" if form == "v7" and kind == b"0" else kind
    head[157:157 + min(len(link), 100)] = link[:100]
    if form != "v7":
        head[257:265] = b"ustar  \0" if form == "gnu" else b"ustar\x0000"
    if "dev" in words:
        major, minor = words["dev"].split(":")
        head[329:337] = octal(int(major), 8, gnu)
        head[337:345] = octal(int(minor), 8, gnu)
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head)
    return bytes(head)


def padded(raw):
    return raw + bytes(-len(raw) % 512)


def record(key, value):
    rest, n = b" " + key + b"=" + value + b"\n", 0
    while n != len(rest) + len(str(n)):
        n = len(rest) + len(str(n))
    return b"%d" % n + rest


def pax_records(words, name, link):
    out = []
    for key, value in words.items():
        raw = bytes.fromhex(value[4:]) if value.startswith("hex:") \
            else urllib.parse.unquote_to_bytes(value)
        if key.startswith("xattr."):
            out.append(record(b"SCHILY." + key.encode(), raw))
        elif key.startswith("libarchive."):
            out.append(record(b"LIBARCHIVE.xattr." + key[11:].encode(),
                              base64.b64encode(raw).rstrip(b"=")))
        elif key.startswith("pax."):
            out.append(record(key[4:].encode(), raw))
    if words.get("format") == "pax":
        if len(name) > 100:
            out.append(record(b"path", name))
        if len(link) > 100:
            out.append(record(b"linkpath", link))
    return b"".join(out)


def member(kind, name, words, number):
    body = content(words, number)
    link = urllib.parse.unquote_to_bytes(words.get("to", ""))
    out, form = [], words.get("format", "gnu")
    extra = pax_records(words, name, link)
    if extra:
        out += [header(b"pax", b"x", {}, len(extra), b"", "ustar"),
                padded(extra)]
        form = "pax"
    if form == "gnu":
        for letter, value in ((b"L", name), (b"K", link)):
            if len(value) > 100:
                out += [header(b"././@LongLink", letter, {}, len(value) + 1,
                               b"", "gnu"), padded(value + b"\0")]
    out += [header(name, KINDS[kind], words,
                   int(words.get("size", len(body))), link, form),
            padded(body)]
    return b"".join(out)


def main():
    put = sys.stdout.buffer.write
    end = bytes(1024)
    for line in sys.stdin:
        line = line.split()
        if not line or line[0].startswith("#"):
            continue
        if line[0] == "cut":
            end = b""
        elif line[0] == "raw":
            put(bytes.fromhex(line[1][4:]))
        elif line[0] == "global":
            raw = b"".join(record(*(p.encode() for p in w.split("=", 1)))
                           for w in line[1:])
            put(header(b"global", b"g", {}, len(raw), b"", "ustar") +
                padded(raw))
        else:
            words = dict(w.split("=", 1) for w in line[2:])
            first = int(words.get("from", 0))
            for n in range(first, first + int(words.get("copies", 1))):
                mine = words
                if "copies" in words:
                    mine = {k: v.replace("%d", str(n))
                            for k, v in words.items()}
                name = line[1].replace("%d", "%06d" % n) \
                    if "copies" in words else line[1]
                put(member(line[0], urllib.parse.unquote_to_bytes(name), mine,
                           n))
    put(end)
    return 0


if __name__ == "__main__":
    sys.exit(main())
