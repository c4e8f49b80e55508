"""Something real to record: clang compiles the example, file by file, while the example (with debug information) runs.

clang has no debug information and deep stacks; the example has both inlined calls and lines. Every compile is a process
of its own, so the recording has hundreds of them.
"""

import json
import os
import shlex
import signal
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples/meshfilter"
FREQUENCY = 4999


def build(work):
    """The example with debug information, and the commands that compile its files."""
    tree = work / "example"
    if not (tree / "meshfilter").exists():
        options = ["-DCMAKE_BUILD_TYPE=RelWithDebInfo", "-DBUILD_TESTING=OFF", "-DCMAKE_CXX_COMPILER=clang++-19",
                   "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"]
        subprocess.run(["cmake", "-S", EXAMPLE, "-B", tree, *options], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", tree, "-j2", "--target", "meshfilter"], check=True,
                       stdout=subprocess.DEVNULL)
    entries = json.loads((tree / "compile_commands.json").read_text())
    compiles = [shlex.split(entry["command"]) for entry in entries if "/tests/" not in entry["file"]]
    for command in compiles:
        command[command.index("-o") + 1] = "/dev/null"
    return tree / "meshfilter", compiles


def script(work):
    """A shell script that keeps both busy until it is ended."""
    program, compiles = build(work)
    run = [program, "--config", EXAMPLE / "config/mesh.conf", "--mix", EXAMPLE / "config/mix-train.txt", "--requests",
           "1000000000"]
    lines = [shlex.join(map(str, run)) + " > /dev/null &", "while :; do", *map(shlex.join, compiles), "done"]
    path = work / "workload.sh"
    path.write_text("\n".join(lines) + "\n")
    return path


def record(work, data, size):
    """Records the workload with copied stacks until the file has this many bytes."""
    command = ["perf", "record", "-q", "-e", "cpu-clock", "-F", FREQUENCY, "--call-graph", "dwarf",
               f"--max-size={size}B", "-o", data, "--", "sh", script(work)]
    process = subprocess.Popen([str(word) for word in command], start_new_session=True, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    process.wait()
    # perf ends the shell, not what that has started.
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    return data
