"""The agents that are compared: how each is started, where it listens, and what it says it received."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import process

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bench"))
from servers import free_port  # noqa: E402  (the folder above this one)

TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
PEERS = Path(os.environ.get("HONE_BENCH_PEERS", ROOT / "target/peers"))
HONE_AGENT = Path(os.environ.get("HONE_AGENT", TARGET / "release/hone-agent"))
# Where load and the rest of bench/agent are built: by bench/agent/build.
HELPERS = Path(os.environ.get("HONE_BENCH_HELPERS", TARGET / "agent/release"))

# The generator, the sink and what reads figures share one core; the agent has the other one for itself.
GENERATOR_CORE, AGENT_CORE = 0, 1
# How often all agents hand on what they have.
INTERVAL_S = 2
# All agents may ask for this much; the system gives as much as it may.
RECEIVE_BUFFER_BYTES = 4 << 20


class Agent:
    """One that runs in a directory of its own, as a process that is pinned to its core."""

    # Whether it runs before other processes of the machine.
    realtime = False

    def __init__(self, transport, sink):
        self.transport = transport
        self.sink = sink
        self.directory = tempfile.TemporaryDirectory()
        self.path = Path(self.directory.name)
        self.port = free_port(socket.SOCK_DGRAM)
        self.log = open(self.path / "log", "w+")
        address = f"udp:127.0.0.1:{self.port}" if transport == "udp" else f"unixgram:{self.path}/socket"
        self.address = address
        environment = {**os.environ, **self.environment()}
        self.process = subprocess.Popen(self.command(), stdout=self.log, stderr=self.log, cwd=self.path, env=environment,
                                        preexec_fn=process.pinned(AGENT_CORE, self.realtime))
        self.wait_until_it_listens()

    def environment(self):
        return {}

    def wait_until_it_listens(self):
        deadline = time.monotonic() + 60
        while not self.listens():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.log.seek(0)
                raise SystemExit(f"{self.name} did not start: {self.log.read()[-2000:]}")
            time.sleep(0.02)

    def listens(self):
        if self.transport == "udp":
            return process.is_udp_bound(self.port)
        return (self.path / "socket").exists()

    def cpu_s(self):
        return process.cpu_s(self.process.pid)

    def kernel_drops(self):
        """Packets that never reached the agent."""
        return process.udp_drops(self.port) if self.transport == "udp" else 0

    def flush(self):
        """For an agent that is asked instead of sending by itself."""

    def stop(self):
        """Ends it, and gives what it says it has taken: samples, or None if it does not say."""
        taken = self.taken()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()
        self.directory.cleanup()
        return taken

    def taken(self):
        return None


class HoneAgent(Agent):
    name = "hone-agent"
    protocol = "either"
    format = "remote-write"
    interval_s = INTERVAL_S
    # Threads that store, beside those that receive.
    workers = 0
    binary = HONE_AGENT

    def command(self):
        config = self.path / "agent.toml"
        send = f'[[send]]\nformat = "{self.format}"\naddress = "{self.sink.address}"\n' if self.sink else ""
        config.write_text(f"""
[aggregate]
interval_s = {self.interval_s}
workers = {self.workers}
quantiles = [0.5, 0.9, 0.99]
[limits]
series = 300_000
series_per_process = 300_000
[[listen]]
address = "{self.address}"
protocol = "{self.protocol}"
receive_buffer_bytes = {RECEIVE_BUFFER_BYTES}
{send}""")
        return [self.binary, "run", "--config", config]

    def listens(self):
        return "listening at" in (self.path / "log").read_text()

    def stop(self):
        """Its account is complete only at its end."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)
        said = (self.path / "log").read_text()
        self.log.close()
        self.directory.cleanup()
        self.account = said
        stored = re.search(r"^hone\.agent\.values\.stored (\d+)$", said, re.MULTILINE)
        return int(stored[1]) if stored else 0


