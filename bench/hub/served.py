"""A hub as a process: what it costs, and how soon it answers. And a server with the API of S3, moto's, where Python has it."""

import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TICK_S = 1 / os.sysconf("SC_CLK_TCK")
PATIENCE_S = 120
# A hub that uses less than this part of a CPU for so long is done with what it does by itself.
QUIET_S, QUIET_PART = 10, 0.02
KEYS = {"AWS_ACCESS_KEY_ID": "id", "AWS_SECRET_ACCESS_KEY": "secret"}
MOTO = """
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(server.get_host_and_port()[1], flush=True)
sys.stdin.read()
"""


class Server:
    """A server as a process, with all that it starts: its CPU time, and its most memory so far."""

    def __init__(self, command, work, log):
        self.log, self.process = log, subprocess.Popen(
            [str(word) for word in command], cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=open(log, "wb"), env=os.environ | KEYS, start_new_session=True)
        self.peak_pss_bytes = self.peak_rss_bytes = 0
        self.is_over = threading.Event()
        self.watch = threading.Thread(target=self.watch_memory, daemon=True)
        self.watch.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.watch.join()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def pids(self):
        return children_of(self.process.pid)

    def cpu_s(self):
        """CPU seconds so far: the server, its processes, and those that have ended."""
        seconds = 0.0
        for pid in self.pids():
            try:
                fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            seconds += sum(map(int, fields[11:15])) * TICK_S
        return seconds

    def watch_memory(self):
        while not self.is_over.wait(0.1):
            pss = rss = 0
            for pid in self.pids():
                try:
                    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
                except OSError:
                    continue
                pss += kilobytes(text, "Pss")
                rss += kilobytes(text, "Rss")
            self.peak_pss_bytes = max(self.peak_pss_bytes, pss)
            self.peak_rss_bytes = max(self.peak_rss_bytes, rss)

    def forget_peak(self):
        self.peak_pss_bytes = self.peak_rss_bytes = 0


class Hub(Server):
    """A hub on a folder, or on a bucket with `store`."""

    def __init__(self, command, work, folder=None, store="", more=""):
        work = Path(work)
        work.mkdir(parents=True, exist_ok=True)
        store = store or f"folder = '{folder}'\n"
        (work / "hone-hub.toml").write_text(f"listen = '127.0.0.1:0'\n[store]\n{store}{more}")
        super().__init__([command, "--config", "hone-hub.toml"], work, work / "hub.log")
        self.address = self.wait_for_address()

    def wait_for_address(self):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end and self.process.poll() is None:
            found = re.search(r"listening at (http://[^, \n]+)", self.log.read_text())
            if found:
                return found.group(1)
            time.sleep(0.05)
        sys.exit(f"run: the hub does not start: {self.log.read_text()}")

    def cpu_of_threads(self):
        """CPU seconds by the name of the thread; checkers by theirs."""
        seconds = {}
        for pid in self.pids():
            for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
                try:
                    name, fields = stat.read_text().split("(", 1)[1].rsplit(")", 1)
                except OSError:
                    continue
                name = "checker process" if pid != self.process.pid else name.split("-")[0]
                seconds[name] = seconds.get(name, 0) + sum(map(int, fields.split()[11:13])) * TICK_S
        return {name: round(used, 2) for name, used in seconds.items()}

    def settle(self):
        """Waits until the hub is done with what it does by itself, such as the first look at all services for regressions."""
        used, before = self.cpu_s(), -1.0
        while used - before >= QUIET_PART * QUIET_S:
            time.sleep(QUIET_S)
            before, used = used, self.cpu_s()

    def ask(self, path, method="GET"):
        """Status, body, headers and seconds."""
        began = time.perf_counter()
        try:
            with urllib.request.urlopen(urllib.request.Request(self.address + path, method=method), timeout=600) as answer:
                return answer.status, answer.read(), answer.headers, time.perf_counter() - began
        except urllib.error.HTTPError as error:
            return error.code, error.read(), error.headers, time.perf_counter() - began

    def get(self, path, may_be_too_large=False):
        """Body, headers and seconds; no body if that would be too large."""
        status, body, headers, seconds = self.ask(path)
        if status == 413 and may_be_too_large:
            return None, headers, seconds
        if status != 200:
            sys.exit(f"run: {path}: {status}: {body.decode(errors='replace')}")
        return body, headers, seconds

    def figure(self, name):
        text = self.get("/metrics")[0].decode()
        found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.M)
        return float(found.group(1)) if found else None


