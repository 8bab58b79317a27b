#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The simulation of larger machines, tests/bench/simulate.py: where the answer
# is known it gives that answer, it never gets stuck, and nothing is lost.
# shellcheck source=../lib.sh
. "${top_srcdir:-.}/tests/tool/lib.sh"
need_python

cat > common.py << '.'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.environ["bench"])
import simulate
simulate.SPREAD = 0.0

def run(workers, cores, backlog=None, **costs):
    costs.setdefault("wake_ns", 0)
    costs.setdefault("latency_ns", 0)
    costs.setdefault("sleep_ns", 0)
    p = simulate.Pipeline(simulate.Costs(**costs), workers, cores, backlog)
    return p, p.run()

def near(have, want, share=0.01):
    assert abs(have - want) <= share * want, (have, want)
.
bench=$tests/bench
export bench

# number NAME FILE PATTERN: what the program has is what is simulated.
number() {
	same "$1 is that of $2" "$(python3 -S -c "import sys
sys.dont_write_bytecode = True
sys.path.insert(0, '$bench')
import simulate
print(simulate.$1)")" "$(sed -n "s/.*$3.*/\\1/p" "$top_srcdir/$2")"
}
number BATCH_MAX lib/pack/writer.c 'define BATCH_MAX *\([0-9]*\)'
number HELP_MIN lib/pack/writer.c 'define HELP_MIN *\([0-9]*\)'
number DELIVER_MAX lib/flow/flow.c 'define DELIVER_MAX *\([0-9]*\)'
number AHEAD lib/pool/pool.c 'ahead = pool->depth \/ \([0-9]*\);'
number PER_JOB bin/common/plan.c 'define BACKLOG_PER_JOB *\([0-9]*\)'
number BACKLOG_MIN bin/common/plan.c 'define BACKLOG_MIN[ \t]*\([0-9]*\)'

cat > known.py << '.'
from common import run, near
ms = 1e6
# Workers alone: all of it by their number, with as many cores.
for n in (1, 2, 4, 50):
    near(run(n, n, data=1000, data_ns=ms)[1], 1000 * ms / n)
# More workers than cores: by the number of cores.
near(run(64, 2, data=1000, data_ns=ms)[1], 500 * ms, 0.03)
# The main thread, or writing to one file, is what bounds it.
near(run(64, 128, data=1000, data_ns=ms, cut_ns=.6 * ms,
         take_ns=.4 * ms)[1], 1000 * ms)
near(run(64, 128, data=1000, data_ns=ms, write_ns=.5 * ms)[1], 500 * ms,
     0.1)
# One core: the sum of all.
near(run(3, 1, data=1000, data_ns=ms, cut_ns=.1 * ms, take_ns=.1 * ms,
         write_ns=.3 * ms)[1], 1500 * ms)
# Tail-ends make fragment blocks, which workers compress.
near(run(1, 3, data=0, tail=1000, fragment=500, tail_ns=.2 * ms,
         fragment_ns=ms)[1], 700 * ms)
# A pipe: no faster than its other end.
near(run(8, 16, data=1000, data_ns=ms, feed_ns=.7 * ms)[1], 700 * ms)
# What comes first and last is added.
near(run(2, 2, data=100, data_ns=ms, main_start=7 * ms,
         main_end=20 * ms)[1], 77 * ms)
# A worker that slept has to be woken for each block when work is scarce.
p, wall = run(4, 8, data=1000, data_ns=.1 * ms, cut_ns=ms, wake_ns=.1 * ms)
near(wall, 1100 * ms)
assert p.wakes["main"] >= 999, p.wakes
.
ok 'the answer is known' python3 known.py

cat > all.py << '.'
import random
from common import run, near
draw = random.Random(5)
for i in range(300):
    data, tail = draw.randrange(60), draw.randrange(60)
    c = {"data": data, "tail": tail,
         "fragment": draw.randrange(tail + 1) if tail else 0,
         "data_ns": draw.randrange(1000), "tail_ns": draw.randrange(1000),
         "fragment_ns": draw.randrange(1000),
         "cut_ns": draw.randrange(300), "take_ns": draw.randrange(300),
         "write_ns": draw.choice([None, 0, draw.randrange(1000)]),
         "call_ns": draw.randrange(50),
         "feed_ns": draw.choice([None, 0, draw.randrange(1000)]),
         "wake_ns": draw.randrange(100), "latency_ns": draw.randrange(500),
         "sleep_ns": draw.randrange(100)}
    workers, cores = draw.randrange(1, 9), draw.randrange(1, 9)
    p, wall = run(workers, cores, draw.randrange(2, 9), **c)
    spent = sum(t.spent for t in p.workers) + p.main.spent
    least = (data * (c["data_ns"] + (c["write_ns"] or 0)) +
             tail * c["tail_ns"] + (data + tail) * (c["cut_ns"] +
                                                    c["take_ns"]))
    # Tail-ends that share out unevenly may leave one block less or more.
    fragments = c["fragment_ns"] + (c["write_ns"] or 0)
    wakes = (sum(p.wakes.values()) * c["wake_ns"] + c["sleep_ns"] *
             (p.main.sleeps + sum(t.sleeps for t in p.workers)))
    calls = (data + tail) * c["call_ns"]
    assert spent >= least + (c["fragment"] - 1) * fragments - 1e-3, i
    assert spent <= (least + (c["fragment"] + 1) * fragments + wakes + calls +
                     1e-3), (i, c)
    assert wall * cores >= spent - 1e-3, (i, wall, cores, spent)
    assert not p.ring and not p.queue and not p.to_write, i
    assert p.free == p.backlog, (i, p.free, p.backlog)
.
ok 'every run ends, and nothing is lost' python3 all.py

cat > stats.json << '.'
{"costs": {"wall_ns": 4000000000, "cpu_user_ns": 1, "cpu_system_ns": 1,
 "stages": {"read": {"count": 3000, "cpu_ns": 300000000},
  "work": {"count": 2000, "cpu_ns": 2000000000},
  "tail_ends": {"count": 1000, "cpu_ns": 100000000},
  "fragment": {"count": 500, "cpu_ns": 500000000},
  "write": {"count": 1000, "cpu_ns": 402000000},
  "main": {"count": 1, "cpu_ns": 250000000}}}}
.
python3 "$bench/model.py" stats.json > out
has 'one worker on one core takes the sum of all' out \
	'^ +1 +3\.[56][0-9]* +1\.00 '
has 'writing bounds it' out \
	'^bound by: writing to one file from [0-9]+ workers$'
has 'no faster than that' out '^ +128 +0\.4[0-9]+ '
finish
