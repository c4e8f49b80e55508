"""What the measurements of this folder share: to send a load, to wait for the right moment, to keep results."""

import json
import os
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

import agents
import process
from agents import GENERATOR_CORE, HELPERS, INTERVAL_S, ROOT

sys.path.insert(0, str(ROOT / "bench"))
from machine import machine

RESULTS = ROOT / "bench/results/agent"
# Windows begin this long after an interval's beginning, so that one of a length of an interval holds one flush.
PHASE_S = 0.7


def stay_with_the_generator():
    """This script, the sink and the loads that it starts share a core."""
    os.sched_setaffinity(0, {GENERATOR_CORE})


def load(agent, *options):
    """Sends a load; gives what was sent."""
    command = [HELPERS / "load", "--to", agent.address, *map(str, options)]
    start = process.pinned(GENERATOR_CORE, agent.realtime)
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, preexec_fn=start).stdout)


def wait_for_the_window():
    """Until the same moment of an interval, for all agents flush at multiples of it."""
    now = time.time()
    time.sleep((PHASE_S - now) % INTERVAL_S)


def settle(agent, patience_s=20.0):
    """Waits until the agent has caught up: it uses hardly any CPU time any more."""
    deadline = time.monotonic() + patience_s
    while time.monotonic() < deadline:
        before = agent.cpu_s()
        time.sleep(0.1)
        if agent.cpu_s() - before < 0.01:
            return


def conditions():
    """What is said about every result. HONE_AGENT_COMMIT says what a binary was built of that is not of this commit."""
    commit = os.environ.get("HONE_AGENT_COMMIT") or subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    return {"machine": machine(), "commit": commit, "date": datetime.now(timezone.utc).strftime("%Y-%m-%d")}


def write(name, raw, lines):
    """Keeps the raw numbers and the table."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    raw = {**conditions(), **raw}
    text = json.dumps(raw, indent=1).replace(f"{ROOT}/", "")
    (RESULTS / f"{name}.json").write_text(text + "\n")
    command = " ".join([f"bench/agent/{Path(sys.argv[0]).name}", *sys.argv[1:]])
    made = f"Made by `{command}`, which says what is measured and how, on {machine()}. Raw runs: {name}.json."
    text = "\n".join([lines[0], "", made, *lines[1:]])
    (RESULTS / f"{name}.md").write_text(text + "\n")
    print(text)