def children_of(parent):
    """A process and its children."""
    pids = [parent]
    for children in Path(f"/proc/{parent}/task").glob("*/children"):
        try:
            pids += [int(pid) for pid in children.read_text().split()]
        except OSError:
            continue
    return pids


def kilobytes(text, name):
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.M)
    return int(found.group(1)) * 1024 if found else 0


class S3:
    """A server with one bucket, which has what lies in a folder; `python` is None if there is no server to be had."""

    @staticmethod
    def python():
        for python in [ROOT / "target/hub-peers/bin/python3", Path(sys.executable)]:
            if python.exists() and subprocess.run([python, "-c", "import moto.server"], capture_output=True).returncode == 0:
                return python
        return None

    def __init__(self, python, folder):
        self.process = subprocess.Popen([python, "-c", MOTO], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{int(self.process.stdout.readline())}"
        self.put("")
        files = [path for path in Path(folder).rglob("*") if path.is_file() and path.relative_to(folder).parts[0] not in ("lock", "tmp", "tokens.toml")]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda path: self.put(f"/profiles/{path.relative_to(folder)}", path.read_bytes()), files))

    def put(self, name, body=b""):
        request = urllib.request.Request(f"{self.address}/fleet{name}", data=body, method="PUT", headers={"Content-Type": "application/octet-stream"})
        urllib.request.urlopen(request, timeout=PATIENCE_S).read()

    def store(self):
        return f"bucket = 's3://fleet/profiles'\nregion = 'us-east-1'\nendpoint = '{self.address}'\n"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Page:
    """Headless Chromium, which opens addresses and tells when something is there; spoken to over pipes (Chrome DevTools Protocol)."""

    def __init__(self, command, profile):
        ours, theirs = os.pipe(), os.pipe()
        shell = 'exec "$@" 3<&$IN 4>&$OUT'.replace("$IN", str(ours[0])).replace("$OUT", str(theirs[1]))
        self.process = subprocess.Popen(["sh", "-c", shell, "sh", command, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1600,1000", "--remote-debugging-pipe",
                                         f"--user-data-dir={profile}", "about:blank"], pass_fds=[ours[0], theirs[1]], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(ours[0])
        os.close(theirs[1])
        self.to, self.number, self.said = os.fdopen(ours[1], "wb"), 0, queue.Queue()
        self.answers = os.fdopen(theirs[0], "rb")
        threading.Thread(target=self.listen, daemon=True).start()
        target = next(found for found in self.ask("Target.getTargets")["targetInfos"] if found["type"] == "page")
        self.session = None
        self.session = self.ask("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        self.ask("Page.enable")

    def listen(self):
        rest = b""
        while part := self.answers.read1(1 << 16):
            *whole, rest = (rest + part).split(b"\0")
            for message in whole:
                self.said.put(message)

    def ask(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None):
            message["sessionId"] = self.session
        self.to.write(json.dumps(message).encode() + b"\0")
        self.to.flush()
        while True:
            answer = json.loads(self.said.get(timeout=PATIENCE_S))
            if answer.get("id") == self.number:
                if "error" in answer:
                    sys.exit(f"run: the browser refuses {method}: {answer['error']}")
                return answer["result"]

    def open(self, address, expression):
        """Milliseconds from the start of loading to the frame after the one in which the expression is true."""
        watch = """(async () => {
            while (!document.body || !(EXPRESSION)) await new Promise((done) => setTimeout(done, 4));
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            window.shown = performance.now();
        })()""".replace("EXPRESSION", expression)
        script = self.ask("Page.addScriptToEvaluateOnNewDocument", source=watch)["identifier"]
        self.ask("Page.navigate", url=address)
        end = time.monotonic() + PATIENCE_S
        asked = f"location.href.startsWith({json.dumps(address.split('#')[0])}) ? window.shown : undefined"
        while (found := self.ask("Runtime.evaluate", expression=asked, returnByValue=True)["result"].get("value")) is None:
            if time.monotonic() > end:
                sys.exit(f"run: {address} never shows {expression}")
            time.sleep(0.02)
        self.ask("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
        return found

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
