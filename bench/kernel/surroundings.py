"""What experiments need around their programs, made for as long as they run: control groups, network namespaces, BPF programs."""

import contextlib
import json
import os
import subprocess
from pathlib import Path

NAME = "hone-kernel"
# Addresses that no network uses (RFC 2544).
NEAR, FAR = "198.18.0.1", "198.18.0.2"


class Missing(Exception):
    """What this machine lacks for a part of an experiment, and what it would need."""


def command(*words):
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    except FileNotFoundError:
        raise Missing(f"{words[0]} is not installed") from None
    if done.returncode != 0:
        raise Missing(f"`{' '.join(words)}` failed: {done.stdout.strip()}")


def inside(namespace):
    return ["ip", "netns", "exec", namespace]


@contextlib.contextmanager
def namespace(suffix):
    """A network namespace of its own; the machine's network stays as it is."""
    name = f"{NAME}-{os.getpid()}-{suffix}"
    command("ip", "netns", "add", name)
    try:
        command(*inside(name), "ip", "link", "set", "lo", "up")
        yield name
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


@contextlib.contextmanager
def sink():
    """A namespace with a device that takes what is sent to FAR and throws it away (ifb), without copying it."""
    with namespace("sink") as name:
        try:
            command(*inside(name), "ip", "link", "add", "sink", "type", "ifb")
        except Missing as missing:
            raise Missing(f"{missing} (a kernel with CONFIG_IFB is needed)") from None
        command(*inside(name), "ip", "address", "add", f"{NEAR}/24", "dev", "sink")
        command(*inside(name), "ip", "link", "set", "sink", "up")
        command(*inside(name), "ip", "neighbour", "add", FAR, "lladdr", "02:00:00:00:00:02", "dev", "sink")
        yield name


@contextlib.contextmanager
def veth():
    """Two namespaces with a pair of devices between them that receive by NAPI, so that there is something to poll."""
    with namespace("near") as near, namespace("far") as far:
        try:
            command(*inside(near), "ip", "link", "add", "near", "type", "veth", "peer", "name", "far", "netns", far)
        except Missing as missing:
            raise Missing(f"{missing} (a kernel with CONFIG_VETH is needed)") from None
        for name, device, address in ((near, "near", NEAR), (far, "far", FAR)):
            command(*inside(name), "ip", "address", "add", f"{address}/24", "dev", device)
            command(*inside(name), "ip", "link", "set", device, "up")
            # A veth has NAPI only with GRO, and what comes from a device that cuts segments itself goes past it.
            command(*inside(name), "ethtool", "-K", device, "gro", "on", "tso", "off")
        yield near, far


def control_groups():
    """Where control groups of version 2 are mounted."""
    for line in Path("/proc/mounts").read_text().splitlines():
        _, where, kind, *_ = line.split()
        if kind == "cgroup2":
            return Path(where)
    raise Missing("no control groups of version 2 are mounted")


@contextlib.contextmanager
def group():
    """A control group for the programs of an experiment."""
    path = control_groups() / f"{NAME}-{os.getpid()}"
    try:
        path.mkdir()
    except OSError as error:
        raise Missing(f"no control group can be made: {error}") from None
    try:
        yield path
    finally:
        path.rmdir()


def in_group(path):
    """Words that start a command in a control group."""
    return ["sh", "-c", f'echo $$ > {path}/cgroup.procs && exec "$@"', "sh"]


@contextlib.contextmanager
def redirecting(program, path):
    """Data is handed over between sockets of the control group meanwhile; a list that afterwards holds how many sends were."""
    handed = []
    with subprocess.Popen([program, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        if process.stdout.readline().strip() != "ready":
            raise Missing(f"the kernel does not let BPF redirect sockets: {process.stderr.read().strip()} "
                          "(CONFIG_BPF_SYSCALL, CONFIG_CGROUP_BPF, CONFIG_BPF_STREAM_PARSER and root are needed)")
        yield handed
        handed.append(json.loads(process.communicate("")[0])["handed_over"])
