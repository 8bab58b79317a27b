#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Lists the data and fragment blocks of an image whose blocks are stored as
they are (--no-compression=all), an offset and a length a line: what bare -L
reads, so that it compresses the same blocks as we do.

    blocks.py IMAGE > LIST
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                ".."))
import readimage  # noqa: E402


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    image = readimage.Image(sys.argv[1])
    blocks = {(at, word & 0xffffff) for at, word in image.fragments}
    for i in image.by_number.values():
        at = i.start if i.kind == 2 else 0
        for word in i.words if i.kind == 2 else ():
            if word:
                blocks.add((at, word & 0xffffff))
            at += word & 0xffffff
    for at, length in sorted(blocks):
        print(at, length)
    return 0


if __name__ == "__main__":
    sys.exit(main())
