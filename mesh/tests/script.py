"""Scripts of tests of this folder, which have no ending: how one uses another, and how each begins."""

import os
import shutil
import subprocess
import sys
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

HERE = Path(__file__).resolve().parent


def load(name):
    """Returns a script of this folder as a module, the same to all that ask for it."""
    if name not in sys.modules:
        module = module_from_spec(spec_from_loader(name, SourceFileLoader(name, str(HERE / name))))
        sys.modules[name] = module
        module.__spec__.loader.exec_module(module)
    return sys.modules[name]


def build(directory, folder, what):
    """Builds the program of a folder beside this file into a directory. Returns whether that was possible; where it was not, what is not tested is said."""
    if not shutil.which("go"):
        print(f"skipped: {what} are not tested, since go is not installed", file=sys.stderr)
        return False
    done = subprocess.run(["go", "build", "-o", directory / folder, "."], cwd=HERE / folder, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"skipped: {what} are not tested, since tests/{folder} cannot be built: {done.stderr[-300:]}", file=sys.stderr)
    return done.returncode == 0


def main(document, is_ready=lambda directory: True):
    """Runs the tests of a script, called with a command and a directory, if what they need is ready."""
    if len(sys.argv) < 3:
        sys.exit(document)
    peers = load("peers")
    peers.COMMAND = os.path.abspath(sys.argv[1])
    peers.DIRECTORY = Path(os.path.abspath(sys.argv[2]))
    peers.DIRECTORY.mkdir(parents=True, exist_ok=True)
    if is_ready(peers.DIRECTORY):
        unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
