"""One run of a command: CPU seconds of it and of all that it started, peak memory of the largest process."""

import ctypes
import os
import statistics
import subprocess
import time


# Of prctl: what the command leaves behind becomes a child of this process, so that its CPU time is known too.
PR_SET_CHILD_SUBREAPER = 36


def run(command, out, limit_s):
    """Runs a command (words, or a text for the shell) with its standard output in a file, and waits for all it started."""
    words = ["sh", "-c", command] if isinstance(command, str) else [str(word) for word in command]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    began = time.monotonic()
    with open(out, "wb") as output:
        process = subprocess.Popen(["timeout", str(limit_s), *words], stdout=output, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    usages = [usage, *left_behind()]
    return {"cpu_s": sum(usage.ru_utime + usage.ru_stime for usage in usages), "wall_s": time.monotonic() - began,
            "peak_mib": max(usage.ru_maxrss for usage in usages) / 1024, "status": process.returncode,
            "bytes": os.path.getsize(out)}


def left_behind():
    while True:
        try:
            yield os.wait3(0)[2]
        except ChildProcessError:
            return


def median_and_range(values, digits=1):
    """`12.3 (11.0 to 14.2)`."""
    values = sorted(values)
    return f"{statistics.median(values):.{digits}f} ({values[0]:.{digits}f} to {values[-1]:.{digits}f})"
