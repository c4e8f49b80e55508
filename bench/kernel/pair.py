"""Programs of the experiments: how they are built, and what a server and its caller tell."""

import json
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILT = ROOT / "target/kernel"
SOURCES = HERE / "programs"
COMPILE = ["g++", "-std=c++20", "-O2", "-Wall", "-Wextra", "-Wno-missing-field-initializers"]
SERVER_CPU, CALLER_CPU = "0", "1"
START_S = 30


def build(name, *, sources=None, libraries=()):
    """The path of one program, which is built if its sources are newer."""
    program = BUILT / name
    files = [SOURCES / f"{source}.cc" for source in sources or [name]]
    newest = max(path.stat().st_mtime for path in SOURCES.iterdir())
    if not program.exists() or program.stat().st_mtime < newest:
        BUILT.mkdir(parents=True, exist_ok=True)
        subprocess.run([*COMPILE, "-o", program, *files, *libraries], check=True)
    return program


def build_gather():
    """The server that gathers, or nothing where liburing is not installed."""
    if not Path("/usr/include/liburing.h").exists():
        return None
    return build("gather", sources=["gather", "gather_epoll", "gather_ring"], libraries=["-luring"])


def build_go():
    BUILT.mkdir(parents=True, exist_ok=True)
    program = BUILT / "gonet"
    subprocess.run(["go", "build", "-o", program, "."], cwd=HERE / "gonet", check=True, env=os.environ | {"GOTOOLCHAIN": "local"})
    return program


def words(options, dash="--"):
    """Options as they are written for a program."""
    return [text for name, value in options.items() for text in (f"{dash}{name}", str(value))]


def pinned(cpu, command, before=()):
    return [*before, "taskset", "-c", cpu, *map(str, command)]


def pair(server, caller, milliseconds, *, before_server=(), before_caller=()):
    """Starts a server and calls it; what both tell, per message.

    `before_server` and `before_caller` are words that start a command elsewhere, as in a network namespace.
    """
    environment = os.environ | {"GOMAXPROCS": "1"}
    with subprocess.Popen(pinned(SERVER_CPU, server, before_server), stdout=subprocess.PIPE, text=True, env=environment) as serving:
        try:
            port = serving.stdout.readline().strip()
            if not port:
                sys.exit(f"{' '.join(map(str, server))} ended before it listened; start it by hand to see why")
            called = alone([*caller, "--port", port], milliseconds, before_caller)
            served = json.loads(serving.communicate(timeout=START_S)[0])
        finally:
            serving.kill()
    figures = {f"caller_{name}": value for name, value in called.items() if name in ("user_us", "system_us")}
    figures |= {name: value for name, value in called.items() if name not in ("user_us", "system_us")}
    for name in ("user_us", "system_us"):
        figures[f"server_{name}"] = served[name] / max(served["frames"], 1)
    if "writes" in served:
        figures["frames_per_write"] = served["frames"] / max(served["writes"], 1)
        figures["frames_per_wait"] = served["frames"] / served["waits"] if served["waits"] else 0
    return figures


def alone(caller, milliseconds, before=()):
    """Runs a caller; CPU and segments per message, messages per second."""
    command = pinned(CALLER_CPU, [*caller, "--milliseconds", milliseconds], before)
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, timeout=START_S + milliseconds / 1000)
    told = json.loads(done.stdout)
    count, seconds = max(told.pop("frames"), 1), told.pop("seconds")
    for name in ("user_us", "system_us", "segments"):
        if name in told:
            told[name] /= count
    return told | {"per_second": count / seconds}
