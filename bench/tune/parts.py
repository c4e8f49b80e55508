"""What is compared: ways to choose GOMAXPROCS and GOGC, and the services and limits that they are compared by."""

import math
import os
from typing import NamedTuple

MIB = 1 << 20
GOMEMLIMIT_PART = 0.9
# Of the quota, or of the CPUs of the machine: the rates of requests.
LOADS = (0.6, 0.85)
MEMORY_LOAD = 0.4
SAWTOOTH_LIMIT = 256 * MIB


class Variant(NamedTuple):
    about: str
    how: str = "default"
    settings: dict = {}
    has_memory_limit: bool = False

    def environment(self, limit):
        if not self.has_memory_limit:
            return self.settings
        return {**self.settings, "GOMEMLIMIT": str(int(GOMEMLIMIT_PART * limit))}


class Case(NamedTuple):
    """A service with a quota in CPUs or a memory limit in bytes, or both, with so many bytes of live memory, under a load in CPUs by what requests cost by default."""

    name: str
    cpus: float
    live: int
    quota: float | None = None
    limit: int | None = None


class Times(NamedTuple):
    warm_up_s: float
    seconds: float
    teeth: int


USUAL = Times(3, 5, 5)
QUICK = Times(1, 1, 1)

DEFAULT, AGAIN = "default", "default again"
DEFAULTS = {DEFAULT: Variant("Go with no setting"), AGAIN: Variant("the same once more: how far two equal ones are apart")}
OLD_GO = "old Go"
CPU_VARIANTS = {
    **DEFAULTS,
    OLD_GO: Variant("GODEBUG=containermaxprocs=0: GOMAXPROCS is the number of CPUs, as before Go 1.25", settings={"GODEBUG": "containermaxprocs=0"}),
    "automaxprocs": Variant("go.uber.org/automaxprocs", "automaxprocs"),
    "tune.CPU": Variant("tune.CPU(tune.CPUOptions{})", "tune.CPU"),
}
GC_VARIANTS = {
    **DEFAULTS,
    "GOMEMLIMIT": Variant("GOMEMLIMIT at 0.9 of the limit, GOGC=100", has_memory_limit=True),
    "GOMEMLIMIT, GOGC=off": Variant("GOMEMLIMIT at 0.9 of the limit, GOGC=off", settings={"GOGC": "off"}, has_memory_limit=True),
    "gctuner": Variant("github.com/bytedance/gopkg/util/gctuner with a threshold of 0.7 of the limit", "gctuner"),
    "tune.GC": Variant("tune.GC(tune.GCOptions{})", "tune.GC"),
}
QUOTA_LIVE = 16 * MIB
QUOTAS = [Case(f"quota {quota} CPUs, load {load} of it", load * quota, QUOTA_LIVE, quota=quota) for quota in (0.5, 1.0, 1.5) for load in LOADS]
MEMORIES = [Case(f"limit {limit} MiB, {live} MiB live", MEMORY_LOAD * os.cpu_count(), live * MIB, limit=limit * MIB) for limit, live in ((512, 100), (64, 8))]


def cpu_variants(case):
    """Without those which this machine makes the default."""
    is_default = os.cpu_count() <= max(2, math.ceil(case.quota))
    return [name for name in CPU_VARIANTS if not (name == OLD_GO and is_default)]
