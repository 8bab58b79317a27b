# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes tar archives whose bytes depend on the calls and on nothing else.

Every member has the mode 0644 (0755 for directories), the owner 0:0 and one
fixed time, so that two runs, or two machines, make the same archive. Headers
are ustar; what does not fit in one goes to a pax record before it.
"""

MTIME = 1700000000
PIECE = 1 << 20


def octal(value, width):
    """A number field: octal digits and a zero byte at its end."""
    digits = b"%0*o" % (width - 1, value)
    if len(digits) >= width:
        raise ValueError("%d does not fit in %d bytes" % (value, width))
    return digits + b"\0"


def split(name):
    """The fields prefix and name of a path, or None where it is too long."""
    if len(name) <= 100:
        return b"", name
    slash = name.rfind(b"/", 0, 155)
    if slash <= 0 or not 0 < len(name) - slash - 1 <= 100:
        return None
    return name[:slash], name[slash + 1:]


def record(key, value):
    """A pax record, whose own length is a part of it."""
    rest = b" " + key + b"=" + value + b"\n"
    length = len(rest) + 1
    while len(b"%d" % length) + len(rest) != length:
        length = len(b"%d" % length) + len(rest)
    return b"%d" % length + rest


class Writer:
    """Members in the order of the calls into a binary file.

    size     bytes written so far
    entries  members written so far
    """

    def __init__(self, out, mtime=MTIME):
        self.out, self.size, self.entries = out, 0, 0
        self.mtime = octal(mtime, 12)

    def put(self, data):
        self.out.write(data)
        self.size += len(data)

    def pad(self):
        self.put(bytes(-self.size % 512))

    def header(self, name, size, kind, mode, link=b"", owner=b"", device=b""):
        prefix, base = split(name) or (b"", name[:100])
        number = octal(size, 12)
        front = (base.ljust(100, b"\0") + octal(mode, 8) + octal(0, 8) * 2 +
                 number + self.mtime)
        back = (kind + link[:100].ljust(100, b"\0") + b"ustar\00000" +
                owner.ljust(32, b"\0") * 2 + device.ljust(8, b"\0") * 2 +
                prefix.ljust(155, b"\0") + bytes(12))
        total = sum(front) + sum(back) + 8 * ord(" ")
        self.put(front + b"%06o\0 " % total + back)

    def records(self, pairs, name=b"PaxHeaders/x"):
        """Pax records, (key, value) in bytes, of the member that follows."""
        data = b"".join(record(*pair) for pair in pairs)
        self.header(name, len(data), b"x", 0o644)
        self.put(data)
        self.pad()

    def member(self, name, kind, mode, size=0, link="", xattrs=()):
        name, link = name.encode(), link.encode()
        pairs = [(b"SCHILY.xattr." + key.encode(), value)
                 for key, value in xattrs]
        if not split(name):
            pairs.append((b"path", name))
        if len(link) > 100:
            pairs.append((b"linkpath", link))
        if size >= 8 << 30:
            pairs.append((b"size", b"%d" % size))
        if pairs:
            self.records(pairs)
        self.header(name, size if size < 8 << 30 else 0, kind, mode, link)
        self.entries += 1

    def file(self, name, data=b"", xattrs=()):
        """A file of the bytes data; xattrs are (key, value in bytes)."""
        self.member(name, b"0", 0o644, len(data), xattrs=xattrs)
        self.put(data)
        self.pad()

    def stream(self, name, size, pieces):
        """A file of size bytes, which the iterable pieces gives."""
        self.member(name, b"0", 0o644, size)
        before = self.size
        for piece in pieces:
            self.put(piece)
        if self.size - before != size:
            raise ValueError("%s: %d bytes, not %d" % (
                name, self.size - before, size))
        self.pad()

    def directory(self, name, xattrs=()):
        self.member(name, b"5", 0o755, xattrs=xattrs)

    def hard_link(self, name, target):
        self.member(name, b"1", 0o644, link=target)

    def symlink(self, name, target):
        self.member(name, b"2", 0o777, link=target)

    def sparse(self, name, size, islands, read):
        """A file with holes, as GNU tar's "pax, sparse 1.0" has it.

        islands  (offset, length) of what is data, in order
        read     read(offset, length) gives the bytes of an island, or of a
                 piece of one
        """
        islands = [(at, n) for at, n in islands if n]
        if not islands or sum(islands[-1]) < size:
            islands.append((size, 0))
        numbers = [len(islands)] + [n for pair in islands for n in pair]
        table = b"".join(b"%d\n" % n for n in numbers)
        table += bytes(-len(table) % 512)
        folder, _, base = name.encode().rpartition(b"/")
        folder = folder or b"."
        self.records([(b"GNU.sparse.major", b"1"), (b"GNU.sparse.minor", b"0"),
                      (b"GNU.sparse.name", name.encode()),
                      (b"GNU.sparse.realsize", b"%d" % size)],
                     folder + b"/PaxHeaders/" + base)
        stored = len(table) + sum(n for _, n in islands)
        self.header(folder + b"/GNUSparseFile.0/" + base, stored, b"0", 0o644,
                    owner=b"root", device=octal(0, 8))
        self.entries += 1
        self.put(table)
        for at, n in islands:
            for offset in range(at, at + n, PIECE):
                self.put(read(offset, min(PIECE, at + n - offset)))
        self.pad()

    def end(self, record=512):
        """The end of the archive, filled up to a multiple of record bytes.

        The file remains open.
        """
        self.put(bytes(1024))
        self.put(bytes(-self.size % record))
