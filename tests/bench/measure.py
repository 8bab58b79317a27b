# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a command, or a pipeline of them, and tells what it took.

The peaks of memory are read at the moment when a process is about to end, by
PTRACE_O_TRACEEXIT, which costs nothing until then. What the system adds up
itself, ru_maxrss, begins with the size of the process that forked, this one:
where tracing is forbidden, or the process was too quick to be traced, it is
used if it is more than that.
"""
import os
import resource
import signal
import subprocess
import tempfile
import threading
import time

try:
    import ctypes
    LIBC = ctypes.CDLL(None, use_errno=True)
    LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p,
                            ctypes.c_void_p]
    LIBC.ptrace.restype = ctypes.c_long
except (ImportError, OSError, AttributeError):
    LIBC = None
PTRACE_CONT, PTRACE_SEIZE = 7, 0x4206
PTRACE_O_TRACEEXIT, PTRACE_EVENT_EXIT = 0x40, 6


class Run:
    """Seconds, KiB, and what is None where it is not known.

    wall user system cpu    of all processes of a pipeline together
    rss vsize               peaks, the sum over the pipeline's processes
    main                    CPU time of the main thread, of a single process
    status                  0, or the first that is not
    over                    killed since it took longer than the limit
    errors                  the end of what it said on standard error
    """

    def __init__(self):
        self.wall = self.user = self.system = self.cpu = 0.0
        self.rss, self.vsize, self.main, self.status = 0, 0, None, 0
        self.over, self.errors = False, ""


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


def peaks(pid):
    """Resident and virtual peak in KiB."""
    found = {}
    try:
        with open("/proc/%d/status" % pid) as f:
            for line in f:
                key, _, value = line.partition(":")
                if key in ("VmHWM", "VmPeak"):
                    found[key] = int(value.split()[0])
    except (OSError, ValueError):
        pass
    return found.get("VmHWM"), found.get("VmPeak")


def trace(pid):
    """From here on the process stops once more before it ends."""
    if LIBC:
        LIBC.ptrace(PTRACE_SEIZE, pid, None, PTRACE_O_TRACEEXIT)


def go_on(pid, status, found):
    """Lets a stopped process go on; reads its peaks if it is about to end."""
    if status >> 8 == signal.SIGTRAP | PTRACE_EVENT_EXIT << 8:
        found[pid] = peaks(pid)
        LIBC.ptrace(PTRACE_CONT, pid, None, None)
    else:
        event = status >> 16
        LIBC.ptrace(PTRACE_CONT, pid, None,
                    None if event else os.WSTOPSIG(status))


def start(commands, source, stdout, errors):
    """The processes of a pipeline, which reads source."""
    tools = []
    for words in commands:
        last = len(tools) == len(commands) - 1
        tool = subprocess.Popen(words, stdin=source, stderr=errors,
                                stdout=stdout if last else subprocess.PIPE)
        trace(tool.pid)
        if source is not subprocess.DEVNULL:
            source.close()
        source = tool.stdout
        tools.append(tool)
    return tools


def finish(tools, out):
    """Waits for all; adds what they took to out."""
    left, found = {t.pid: t for t in tools}, {}
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    while left:
        # Until it is waited for, what a process used can still be read.
        info = os.waitid(os.P_ALL, 0, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
        pid = info.si_pid
        ended = info.si_code in (os.CLD_EXITED, os.CLD_KILLED, os.CLD_DUMPED)
        main = main_thread(pid) if ended and pid in left else None
        _, status, use = os.wait4(pid, os.WUNTRACED)
        if not ended:
            go_on(pid, status, found)
            continue
        if pid not in left:
            continue
        left.pop(pid).returncode = status
        out.user += use.ru_utime
        out.system += use.ru_stime
        rss, vsize = found.get(pid, (None, None))
        if rss is None and use.ru_maxrss > own:
            rss = use.ru_maxrss
        out.rss = None if None in (out.rss, rss) else out.rss + rss
        out.vsize = None if None in (out.vsize, vsize) else out.vsize + vsize
        out.main = main if len(tools) == 1 else None
        out.status = out.status or os.waitstatus_to_exitcode(status)
    out.cpu = out.user + out.system


def stop(tools, out):
    out.over = True
    for tool in tools:
        if tool.returncode is None:
            os.kill(tool.pid, signal.SIGKILL)


def run(command, stdin=None, piped=False, stdout=None, limit=None):
    """Runs a command, its words, or a pipeline, a list of those.

    stdin     a file that it reads, if piped through cat
    stdout    a file that it writes; what it writes is else thrown away
    limit     seconds, after which it is killed
    """
    commands = command if isinstance(command[0], list) else [command]
    source = open(stdin, "rb") if stdin else subprocess.DEVNULL
    target = open(stdout, "wb") if stdout else subprocess.DEVNULL
    feeder, out = None, Run()
    if piped:
        feeder = subprocess.Popen(["cat"], stdin=source,
                                  stdout=subprocess.PIPE)
        source.close()
        source = feeder.stdout
    with tempfile.TemporaryFile() as errors:
        begin = time.monotonic()
        tools = start(commands, source, target, errors)
        clock = threading.Timer(limit or 0, stop, (tools, out))
        if limit:
            clock.start()
        try:
            finish(tools, out)
        except BaseException:
            stop(tools, out)
            raise
        finally:
            clock.cancel()
        out.wall = time.monotonic() - begin
        errors.seek(max(0, errors.tell() - 4096))
        out.errors = errors.read().decode(errors="replace").strip()
    if stdout:
        target.close()
    if feeder:
        feeder.wait()
    return out
