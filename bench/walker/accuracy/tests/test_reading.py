"""The readers of callgrind's and perf's output, on text by hand."""

import unittest

from common import binary

import callgrind
import elf
import recording

CALLGRIND = """# callgrind format
version: 1
positions: instr line
events: Ir
summary: 99

ob=(1) /p/program
fl=(1) a.c
fn=(1) main
0x1000 3 5
+4 +1 5
cfn=(2) light
calls=3 0x2000 9
* * 30
cob=(2) /lib/libc.so
cfi=(9) x.c
cfn=(7) memcpy
calls=2 0x7000 0
* * 12
+2 * 5
jcnd=4/5 -6 *
* *
+2 +2 1

ob=(2)
fn=(7)
0x1000 0 40

ob=(1)
fi=(3) b.h
fn=(2)
0x2000 9 3
jump=3 +2 *
+2 * 3
"""


class Callgrind(unittest.TestCase):
    def read(self, text=CALLGRIND):
        return callgrind.parse(text.splitlines(keepends=True), "/p/program")

    def test_own_cost_alone_counts_and_positions_are_relative(self):
        truth = self.read()
        self.assertEqual(dict(truth.counts), {0x1000: 5, 0x1004: 5, 0x1006: 5, 0x1008: 1, 0x2000: 3})
        self.assertEqual(truth.executed, 5 + 5 + 5 + 1 + 40 + 3)

    def test_the_line_after_a_jump_carries_no_cost(self):
        self.assertNotIn(0x2002, self.read().counts)
        later = self.read(CALLGRIND + "* * 8\n")
        self.assertEqual(later.counts[0x2002], 8)

    def test_calls_have_sites_and_targets(self):
        self.assertEqual(dict(self.read().calls), {(0x1004, 0x2000): 3, (0x1004, None): 2})

    def test_addresses_at_another_base_are_mapped(self):
        moved = CALLGRIND
        for address in ("0x1000 3", "0x2000 9"):
            moved = moved.replace(address, address.replace("0x", "0x4000"))
        truth = callgrind.aligned(self.read(moved.replace("calls=3 0x2000", "calls=3 0x40002000")), binary())
        self.assertEqual(truth.counts[0x2000], 3)
        self.assertEqual(truth.calls[0x1004, 0x2000], 3)

    def test_a_truth_of_another_binary_is_refused(self):
        with self.assertRaises(callgrind.TruthError):
            callgrind.aligned(self.read(CALLGRIND.replace("+4 +1 5", "+3 +1 5")), binary())

    def test_a_truth_without_addresses_is_refused(self):
        with self.assertRaises(callgrind.TruthError):
            self.read(CALLGRIND.replace("instr line", "line"))


def sample(entries, base=0x55000000, process=5, time="1.000001000"):
    stack = "  ".join(f"{a + base:#x}/{b + base:#x}/-/-/-/0/" for a, b in entries)
    return f"    {process}/{process}  {time}: hone-walk:      1000 {stack}\n"


MAPPED = ("5/5 1.0: PERF_RECORD_MMAP2 5/5: [0x55001000(0x4000) @ 0x1000 fe:00 99 0]: r-xp /p/program\n"
          "5/5 1.0: PERF_RECORD_MMAP2 5/5: [0x77001000(0x4000) @ 0x1000 fe:00 99 0]: r-xp /lib/libc.so\n")
LIGHT = [(0x1004, 0x2000), (0x2002, 0x1006), (0x1006, 0x1000)]


def newest_first(branches):
    return list(reversed(branches))


class Recording(unittest.TestCase):
    def read(self, *lines):
        return recording.Reader(binary()).read("".join(lines).splitlines(keepends=True))

    def test_the_oldest_entry_only_opens_a_range(self):
        found = self.read(MAPPED, sample(newest_first(LIGHT)))
        self.assertEqual([found.steps[s] for s in found.walks[0]], [(0x2000, 0x2002, 0x1006), (0x1006, 0x1006, 0x1000)])
        self.assertEqual(found.records, 2)

    def test_pieces_of_a_walk_are_joined_without_counting_twice(self):
        three = LIGHT * 3
        found = self.read(MAPPED, sample(newest_first(three[:4])), sample(newest_first(three[3:7])),
                          sample(newest_first(three[6:])))
        self.assertEqual([len(walk) for walk in found.walks], [8])
        self.assertEqual([found.steps[s][1] for s in found.walks[0]], [branch[0] for branch in three[1:]])

    def test_walks_that_only_begin_where_another_ended_are_not_joined(self):
        three = LIGHT * 3
        found = self.read(MAPPED, sample(newest_first(three[:5])), sample(newest_first(three[:4])),
                          sample(newest_first(three[3:7])))
        self.assertEqual([len(walk) for walk in found.walks], [4, 3, 3])

    def test_walks_of_one_moment_are_not_joined_with_later_ones(self):
        loop = [(0x1006, 0x1000)] * 4
        found = self.read(MAPPED, sample(loop, time="1.000000000"), sample(loop, time="1.000000003"),
                          sample(loop, time="1.020000000"), sample(loop, time="1.020000003"))
        self.assertEqual([len(walk) for walk in found.walks], [6, 6])
        stepped = self.read(MAPPED, sample(loop, time="1.000000000"), sample(loop, time="1.002000000"))
        self.assertEqual([len(walk) for walk in stepped.walks], [6])

    def test_other_objects_and_other_processes_are_outside(self):
        outside = self.read(MAPPED, sample(LIGHT, base=0x77000000), sample(LIGHT, process=6))
        self.assertEqual(set(outside.steps), {(None, None, None)})

    def test_children_have_their_parents_mappings_and_programs_their_own(self):
        forked = "5/5 1.0: PERF_RECORD_FORK(6:6):(5:5)\n"
        moved = MAPPED.replace("5/5", "6/6").replace("0x55", "0x66")
        found = self.read(MAPPED, forked, sample(newest_first(LIGHT), process=6), moved,
                          sample(newest_first(LIGHT), process=6, base=0x66000000))
        self.assertEqual(set(found.steps), {(0x2000, 0x2002, 0x1006), (0x1006, 0x1006, 0x1000)})


class Disassembly(unittest.TestCase):
    def test_kinds(self):
        lines = ["0000000000001000 <main>:\n", "    1000:\tpush   %rbp\n", "    1001:\tcall   *0x8(%rax)\n",
                 "    1004:\tcall   1040 <f>\n", "    1009:\tnotrack jmp *%rax\n", "    100c:\trep stos %al,%es:(%rdi)\n",
                 "    100e:\trepz ret\n", "    1010:\tjne    1000 <main>\n", "    1012:\tbnd jmp 1000 <main>\n",
                 "    1014:\tlock xadd %eax,(%rdi)\n", "    1018:\tmovsd  %xmm0,(%rax)\n", "    101c:\tje,pn  1000\n"]
        addresses, kinds = elf.read_disassembly(lines)
        self.assertEqual(list(addresses)[:3], [0x1000, 0x1001, 0x1004])
        self.assertEqual(list(kinds), [elf.PLAIN, elf.INDIRECT_CALL, elf.CALL, elf.JUMP, elf.REPEATED, elf.JUMP,
                                       elf.CONDITIONAL, elf.JUMP, elf.PLAIN, elf.PLAIN, elf.CONDITIONAL])


if __name__ == "__main__":
    unittest.main()
