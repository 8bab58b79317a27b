# SPDX-License-Identifier: GPL-2.0-or-later
"""A simulation of our pipeline, event by event, fed by what its stages cost.

It does what lib/flow, lib/pool and lib/pack do: the main thread cuts blocks,
submits them to a ring, and gives those that come back, in order, to the sink;
workers take the oldest job that nobody has begun; fragment blocks go through
the ring a second time and hold up the write queue until they are compressed;
a worker that did its job writes what has a place, if that is enough and
nobody else does, in one call, and gives the blocks back. There is a fixed
number of blocks. A main thread that must wait sleeps until a part of the
ring is done. Threads that want to run share the cores evenly. Times are in
nanoseconds.

Left out: memory bandwidth and caches that cores share, clocks that slow down
when more cores work, what locks cost when several threads want them at once,
and whatever else the machine does.
"""
import collections
import heapq
import itertools
import random

# As in lib/pack/writer.c, lib/flow/flow.c, lib/pool/pool.c and
# bin/common/plan.c:
DELIVER_MAX = 2 # blocks given to the sink for each handed out
BATCH_MAX = 16  # blocks in one call
HELP_MIN = 4    # blocks that are worth a call
AHEAD = 8       # part of the ring that is done when a main thread goes on
PER_JOB = 16    # blocks for each worker
BACKLOG_MIN = 4
# Neighbours are alike, as the blocks of a large file or those of many small
# ones: costs differ by up to this share, evenly, for so many blocks on end.
SPREAD = 0.9
RUN = 32


class Costs:
    """What a run is made of: counts, and nanoseconds of a processor.

    data tail fragment     number of jobs of each kind
    data_ns ...            what a worker spends on one of them
    main_start main_end    before the first and behind the last block
    cut_ns take_ns         main thread, for a block: before it is submitted,
                           and when it came back
    write_ns               to write a block; None: nobody does, or it is in
                           what the main thread spends
    call_ns                for a call that writes some
    feed_ns                the process at the other end of a pipe, for a
                           block; None: no pipe
    wake_ns                to wake a thread that sleeps
    latency_ns             until it runs
    sleep_ns               what falling asleep and waking up takes of its own
    """

    def __init__(self, **more):
        self.data = self.tail = self.fragment = 0
        self.data_ns = self.tail_ns = self.fragment_ns = 0.0
        self.main_start = self.main_end = 0.0
        self.cut_ns = self.take_ns = 0.0
        self.write_ns = self.feed_ns = None
        self.call_ns = 0.0
        self.wake_ns, self.latency_ns, self.sleep_ns = 2300.0, 4100.0, 5000.0
        for key, value in more.items():
            if not hasattr(self, key):
                raise AttributeError(key)
            setattr(self, key, value)


class Thread:
    def __init__(self, name):
        self.name, self.steps = name, None
        self.spent = 0.0
        self.asleep = False
        self.sleeps = 0


class Machine:
    """Threads on cores. A thread is a generator: it yields a number, the
    nanoseconds that it computes, or None to sleep until somebody wakes it."""

    def __init__(self, cores, latency, sleep):
        self.cores, self.latency, self.sleep = cores, latency, sleep
        self.now = 0.0    # time
        self.served = 0.0 # what each running thread has had so far
        self.running = [] # (served at its end, number, thread)
        self.timers = []  # (time, number, thread)
        self.numbers = itertools.count()

    def start(self, thread, steps):
        thread.steps = steps
        self._step(thread)

    def wake(self, thread):
        """True if it slept."""
        if not thread or not thread.asleep:
            return False
        thread.asleep = False
        heapq.heappush(self.timers, (self.now + self.latency,
                                     next(self.numbers), thread))
        return True

    def _step(self, thread):
        for cost in thread.steps:
            if cost is None:
                thread.asleep = True
                return
            if cost > 0:
                self._compute(thread, cost)
                return

    def _compute(self, thread, cost):
        thread.spent += cost
        heapq.heappush(self.running, (self.served + cost, next(self.numbers),
                                      thread))

    def run(self, until):
        """Goes on until the thread ended."""
        ended = until.steps
        while ended.gi_frame is not None:
            speed = min(1.0, self.cores / max(1, len(self.running)))
            at = (self.now + (self.running[0][0] - self.served) / speed
                  if self.running else None)
            if self.timers and (at is None or self.timers[0][0] <= at):
                when, _, thread = heapq.heappop(self.timers)
                self.served += (when - self.now) * speed
                self.now = when
                thread.sleeps += 1
                if self.sleep > 0:
                    self._compute(thread, self.sleep)
                    continue
            elif at is not None:
                self.served, _, thread = heapq.heappop(self.running)
                self.now = at
            else:
                raise RuntimeError("all threads sleep")
            self._step(thread)
        return self.now


