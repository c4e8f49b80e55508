"""The stacks that are compared. A stack is a program in stacks/ and the variant that it is started with."""

from typing import NamedTuple


class Stack(NamedTuple):
    program: str
    variant: str
    about: str


class Comparison(NamedTuple):
    """What one file of results holds."""

    title: str
    # In the order of their turns: those that are compared most stand beside each other.
    stacks: dict
    # What each is held against: A/A beside the ratios of those with as many connections.
    against: dict
    # By the stack and the one that it is held against, the largest ratio of server CPU per call or message, of latency that 99.9 % stay within at the same rate, and of
    # allocations per call.
    targets: dict
    # Calls a second of the open loads of each payload: a rate that all stacks keep up with, and one for those that can.
    payloads: dict


HONE_GRPC = Stack("honegrpc", "http2", "package rpc, gRPC with code of protoc-gen-hone, one connection for all callers")
GRPC = Stack("grpc", "http2", "grpc-go, HTTP/2 and protobuf, one connection for all callers")
KITEX_MUX = Stack("kitex", "mux", "Kitex, TTHeader, WithMuxTransport and WithMuxConnection(1)")
HONE = Stack("hone", "ttheader", "package rpc, TTHeader, one connection for all callers")

CALLS = Comparison(
    "what a call costs",
    {
        "hone": HONE,
        "kitex mux": KITEX_MUX,
        "hone again": HONE._replace(about="hone once more"),
        "grpc-go": GRPC,
        "hone grpc": HONE_GRPC,
        "hone framed": Stack("hone", "framed", "package rpc, framed, a connection for each caller"),
        "kitex pool": Stack("kitex", "pool", "Kitex, framed, a pool with a connection for each caller"),
        "plain": Stack("plain", "framed", "package thrift's own server and client, framed, a connection for each caller"),
    },
    {"hone": ["kitex mux", "grpc-go", "hone again"], "hone grpc": ["grpc-go"], "hone framed": ["kitex pool", "plain"]},
    {
        ("hone", "kitex mux"): {"cpu": 0.6, "p999": 1.0, "allocations": 0.5},
        ("hone", "grpc-go"): {"cpu": 0.2},
        ("hone grpc", "grpc-go"): {"cpu": 0.6, "p999": 1.0},
    },
    {"echo": (10_000, 40_000), "price": (4_000, 12_000)},
)
PAYLOADS = CALLS._replace(
    title="what a call costs, of messages that nothing was tuned to",
    stacks={name: CALLS.stacks[name] for name in ("hone", "kitex mux", "hone again", "hone framed", "kitex pool")},
    targets={
        ("hone", "kitex mux"): {"cpu": 0.6, "client": 0.7},
        ("hone framed", "kitex pool"): {"client": 0.8},
    },
    payloads={"maps": (), "rows": ()},
)
STREAMS = Comparison(
    "what a message of a stream costs",
    {"hone grpc": HONE_GRPC, "grpc-go": GRPC, "hone grpc again": HONE_GRPC._replace(about="hone grpc once more")},
    {"hone grpc": ["grpc-go", "hone grpc again"]},
    {("hone grpc", "grpc-go"): {"cpu": 0.6}},
    {"chat": (), "expand": (), "collect": ()},
)
CODECS = Comparison(
    "what the codec takes of a service's CPU time",
    {
        "kitex, Apache's codec": Stack("kitex", "mux-apache", "Kitex mux with Apache's way: generated code that calls a protocol for each field"),
        "kitex": KITEX_MUX._replace(about="Kitex mux with its own FastCodec"),
        "kitex, Frugal": Stack("kitex", "mux-frugal", "Kitex mux with Frugal, by reflection (its JIT compiler is gone)"),
        "hone": HONE,
        "grpc-go": GRPC,
        "hone grpc": HONE_GRPC,
    },
    {},
    {},
    {"price": ()},
)
IDLE_STACKS = ["hone", "hone framed", "hone grpc", "kitex mux", "kitex pool", "grpc-go"]
IDLE_TARGETS = {("hone", "grpc-go"): 1 / 3, ("hone grpc", "grpc-go"): 1 / 3, ("hone", "kitex mux"): 0.5, ("hone", "kitex pool"): 0.5}
