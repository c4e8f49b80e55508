"""Counts indirect calls in recordings of walked branches, and reads what clang's remarks say of them."""

import bisect
import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HONE = os.environ.get("HONE", ROOT / "target/release/hone")
LINES = ["-gline-tables-only", "-fdebug-info-for-profiling"]
UNIQUE = ["-funique-internal-linkage-names"]
PROFI = "-sample-profile-use-profi"
REMARKS = "pgo-icall-prom"
COMPILE_REMARKS = [f"-Rpass={REMARKS}", f"-Rpass-missed={REMARKS}"]
LINK_REMARKS = [f"-Wl,-mllvm,-pass-remarks={REMARKS}", f"-Wl,-mllvm,-pass-remarks-missed={REMARKS}"]


def tool(*command, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}\n{done.stderr[-2000:]}")
    return done


def plain(name):
    """A function's name as it was written: mangled.__uniq.N.llvm.N without what compilers add."""
    name = re.sub(r"\.(__uniq|llvm)\.\d+", "", name)
    mangled = re.match(r"_ZL(\d+)", name)
    return name[mangled.end():mangled.end() + int(mangled[1])] if mangled else name


def remarks(said):
    """By source line, what the compiler said of the call there, each once."""
    found = collections.defaultdict(set)
    for line in said.splitlines():
        place = re.search(r"(\w+\.c):(\d+):\d+: (?:remark: )?(.*)", line)
        if not place:
            continue
        if promoted := re.search(r"Promote indirect call to (\S+) with count", place[3]):
            found[f"{place[1]}:{place[2]}"].add(f"direct to {plain(promoted[1])}")
        elif "target with md5sum" in place[3]:
            found[f"{place[1]}:{place[2]}"].add("target not found")
    return {place: sorted(texts) for place, texts in found.items()}


def disassembled(binary):
    """Addresses of all instructions in order, those of indirect calls and jumps, and where functions begin."""
    addresses, indirect, starts = [], set(), set()
    for line in tool("llvm-objdump-19", "-d", "--no-show-raw-insn", binary).stdout.splitlines():
        if head := re.match(r"([0-9a-f]+) <(.+)>:", line):
            starts.add(int(head[1], 16))
        elif code := re.match(r"\s*([0-9a-f]+):\s+(\S+)\s*(.*)", line):
            addresses.append(int(code[1], 16))
            # What goes through the table of imports is none.
            if code[2] in ("callq", "jmpq") and code[3].startswith("*") and "(%rip)" not in code[3]:
                indirect.add(addresses[-1])
    return addresses, indirect, starts


def places(binary, addresses):
    asked = [f"{address:#x}" for address in addresses]
    said = json.loads(tool("llvm-symbolizer-19", "--output-style=JSON", f"--obj={binary}", *asked).stdout) if asked else []
    return {address: f"{Path(one['Symbol'][0]['FileName']).name}:{one['Symbol'][0]['Line']}" for address, one in zip(addresses, said)}


def counted(binary, data):
    """Instructions and indirect calls of a recording, by source line."""
    text = data.with_suffix(".pre")
    tool(HONE, "convert", data, "--binary", binary, "--to", "bolt-preaggregated", "-o", text)
    addresses, indirect, starts = disassembled(binary)
    instructions, calls = 0, collections.Counter()
    for line in text.read_text().splitlines():
        kind, first, last, count = line.split()[:4]
        first, last, count = int(first, 16), int(last, 16), int(count)
        if kind in "Ff":
            instructions += count * (bisect.bisect_right(addresses, last) - bisect.bisect_left(addresses, first))
        # A jump to the start of a function is a call in the place of a return.
        elif first in indirect and last in starts:
            calls[first] += count
    named = places(binary, list(calls))
    sites = collections.Counter()
    for address, count in calls.items():
        sites[named[address]] += count
    per_1000 = {place: round(1000 * count / instructions, 3) for place, count in sites.most_common()}
    return {"instructions": instructions, "indirect_calls": calls.total(),
            "per_1000": round(1000 * calls.total() / instructions, 2), "sites": per_1000}
