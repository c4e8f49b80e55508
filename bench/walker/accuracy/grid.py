"""Where truth and recording meet: the executed code, cut into atoms.

An atom is a run of instructions that truth and every recorded range treat alike, so all counting is done on
atoms instead of instructions and comes to the same. Repeated string instructions weigh nothing: callgrind counts
each repetition, a branch record none of them.
"""

import bisect
from itertools import accumulate

import elf

OUTSIDE = None


class Grid:
    """Atoms of one truth and one recording. `weight` is instructions, `truth` executions of each."""

    def __init__(self, binary, truth, steps):
        self.binary = binary
        self.broken = {}  # step id: why its range cannot be
        spans = [self.span(number, *step) for number, step in enumerate(steps)]
        executed = {}
        for address, count in truth.counts.items():
            executed[binary.index(address)] = count
        self.cut(executed, spans)
        self.spans = [span and (self.atom_from(span[0]), self.atom_from(span[1] + 1)) for span in spans]
        self.branches = [self.branch(step) for step in steps]
        self.truth_calls = {}
        for (site, target), count in truth.calls.items():
            self.add_call(self.truth_calls, site, self.target(target), count)
        self.find_functions()

    def span(self, number, start, source, _):
        """First and last instruction of a step's range; None where it lies outside or cannot be."""
        if start is None and source is None:
            return None
        if start is None or source is None:
            self.broken[number] = "a range enters or leaves the binary without a branch"
            return None
        first, last = self.binary.index(start), self.binary.index(source)
        if first is None or last is None:
            self.broken[number] = "an end is no instruction"
        elif last < first:
            self.broken[number] = "a range runs backwards"
        elif self.binary.kinds[last] in (elf.PLAIN, elf.REPEATED):
            self.broken[number] = "a branch is no branch instruction"
        elif any(kind in (elf.JUMP, elf.CALL, elf.INDIRECT_CALL) for kind in self.binary.kinds[first:last]):
            self.broken[number] = "a range runs through a jump"
        else:
            return first, last
        return None

    def cut(self, executed, spans):
        """Finds the atoms, as sorted first instructions."""
        kinds = self.binary.kinds
        edges = {0}
        for index, count in executed.items():
            repeated = kinds[index] == elf.REPEATED
            if repeated or executed.get(index - 1) != count or kinds[index - 1] == elf.REPEATED:
                edges.add(index)
            if index + 1 not in executed:
                edges.add(index + 1)
        for span in spans:
            if span:
                edges.update((span[0], span[1] + 1))
        for start, end, _ in self.binary.functions:
            edges.add(bisect.bisect_left(self.binary.addresses, start))
            edges.add(bisect.bisect_left(self.binary.addresses, end))
        for index, kind in enumerate(kinds):
            if kind == elf.REPEATED:
                edges.update((index, index + 1))
        edges = sorted(edge for edge in edges if edge < len(kinds))
        self.firsts = edges
        ends = edges[1:] + [len(kinds)]
        self.weight = [0 if kinds[first] == elf.REPEATED else end - first for first, end in zip(edges, ends)]
        counts = [executed.get(first, 0) for first in edges]
        self.truth = normalised(counts, self.weight)
        self.truth_counts = counts

    def atom_from(self, index):
        """The atom that begins at the instruction."""
        return bisect.bisect_left(self.firsts, index)

    def branch(self, step):
        """(site, target) of a step that is an indirect call, else None."""
        _, source, target = step
        if source is None:
            return None
        index = self.binary.index(source)
        if index is None or self.binary.kinds[index] != elf.INDIRECT_CALL:
            return None
        return source, self.target(target)

    def target(self, address):
        """Other objects are one target, stubs that lead there too: libc is another under valgrind."""
        return OUTSIDE if address is None or self.binary.in_plt(address) else address

    def add_call(self, table, site, target, count):
        index = self.binary.index(site)
        if index is not None and self.binary.kinds[index] == elf.INDIRECT_CALL:
            targets = table.setdefault(site, {})
            targets[target] = targets.get(target, 0) + count

    def find_functions(self):
        """Executed functions as (entry atom, name, atoms from, atoms to)."""
        self.functions = []
        for start, end, name in self.binary.functions:
            first = bisect.bisect_left(self.binary.addresses, start)
            last = bisect.bisect_left(self.binary.addresses, end)
            if first == last or first >= len(self.binary.addresses):
                continue
            atoms = range(self.atom_from(first), self.atom_from(last))
            if any(self.truth_counts[atom] for atom in atoms):
                self.functions.append((atoms[0], name, atoms[0], atoms[-1] + 1))

    def counts(self, steps):
        """Executions of each atom by a table of step counts."""
        change = [0] * (len(self.firsts) + 1)
        spans = self.spans
        for step, count in steps.items():
            span = spans[step]
            if span:
                change[span[0]] += count
                change[span[1]] -= count
        return list(accumulate(change))[:-1]

    def profile(self, steps):
        """Normalised executions of each atom."""
        return normalised(self.counts(steps), self.weight)

    def profile_of(self, truth):
        """Normalised executions of each atom by another truth, one whose atoms these are too."""
        counts = {self.binary.index(address): count for address, count in truth.counts.items()}
        return normalised([counts.get(first, 0) for first in self.firsts], self.weight)

    def calls(self, steps):
        """{site: {target: count}} of indirect calls."""
        table = {}
        branches = self.branches
        for step, count in steps.items():
            branch = branches[step]
            if branch:
                targets = table.setdefault(branch[0], {})
                targets[branch[1]] = targets.get(branch[1], 0) + count
        return table

    def overlap(self, profile, other=None):
        """Sum over instructions of the smaller of two normalised counts."""
        other = self.truth if other is None else other
        return sum(weight * min(p, q) for weight, p, q in zip(self.weight, profile, other) if p and q)

    def name(self, address):
        """The function at an address, for people."""
        if address is OUTSIDE:
            return "another object"
        at = bisect.bisect_right(self.binary.functions, (address, float("inf"), "")) - 1
        if at >= 0:
            start, end, name = self.binary.functions[at]
            if start <= address < end:
                return name if address == start else f"{name}+{address - start:#x}"
        return f"{address:#x}"


def normalised(counts, weight):
    total = sum(count * w for count, w in zip(counts, weight))
    return [count / total for count in counts] if total else [0.0] * len(counts)
