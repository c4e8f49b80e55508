"""The experiments: where each is made, what is compared, and what this machine lacks for it."""

import ctypes
import errno
import json
import os
import socket
import subprocess
from dataclasses import dataclass, field
from typing import Callable

from pair import SOURCES, alone, build, build_gather, build_go, pair, words
from surroundings import FAR, Missing, group, in_group, inside, redirecting, sink, veth

AGAIN = "again"
NO_LIBURING = "liburing is not installed (liburing-dev of Debian)"


@dataclass
class Table:
    """What is compared, in some places. The first choice is what the others stand beside; it runs twice, the second time as "again"."""

    title: str
    places: list[str]
    choices: list[str]
    measure: Callable  # of a place, a choice and milliseconds; gives figures by name

    def all_choices(self):
        return [self.choices[0], AGAIN, *self.choices[1:]]

    def run(self, place, choice, milliseconds):
        return self.measure(place, self.choices[0] if choice == AGAIN else choice, milliseconds)


@dataclass
class Plan:
    tables: list[Table] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    promises: dict[str, dict] = field(default_factory=dict)  # what programs/stall.py tells, by choice


@dataclass
class Experiment:
    title: str
    about: str
    prepare: Callable  # of an exit stack that holds what is made around; gives a Plan


GATHERED = {
    "1 caller": (1, 1),
    "100 callers, 1 connection": (1, 100),
    "100 callers, 100 connections": (100, 100),
    "1,000 callers, 1 connection": (1, 1000),
    "1,000 callers, 100 connections": (100, 1000),
    "1,000 callers, 1,000 connections": (1000, 1000),
}
GATHERED_IN_GO = [place for place in GATHERED if "1,000 callers, 1 c" not in place and "1,000 callers, 100 c" not in place]
LOOPS = {"epoll": "epoll", "io_uring": "ring", "io_uring, registered": "ring-registered"}
GO_LOOPS = {
    "netpoll and goroutines": "netpoll",
    "a thread on epoll alone": "epoll",
    "a thread on io_uring alone": "ring",
    "a thread on io_uring, and goroutines": "ring-thread",
    "a goroutine on io_uring, and goroutines": "ring-goroutine",
}


def check_ring():
    """Raises what is missing for io_uring."""
    setup, parameters = 425, ctypes.create_string_buffer(120)
    call = ctypes.CDLL(None, use_errno=True).syscall
    descriptor = call(setup, 8, parameters)
    if descriptor < 0:
        reason = errno.errorcode[ctypes.get_errno()]
        raise Missing(f"io_uring_setup is refused ({reason}): the kernel needs CONFIG_IO_URING, kernel.io_uring_disabled must be 0, and no filter of "
                      "system calls may forbid it")
    os.close(descriptor)


def rings(_):
    plan = Plan()
    try:
        check_ring()
    except Missing as missing:
        return Plan(missing=[str(missing)])
    load, gather, go = build("load"), build_gather(), build_go()

    def measured(server):
        def measure(place, choice, milliseconds):
            connections, callers = GATHERED[place]
            shares = {"connections": connections, "callers": callers}
            return pair(server(choice, shares), [load, *words(shares)], milliseconds)
        return measure

    if gather:
        plan.tables.append(Table("C++", list(GATHERED), list(LOOPS),
                                 measured(lambda choice, shares: [gather, *words({"by": LOOPS[choice], **shares})])))
    else:
        plan.missing.append(f"C++: {NO_LIBURING}")
    plan.tables.append(Table("Go", GATHERED_IN_GO, list(GO_LOOPS),
                             measured(lambda choice, shares: [go, *words({"by": GO_LOOPS[choice], **shares}, "-")])))
    return plan


ECHOES = {
    "64 bytes and back": {"mode": "echo", "bytes": 64},
    "1 KiB and back": {"mode": "echo", "bytes": 1 << 10},
    "64 KiB and back": {"mode": "echo", "bytes": 64 << 10},
    "1 KiB one way": {"mode": "stream", "bytes": 1 << 10},
    "64 KiB one way": {"mode": "stream", "bytes": 64 << 10},
}
SHARED = {place: GATHERED[place] for place in ("100 callers, 1 connection", "100 callers, 100 connections")}


def echo(program, options, milliseconds, **around):
    return pair([program, "serve", *words(options)], [program, "call", *words(options)], milliseconds, **around)


def sockmap(stack):
    redirect, load, gather, program = build("redirect"), build("load"), build_gather(), build("echo")
    try:
        path = stack.enter_context(group())
        with redirecting(redirect, path):
            pass
    except Missing as missing:
        return Plan(missing=[str(missing)])
    around = {"before_server": in_group(path), "before_caller": in_group(path)}

    def plain(place, milliseconds):
        if place in ECHOES:
            return echo(program, ECHOES[place], milliseconds, **around)
        connections, callers = SHARED[place]
        shares = words({"connections": connections, "callers": callers})
        return pair([gather, "--by", "epoll", *shares], [load, *shares], milliseconds, **around)

    def measure(place, choice, milliseconds):
        if choice == "TCP":
            return plain(place, milliseconds)
        with redirecting(redirect, path) as handed:
            figures = plain(place, milliseconds)
        return figures | {"handed_over": handed[0]}

    def promises():
        done = subprocess.run([*in_group(path), SOURCES / "stall.py"], stdout=subprocess.PIPE, text=True, check=True, timeout=60)
        return json.loads(done.stdout)

    missing = [] if gather else [f"gathered calls: {NO_LIBURING}"]
    places = [*ECHOES, *(SHARED if gather else ())]
    kept = {"TCP": promises()}
    with redirecting(redirect, path):
        kept["redirected"] = promises()
    return Plan([Table("Programs on one machine", places, ["TCP", "redirected"], measure)], missing, kept)


