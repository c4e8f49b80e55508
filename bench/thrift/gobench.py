"""Benchmarks of Go in rounds: a program is started anew for each, on one core. And what its machine code shows."""

import collections
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# The hone that inspects and records.
HONE = os.environ.get("HONE", HERE.parents[1] / "target/release/hone")
CORE = "1"


def command(*words, **options):
    return subprocess.run(list(map(str, words)), check=True, text=True, cwd=HERE, **options)


def built(name):
    """The test program of a directory."""
    program = HERE / f"generated/bin/{name}.test"
    subprocess.run(["go", "test", "-c", "-o", program, "."], check=True, cwd=HERE / name)
    return program


def rounds(programs, count):
    """What each round said: every benchmark of each program once, in order, with the collector on the same core."""
    environment = {**os.environ, "GOMAXPROCS": "1"}
    raw = []
    for number in range(count):
        for program in programs:
            said = command("taskset", "-c", CORE, program, "-test.run", "xxx", "-test.bench", ".", "-test.benchtime", "100ms",
                           capture_output=True, env=environment).stdout
            raw.append(said)
        print(f"round {number + 1} of {count}", file=sys.stderr, flush=True)
    return raw


def parse(raw, of):
    """By direction, message and variant (`/of=NAME`): nanoseconds of CPU time, bytes allocated and allocations of each round."""
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: {"ns": [], "bytes": [], "allocs": []}))
    line = re.compile(rf"Benchmark(Read|Write|Marshal)/(\S+)/{of}=(\w+)\S*\s+\d+\s+[\d.]+ ns/op\s+([\d.]+) cpu-ns/op\s+(\d+) B/op\s+(\d+) allocs/op")
    for direction, message, variant, ns, size, allocations in line.findall("\n".join(raw)):
        entry = found[direction, message][variant]
        entry["ns"].append(float(ns))
        entry["bytes"].append(int(size))
        entry["allocs"].append(int(allocations))
    return found


def layout(program, pattern):
    """What `hone inspect --layout --static` says of the functions whose names match, in sum."""
    said = command(HONE, "inspect", "--layout", program, "--static", "--json", "--function", f"/{pattern}/", capture_output=True).stdout
    code = json.loads(said)
    return {"functions": len(code["functions"]), **{key: value for key, value in code.items() if key != "functions"}}


LAYOUT_HEAD = ["functions | all | hot | for errors | of these in the hot range | calls there", "---:|---:|---:|---:|---:|---:"]


def layout_cells(code):
    return (f"{code['functions']:,} | {code['bytes']:,} | {code['hot_bytes']:,} | {code['error_bytes']:,} | {code['error_bytes_inside']:,} "
            f"| {code['error_calls_inside']:,}")


def benchstat(raw, of):
    """Go's own comparison of these rounds, one column for each variant."""
    return command("go", "run", "golang.org/x/perf/cmd/benchstat", "-ignore", "pkg", "-col", f"/{of}", raw, capture_output=True).stdout
