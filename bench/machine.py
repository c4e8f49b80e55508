"""The machine on which figures were made, in words."""

import os
import platform
from pathlib import Path


def machine():
    info = Path("/proc/cpuinfo").read_text()
    model = next((line.split(":")[1].strip() for line in info.splitlines() if line.startswith("model name")), "?")
    return f"{model}, {os.cpu_count()} CPUs, Linux {platform.release()}"
