"""The processes of one real host: how they are built, and how a load of calls is run."""

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from servers import free_port

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BUILT = ROOT / "target/routing"
VIEW = BUILT / "view.json"
CALLERS_CORE, INSTANCES_CORE = 0, 1
ELSEWHERE = -1
# Beyond the time that a load is to take.
PATIENCE_S = 120


class Way(NamedTuple):
    policy: str
    # To instances of the host.
    transport: str
    about: str


LOCAL_FIRST = Way("local first", "shm", "`rpc.LocalFirst`, told the true rates of all callers; its own instance by shared memory, which the tag `shm` names")
# In the order of their turns: those that are compared most stand beside each other.
WAYS = {
    "local first": LOCAL_FIRST,
    "round robin": Way("round robin", "shm", "turns by capacity"),
    "local first again": LOCAL_FIRST._replace(about="local first once more"),
    "zone aware": Way("zone aware", "shm", "as Envoy, by the weights of the simulator"),
    "naive local": Way("naive local", "shm", "the local instance whenever there is one, as here"),
    "local first, 20 others": Way("local first, 20 others", "shm", "the same with `Subset: 20`; a host with many calls that leave has more others"),
    "local first, Unix socket": LOCAL_FIRST._replace(transport="unix", about="its own instance over a Unix socket"),
    "local first, TCP": LOCAL_FIRST._replace(transport="tcp", about="its own instance over TCP, as all others"),
}


class Times(NamedTuple):
    warm_up_s: float
    counted_s: float


def build():
    """Makes the programs, of the service that bench/rpc compares stacks by."""
    BUILT.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "generate", "./host"], check=True, cwd=HERE)
    subprocess.run(["go", "build", "-o", BUILT, ".", "./host"], check=True, cwd=HERE)


def version():
    return subprocess.run(["go", "env", "GOVERSION"], check=True, text=True, cwd=HERE, stdout=subprocess.PIPE).stdout.strip()


def view():
    """One service of the fleet, as three hosts that call it see it."""
    said = subprocess.run([BUILT / "routing", "-view"], check=True, text=True, stdout=subprocess.PIPE).stdout
    VIEW.write_text(said)
    return json.loads(said)


class Load(NamedTuple):
    """A load of calls; a rate of 0 is a closed one."""

    payload: str
    callers: int
    rate: int

    def name(self):
        size = {"small": "64 B", "echo": "1 KB", "price": "5 KB struct"}[self.payload]
        return f"{size}, {self.rate:,} calls/s" if self.rate else f"{size}, {self.callers} callers"

    def run(self, host, here, way, times):
        """What the processes used, how many calls stayed, and how long calls took."""
        with tempfile.TemporaryDirectory() as directory:
            where = ["-view", VIEW, "-host", host, "-directory", directory, "-port", free_port()]
            instances = [subprocess.Popen(pinned(INSTANCES_CORE, "serve", *where, "-instance", at), env=ENVIRONMENT) for at in (ELSEWHERE, *here)]
            try:
                how = ["-policy", way.policy, "-transport", way.transport, "-payload", self.payload, "-callers", self.callers, "-rate", self.rate,
                       "-warm-up", f"{times.warm_up_s}s", "-duration", f"{times.counted_s}s"]
                said = subprocess.run(pinned(CALLERS_CORE, "call", *where, *how), check=True, env=ENVIRONMENT, text=True, stdout=subprocess.PIPE,
                                      timeout=times.warm_up_s + times.counted_s + PATIENCE_S).stdout
            finally:
                for instance in instances:
                    instance.kill()
                    instance.wait()
        return {"rate": self.rate, **json.loads(said)}


ENVIRONMENT = {**os.environ, "GOMAXPROCS": "1"}


def pinned(core, *words):
    return ["taskset", "-c", str(core), str(BUILT / "host"), *map(str, words)]
