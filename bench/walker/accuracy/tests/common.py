"""A small program by hand, with its truth, and recordings of it that chance makes."""

import random
import sys
from array import array
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import callgrind  # noqa: E402
import elf  # noqa: E402
import grid  # noqa: E402

# main: 0x1000 loop of a call through a register to one of two functions; one of them has a branch and a call out.
CODE = [
    (0x1000, elf.PLAIN), (0x1004, elf.INDIRECT_CALL), (0x1006, elf.CONDITIONAL), (0x1008, elf.JUMP),
    (0x2000, elf.PLAIN), (0x2002, elf.JUMP),
    (0x3000, elf.PLAIN), (0x3002, elf.CONDITIONAL), (0x3004, elf.REPEATED), (0x3006, elf.PLAIN), (0x3008, elf.JUMP),
    (0x4000, elf.JUMP),
]
FUNCTIONS = [(0x1000, 0x100a, "main"), (0x2000, 0x2004, "light"), (0x3000, 0x300a, "heavy"), (0x4000, 0x4002, "cold")]


def binary():
    return elf.Binary(array("Q", [address for address, _ in CODE]), bytes(kind for _, kind in CODE), list(FUNCTIONS),
                      segments=[(0x1000, 0x4000, 0x1000)], entry=0x1000, path="/p/program", digest="0")


def round_of(chance, heavy=0.25, skip=0.5):
    """Branches of one round of the loop, as (from, to)."""
    if chance.random() < heavy:
        taken = [(0x1004, 0x3000)]
        if chance.random() < skip:
            taken.append((0x3002, 0x3006))
        taken.append((0x3008, 0x1006))
    else:
        taken = [(0x1004, 0x2000), (0x2002, 0x1006)]
    return taken + [(0x1006, 0x1000)]


def truth(heavy=0.25, skip=0.5, rounds=4_000_000):
    """What callgrind would say of that many rounds."""
    h, s = int(rounds * heavy), int(rounds * heavy * skip)
    counts = Counter({0x1000: rounds, 0x1004: rounds, 0x1006: rounds, 0x1008: 1, 0x2000: rounds - h,
                      0x2002: rounds - h, 0x3000: h, 0x3002: h, 0x3004: 7 * (h - s), 0x3006: h, 0x3008: h})
    return callgrind.Truth(counts, Counter({(0x1004, 0x2000): rounds - h, (0x1004, 0x3000): h}), sum(counts.values()))


class Steps:
    """Steps of branches, numbered as a recording numbers them."""

    def __init__(self):
        self.table, self.ids = [], {}

    def of(self, branches):
        """A walk: n branches are n - 1 steps."""
        walk = array("I")
        for (_, start), (source, target) in zip(branches, branches[1:]):
            step = (start, source, target)
            if step not in self.ids:
                self.ids[step] = len(self.table)
                self.table.append(step)
            walk.append(self.ids[step])
        return walk


def walks(steps, count, length, seed=1, start_in_heavy=None, **shares):
    """Walks from random places of a long run; `start_in_heavy` makes that part of the walks begin in `heavy`."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        branches = []
        if start_in_heavy is not None and chance.random() < start_in_heavy:
            branches = [(0x1004, 0x3000), (0x3008, 0x1006), (0x1006, 0x1000)]
        else:
            # From a random branch of a stretch long enough to forget where it began.
            while len(branches) < 60:
                branches += round_of(chance, **shares)
            branches = branches[chance.randrange(50):][:10]
            branches = branches[:1]
            while branches[-1] != (0x1006, 0x1000):
                branches.append(chance_next(chance, branches[-1], **shares))
        while len(branches) <= length:
            branches += round_of(chance, **shares)
        found.append(steps.of(branches[:length + 1]))
    return found


def chance_next(chance, branch, heavy=0.25, skip=0.5):
    """The branch after a branch."""
    target = branch[1]
    if target == 0x3000:
        return (0x3002, 0x3006) if chance.random() < skip else (0x3008, 0x1006)
    return {0x2000: (0x2002, 0x1006), 0x3006: (0x3008, 0x1006), 0x1006: (0x1006, 0x1000)}.get(
        target) or ((0x1004, 0x3000) if chance.random() < heavy else (0x1004, 0x2000))


def meeting(true, steps):
    return grid.Grid(binary(), true, steps.table)
