"""Real programs under load, each in a control group of its own: what the fleet of bench/hub/run is made of, and what bench/hub/collector records."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
import uuid
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "bench"))
from servers import free_port, wait_for  # noqa: E402

PROGRAMS = HERE / "programs"
# A program joins its group before it is one.
JOIN = 'echo $$ > "$0/cgroup.procs" && exec "$@"'


def mount():
    """Where control groups of version 2 are."""
    for line in Path("/proc/mounts").read_text().splitlines():
        words = line.split()
        if words[2] == "cgroup2":
            return Path(words[1])
    sys.exit("run: there is no cgroup v2\nnext step: mount it: mount -t cgroup2 none /sys/fs/cgroup/unified")


class Load:
    """A program under load until it is ended; `cgroup` has its processes, and not those that drive it. `count()` says how much it has done."""

    def __init__(self, name, work):
        self.name, self.work, self.processes, self.count = name, Path(work), [], None
        self.work.mkdir(parents=True, exist_ok=True)
        self.cgroup = mount() / f"hone-bench-{name}-{uuid.uuid4().hex[:8]}"

    def __enter__(self):
        self.cgroup.mkdir()
        try:
            LOADS[self.name](self)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for _ in range(100):
            try:
                self.cgroup.rmdir()
                return
            except OSError:
                subprocess.run(["sleep", "0.1"], check=True)

    def program(self, *command):
        return self.start("sh", "-c", JOIN, str(self.cgroup), *command)

    def start(self, *command):
        process = subprocess.Popen([str(word) for word in command], cwd=self.work, start_new_session=True, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.processes.append(process)
        return process


def redis(load):
    port = free_port()
    wait_for(port, load.program("redis-server", "--port", str(port), "--save", "", "--dir", str(load.work)))
    tests = "set,get,incr,lpush,rpop,sadd,hset,spop,zadd,zpopmin,lrange_100,lrange_300,mset"
    load.start("sh", "-c", f"while :; do redis-benchmark -p {port} -q -c 20 -n 20000 -r 10000 -t {tests}; done")

    def count():
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(b"INFO stats\r\n")
            text = b""
            while b"total_commands_processed" not in text or not text.endswith(b"\n"):
                text += connection.recv(1 << 16)
        return int(re.search(rb"total_commands_processed:(\d+)", text).group(1))

    load.count = count


def go(load):
    server = load.work / "shop"
    subprocess.run(["go", "build", "-o", server, "."], cwd=PROGRAMS, check=True)
    port = free_port()
    wait_for(port, load.program(server, "-address", f"127.0.0.1:{port}"))
    drives = " & ".join(f"wrk -t1 -c4 -d 1h http://127.0.0.1:{port}/{path}" for path in ["json", "page", "search"])
    load.start("sh", "-c", f"{drives} & wait")
    load.count = lambda: int(urllib.request.urlopen(f"http://127.0.0.1:{port}/count", timeout=60).read())


def clang(load):
    shutil.copy(PROGRAMS / "compiled/unit.cpp", load.work)
    # Debug builds, checks and optimised ones, on each CPU.
    flags = ["-O2", "-O0 -g", "-O3 -march=native", "-fsyntax-only -Wall", "-Os -g1"]
    runs = "; ".join(f"clang++-19 -std=c++20 {each} -c -o $at.o unit.cpp" for each in flags)
    every = f"for at in $(seq {os.cpu_count()}); do ({runs}) & done; wait; printf . >>done"
    load.count = counted_in(load.work / "done")
    load.program("sh", "-c", f"while :; do {every}; done")


def python(load):
    load.count = counted_in(load.work / "done")
    load.program(os.path.realpath(sys.executable), str(PROGRAMS / "jobs.py"), str(load.work / "done"))


def counted_in(path):
    path.unlink(missing_ok=True)
    return lambda: path.stat().st_size if path.exists() else 0


LOADS = {"redis": redis, "go": go, "clang": clang, "python": python}


def record(hone, name, work, seconds, rate_hz):
    """Records a program under load; gives the recording's path."""
    with Load(name, Path(work) / name) as load:
        subprocess.run(["sleep", "1"], check=True)
        return recorded(hone, name, Path(work) / f"{name}.data", "-g", "--cgroup", load.cgroup, "-F", rate_hz, "--overhead", "50%", "--duration", seconds)


def recorded(hone, name, recording, *options):
    """Makes a recording; gives its path."""
    words = [str(word) for word in [hone, "record", "-o", recording, *options]]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"run: {name} cannot be recorded: {done.stderr}\nnext step: mend what it says, and run this again")
    return recording


def record_branches(hone, work, rate_hz):
    """Records SQLite's own benchmark, its stacks and its branches; gives both recordings, and the program with its debug information."""
    source, project = ROOT / "examples/real/sqlite", Path(work) / "sqlite"
    subprocess.run([source / "fetch"], check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(project, ignore_errors=True)
    shutil.copytree(source, project)
    for_profiling = {"CC": "clang-19", "CFLAGS": "-gline-tables-only -fdebug-info-for-profiling", "LDFLAGS": "-fuse-ld=lld -Wl,--build-id=sha1"}
    subprocess.run(["./build-program"], cwd=project, check=True, env=os.environ | for_profiling)
    program = project / "build/speedtest1"
    command = ["-F", rate_hz, "--", program, "--testset", "main", "--size", "100", ":memory:"]
    stacks = recorded(hone, "SQLite", project / "stacks.data", "-g", *command)
    branches = recorded(hone, "SQLite", project / "branches.data", "--branches", "walk", *command)
    return [stacks, branches], program