class Job:
    __slots__ = ("kind", "cost", "done", "ready")

    def __init__(self, kind, cost):
        self.kind, self.cost = kind, cost
        self.done = self.ready = False


class Pipeline:
    """One run with so many workers and blocks."""

    def __init__(self, costs, workers, cores, backlog=None, seed=1):
        self.costs = costs
        self.machine = Machine(cores, costs.latency_ns, costs.sleep_ns)
        self.backlog = backlog or max(BACKLOG_MIN, PER_JOB * workers)
        self.free = self.backlog
        self.ring = collections.deque() # submitted, not collected
        self.todo = collections.deque() # submitted, not begun
        self.awaited = None             # the job that main sleeps for
        self.queue = collections.deque() # blocks in the order of the image
        self.to_write = collections.deque()
        self.open = False               # a block collects tail-ends
        self.tails_due = 0.0
        self.fed = 0
        self.wakes = collections.Counter()
        self.random = random.Random(seed)
        self.factors = {}               # by what costs: factors, blocks left
        self.idle = []
        self.waking = False             # a worker that was woken is on its way
        self.main = Thread("main")
        self.workers = [Thread("worker") for _ in range(workers)]
        self.feeder = None if costs.feed_ns is None else Thread("feeder")
        self.writing = self.reading = False
        self.written = 0.0              # nanoseconds spent in writing
        for thread in self.workers:
            self.machine.start(thread, self._worker(thread))
        self.machine.start(self.main, self._main())
        if self.feeder:
            self.machine.start(self.feeder, self._feed())

    def run(self):
        """Nanoseconds from the begin to the end."""
        return self.machine.run(self.main)

    def waiting(self):
        """What the main thread spent in waking others and in sleeping."""
        return (self.wakes["main"] * self.costs.wake_ns +
                self.main.sleeps * self.costs.sleep_ns)

    def _wake(self, waker, thread):
        if self.machine.wake(thread):
            self.wakes[waker] += 1
            yield self.costs.wake_ns

    def _jobs(self):
        """What the input is cut into, the kinds evenly mixed."""
        c = self.costs
        kinds = ["data"] * c.data + ["tail"] * c.tail
        self.random.shuffle(kinds)
        for kind in kinds:
            cost = c.data_ns if kind == "data" else c.tail_ns
            yield Job(kind, self._vary(kind, cost))

    def _vary(self, what, cost):
        """What is dear for a while is as cheap for as long afterwards."""
        runs = self.factors.setdefault(what, [])
        if not runs:
            more = self.random.uniform(-SPREAD, SPREAD)
            length = self.random.randint(1, 2 * RUN - 1)
            runs += [[1 + more, length], [1 - more, length]]
        factor = runs[0][0]
        runs[0][1] -= 1
        if runs[0][1] == 0:
            del runs[0]
        return cost * factor

    # ------------------------------------------------------- main thread

    def _main(self):
        c = self.costs
        yield c.main_start
        for job in self._jobs():
            while self.free == 0:
                if self.ring:
                    yield from self._collect()
                elif self.to_write and not self.writing:
                    yield from self._write()
                else:
                    yield None # until who writes gave a block back
            self.free -= 1
            yield from self._read()
            yield self._vary("cut", c.cut_ns)
            yield from self._submit(job)
            for _ in range(DELIVER_MAX):
                if not self.ring or not self.ring[0].done:
                    break
                yield from self._deliver(self.ring.popleft())
        yield from self._drain()
        if self.open:
            yield from self._close_fragment()
        yield from self._drain()
        while self.to_write or self.writing:
            if self.writing:
                yield None
            else:
                yield from self._write()
        yield c.main_end

    def _drain(self):
        while self.ring:
            yield from self._collect()

    def _read(self):
        """Through a pipe: the other end must have written."""
        if self.costs.feed_ns is None:
            return
        self.reading = True
        while self.fed == 0:
            yield None
        self.reading = False
        self.fed -= 1
        yield from self._wake("main", self.feeder)

    def _feed(self):
        """The process at the other end, a block ahead."""
        for _ in range(self.costs.data + self.costs.tail):
            yield self.costs.feed_ns
            self.fed += 1
            if self.reading:
                yield from self._wake("feeder", self.main)
            while self.fed >= 2:
                yield None

    def _submit(self, job):
        self.ring.append(job)
        self.todo.append(job)
        yield from self._wake_worker("main")

    def _wake_worker(self, waker):
        """One at a time: it wakes the next if it finds more to do."""
        if self.todo and self.idle and not self.waking:
            self.waking = True
            yield from self._wake(waker, self.idle.pop())

    def _collect(self):
        """Takes the oldest job; sleeps for a later one first."""
        if not self.ring[0].done:
            ahead = min(self.backlog // AHEAD, len(self.ring) - 1)
            for n in (ahead, 0):
                self.awaited = self.ring[n]
                while not self.awaited.done:
                    yield None
            self.awaited = None
        yield from self._deliver(self.ring.popleft())

    def _deliver(self, job):
        c = self.costs
        if job.kind == "fragment":
            job.ready = True
        else:
            yield self._vary("take", c.take_ns)
        if job.kind == "data" and c.write_ns is not None:
            job.ready = True
            self.queue.append(job)
        elif job.kind == "data":
            self.free += 1
        elif job.kind == "tail":
            yield from self._take_tails()
        self._advance()

    def _take_tails(self):
        """The bytes go to the open fragment block; when that is full, it goes
        to the ring, and the block that brought the bytes is the next."""
        c = self.costs
        self.tails_due += c.fragment / c.tail
        if self.tails_due < 1:
            self.free += 1
            return
        self.tails_due -= 1
        if self.open:
            yield from self._close_fragment()
        self.open = True

    def _close_fragment(self):
        self.open = False
        job = Job("fragment",
                  self._vary("fragment", self.costs.fragment_ns))
        self.queue.append(job)
        yield from self._submit(job)

    def _advance(self):
        while self.queue and self.queue[0].ready:
            job = self.queue.popleft()
            if self.costs.write_ns is None:
                self.free += 1
            else:
                self.to_write.append(job)

    # ------------------------------------------------ workers, and writing

    def _worker(self, thread):
        wakes_main = False
        while True:
            while not self.todo:
                if wakes_main:
                    yield from self._wake("worker", self.main)
                    wakes_main = False
                    continue
                self.idle.append(thread)
                yield None
                self.waking = False
            job = self.todo.popleft()
            yield from self._wake_worker("worker")
            if wakes_main:
                yield from self._wake("worker", self.main)
            yield job.cost
            if len(self.to_write) >= HELP_MIN and not self.writing:
                yield from self._write()
            job.done = True
            wakes_main = job is self.awaited

    def _write(self):
        """What one call takes, by whichever thread."""
        c = self.costs
        self.writing = True
        count = min(BATCH_MAX, len(self.to_write))
        for _ in range(count):
            self.to_write.popleft()
        begun = self.machine.now
        yield c.call_ns + count * c.write_ns
        self.written += self.machine.now - begun
        self.writing = False
        self.free += count
        if not self.ring:
            yield from self._wake("worker", self.main)
