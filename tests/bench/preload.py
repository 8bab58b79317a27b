# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts from outside, by a library that is loaded before a program's own."""
import os
import subprocess

FLAGS = ("-shared", "-fPIC", "-O2", "-fno-builtin")
HERE = os.path.dirname(os.path.abspath(__file__))


class Copies:
    """What programs copy through the C library: see copies.c."""

    def __init__(self, ctx):
        self.library, self.out = None, ctx.at("copies")
        cc = ctx.peer("cc")
        library = ctx.at("copies.so")
        if cc and subprocess.run(
                [cc, *FLAGS, "-o", library, os.path.join(HERE, "copies.c"),
                 "-ldl"], stderr=subprocess.DEVNULL,
                check=False).returncode == 0:
            self.library = library

    def count(self, command, stdin=None, stdout=None, piped=False):
        """Bytes that a command copies, which may read a file, through a pipe,
        and write one; None where it is not known."""
        if not (command and self.library):
            return None
        if os.path.exists(self.out):
            os.unlink(self.out)
        with open(stdin or os.devnull, "rb") as source, \
                open(stdout or os.devnull, "wb") as target:
            feeder = piped and subprocess.Popen(["cat"], stdin=source,
                                                stdout=subprocess.PIPE)
            done = subprocess.run(
                command, stdin=feeder.stdout if feeder else source,
                stdout=target, stderr=subprocess.DEVNULL, check=False,
                env=dict(os.environ, LD_PRELOAD=self.library,
                         COPIES_OUT=self.out))
            if feeder:
                feeder.stdout.close()
                feeder.wait()
        if done.returncode or not os.path.exists(self.out):
            return None
        with open(self.out, encoding="ascii") as f:
            return int(f.read().split()[0])
