"""Runs the workloads: under callgrind for the truth, under hone for the recording."""

import hashlib
import json
import os
import pickle
import platform
import subprocess
import sys
from pathlib import Path

import callgrind
import elf
import programs

CALLGRIND = ["valgrind", "--tool=callgrind", "--dump-instr=yes", "--collect-jumps=yes", "--cache-sim=no",
             "--demangle=no"]


class Failed(Exception):
    """A step that went wrong, in words for people."""


def say(text):
    print(f"accuracy: {text}", file=sys.stderr, flush=True)


def output_of(*command):
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Failed(f"{command[0]} is missing or does not work ({error}); see README.md for what is needed") from None
    return result.stdout.strip().splitlines()[0]


def machine():
    """Where figures were made, and with what."""
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines()
                  if line.startswith("model name")), "unknown")
    return {"cpu": model, "cores": os.cpu_count(), "kernel": platform.release(),
            "valgrind": output_of("valgrind", "--version"), "perf": output_of("perf", "--version")}


def build(program, work):
    say(f"{program.name}: building")
    directory = work / program.name
    directory.mkdir(parents=True, exist_ok=True)
    path = program.build(directory)
    return elf.load(path, work / "cache"), directory


def run_callgrind(command, directory, out):
    log = out.with_suffix(".log")
    with log.open("w") as messages:
        done = subprocess.run([*CALLGRIND, f"--callgrind-out-file={out}", *command], cwd=directory,
                              stdout=subprocess.DEVNULL, stderr=messages)
    if done.returncode != 0 or not out.exists():
        raise Failed(f"callgrind ended with {done.returncode}; see {log}")


def truth(program, binary, directory, work, scale, turn=1):
    """The exact counts at a scale: from the cache where binary, command and callgrind are the same."""
    command = programs.command(program, Path(binary.path), directory, scale)
    key = json.dumps([binary.digest, command, CALLGRIND, output_of("valgrind", "--version"), turn])
    name = f"{program.name}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"
    kept = work / "cache" / f"{name}.truth"
    if not kept.exists():
        say(f"{program.name}: the truth by callgrind, scale {scale}")
        out = kept.with_suffix(".callgrind")
        run_callgrind(command, directory, out)
        with out.open() as lines:
            found = callgrind.aligned(callgrind.parse(lines, binary.path), binary)
        elf.write_whole(kept, pickle.dumps(found))
        out.unlink()
    return pickle.loads(kept.read_bytes())


def record(program, binary, directory, work, hone, options, purpose, scale):
    """Records the workload; returns the recording's path and the recorder's own summary."""
    command = programs.command(program, Path(binary.path), directory, scale)
    out = work / f"{program.name}-{purpose}.data"
    say(f"{program.name}: recording, {' '.join(options)}")
    log = out.with_suffix(".log")
    with log.open("w") as messages:
        done = subprocess.run([hone, "record", *options, "--json", "-o", str(out), "--", *command], cwd=directory,
                              stdout=subprocess.PIPE, stderr=messages)
    if done.returncode != 0:
        raise Failed(f"hone record ended with {done.returncode}: {log.read_text()[-500:]}")
    return out, json.loads(done.stdout)