class StatsdExporter(Agent):
    name = "statsd_exporter"

    def command(self):
        self.web = free_port()
        # As often as the others flush, the summaries are read; quantiles are those of hone-agent.
        mapping = self.path / "mapping.yml"
        mapping.write_text("""
defaults:
  observer_type: summary
  summary_options:
    max_age: 10s
    quantiles:
    - {quantile: 0.5, error: 0.05}
    - {quantile: 0.9, error: 0.01}
    - {quantile: 0.99, error: 0.001}
""")
        unixgram = f"{self.path}/socket" if self.transport == "unixgram" else ""
        udp = f"127.0.0.1:{self.port}" if self.transport == "udp" else ""
        return [PEERS / "bin/statsd_exporter", f"--web.listen-address=127.0.0.1:{self.web}", "--statsd.listen-tcp=",
                f"--statsd.listen-udp={udp}", f"--statsd.listen-unixgram={unixgram}", "--log.level=error",
                f"--statsd.read-buffer={RECEIVE_BUFFER_BYTES}", f"--statsd.mapping-config={mapping}"]

    def scrape(self):
        for _ in range(100):
            try:
                return urllib.request.urlopen(f"http://127.0.0.1:{self.web}/metrics", timeout=60).read()
            except OSError:
                time.sleep(0.05)
        return b""

    def flush(self):
        self.scrape()

    def taken(self):
        found = re.search(rb"^statsd_exporter_samples_total (\S+)$", self.scrape(), re.MULTILINE)
        return int(float(found[1])) if found else None


class Telegraf(Agent):
    name = "telegraf"

    def command(self):
        config = self.path / "telegraf.toml"
        config.write_text(f"""
[agent]
interval = "{INTERVAL_S}s"
flush_interval = "{INTERVAL_S}s"
round_interval = true
metric_batch_size = 5000
metric_buffer_limit = 400000
quiet = true
omit_hostname = true
[[inputs.statsd]]
protocol = "udp"
service_address = "127.0.0.1:{self.port}"
datadog_extensions = true
percentiles = [50.0, 90.0, 99.0]
read_buffer_size = {RECEIVE_BUFFER_BYTES}
allowed_pending_messages = 10000
delete_gauges = false
delete_counters = false
delete_timings = true
[[outputs.http]]
url = "{self.sink.address}"
data_format = "prometheusremotewrite"
[outputs.http.headers]
Content-Type = "application/x-protobuf"
Content-Encoding = "snappy"
""")
        return [PEERS / "bin/telegraf-statsd", config]

    def stop(self):
        """It says at its end how many packets it took and dropped; datagrams of a run are alike."""
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        said = (self.path / "log").read_text()
        self.log.close()
        self.directory.cleanup()
        found = re.search(r"^account: (\d+) packets, (\d+) dropped$", said, re.MULTILINE)
        self.packets, self.dropped = (int(found[1]), int(found[2])) if found else (None, None)
        return None


class Netdata(Agent):
    """Reads no tags, so that all series of a metric are one: it has less to do than the others."""

    name = "netdata"

    def command(self):
        config = self.path / "netdata.conf"
        config.write_text(f"""
[global]
    run as user = root
[directories]
    cache = {self.path}
    lib = {self.path}
    log = {self.path}
    config = {self.path}
    stock config = {self.path}
    plugins = {self.path}
    web = {self.path}
    registry = {self.path}
[db]
    mode = ram
    update every = 1
[logs]
    error = {self.path}/error
    access = none
[health]
    enabled = no
[ml]
    enabled = no
[web]
    mode = none
[plugins]
    timex = no
    proc = no
    tc = no
    idlejitter = no
    cgroups = no
    checks = no
    diskspace = no
    apps = no
    charts.d = no
    python.d = no
    node.d = no
    go.d = no
    fping = no
    ioping = no
    ebpf = no
    perf = no
    slabinfo = no
    nfacct = no
    freeipmi = no
    loopsleepms = no
    profile = no
    statsd = yes
    netdata monitoring = no
    enable running new plugins = no
[statsd]
    update every (flushInterval) = {INTERVAL_S}
    bind to = udp:127.0.0.1:{self.port}
    histograms and timers percentile (percentThreshold) = 99.0
    create private charts for metrics matching = *
    max private charts hard limit = 1000
""")
        return [PEERS / "bin/netdata", "-D", "-c", config, "-P", f"{self.path}/pid"]


def available(*kinds):
    """Those that are here; says which are not."""
    binaries = {"statsd_exporter": "statsd_exporter", "telegraf": "telegraf-statsd", "netdata": "netdata"}
    found, missing = [], []
    for kind in kinds:
        binary = HONE_AGENT if kind.name not in binaries else PEERS / "bin" / binaries[kind.name]
        (found if binary.exists() else missing).append(kind)
    for kind in missing:
        print(f"skipped: {kind.name} is not in {PEERS.name}/ (bench/agent/peers/install)")
    return found, [kind.name for kind in missing]
