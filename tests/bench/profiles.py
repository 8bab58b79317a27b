#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Profiles our programs at work: flame graphs, and who spends what.

    profiles.py [OPTION]... [JOB]...

JOB is one of pack-lz4, pack-zstd, unpack, tar-out and list; default all of
them. For each, NAME.stacks (see flame.py), NAME.svg and NAME.txt are left in
the folder --out. With --before, which is another build folder or what --out
was of an earlier run, the graphs of both stand side by side, and NAME.txt has
the functions whose cost changed most.

perf samples where it works, every thread and the kernel; where not, callgrind
counts the instructions of a run without threads, the kernel's not among them.
"""
import argparse
import os
import shutil
import subprocess
import sys
import tempfile

import flame

HZ = 997


def jobs_of(a, build, image, out):
    """{name: command}: what is profiled."""
    def tool(name):
        return os.path.join(build, name)

    def pack(*codec):
        return [tool("tar2sqfs"), "-q", "-f", "-j", a.jobs, *codec,
                os.path.join(out, "packed"), a.input]

    jobs = ["-j", a.jobs]
    return {
        "pack-lz4": pack("-c", "lz4"),
        "pack-zstd": pack("-c", "zstd", "-X", "level=1"),
        "unpack": [tool("rdsquashfs"), "-q", "-u", "/", *jobs, "-p",
                   os.path.join(out, "tree"), image],
        "tar-out": [tool("sqfs2tar"), "-q", *jobs, image],
        "list": [tool("rdsquashfs"), "--long", "--recursive", "-l", "/",
                 image],
    }


def events():
    """The event that perf can count here, or None."""
    if not shutil.which("perf"):
        return None
    with tempfile.TemporaryDirectory(prefix="profile-") as d:
        for event in ("cycles", "cpu-clock"):
            r = subprocess.run(
                ["perf", "record", "-q", "-e", event, "-o",
                 os.path.join(d, "data"), "true"], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if r.returncode:
                continue
            # Where there are no counters, perf takes the clock instead.
            r = subprocess.run(["perf", "evlist", "-i",
                                os.path.join(d, "data")],
                               stdout=subprocess.PIPE, check=False,
                               stderr=subprocess.DEVNULL, text=True)
            return "cycles" if "cycles" in r.stdout else "cpu-clock"
    return None


def run(command, stdout=subprocess.DEVNULL):
    r = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=stdout,
                       stderr=subprocess.PIPE, check=False)
    if r.returncode:
        sys.exit("%s failed: %s" % (" ".join(command),
                                    r.stderr.decode(errors="replace")))
    return r


def by_perf(a, event, command, scratch):
    """Stacks of the whole run, kernel included; cost in nanoseconds where
    time is sampled, else in the event's own unit."""
    data = os.path.join(scratch, "perf.data")
    # Libraries come without frame pointers: the stack itself is recorded.
    with open(os.path.join(scratch, "stdout"), "wb") as f:
        run(["perf", "record", "-q", "-e", event, "-F", str(a.hz),
             "--call-graph", "dwarf,8192", "-o", data, "--", *command], f)
    script = subprocess.Popen(
        ["perf", "script", "--no-inline", "-i", data, "-F",
         "pid,tid,period,ip,sym,dso"], stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True, errors="replace")
    with script.stdout:
        folded = flame.fold_perf(script.stdout)
    script.wait()
    os.unlink(data)
    return folded


def by_callgrind(command, scratch):
    """Stacks of instructions of a run without threads."""
    out = os.path.join(scratch, "callgrind.out")
    command = list(command)
    if "-j" in command:
        command[command.index("-j") + 1] = "0"
    with open(os.path.join(scratch, "stdout"), "wb") as f:
        run(["valgrind", "-q", "--tool=callgrind",
             "--callgrind-out-file=" + out, *command], f)
    with open(out, encoding="utf-8", errors="replace") as f:
        folded = flame.fold_callgrind(f)
    os.unlink(out)
    return folded


def profile(a, event, name, command, scratch):
    tree = os.path.join(scratch, "tree")
    shutil.rmtree(tree, ignore_errors=True)
    if name == "unpack":
        os.mkdir(tree)
    if event:
        return by_perf(a, event, command, scratch)
    return by_callgrind(command, scratch)


def is_build(folder):
    return os.access(os.path.join(folder, "tar2sqfs"), os.X_OK)


def make_image(build, tar, image):
    run([os.path.join(build, "tar2sqfs"), "-q", "-f", "-c", "lz4", image,
         tar])


