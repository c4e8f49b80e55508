"""The workloads: deterministic programs, each in two sizes with the same mix.

A program is one line in ALL: how it is built, how it is run at a scale, the scale that lasts about 30 s for a
recording and the one that lasts a minute or less under callgrind. Why the mix is the same at both is said in `mix`;
that it is, the ceiling shows: callgrind's own overlap between the truth's scale and a quarter of it.

Builds go into the work directory, never into the example's own folder.
"""

import json
import os
import random
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
JAQ = "2.3.0"


@dataclass
class Program:
    """`build(directory)` returns the binary; `run(binary, directory, scale)` the command. With `whole_runs` the
    command has one size and the scale is how often it runs, one process after the other."""

    name: str
    language: str
    mix: str
    truth_scale: int
    record_scale: int
    build: object
    run: object
    whole_runs: bool = False


def sh(command, directory, **environment):
    subprocess.run(command, cwd=directory, check=True, stdout=subprocess.DEVNULL,
                   env={**os.environ, "CC": "clang-19", "CXX": "clang++-19", **environment})


def build_meshfilter(directory):
    source = ROOT / "examples/meshfilter"
    sh(["cmake", "-S", str(source), "-B", "build", "-DCMAKE_BUILD_TYPE=Release", "-DBUILD_TESTING=OFF"], directory)
    sh(["cmake", "--build", "build", "-j2", "--target", "meshfilter"], directory)
    return directory / "build/meshfilter"


def run_meshfilter(binary, _, scale):
    config = ROOT / "examples/meshfilter/config"
    return [binary, "--config", config / "mesh.conf", "--mix", config / "mix-train.txt", "--requests", scale]


def real(name, binary):
    """Builds a program of examples/real with its own script, beside links to its source."""
    def build(directory):
        example = ROOT / "examples/real" / name
        sh([str(example / "fetch")], directory)
        for entry in example.iterdir():
            beside = directory / entry.name
            if entry.name == "build" or beside.is_symlink():
                continue
            if entry.is_dir():
                beside.symlink_to(entry)
            elif os.access(entry, os.X_OK):
                shutil.copy2(entry, beside)
        sh([str(directory / "build-program")], directory)
        return directory / binary
    return build


def run_lua(binary, directory, scale):
    text, objects = (directory / "workloads" / f"train-{name}.lua" for name in ("text", "objects"))
    once = f"arg = {{[0] = '{text}', '2'}} dofile('{text}') arg = {{[0] = '{objects}', '1'}} dofile('{objects}')"
    return [binary, "-e", f"for i = 1, {scale} do {once} end"]


def run_sqlite(binary, _, __):
    return [binary, "--testset", "main", "--size", "50", ":memory:"]


def build_jaq(directory):
    binary = directory / "bin/jaq"
    if not binary.exists():
        sh(["cargo", "install", "--quiet", "--locked", "jaq", "--version", JAQ, "--root", str(directory)],
           directory, CARGO_TARGET_DIR=str(directory / "target"))
    write_orders(directory / "orders.json")
    return binary


def write_orders(path):
    """Objects with strings, numbers, lists and nothing, the same each time."""
    chance = random.Random(5)
    names = "alpha beta gamma delta eps zeta eta theta".split()
    orders = [{
        "id": number,
        "name": f"{chance.choice(names)}{chance.randint(0, 99)}",
        "price": round(chance.random() * 100, 2),
        "tags": [chance.choice(names) for _ in range(chance.randint(0, 5))],
        "address": {"street": f"{chance.randint(1, 999)} {chance.choice(names)} Straße",
                    "zip": f"{chance.randint(0, 99999):05}"},
        "active": chance.random() < 0.7,
        "score": chance.choice([None, chance.randint(-5, 5), chance.random()]),
        "when": f"2024-{chance.randint(1, 12):02}-{chance.randint(1, 28):02}T{chance.randint(0, 23):02}:00:00Z",
    } for number in range(1500)]
    path.write_text(json.dumps(orders, ensure_ascii=False), encoding="utf-8")


def run_jaq(binary, directory, scale):
    filters = Path(__file__).resolve().parent / "filter.jq"
    return [binary, "-c", "-f", filters, *[directory / "orders.json"] * scale]


ALL = {program.name: program for program in [
    Program("meshfilter", "C++", "requests drawn from one mix file by a seeded generator; the scale is their number",
            100_000, 3_300_000, build_meshfilter, run_meshfilter),
    Program("lua", "C", "one round of text and objects with the same seed, as often as the scale says",
            40, 1_650, real("lua", "build/lua"), run_lua),
    Program("sqlite", "C", "speedtest1's main set at one size; the scale is the number of processes, one by one",
            1, 40, real("sqlite", "build/speedtest1"), run_sqlite, whole_runs=True),
    Program("jaq", "Rust", "the same file through the same filters, as often as the scale says",
            12, 370, build_jaq, run_jaq),
]}


def command(program, binary, directory, scale):
    """The command line of a scale."""
    once = [str(part) for part in program.run(binary, directory, scale)]
    if not program.whole_runs or scale == 1:
        return once
    loop = 'left=$1; shift; while [ "$left" -gt 0 ]; do "$@" || exit 1; left=$((left - 1)); done'
    return ["sh", "-c", loop, "repeat", str(scale), *once]