def smc(_):
    try:
        # AF_SMC of linux/socket.h.
        socket.socket(43, socket.SOCK_STREAM).close()
    except OSError as error:
        return Plan(missing=[f"no socket of AF_SMC: {error.strerror}. The kernel needs CONFIG_SMC, and for two programs on one machine a device that shares "
                             "memory between them: CONFIG_SMC_LO from Linux 6.10, CONFIG_DIBS_LO from 6.18"])
    program = build("echo")

    def measure(place, choice, milliseconds):
        return echo(program, ECHOES[place] | {"family": {"TCP": "tcp", "SMC": "smc"}[choice]}, milliseconds)

    return Plan([Table("Programs on one machine", list(ECHOES), ["TCP", "SMC"], measure)])


SENT_BY_TCP = {"4 KiB": 4 << 10, "16 KiB": 16 << 10, "64 KiB": 64 << 10, "1 MiB": 1 << 20}
SENT_BY_UDP = {"1 KiB": 1 << 10, "4 KiB": 4 << 10, "16 KiB": 16 << 10, "56 KiB": 56 << 10}
SENDS = {"copied": 0, "MSG_ZEROCOPY": 1}


def zerocopy(stack):
    sender, receiver = build("zerocopy"), build("echo")

    def by_tcp(place, choice, milliseconds):
        size = SENT_BY_TCP[place]
        return pair([receiver, "serve", *words({"mode": "stream", "bytes": size})],
                    [sender, *words({"to": "tcp", "bytes": size, "zerocopy": SENDS[choice]})], milliseconds)

    plan = Plan([Table("TCP to a program on this machine", list(SENT_BY_TCP), list(SENDS), by_tcp)])
    try:
        name = stack.enter_context(sink())
    except Missing as missing:
        plan.missing.append(f"UDP to a device: {missing}")
        return plan

    def by_udp(place, choice, milliseconds):
        options = {"to": "udp", "address": FAR, "port": 9, "bytes": SENT_BY_UDP[place], "zerocopy": SENDS[choice]}
        return alone_as_caller([sender, *words(options)], milliseconds, inside(name))

    plan.tables.append(Table("UDP to a device that takes pages", list(SENT_BY_UDP), list(SENDS), by_udp))
    return plan


def alone_as_caller(caller, milliseconds, before):
    figures = alone(caller, milliseconds, before)
    return {f"caller_{name}" if name in ("user_us", "system_us") else name: value for name, value in figures.items()}


LOOKS = {"sleeps at once": {}, "SO_BUSY_POLL, 50 us": {"busy-poll": 50}, "looks itself for 50 us": {"spin": 50}}
PAUSES = {"calls without a pause": {}, "200 us between calls": {"pause": 200}}


def busypoll(stack):
    program = build("echo")

    def measured(before_server=(), before_caller=(), **address):
        def measure(place, choice, milliseconds):
            looks = LOOKS[choice] | address
            return pair([program, "serve", *words(looks)], [program, "call", *words(looks | PAUSES[place])], milliseconds,
                        before_server=before_server, before_caller=before_caller)
        return measure

    plan = Plan([Table("Loopback", list(PAUSES), list(LOOKS), measured())])
    try:
        near, far = stack.enter_context(veth())
    except Missing as missing:
        plan.missing.append(f"a device with NAPI: {missing}")
        return plan
    plan.tables.append(Table("veth with NAPI, between two network namespaces", list(PAUSES), list(LOOKS),
                             measured(inside(far), inside(near), address=FAR)))
    return plan


EXPERIMENTS = {
    "epoll": Experiment(
        "io_uring beside epoll, for calls that are gathered",
        "A server echoes frames of 1 KiB: one read of many calls, one write of many answers. Callers have one call under way each, and share connections; their "
        "program is the same for all servers (epoll). io_uring: receives that stay armed and take buffers of a ring, one submission for all sends of a turn; "
        "registered: files and answers' memory too are known to the kernel. In Go, a ring is driven by raw system calls, beside Go's runtime.", rings),
    "sockmap": Experiment(
        "Sockets of one machine joined by BPF (sockmap)",
        "Two programs on TCP over loopback that know of nothing; BPF programs of their control group hand what one sends to the other's socket. Segments are those "
        "that TCP sent for each message of the caller.", sockmap),
    "smc": Experiment(
        "SMC between programs of one machine",
        "Two programs on TCP over loopback, and the same with sockets of AF_SMC.", smc),
    "zerocopy": Experiment(
        "MSG_ZEROCOPY",
        "A sender whose messages lie in memory of their own until the kernel tells that it needs them no more. TCP: a program on this machine reads them. UDP: a device "
        "(ifb) takes them and throws them away, so that only the sender's part is there; one send is a message cut by the kernel (UDP_SEGMENT). "
        "Copied after all: the share of sends of which the kernel tells so.", zerocopy),
    "busypoll": Experiment(
        "Busy polling",
        "1 KiB there and back, one caller, blocking reads. The program either sleeps at once, or sets SO_BUSY_POLL, or looks itself with MSG_DONTWAIT before it sleeps; "
        "both sides do the same. A queue is known where SO_INCOMING_NAPI_ID tells one.", busypoll),
}
