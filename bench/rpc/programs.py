"""The programs of the stacks: how they are built, and how a server and a load generator are run."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from servers import free_port

HERE = Path(__file__).resolve().parent
BIN = HERE / "generated/bin"
LOAD_CORE, SERVER_CORE = 0, 1
MODULES = ["github.com/cloudwego/kitex", "google.golang.org/grpc", "google.golang.org/protobuf"]
# Beyond the time that a load is to take.
PATIENCE_S = 120


def build():
    for directory in sorted((HERE / "stacks").iterdir()):
        subprocess.run(["go", "build", "-o", BIN / f"stack-{directory.name}", f"./stacks/{directory.name}"], check=True, cwd=HERE)


def versions():
    def go(*words):
        return subprocess.run(["go", *words], check=True, text=True, cwd=HERE, capture_output=True).stdout.split()

    modules = go("list", "-m", "-f", "{{.Path}}@{{.Version}}", *MODULES)
    return [go("env", "GOVERSION")[0], *modules]


def pinned(core, program, *words):
    return ["taskset", "-c", str(core), str(BIN / f"stack-{program}"), *map(str, words)]


class Load(NamedTuple):
    """A load of calls; a rate of 0 is a closed one."""

    network: str
    payload: str
    callers: int
    rate: int
    warm_up_s: float
    seconds: float

    def name(self):
        how = f"{self.rate:,} calls/s" if self.rate else f"{self.callers:,} callers"
        return f"{self.payload}, {self.network}, {how}"

    def run(self, stack, has_parts):
        """What both sides used, and what callers saw; with parts also what the server's CPU time was used for."""
        return self._against_server(stack, "load", "-payload", self.payload, "-callers", self.callers, "-rate", self.rate,
                                    "-warm-up", f"{self.warm_up_s}s", "-duration", f"{self.seconds}s", *(["-parts"] if has_parts else []))

    def idle(self, stack, connections):
        """What the server has in memory before and after so many connections."""
        return self._against_server(stack, "idle", "-connections", connections)

    def _against_server(self, stack, command, *words):
        environment = {**os.environ, "GOMAXPROCS": "1"}
        with tempfile.TemporaryDirectory() as directory:
            address = f"{directory}/s" if self.network == "unix" else f"127.0.0.1:{free_port()}"
            where = ["-variant", stack.variant, "-network", self.network, "-address", address, "-control", f"{directory}/control"]
            server = subprocess.Popen(pinned(SERVER_CORE, stack.program, "serve", *where), env=environment)
            try:
                said = subprocess.run(pinned(LOAD_CORE, stack.program, command, *where, *words), check=True, env=environment, text=True,
                                      stdout=subprocess.PIPE, timeout=self.warm_up_s + self.seconds + PATIENCE_S).stdout
            finally:
                server.kill()
                server.wait()
        return json.loads(said)
