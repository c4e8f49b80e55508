"""The program of this folder in control groups: how it is built, and how a service under load and a sawtooth are run."""

import contextlib
import json
import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from groups import Group

HERE = Path(__file__).resolve().parent
PROGRAM = HERE.parents[1] / "target/tune/tune"
MODULES = ["github.com/bytedance/gopkg", "go.uber.org/automaxprocs"]
# What the environment of whoever measures must not decide.
SETTINGS = ("GOGC", "GOMEMLIMIT", "GOMAXPROCS", "GODEBUG")
# Beyond the time that a run is to take.
PATIENCE_S = 60


def build():
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(["go", "build", "-o", PROGRAM, "."], check=True, cwd=HERE)


def versions():
    def go(*words):
        return subprocess.run(["go", *words], check=True, text=True, cwd=HERE, capture_output=True).stdout.split()

    return [go("env", "GOVERSION")[0], *go("list", "-m", "-f", "{{.Path}}@{{.Version}}", *MODULES)]


def start(command, group, environment, *words, stdout=None):
    """Starts a process that is in its group, if it has one, before Go looks at quotas."""
    kept = {name: value for name, value in os.environ.items() if name not in SETTINGS}
    return subprocess.Popen([PROGRAM, command, *map(str, words)], env={**kept, **environment}, text=True, stdout=stdout,
                            preexec_fn=group.join if group else None)


@contextlib.contextmanager
def ended(process):
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def removed(group):
    try:
        yield group
    finally:
        group.remove()


def words_of(variant, limit):
    return "-variant", variant.how, "-limit", limit or 0


def under_load(variant, case, rate, times):
    """What a service used, and how long its requests took, in a group of its own."""
    with removed(Group(case.quota, case.limit)) as group, tempfile.TemporaryDirectory() as directory:
        socket = Path(directory, "service")
        with ended(start("serve", group, variant.environment(case.limit), *words_of(variant, case.limit), "-socket", socket, "-live", case.live)) as service:
            await_socket(socket, service)
            loader = start("load", None, {}, "-socket", socket, "-rate", rate, "-warm-up", f"{times.warm_up_s}s", "-duration", f"{times.seconds}s",
                           stdout=subprocess.PIPE)
            with ended(loader):
                result = counted(loader, group)
            result["service_lived"] = service.poll() is None
        return {**result, **group.memory()}


def await_socket(socket, service):
    deadline = time.monotonic() + PATIENCE_S
    while not socket.exists() and service.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)


def counted(loader, group):
    """What the loader tells, and what the group used while requests counted. A loader without a service ends early."""
    begun = loader.stdout.readline() == "begin\n"
    before = group.cpu()
    is_whole = begun and loader.stdout.readline() == "end\n"
    after = group.cpu()
    # The loader has a patience of its own.
    said = loader.stdout.read() if is_whole else ""
    return {**{key: after[key] - before[key] for key in after}, "load": json.loads(said) if said else None}


def teeth(variant, limit, count):
    """What a sawtooth of live memory tells, or how it ended."""
    with removed(Group(memory=limit)) as group:
        with ended(start("sawtooth", group, variant.environment(limit), *words_of(variant, limit), "-teeth", count, stdout=subprocess.PIPE)) as process:
            try:
                said, ending = process.communicate(timeout=PATIENCE_S)[0], None
            except subprocess.TimeoutExpired:
                said, ending = "", f"not done after {PATIENCE_S} s"
        if not said and ending is None:
            ending = signal.Signals(-process.returncode).name if process.returncode < 0 else f"exit code {process.returncode}"
        return {**group.cpu(), **group.memory(), "teeth": json.loads(said) if said else None, "ending": ending}
