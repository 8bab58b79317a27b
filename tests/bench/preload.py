# SPDX-License-Identifier: GPL-2.0-or-later
"""Counts from outside, by a library that is loaded before a program's own."""
import os
import subprocess

FLAGS = ("-shared", "-fPIC", "-O2", "-fno-builtin", "-D_GNU_SOURCE")
HERE = os.path.dirname(os.path.abspath(__file__))


class Library:
    """One of the libraries here, built; library is None where it cannot be."""

    def __init__(self, ctx, name):
        self.library, self.out = None, ctx.at(name)
        self.variable = name.upper() + "_OUT"
        cc = ctx.peer("cc")
        library = ctx.at(name + ".so")
        if cc and subprocess.run(
                [cc, *FLAGS, "-o", library, os.path.join(HERE, name + ".c"),
                 "-ldl"], stderr=subprocess.DEVNULL,
                check=False).returncode == 0:
            self.library = library

    def env(self):
        """The environment of a program that is to be counted."""
        if os.path.exists(self.out):
            os.unlink(self.out)
        return dict(os.environ, LD_PRELOAD=self.library,
                    **{self.variable: self.out})

    def read(self):
        """What was counted, lines of words; None if nothing was."""
        if not os.path.exists(self.out):
            return None
        with open(self.out, encoding="ascii") as f:
            return [line.split() for line in f]


class Copies(Library):
    """What programs copy through the C library: see copies.c."""

    def __init__(self, ctx):
        super().__init__(ctx, "copies")

    def count(self, command, stdin=None, stdout=None, piped=False):
        """Bytes that a command copies, which may read a file, through a pipe,
        and write one; None where it is not known."""
        if not (command and self.library):
            return None
        with open(stdin or os.devnull, "rb") as source, \
                open(stdout or os.devnull, "wb") as target:
            feeder = piped and subprocess.Popen(["cat"], stdin=source,
                                                stdout=subprocess.PIPE)
            done = subprocess.run(
                command, stdin=feeder.stdout if feeder else source,
                stdout=target, stderr=subprocess.DEVNULL, check=False,
                env=self.env())
            if feeder:
                feeder.stdout.close()
                feeder.wait()
        found = self.read()
        return int(found[0][0]) if found and not done.returncode else None


class Mallocs(Library):
    """What programs allocate, by who asks for it: see mallocs.c."""

    def __init__(self, ctx):
        super().__init__(ctx, "mallocs")

    def counts(self):
        """(calls, bytes) of "program", "libc" and "libraries", of the last
        run; None where that is not known."""
        found = self.read()
        return found and {who: (int(calls), int(size))
                          for who, calls, size in found}
