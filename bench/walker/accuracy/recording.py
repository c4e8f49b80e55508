"""Recorded branches: perf.data with branch stacks, read through `perf script`, as walks of steps.

A step is one straight range and the taken branch that ends it: (start of the range, branch from, branch to). A
branch stack is newest first; its oldest entry only opens the first range, because in a recording of hone's it
repeats the newest entry of the stack before. So n entries give n - 1 steps, and each branch counts once.

Pieces of one walk are stacks of one thread, one after the other, each of full depth but the last, chained by the
repeated entry. In a hot loop a walk may begin by chance with the branch that ended the one before; so where walks
carry one moment, as emulated ones do, pieces are also less than SAME_MOMENT_NS apart. Hardware stacks do not chain:
each is a walk of its own.
"""

import re
import subprocess
from array import array
from dataclasses import dataclass, field

MAPPED = re.compile(r"PERF_RECORD_MMAP2? (-?\d+)/-?\d+: \[(0x[0-9a-f]+)\((0x[0-9a-f]+)\) @ (0x[0-9a-f]+|0) .*?\]: "
                    r"..x. (.*)$")
FORKED = re.compile(r"PERF_RECORD_FORK\((\d+):\d+\):\((\d+):\d+\)")
FIELDS = ["-F", "pid,tid,time,event,ip,brstack", "--ns", "--show-mmap-events", "--show-task-events"]
SAME_MOMENT_NS = 1_000


@dataclass
class Recording:
    """`steps[id]` is (start, from, to), None for what lies outside the main binary; `walks` hold step ids."""

    steps: list = field(default_factory=list)
    walks: list = field(default_factory=list)
    stacks: int = 0
    records: int = 0


class Reader:
    """Turns lines of `perf script` into walks."""

    def __init__(self, binary):
        self.binary = binary
        self.recording = Recording()
        self.mappings = {}   # process: [(start, end, what to subtract)]
        self.branches = []   # (from, to) in the binary
        self.branch_ids = {}
        self.tokens = {}     # process: {text of an entry: branch id}
        self.step_ids = {}   # (branch id before << 32 | branch id): step id
        self.open = {}       # thread: (walk, newest entry, length of its stack, time)
        self.depth = 0
        self.moments = False  # whether walks carry one moment

    def read(self, lines):
        for line in lines:
            if "PERF_RECORD_" in line:
                self.event(line)
            elif "/0x" in line:
                self.stack(line.split())
        return self.recording

    def event(self, line):
        mapped = MAPPED.search(line)
        if mapped and mapped.group(5).strip() == self.binary.path:
            process, start, size, offset = (int(mapped.group(i), 0) for i in range(1, 5))
            linked = self.binary.of_file_offset(offset)
            if linked is not None:
                others = [m for m in self.mappings.get(process, []) if m[2] == start - linked]
                self.mappings[process] = others + [(start, start + size, start - linked)]
                self.tokens[process] = {}
        forked = FORKED.search(line)
        if forked and forked.group(1) != forked.group(2):
            child, parent = int(forked.group(1)), int(forked.group(2))
            self.mappings[child] = list(self.mappings.get(parent, []))
            self.tokens[child] = {}

    def linked(self, process, address):
        for start, end, base in self.mappings.get(process, []):
            if start <= address < end:
                return address - base
        return None

    def branch(self, process, token):
        source, target = token.split("/")[:2]
        branch = (self.linked(process, int(source, 16)), self.linked(process, int(target, 16)))
        found = self.branch_ids.setdefault(branch, len(self.branches))
        if found == len(self.branches):
            self.branches.append(branch)
        return found

    def step(self, before, branch):
        start = self.branches[before][1]
        source, target = self.branches[branch]
        self.recording.steps.append((start, source, target))
        return len(self.recording.steps) - 1

    def near(self, gap_ns):
        self.moments |= gap_ns < SAME_MOMENT_NS
        return gap_ns < SAME_MOMENT_NS or not self.moments

    def stack(self, words):
        process, _, thread = words[0].partition("/")
        process = int(process)
        entries = [word for word in words if "/0x" in word]
        entries.reverse()
        known = self.tokens.setdefault(process, {})
        ids = []
        for token in entries:
            found = known.get(token)
            if found is None:
                found = known[token] = self.branch(process, token)
            ids.append(found)
        walk = array("I")
        before, newest, length, then_ns = self.open.get(thread, (None, None, 0, 0))
        now_ns = int(words[1].rstrip(":").replace(".", ""))
        self.depth = max(self.depth, len(entries))
        if newest == entries[0] and length == self.depth and len(entries) > 1 and self.near(now_ns - then_ns):
            walk = before
        else:
            self.recording.walks.append(walk)
        step_ids = self.step_ids
        for older, newer in zip(ids, ids[1:]):
            key = older << 32 | newer
            step = step_ids.get(key)
            if step is None:
                step = step_ids[key] = self.step(older, newer)
            walk.append(step)
        self.open[thread] = (walk, entries[-1], len(entries), now_ns)
        self.recording.stacks += 1
        self.recording.records += len(entries) - 1


def read(path, binary):
    """Reads a perf.data file; keeps the walks with at least one step."""
    command = ["perf", "script", "-i", str(path), *FIELDS]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as script:
        recording = Reader(binary).read(script.stdout)
    if script.returncode != 0:
        raise RuntimeError(f"perf script cannot read {path}")
    recording.walks = [walk for walk in recording.walks if len(walk) > 0]
    if not recording.walks:
        raise RuntimeError(f"{path} holds no branch stacks")
    return recording
