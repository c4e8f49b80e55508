"""Scripts of tests of this folder, which have no ending: how one uses another, and how each begins."""

import os
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
