"""Parca, another server that profiles of a fleet are sent to, for what it costs beside the hub."""

import json
import os
import shutil
import signal
import subprocess
from pathlib import Path

from served import ROOT, Server
from servers import free_port, wait_for

MODULE = "github.com/parca-dev/parca"
VERSION = "v0.28.0"
CONFIG = "object_storage:\n  bucket:\n    type: FILESYSTEM\n    config:\n      directory: ./data\n"


def build(work):
    """Builds Parca and what sends to it; returns their folder, or None where the module or its dependencies cannot be had."""
    source, commands = work / "parca-source", work / "parca"
    if (commands / "send").exists():
        return commands
    got = subprocess.run(["go", "mod", "download", "-json", f"{MODULE}@{VERSION}"], capture_output=True, text=True, check=False)
    if got.returncode != 0:
        return None
    shutil.rmtree(source, ignore_errors=True)
    # The page is made by npm and left out; files of the module cache are not writable.
    shutil.copytree(json.loads(got.stdout)["Dir"], source, ignore=shutil.ignore_patterns("packages", "node_modules"), copy_function=shutil.copyfile)
    subprocess.run(["chmod", "-R", "u+w", source], check=True)
    page = source / "ui/packages/app/web/build"
    page.mkdir(parents=True)
    (page / "index.html").touch()
    (source / "cmd/send").mkdir()
    shutil.copy(ROOT / "bench/hub/parca_send.go", source / "cmd/send/main.go")
    commands.mkdir(exist_ok=True)
    built = subprocess.run(["go", "build", "-o", commands, "./cmd/parca", "./cmd/send"], cwd=source, check=False)
    shutil.rmtree(source)
    return commands if built.returncode == 0 else None


class Parca(Server):
    """Parca on a folder, which keeps all that it took: with a log that is written before it answers where `is_logged`."""

    def __init__(self, commands, work, is_logged):
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        (work / "parca.yaml").write_text(CONFIG)
        port = free_port()
        self.commands, self.work, self.address = commands, work, f"127.0.0.1:{port}"
        log = ["--storage-enable-wal"] if is_logged else []
        super().__init__([commands / "parca", "--http-address", self.address, "--enable-persistence", "--storage-path", work / "log", *log], work, work / "parca.log")
        wait_for(port, self.process)

    def send(self, folder):
        sent = subprocess.run([self.commands / "send", "-address", self.address, "-folder", folder], capture_output=True, text=True, check=False)
        if sent.returncode != 0:
            raise SystemExit(f"run: Parca did not take it: {sent.stderr}\nnext step: see {self.log}")
        return json.loads(sent.stdout)

    def end(self):
        """Ends Parca, which writes what is not in its bucket yet; returns the CPU seconds of its life."""
        self.process.send_signal(signal.SIGTERM)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime

    def stored_bytes(self):
        return sum(path.stat().st_size for path in Path(self.work / "data").rglob("*") if path.is_file())
