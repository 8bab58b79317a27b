# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a command and tells what it took."""
import os
import subprocess
import time


class Run:
    """Seconds, KiB, and the CPU time of the main thread (None if unknown)."""

    def __init__(self, wall, user, system, rss, main, status):
        self.wall, self.user, self.system = wall, user, system
        self.cpu, self.rss, self.main = user + system, rss, main
        self.status = status


def main_thread(pid):
    """CPU seconds of a process's first thread, also of a zombie."""
    try:
        with open("/proc/%d/task/%d/schedstat" % (pid, pid)) as f:
            return int(f.read().split()[0]) / 1e9
    except (OSError, IndexError, ValueError):
        pass
    try:
        with open("/proc/%d/task/%d/stat" % (pid, pid)) as f:
            words = f.read().rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return None


def run(command, stdin=None, piped=False):
    """Runs command with the file stdin as its input, or piped through cat."""
    feeder = None
    source = open(stdin, "rb") if stdin else subprocess.DEVNULL
    if piped:
        feeder = subprocess.Popen(["cat"], stdin=source,
                                  stdout=subprocess.PIPE)
        source.close()
        source = feeder.stdout
    begin = time.monotonic()
    tool = subprocess.Popen(command, stdin=source,
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)
    # Until it is waited for, what it used can still be read.
    os.waitid(os.P_PID, tool.pid, os.WEXITED | os.WNOWAIT)
    wall = time.monotonic() - begin
    main = main_thread(tool.pid)
    _, status, use = os.wait4(tool.pid, 0)
    tool.returncode = status
    if source is not subprocess.DEVNULL:
        source.close()
    if feeder:
        feeder.wait()
    return Run(wall, use.ru_utime, use.ru_stime, use.ru_maxrss, main, status)
