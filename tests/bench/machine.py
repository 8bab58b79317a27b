# SPDX-License-Identifier: GPL-2.0-or-later
"""Where figures were taken: the machine, programs and libraries."""
import os
import platform
import re
import subprocess
import time


def said(*command):
    """What a command prints on both outputs, or ""."""
    try:
        run = subprocess.run(command, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, timeout=10,
                             stderr=subprocess.STDOUT, check=False,
                             env=dict(os.environ, LC_ALL="C"))
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return run.stdout.decode(errors="replace")


def field(text, key):
    found = re.search(r"^\s*%s\s*[:=]\s*(.+)$" % re.escape(key), text, re.M)
    return found.group(1).strip().strip('"') if found else "unknown"


def contents(path):
    try:
        with open(path, errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def owner(path):
    """The Debian package of a file and its version, or None. It may know the
    file by a path that leads through a link."""
    real = os.path.realpath(path)
    for known in (real, path, real.replace("/usr/lib", "/lib", 1)):
        found = re.match(r"(\S+): /", said("dpkg-query", "-S", known))
        if found:
            return said("dpkg-query", "-W", "-f", "${Package} ${Version}",
                        found.group(1))
    return None


def libraries(program):
    """The packages of the libraries that a program is linked with; just their
    names where no package tells."""
    found = re.findall(r"(lib\S+) => (/\S+)", said("ldd", program))
    return [owner(path) or name for name, path in found]


def describe(ctx):
    """Lines of Markdown."""
    cpu, memory = said("lscpu"), contents("/proc/meminfo")
    kib = field(memory, "MemTotal").split()[0]
    rows = [
        ("day", time.strftime("%Y-%m-%d", time.gmtime())),
        ("processor", "%s, %d used of %s" % (field(cpu, "Model name"),
                                             ctx.cores, os.cpu_count())),
        ("memory", "%.1f GiB" % (int(kib) / (1 << 20)) if kib.isdigit()
         else "unknown"),
        ("kernel", "%s %s" % (platform.system(), platform.release())),
        ("system", field(contents("/etc/os-release"), "PRETTY_NAME")),
        ("virtual", said("systemd-detect-virt").strip() or "unknown"),
        ("sqfskit", said(ctx.ours("tar2sqfs"), "--version").split("\n")[0]),
        ("compiler", compiler(ctx.build)),
        ("libraries", ", ".join(libraries(ctx.ours("tar2sqfs")))),
    ]
    for name, option in (("tar2sqfs", "--version"), ("mksquashfs", "-version"),
                         ("tar", "--version"), ("bsdtar", "--version")):
        path = ctx.peer(name)
        first = said(path, option).split("\n")[0] if path else "not there"
        rows.append((name + " of others" if name == "tar2sqfs" else name,
                     first))
    return ["| | |", "|---|---|", *("| %s | %s |" % r for r in rows), ""]


def compiler(build):
    make = contents(os.path.join(build, "Makefile"))
    name = field(make, "CC")
    return "%s, %s" % (said(*name.split(), "--version").split("\n")[0],
                       field(make, "CFLAGS"))
