"""What a process of Linux has used, read from outside."""

import os
import time
from pathlib import Path


def cpu_s(pid):
    """CPU time of all its threads, also of those that have ended, in seconds, to the nanosecond (clock_getcpuclockid(3))."""
    return time.clock_gettime((~pid << 3) | 2)


def memory(pid):
    """Bytes: resident now, of these its own share, and the most that were ever resident."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    status = Path(f"/proc/{pid}/status").read_text()
    return {"rss_bytes": kib(rollup, "Rss:"), "pss_bytes": kib(rollup, "Pss:"), "peak_rss_bytes": kib(status, "VmHWM:")}


def kib(text, key):
    line = next(line for line in text.splitlines() if line.startswith(key))
    return int(line.split()[1]) * 1024


def context_switches(pid):
    """Of all threads that there are."""
    switches = 0
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for line in (thread / "status").read_text().splitlines():
            if "ctxt_switches" in line:
                switches += int(line.split()[1])
    return switches


def udp_drops(port):
    """Datagrams that the kernel dropped at the sockets of a port."""
    drops = 0
    for table in ("/proc/net/udp", "/proc/net/udp6"):
        for line in Path(table).read_text().splitlines()[1:]:
            fields = line.split()
            if int(fields[1].rsplit(":", 1)[1], 16) == port:
                drops += int(fields[-1])
    return drops


def is_udp_bound(port):
    tables = [Path(table).read_text().splitlines()[1:] for table in ("/proc/net/udp", "/proc/net/udp6")]
    return any(int(line.split()[1].rsplit(":", 1)[1], 16) == port for table in tables for line in table)


def pinned(core, realtime=False):
    """To be called in a child before it becomes another program. With `realtime` it runs before all ordinary processes,
    where the system allows that."""

    def pin():
        os.sched_setaffinity(0, {core})
        if realtime:
            try:
                os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
            except PermissionError:
                pass

    return pin
