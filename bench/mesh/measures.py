"""What loads, processes and rounds have measured, as the scripts of this folder read it."""

import math
import re
import statistics
import sys
from pathlib import Path

from servers import cpu_s


def requests_of(name, output):
    """How many requests wrk or h2load had answered. Ends the run where some were not: they would have cost less."""
    # What was under way when the time was over is told as failed by nobody.
    if done := re.search(r"(\d+) succeeded, (\d+) failed, (\d+) errored, (\d+) timeout", output):
        has_failed = int(done[2]) + int(done[3]) + int(done[4]) > 0
    else:
        done = re.search(r"(\d+) requests in", output)
        has_failed = "Non-2xx" in output or re.search(r"Socket errors:(?!.* connect 0, read 0, write 0, timeout 0)", output)
    if not done or has_failed:
        sys.exit(f"bench/mesh: requests to {name} failed: {output}")
    return int(done[1])


def cpu_us(pid):
    """User and system time of a process so far. The kernel counts ticks of each, and nanoseconds of both together."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    user, system = int(fields[11]), int(fields[12])
    return user, system, cpu_s(pid) * 1e6


def for_each(requests, before, after):
    """CPU time for a request between two looks of cpu_us: all of it, and the user's part."""
    user, system = after[0] - before[0], after[1] - before[1]
    us = (after[2] - before[2]) / requests
    return us, us * user / max(user + system, 1)


def interval(values):
    """The order statistics that hold the median in 95 of 100 cases: none of fewer than six values."""
    values = sorted(values)
    outside = 0
    for rank in range(len(values) // 2):
        outside += 2 * math.comb(len(values), rank) / 2 ** len(values)
        if outside > 0.05:
            return (values[rank - 1], values[-rank]) if rank > 0 else None
    return None


def in_words(values, digits=2):
    """The median, with its interval where there is one."""
    bounds = interval(values)
    return f"{statistics.median(values):.{digits}f}" + (f" [{bounds[0]:.{digits}f}, {bounds[1]:.{digits}f}]" if bounds else "")
