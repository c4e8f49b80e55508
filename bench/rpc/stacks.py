"""The stacks that are compared. A stack is a program in stacks/ and the variant that it is started with."""

from typing import NamedTuple


class Stack(NamedTuple):
    program: str
    variant: str
    about: str


# In the order of their turns: those that are compared most stand beside each other.
STACKS = {
    "hone": Stack("hone", "ttheader", "package rpc, TTHeader, one connection for all callers"),
    "kitex mux": Stack("kitex", "mux", "Kitex, TTHeader, WithMuxTransport and WithMuxConnection(1)"),
    "hone again": Stack("hone", "ttheader", "hone once more"),
    "grpc-go": Stack("grpc", "http2", "grpc-go, HTTP/2 and protobuf, one connection for all callers"),
    "hone grpc": Stack("honegrpc", "http2", "package rpc, gRPC with code of protoc-gen-hone, one connection for all callers"),
    "hone framed": Stack("hone", "framed", "package rpc, framed, a connection for each caller"),
    "kitex pool": Stack("kitex", "pool", "Kitex, framed, a pool with a connection for each caller"),
    "plain": Stack("plain", "framed", "package thrift's own server and client, framed, a connection for each caller"),
}
# What each is held against: A/A beside the ratios of those with as many connections.
AGAINST = {
    "hone": ["kitex mux", "grpc-go", "hone again"],
    "hone grpc": ["grpc-go"],
    "hone framed": ["kitex pool", "plain"],
}
IDLE_STACKS = ["hone", "hone framed", "hone grpc", "kitex mux", "kitex pool", "grpc-go"]
# Of the other's: server CPU per call, latency that 99.9 % stay within at the same rate, allocations per call.
TARGETS = {
    ("hone", "kitex mux"): {"cpu": 0.6, "p999": 1.0, "allocations": 0.5},
    ("hone", "grpc-go"): {"cpu": 0.2},
    ("hone grpc", "grpc-go"): {"cpu": 0.6, "p999": 1.0},
}
IDLE_TARGETS = {("hone", "grpc-go"): 1 / 3, ("hone grpc", "grpc-go"): 1 / 3, ("hone", "kitex mux"): 0.5, ("hone", "kitex pool"): 0.5}
