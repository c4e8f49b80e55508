"""Control groups of CPU time and memory, of version 2 or 1."""

import os
import time
from pathlib import Path

CONTROLLERS = ("cpu", "memory")
PERIOD_US = 100_000
# How long the kernel may take to be done with the processes of a group.
PATIENCE_S = 10


class Missing(Exception):
    """What this machine lacks."""


def trees():
    """The version, and where the tree of each controller is mounted; of version 1 with that which counts CPU time."""
    mounts = [line.split() for line in Path("/proc/self/mounts").read_text().splitlines()]
    for _, point, kind, *_ in mounts:
        if kind == "cgroup2":
            held = Path(point, "cgroup.controllers").read_text().split()
            if all(controller in held for controller in CONTROLLERS):
                return 2, dict.fromkeys(CONTROLLERS, Path(point))
    found = {}
    for _, point, kind, options, *_ in mounts:
        if kind == "cgroup":
            found.update({name: Path(point) for name in (*CONTROLLERS, "cpuacct") if name in options.split(",")})
    lacking = [name for name in (*CONTROLLERS, "cpuacct") if name not in found]
    if lacking:
        raise Missing(f"no tree of control groups has {', '.join(lacking)}; mount cgroup2, or cgroup with these controllers")
    return 1, found


def keyed(path):
    return {key: int(value) for key, value in (line.split() for line in path.read_text().splitlines())}


class Group:
    """A group of its own at the top of the tree, with a quota in CPUs and a limit of memory in bytes, where they are not None."""

    def __init__(self, quota=None, memory=None):
        self.version, found = trees()
        self.dirs = {name: tree / f"hone-bench-tune-{os.getpid()}" for name, tree in found.items()}
        try:
            self._make(found)
            if quota is not None:
                self._limit_cpu(int(quota * PERIOD_US))
            if memory is not None:
                self._write("memory", "memory.max" if self.version == 2 else "memory.limit_in_bytes", memory)
        except OSError as error:
            self.remove()
            raise Missing(f"a control group of version {self.version} cannot be made or limited; run as root, outside of a container: {error}") from None

    def _make(self, found):
        if self.version == 2:
            # Fails in a group that has processes itself.
            (found["cpu"] / "cgroup.subtree_control").write_text("+cpu +memory")
        for directory in set(self.dirs.values()):
            directory.mkdir()

    def _limit_cpu(self, quota_us):
        if self.version == 2:
            self._write("cpu", "cpu.max", f"{quota_us} {PERIOD_US}")
        else:
            self._write("cpu", "cpu.cfs_period_us", PERIOD_US)
            self._write("cpu", "cpu.cfs_quota_us", quota_us)

    def _write(self, controller, name, value):
        (self.dirs[controller] / name).write_text(str(value))

    def join(self):
        """Puts this process into the group."""
        for directory in set(self.dirs.values()):
            (directory / "cgroup.procs").write_text(str(os.getpid()))

    def cpu(self):
        """What has been used, and how often and how long the quota stopped the group, summed over its CPUs."""
        stat = keyed(self.dirs["cpu"] / "cpu.stat")
        if self.version == 2:
            used_us, throttled_us = stat["usage_usec"], stat.get("throttled_usec", 0)
        else:
            used_us, throttled_us = int((self.dirs["cpuacct"] / "cpuacct.usage").read_text()) / 1000, stat["throttled_time"] / 1000
        return {"used_us": used_us, "throttled_us": throttled_us, "periods": stat.get("nr_periods", 0), "throttled": stat.get("nr_throttled", 0)}

    def memory(self):
        """The most that was used, and how many processes the kernel killed for want of memory."""
        directory = self.dirs["memory"]
        if self.version == 2:
            peak, events = directory / "memory.peak", keyed(directory / "memory.events")
        else:
            peak, events = directory / "memory.max_usage_in_bytes", keyed(directory / "memory.oom_control")
        return {"peak_bytes": int(peak.read_text()) if peak.exists() else None, "oom_kills": events["oom_kill"]}

    def remove(self):
        """Removes the group, whose processes have ended."""
        for directory in set(self.dirs.values()):
            deadline = time.monotonic() + PATIENCE_S
            while directory.exists():
                try:
                    directory.rmdir()
                except OSError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.01)
