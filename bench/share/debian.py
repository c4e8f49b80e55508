"""Debian's lists of packages and their sources, through a private apt: nothing of the system's is changed, signatures are checked."""

import os
import re
import subprocess
from pathlib import Path

APT_HELPER = "/usr/lib/apt/apt-helper"
# Debian's tags of what is written in C or C++.
LANGUAGES_OF_C = {"implemented-in::c", "implemented-in::c++"}


class Apt:
    """apt with lists, cache and sources of its own in a directory. Its mirrors and keys are the system's, with deb-src added."""

    def __init__(self, directory):
        self.directory = Path(directory)
        for part in ["parts", "state/lists/partial", "cache/archives/partial"]:
            (self.directory / part).mkdir(parents=True, exist_ok=True)
        (self.directory / "sources.list").write_text("")
        self._write_sources()
        self._run("update")

    def _write_sources(self):
        written = 0
        for path in sorted(Path("/etc/apt/sources.list.d").glob("*.sources")) + sorted(
                [Path("/etc/apt/sources.list"), *Path("/etc/apt/sources.list.d").glob("*.list")]):
            if not path.exists():
                continue
            text = path.read_text()
            # What belongs to the distribution, as opposed to repositories of third parties.
            if not re.search(r"(?m)^[^#]*debian", text):
                continue
            if path.suffix == ".sources":
                text = re.sub(r"(?mi)^Types:.*$", "Types: deb deb-src", text)
            else:
                lines = [line for line in text.splitlines() if line.startswith("deb ")]
                text = "".join(f"{line}\ndeb-src{line[3:]}\n" for line in lines)
            (self.directory / "parts" / path.name).write_text(text)
            written += 1
        if not written:
            raise SystemExit("no Debian mirror was found in /etc/apt/sources.list and /etc/apt/sources.list.d; next step: name one there")

    def _run(self, *arguments, cwd=None):
        options = {
            "Dir::Etc::sourcelist": self.directory / "sources.list", "Dir::Etc::sourceparts": self.directory / "parts",
            "Dir::State": self.directory / "state", "Dir::State::status": "/var/lib/dpkg/status", "Dir::Cache": self.directory / "cache",
            "APT::Sandbox::User": subprocess.check_output(["id", "-un"], text=True).strip(), "Acquire::Languages": "none",
            "Acquire::Retries": "2", "Acquire::http::Timeout": "30", "APT::Update::Error-Mode": "any",
        }
        command = ["apt-get", "-q", *(f"-o{name}={value}" for name, value in options.items()), *arguments]
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise SystemExit(f"{done.stdout[-800:]}\napt-get {arguments[0]} failed, see the lines above; next step: check the network "
                             "and the mirrors in /etc/apt")

    def download_upstream(self, package, suite, into):
        """Leaves the upstream archive of a source package in a directory. The suite's own: what updates bring has the same one."""
        self._run("source", "--download-only", "--tar-only", "--only-source", f"{package}/{suite}", cwd=into)

    def paragraphs(self, ending):
        """Each paragraph of the lists whose name ends so, as a dictionary."""
        for path in sorted((self.directory / "state/lists").iterdir()):
            if re.sub(r"\.(lz4|gz|xz|zst)$", "", path.name).endswith(ending):
                yield from paragraphs(subprocess.check_output([APT_HELPER, "cat-file", path], text=True))


def paragraphs(text):
    """The paragraphs of a Debian control file; lines that go on are joined by a space."""
    for block in text.split("\n\n"):
        fields, name = {}, None
        for line in block.splitlines():
            if line[0] in " \t":
                fields[name] += f" {line.strip()}"
            else:
                name, _, value = line.partition(":")
                fields[name] = value.strip()
        if fields:
            yield fields


def tags(text):
    """Debtags; a::{b,c} is short for a::b, a::c."""
    spelt = re.sub(r"(\S+)::\{([^}]*)\}", lambda found: " ".join(f"{found[1]}::{one}" for one in found[2].split(",")), text)
    return {tag.strip(",") for tag in spelt.split()}


def architecture():
    """Debian's name for the machine's kind."""
    return os.environ.get("DEBIAN_ARCHITECTURE") or subprocess.check_output(["dpkg", "--print-architecture"], text=True).strip()