def own_input(path):
    """A tar of what every machine has: programs, and texts."""
    parts = [p for p in ("usr/bin", "usr/share/doc", "usr/include")
             if os.path.isdir("/" + p)]
    with open(path, "wb") as f:
        # What may not be read, or changes, is not needed.
        subprocess.run(["tar", "-C", "/", "--ignore-failed-read", "-cf", "-",
                        *parts], stdin=subprocess.DEVNULL, stdout=f,
                       stderr=subprocess.DEVNULL)


def save(a, name, unit, after, before):
    base = os.path.join(a.out, name)
    with open(base + ".stacks", "w", encoding="utf-8") as f:
        flame.write_stacks(after, f)
    panels = [(name, after)]
    if before:
        panels = [(name + ", before", before), (name + ", after", after)]
    with open(base + ".svg", "w", encoding="utf-8") as f:
        flame.draw(panels, 1200 if len(panels) == 1 else 2000, f)
    with open(base + ".txt", "w", encoding="utf-8") as f:
        f.write("%s: %d %s\n" % (name, sum(after.values()), unit))
        flame.show_shares(after, f)
        if before:
            f.write("before: %d %s\n" % (sum(before.values()), unit))
            flame.show_shares(before, f)
            flame.show_changes(before, after, a.rows, f)
    with open(base + ".txt", encoding="utf-8") as f:
        print(f.read())
    sys.stdout.flush()


def old_stacks(a, name):
    path = os.path.join(a.before, name + ".stacks")
    return flame.read_stacks(path) if os.path.exists(path) else None


def check_same_kind(a, unit):
    """Instructions are not compared with samples."""
    path = os.path.join(a.before, "unit")
    if is_build(a.before) or not os.path.exists(path):
        return
    with open(path, encoding="utf-8") as f:
        old = f.read().strip()
    if old != unit:
        sys.exit("profiles.py: %s holds %s, this would give %s; see --how"
                 % (a.before, old, unit))


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    ap.add_argument("--build", default=".", metavar="DIR")
    ap.add_argument("--before", metavar="DIR",
                    help="another build, or the --out of an earlier run")
    ap.add_argument("--input", metavar="TAR",
                    help="default: one made of this machine's programs")
    ap.add_argument("--out", default="profile", metavar="DIR")
    ap.add_argument("--how", choices=("perf", "callgrind"),
                    help="default: perf where it works")
    ap.add_argument("--hz", type=int, default=HZ)
    ap.add_argument("-j", "--jobs", default=str(os.cpu_count() or 1))
    ap.add_argument("--rows", type=int, default=25)
    ap.add_argument("--scratch", metavar="DIR",
                    default="/dev/shm" if os.access("/dev/shm", os.W_OK)
                    else None)
    ap.add_argument("job", nargs="*")
    a = ap.parse_args()
    event = events() if a.how != "callgrind" else None
    if not event and a.how == "perf":
        sys.exit("profiles.py: perf cannot sample here")
    if not event and not shutil.which("valgrind"):
        sys.exit("profiles.py: neither perf nor valgrind works here (Debian: "
                 "linux-perf, valgrind)")
    unit = ("instructions" if not event else
            "cycles" if event == "cycles" else "nanoseconds of processors")
    if a.before and not os.path.isdir(a.before):
        sys.exit("profiles.py: %s: no such folder" % a.before)
    if a.before:
        check_same_kind(a, unit)
    os.makedirs(a.out, exist_ok=True)
    if a.before and os.path.samefile(a.before, a.out):
        sys.exit("profiles.py: --before and --out are the same folder")
    with open(os.path.join(a.out, "unit"), "w", encoding="utf-8") as f:
        f.write(unit + "\n")
    with tempfile.TemporaryDirectory(prefix="profile-",
                                     dir=a.scratch) as scratch:
        if not a.input:
            a.input = os.path.join(scratch, "input.tar")
            own_input(a.input)
        image = os.path.join(scratch, "image")
        make_image(a.build, a.input, image)
        now = jobs_of(a, a.build, image, scratch)
        for name in a.job or now:
            if name not in now:
                sys.exit("profiles.py: no job %s; there are %s"
                         % (name, ", ".join(now)))
        for name in a.job or now:
            after = profile(a, event, name, now[name], scratch)
            before = None
            if a.before and is_build(a.before):
                old = jobs_of(a, a.before, image, scratch)
                before = profile(a, event, name, old[name], scratch)
            elif a.before:
                before = old_stacks(a, name)
            save(a, name, unit, after, before)
    print("flame graphs: %s" % os.path.join(a.out, "*.svg"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
