"""The truth: exact counts of executed instructions and calls, from a callgrind output file.

The format ("Callgrind Format Specification" in valgrind's manual) compresses names to `(id)` after their first use
and positions to `+n`, `-n` or `*`, relative to the last cost line. Lines after `calls=` carry the cost of the
callee and are not the caller's own; lines after `jump=` and `jcnd=` carry no cost at all.

callgrind writes addresses relative to the place where it loaded each object, so those of the main binary are
usually link-time addresses already. That is not taken for granted: `aligned` demands that every executed address
is the start of an instruction, and looks for another base where it is not.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

NAME = re.compile(r"\((\d+)\)(?: (.*))?$")


class TruthError(Exception):
    """The output of callgrind does not fit the binary."""


@dataclass
class Truth:
    """`counts`: executions by address. `calls`: by (address of the call, address of the target, or None where
    that lies in another object). `executed`: instructions of all objects."""

    counts: Counter = field(default_factory=Counter)
    calls: Counter = field(default_factory=Counter)
    executed: int = 0


class Names:
    """Objects by their compressed names."""

    def __init__(self):
        self.known = {}

    def resolve(self, text):
        match = NAME.match(text)
        if not match:
            return text
        if match.group(2) is not None:
            self.known[match.group(1)] = match.group(2)
        return self.known.get(match.group(1), "")


def position(text, last):
    """One subposition: absolute, or relative to that of the last cost line."""
    if text == "*":
        return last
    if text[0] in "+-":
        return last + int(text, 0)
    return int(text, 0)


def parse(lines, wanted):
    """Reads a callgrind output; `wanted` is the path of the main binary, as callgrind names it."""
    truth = Truth()
    objects = Names()
    here = there = ""
    columns = ["line"]
    last = 0
    call = None  # (count, target) while the caller's position is still to come
    after_jump = False
    for line in lines:
        line = line.rstrip("\n")
        if not line or line[0] == "#":
            continue
        key, equals, value = line.partition("=")
        if line[0] in "0123456789+-*":
            parts = line.split()
            last = position(parts[0], last)
            cost = int(parts[len(columns)]) if len(parts) > len(columns) else 0
            if call is not None:
                count, target = call
                if here == wanted:
                    truth.calls[(last, target if there == wanted else None)] += count
                call, there = None, here
            elif after_jump:
                after_jump = False
            else:
                truth.executed += cost
                if here == wanted:
                    truth.counts[last] += cost
        elif equals and key == "ob":
            here = there = objects.resolve(value)
        elif equals and key == "cob":
            there = objects.resolve(value)
        elif equals and key == "fn":
            there = here
        elif equals and key == "calls":
            count, target = value.split()[:2]
            call = (int(count), position(target, last))
        elif equals and key in ("jump", "jcnd"):
            after_jump = True
        elif line.startswith("positions:"):
            columns = line.split()[1:]
            if columns[0] != "instr":
                raise TruthError("the truth has no addresses: callgrind needs --dump-instr=yes")
    truth.counts = +truth.counts  # without addresses that were only reached, never executed
    if not truth.counts:
        raise TruthError(f"callgrind saw no instruction of {wanted}")
    return truth


def aligned(truth, binary):
    """The truth in link-time addresses, all of them starts of instructions."""
    def misfits(base):
        return sum(1 for address in truth.counts if binary.index(address - base) is None)

    if misfits(0) == 0:
        return truth
    # The dynamic loader enters at the ELF entry point exactly once, so one of the addresses is that one.
    low = min(truth.counts)
    for address in sorted(truth.counts):
        base = address - binary.entry
        if base % 4096 == 0 and low - base >= binary.addresses[0] and misfits(base) == 0:
            counts = Counter({address - base: n for address, n in truth.counts.items()})
            calls = Counter({(site - base, target if target is None else target - base): n
                             for (site, target), n in truth.calls.items()})
            return Truth(counts, calls, truth.executed)
    raise TruthError(f"{misfits(0)} of {len(truth.counts)} executed addresses are no instructions of {binary.path}")
