#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Folds profiles into stacks, and draws and compares them.

    flame.py fold perf < SCRIPT > STACKS      what perf script prints
    flame.py fold callgrind FILE > STACKS
    flame.py draw [OPTION]... STACKS [BEFORE] > SVG
    flame.py shares STACKS                    who spends what on what
    flame.py diff BEFORE STACKS               what changed most

STACKS is a text: a line for each stack, its functions from the outermost on,
parted by semicolons, then a blank and what it cost. A function that is not of
the program itself has the name of its library, or "kernel", behind an @. The
first name is no function but the role of the thread: main, worker or writer.

Callgrind keeps costs between callers and callees, no stacks: a function's
costs are shared among the stacks that lead to it by what each of its callers
spent there.
"""
import argparse
import collections
import html
import os
import re
import sys

# What a thread is, by what is found in its stacks.
ROLES = (("run_block", "worker"), ("write_blocks", "writer"),
         ("take_batch", "writer"))

CODECS = ("liblz4", "libzstd", "liblzma", "libdeflate", "libz", "liblzo2",
          "libbz2")
CODEC_NAMES = re.compile(r"^(LZ4|ZSTD|HUF|FSE|HIST|XXH|lzma_|deflate|"
                         r"libdeflate|inflate|lzo1x|BZ2)")
KERNEL_COPIES = re.compile(
    r"copy_to_iter|copy_from_iter|copy_page_to_iter|copy_page_from_iter|"
    r"copy_folio_from_iter|copy_user|rep_movs|copyin|copyout|"
    r"copy_mc_enhanced|memcpy_to|splice_folio")
FILE_CALLS = re.compile(r"vfs_(p?read|p?write|iter)|do_(p?readv|p?writev)|"
                        r"sync_file_range|copy_file_range|sendfile|"
                        r"do_splice|fallocate|_fsync")
MALLOC = re.compile(r"^(_int_)?(malloc|free|calloc|realloc|memalign)|"
                    r"^_int_|^malloc_|^unlink_chunk|^sysmalloc|^tcache")
COPIES = re.compile(r"^(__)?mem(cpy|move|set|pcpy)|^mem_is_zero")
HASHES = re.compile(r"^sip_|^hash128|^hash64|^digest_(content|long)|^nh_")

KINDS = ("codec", "kernel copy", "page cache", "kernel rest", "wake and wait",
         "hash", "user copy", "malloc", "ours", "libraries")
COLOURS = {"codec": "#f0a35e", "kernel copy": "#6f9fd8",
           "page cache": "#9bbfe3", "kernel rest": "#c3d3e6",
           "wake and wait": "#b58fd0", "hash": "#e8cf5a",
           "user copy": "#e0787a", "malloc": "#d79ac0", "ours": "#86bf78",
           "libraries": "#bdbdbd"}


# ------------------------------------------------------------------- folding

def library(path):
    """The short name of what a function lies in; empty for our programs."""
    name = os.path.basename(path)
    if "kernel" in name or name in ("[vdso]", "[guest.kernel.kallsyms]"):
        return "kernel"
    if ".so" in name:
        return re.sub(r"-[0-9.]+$", "", name.split(".so")[0])
    if name.startswith("["):
        return name.strip("[]")
    return ""


def frame(symbol, path):
    symbol = symbol.replace(";", ":").strip()
    for suffix in (".isra", ".part", ".constprop", ".cold", "@@", "@"):
        symbol = symbol.split(suffix)[0] or symbol
    lib = library(path)
    return symbol + ("@" + lib if lib else "")


def plain(name):
    return name.split("@")[0]


def role_in(stack):
    names = {plain(f) for f in stack}
    for name, role in ROLES:
        if name in names:
            return role
    return None


def perf_samples(lines):
    """(process, thread, cost, stack from the outermost on) of each sample."""
    head, stack = None, []
    for line in list(lines) + [""]:
        if not line.strip():
            if head:
                yield head + (stack[::-1],)
            head, stack = None, []
        elif head is None:
            m = re.match(r"\s*(?:\S.*\s)?(\d+)/(\d+)\s+(\d+)", line)
            if m:
                head = (int(m[1]), int(m[2]), int(m[3]))
        else:
            m = re.match(r"\s*([0-9a-f]+) (.*) \((.*)\)$", line.rstrip())
            if not m or m[1] == "f" * 16:
                continue
            symbol = m[2]
            if symbol == "[unknown]":
                if not library(m[3]):
                    continue
                symbol = ""
            symbol = re.sub(r"\+0x[0-9a-f]+$", "", symbol)
            stack.append(frame(symbol, m[3]))


def fold_perf(lines):
    samples = list(perf_samples(lines))
    roles, folded = {}, collections.Counter()
    for pid, tid, _, stack in samples:
        role = role_in(stack)
        if pid == tid:
            roles[tid] = "main"
        elif role:
            roles[tid] = role
    for pid, tid, cost, stack in samples:
        folded[(roles.get(tid, "other"),) + squeeze(stack)] += cost
    return folded


def squeeze(stack):
    """Without what leads to main or to a thread, and nameless repeats."""
    begin = 0
    for i, f in enumerate(stack):
        if plain(f) in ("main", "thread_main", "ahead_main") and "@" not in f:
            begin = i
            break
    out = []
    for f in stack[begin:]:
        if not out or f != out[-1]:
            out.append(f)
    return tuple(out) or ("unknown",)


class Callgrind:
    """Functions, their own cost, and what they spent in others."""

    def __init__(self, lines):
        self.own = collections.Counter()
        self.arcs = collections.defaultdict(collections.Counter)
        self._names = {}
        self._read(lines)

    def _name(self, kind, text):
        m = re.match(r"\((\d+)\)(?: (.*))?$", text)
        if not m:
            return text
        if m[2] is not None:
            self._names[kind, m[1]] = m[2]
        return self._names.get((kind, m[1]), m[1])

    def _read(self, lines):
        ob = cob = fn = callee = None
        for line in lines:
            line = line.rstrip("\n")
            m = re.match(r"([a-z]+)=(.*)$", line)
            if m:
                key, value = m[1], m[2]
                if key == "ob":
                    ob = self._name("ob", value)
                elif key == "cob":
                    cob = self._name("ob", value)
                elif key == "fn":
                    fn = self._frame(self._name("fn", value), ob)
                elif key == "cfn":
                    callee = self._frame(self._name("fn", value), cob or ob)
                    cob = None
                continue
            w = line.split()
            if fn is None or len(w) < 2 or not re.match(r"[0-9+*-]", w[0]):
                continue
            cost = int(w[1])
            if callee is not None:
                if callee != fn:
                    self.arcs[fn][callee] += cost
                callee = None
            else:
                self.own[fn] += cost

    @staticmethod
    def _frame(name, ob):
        return frame(name.split("'")[0], ob or "")


def fold_callgrind(lines):
    graph = Callgrind(lines)
    total = sum(graph.own.values())
    inside = {f: graph.own[f] + sum(graph.arcs[f].values())
              for f in set(graph.own) | set(graph.arcs)}
    folded = collections.Counter()
    begin = "main" if "main" in inside else max(inside, key=inside.get)
    work = [((begin,), inside[begin])]
    while work:
        stack, cost = work.pop()
        f = stack[-1]
        parts = [(c, n) for c, n in graph.arcs[f].items() if c not in stack]
        spent = graph.own[f] + sum(n for _, n in parts)
        if spent == 0 or cost < total / 20000:
            folded[stack] += cost
            continue
        scale = cost / spent
        if graph.own[f]:
            folded[stack] += graph.own[f] * scale
        for c, n in parts:
            work.append((stack + (c,), n * scale))
    rest = total - sum(folded.values())
    if rest > total / 1000:
        folded[("before and after main",)] += rest
    out = collections.Counter()
    for stack, cost in folded.items():
        if round(cost) > 0:
            out[(role_in(stack) or "main",) + stack] += round(cost)
    return out


def write_stacks(folded, out):
    for stack, cost in sorted(folded.items()):
        out.write("%s %d\n" % (";".join(stack), cost))


def read_stacks(path):
    folded = collections.Counter()
    with open(path, encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            stack, _, cost = line.rstrip("\n").rpartition(" ")
            if not stack or not cost.isdigit():
                raise ValueError("%s: line %d is no stack and cost"
                                 % (path, number))
            folded[tuple(stack.split(";"))] += int(cost)
    if not folded:
        raise ValueError("%s: no stack" % path)
    return folded


# --------------------------------------------------------------- what it was

def kind(stack):
    """What the innermost function of a stack was doing."""
    leaf = stack[-1]
    name, _, lib = leaf.partition("@")
    if lib == "kernel":
        if KERNEL_COPIES.search(name):
            return "kernel copy"
        kernel = [plain(f) for f in stack if f.endswith("@kernel")]
        if any("futex" in f for f in kernel):
            return "wake and wait"
        if any(FILE_CALLS.search(f) for f in kernel):
            return "page cache"
        return "kernel rest"
    if HASHES.match(name):
        return "hash"
    if lib in CODECS or CODEC_NAMES.match(name):
        return "codec"
    # Within a codec everything is the codec's.
    if any(f.partition("@")[2] in CODECS for f in stack):
        return "codec"
    if COPIES.match(name) or (lib == "libc" and
                              re.search(r"mem(move|cpy|set)", name)):
        return "user copy"
    if MALLOC.match(name) and lib in ("libc", ""):
        return "malloc"
    if lib == "libc" and re.search(r"pthread|lll_lock|futex|___pthread",
                                   name):
        return "wake and wait"
    return "libraries" if lib else "ours"


def shares(folded):
    """{role: {kind: cost}}"""
    out = collections.defaultdict(collections.Counter)
    for stack, cost in folded.items():
        out[stack[0]][kind(stack)] += cost
    return out


def show_shares(folded, out):
    by_role = shares(folded)
    total = sum(folded.values())
    kinds = [k for k in KINDS if any(r[k] for r in by_role.values())]
    rows = [[""] + kinds + ["all"]]
    for role in sorted(by_role, key=lambda r: -sum(by_role[r].values())):
        costs = by_role[role]
        rows.append([role] + ["%.1f" % (100 * costs[k] / total)
                              for k in kinds] +
                    ["%.1f" % (100 * sum(costs.values()) / total)])
    rows.append(["all"] + ["%.1f" % (100 * sum(r[k] for r in by_role.values())
                                     / total) for k in kinds] + ["100.0"])
    out.write("percent of all:\n")
    for row in rows:
        out.write("  %-8s" % row[0] +
                  " ".join("%13s" % c for c in row[1:]) + "\n")


def own_costs(folded):
    out = collections.Counter()
    for stack, cost in folded.items():
        out[stack[-1]] += cost
    return out


def changes(before, after):
    """(function, before, after), the largest change first."""
    a, b = own_costs(before), own_costs(after)
    rows = [(f, a[f], b[f]) for f in set(a) | set(b) if a[f] != b[f]]
    return sorted(rows, key=lambda r: (-abs(r[2] - r[1]), r[0]))


def show_changes(before, after, count, out):
    total_a, total_b = sum(before.values()), sum(after.values())
    out.write("%-44s %14s %14s %9s\n" % ("own cost of functions", "before",
                                         "after", "% of all"))
    for f, a, b in [("all", total_a, total_b)] + changes(before,
                                                         after)[:count]:
        out.write("%-44s %14d %14d %+9.2f\n" % (f[:44], a, b,
                                                100 * (b - a) / total_a))


# ------------------------------------------------------------------- drawing

ROW = 17       # pixels of a frame's height
LETTER = 6.6   # pixels of a letter's width
WIDTH_MIN = 0.3


class Node:
    def __init__(self):
        self.cost, self.kinds, self.children = 0, collections.Counter(), {}

    def add(self, stack, cost, what):
        node = self
        for f in (None,) + stack:
            if f is not None:
                node = node.children.setdefault(f, Node())
            node.cost += cost
            node.kinds[what] += cost


def tree_of(folded):
    root = Node()
    for stack, cost in folded.items():
        root.add(stack, cost, kind(stack))
    return root


def depth(node, scale):
    below = [depth(c, scale) for c in node.children.values()
             if c.cost * scale >= WIDTH_MIN]
    return 1 + max(below, default=0)


def colour(name, node):
    """A frame has the colour of what it is, or else of its largest part."""
    if "@" in name or not node.children:
        return COLOURS[node.kinds.most_common(1)[0][0]]
    return COLOURS["ours"]


def draw_node(name, node, x, level, height, scale, total, out):
    width = node.cost * scale
    if width < WIDTH_MIN:
        return
    y = height - (level + 1) * ROW
    out.append('<g><title>%s: %.2f %%</title>'
               '<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>'
               % (html.escape(name), 100 * node.cost / total, x, y, width,
                  ROW - 1, colour(name, node)))
    room = int((width - 4) / LETTER)
    if room >= 3:
        text = name if len(name) <= room else name[:room - 1] + "…"
        out.append('<text x="%.1f" y="%d">%s</text>'
                   % (x + 2, y + ROW - 5, html.escape(text)))
    out.append("</g>\n")
    for child in sorted(node.children):
        sub = node.children[child]
        draw_node(child, sub, x, level + 1, height, scale, total, out)
        x += sub.cost * scale


def panel(folded, title, left, width, full, top, height, out):
    """One flame graph; full is the cost that fills its width."""
    root = tree_of(folded)
    scale = width / full
    out.append('<text class="t" x="%d" y="%d">%s</text>\n'
               % (left, top - 8, html.escape(title)))
    x = left
    for name in sorted(root.children):
        node = root.children[name]
        draw_node(name, node, x, 0, top + height, scale, root.cost, out)
        x += node.cost * scale


def draw(panels, width, out):
    """panels: (title, stacks); beside each other and on the same scale."""
    gap, legend, top = 20, 26, 26
    each = (width - gap * (len(panels) - 1)) / len(panels)
    full = max(sum(folded.values()) for _, folded in panels)
    rows = max(depth(tree_of(folded), each / full) for _, folded in panels)
    height = rows * ROW
    text = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
            'viewBox="0 0 %d %d">\n' % (width, top + height + legend, width,
                                        top + height + legend),
            "<style>text{font:11px monospace;fill:#111}"
            ".t{font-size:13px;font-weight:bold}</style>\n"
            '<rect width="100%" height="100%" fill="#fff"/>\n']
    for i, (title, folded) in enumerate(panels):
        panel(folded, title, i * (each + gap), each, full, top, height, text)
    x = 0
    for name in KINDS:
        text.append('<rect x="%d" y="%d" width="11" height="11" fill="%s"/>'
                    '<text x="%d" y="%d">%s</text>\n'
                    % (x, top + height + 10, COLOURS[name], x + 14,
                       top + height + 19, name))
        x += 30 + int(len(name) * LETTER)
    text.append("</svg>\n")
    out.write("".join(text))


def main():
    ap = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    sub = ap.add_subparsers(dest="what", required=True)
    p = sub.add_parser("fold")
    p.add_argument("kind", choices=("perf", "callgrind"))
    p.add_argument("file", nargs="?")
    p = sub.add_parser("draw")
    p.add_argument("--title", default="after")
    p.add_argument("--before-title", default="before")
    p.add_argument("--width", type=int, default=1200)
    p.add_argument("stacks")
    p.add_argument("before", nargs="?")
    p = sub.add_parser("shares")
    p.add_argument("stacks")
    p = sub.add_parser("diff")
    p.add_argument("-n", type=int, default=25, metavar="ROWS")
    p.add_argument("before")
    p.add_argument("stacks")
    a = ap.parse_args()
    if a.what == "fold":
        with (open(a.file, encoding="utf-8", errors="replace") if a.file
              else sys.stdin) as f:
            fold = fold_perf if a.kind == "perf" else fold_callgrind
            write_stacks(fold(f), sys.stdout)
        return 0
    try:
        after = read_stacks(a.stacks)
        before = read_stacks(a.before) if getattr(a, "before", None) else None
    except (OSError, ValueError) as e:
        sys.exit("flame.py: %s" % e)
    if a.what == "shares":
        show_shares(after, sys.stdout)
    elif a.what == "diff":
        show_changes(before, after, a.n, sys.stdout)
    else:
        panels = [(a.title, after)]
        if before:
            panels.insert(0, (a.before_title, before))
        draw(panels, a.width, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
