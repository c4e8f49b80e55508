"""A recording with any number of distinct stacks, for the page: a perf.data with call chains, and the program of its
functions.

A stack is a stack of before, kept down to some level, with new callees: so stacks share most of their callers, as real
ones do, and a few functions are met much more often than most.
"""

import random
import struct
import subprocess

FUNCTIONS = 5_000
DEPTH_MAX = 48
RECORD = struct.Struct("<IHH")
COMM, MMAP, SAMPLE, FINISHED_ROUND = 3, 1, 9, 68
USER = 2  # of a record's misc: user code
CALLERS_OF_USER_CODE = -512 & (1 << 64) - 1
PERIOD_NS = 200_000
# ip, tid, time, callchain, period
SAMPLE_TYPE = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 5 | 1 << 8


def program(work):
    """A program with many functions, none of which is ever called, and their addresses."""
    source, binary = work / "many.c", work / "many"
    names = [f"subsystem_{index % 37}_does_step_{index}" for index in range(FUNCTIONS)]
    body = "".join(f"void {name}(void) {{ __asm__ volatile(\".skip 32, 0x90\"); }}\n" for name in names)
    source.write_text(body + "int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-O1", "-no-pie", "-o", binary, source], check=True)
    symbols = subprocess.run(["nm", binary], check=True, capture_output=True, text=True).stdout.splitlines()
    at = {fields[2]: int(fields[0], 16) for fields in map(str.split, symbols) if len(fields) == 3}
    return binary, [at[name] for name in names]


def code_segment(binary):
    """Offset in the file, address and length of the program's code."""
    headers = subprocess.run(["readelf", "-lW", binary], check=True, capture_output=True, text=True).stdout
    for line in headers.splitlines():
        fields = line.split()
        if fields[:1] == ["LOAD"] and "E" in fields[6:-1]:
            return int(fields[1], 16), int(fields[2], 16), int(fields[5], 16)
    raise SystemExit(f"{binary} has no code")


def stacks(count, addresses, chance):
    """So many different stacks, outermost first."""
    known = {}
    kept = [(addresses[0],)]
    while len(known) < count:
        model = kept[chance.randrange(len(kept))]
        level = max(len(model) - int(chance.expovariate(0.6)), 1)
        new = [addresses[int(len(addresses) * chance.random() ** 2)] for _ in range(chance.randint(1, 4))]
        stack = (model[:level] + tuple(new))[:DEPTH_MAX]
        if stack not in known:
            known[stack] = None
            kept.append(stack)
    return list(known)


def padded(text):
    return text.encode() + b"\0" * (8 - len(text) % 8)


def record(kind, misc, body):
    return RECORD.pack(kind, misc, 8 + len(body)) + body


def attr():
    fields = bytearray(128)
    struct.pack_into("<IIQQQ", fields, 0, 1, len(fields), 0, PERIOD_NS, SAMPLE_TYPE)
    return bytes(fields)


def write(work, data, count):
    """Writes a recording of so many distinct stacks, one sample each."""
    chance = random.Random(7)
    binary, addresses = program(work)
    offset, start, length = code_segment(binary)
    start, length, offset = start & ~0xfff, length + (start & 0xfff), offset & ~0xfff
    header_bytes = 104
    described = attr() + struct.pack("<QQ", 0, 0)
    data_at = header_bytes + len(described)
    with open(data, "wb") as out:
        out.write(bytes(header_bytes) + described)
        out.write(record(COMM, 0, struct.pack("<II", 7, 7) + padded("many")))
        out.write(record(MMAP, USER, struct.pack("<IIQQQ", 7, 7, start, length, offset) + padded(str(binary))))
        all_stacks = stacks(count, addresses, chance)
        chance.shuffle(all_stacks)
        for number, stack in enumerate(all_stacks):
            chain = [address + 9 for address in reversed(stack)]
            thread = 7 + number % 4
            weight = int(PERIOD_NS * (1 + chance.paretovariate(1.5)))
            body = struct.pack(f"<QIIQQ{len(chain) + 2}Q", chain[0], 7, thread, number * PERIOD_NS + 1, weight,
                               len(chain) + 1, CALLERS_OF_USER_CODE, *chain)
            out.write(record(SAMPLE, USER, body))
            if number % 10_000 == 9_999:
                out.write(record(FINISHED_ROUND, 0, b""))
        end = out.tell()
        out.seek(0)
        out.write(struct.pack("<8sQQQQQQQQ", b"PERFILE2", header_bytes, len(described), header_bytes, len(described),
                              data_at, end - data_at, 0, 0))
    return data
