"""The programs: how they are built, and how they are run."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from servers import free_port

HERE = Path(__file__).resolve().parent
BUILT = HERE.parents[1] / "target/shm"
CLIENT_CORE, SERVER_CORE = 0, 1
MODULES = ["github.com/cloudwego/shmipc-go"]
# Beyond the time that a load is to take.
PATIENCE_S = 60


class Transport(NamedTuple):
    # As the program names it.
    name: str
    options: tuple
    about: str


SHM = Transport("shm", (), "package shm, messages made and read in place, by Reserve, Commit, Peek and Discard")
# In the order of their turns: those that are compared most stand beside each other.
TRANSPORTS = {
    "tcp": Transport("tcp", (), "TCP over loopback, package net"),
    "unix": Transport("unix", (), "Unix sockets, package net"),
    "shm": SHM,
    "shmipc": Transport("shmipc", (), "shmipc-go, messages made and read in place, by Reserve, Flush, ReadBytes and ReleaseReadAndReuse"),
    "shm again": SHM._replace(about="shm once more"),
    "shm copied": Transport("shm copied", (), "package shm by Read and Write, as package rpc uses it"),
    "shm without looking": SHM._replace(options=("-spin", "-1ns"), about="shm with Spin: -1, which sleeps at once where nothing is there"),
}


def build():
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "build", "-o", BUILT / "roundtrips", "./roundtrips"], check=True, cwd=HERE)


def build_wake():
    """Builds wake.c, and tells its ways."""
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run([os.environ.get("CC", "cc"), "-std=gnu11", "-O2", "-Wall", "-Wextra", "-o", BUILT / "wake", HERE / "wake.c"], check=True)
    return subprocess.run([BUILT / "wake"], check=True, text=True, stdout=subprocess.PIPE).stdout.splitlines()


def versions():
    def go(*words):
        return subprocess.run(["go", *words], check=True, text=True, cwd=HERE, stdout=subprocess.PIPE).stdout.split()

    return [go("env", "GOVERSION")[0], *go("list", "-m", "-f", "{{.Path}}@{{.Version}}", *MODULES)]


def size_name(count):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if count % unit == 0:
            return f"{count // unit} {name}"
    return f"{count} B"


class Load(NamedTuple):
    """A load of messages; a rate of 0 is a closed one."""

    size: int
    connections: int
    rate: int
    warm_up_s: float
    duration_s: float

    def name(self):
        how = f"{self.rate:,} a second" if self.rate else "closed"
        return f"{size_name(self.size)}, {self.connections} connection{'s' if self.connections > 1 else ''}, {how}"

    def run(self, transport):
        """What both sides used, and how long round trips took."""
        with tempfile.TemporaryDirectory() as directory:
            address = f"127.0.0.1:{free_port()}" if transport.name == "tcp" else f"{directory}/s"
            where = ["-transport", transport.name, "-address", address, "-control", f"{directory}/control",
                     "-size", self.size, "-connections", self.connections, *transport.options]
            server = subprocess.Popen(pinned(SERVER_CORE, "serve", *where), env=ENVIRONMENT)
            try:
                how = ["-rate", self.rate, "-warm-up", f"{self.warm_up_s}s", "-duration", f"{self.duration_s}s"]
                said = subprocess.run(pinned(CLIENT_CORE, "load", *where, *how), check=True, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                                      timeout=self.warm_up_s + self.duration_s + PATIENCE_S).stdout
            finally:
                server.kill()
                server.wait()
        result = json.loads(said)
        return {"size": self.size, "connections": self.connections, "rate": self.rate, **result,
                **{f"{kind}_us": result["client"][f"{kind}_us"] + result["server"][f"{kind}_us"] for kind in ("user", "system")}}


ENVIRONMENT = {**os.environ, "GOMAXPROCS": "1"}


def pinned(core, *words):
    return ["taskset", "-c", str(core), str(BUILT / "roundtrips"), *map(str, words)]


class Wake(NamedTuple):
    """So many times that two processes wake each other."""

    round_trips: int

    def name(self):
        return "wake"

    def run(self, way):
        said = subprocess.run([BUILT / "wake", way, str(self.round_trips)], check=True, text=True, stdout=subprocess.PIPE, timeout=PATIENCE_S + self.round_trips / 1000).stdout
        return json.loads(said)
