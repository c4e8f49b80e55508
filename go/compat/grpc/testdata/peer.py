"""Calls the service hone.greeter.v1.Greeter, and answers it, by grpcio. Messages are written by hand: all that are used have one text as
field 1, or two numbers.

    peer.py call ADDRESS      makes all calls, checks the answers and says "done"
    peer.py serve ADDRESS     says "ready", and answers until its standard input ends
"""

import sys
import threading
from concurrent import futures

import grpc

SERVICE = "/hone.greeter.v1.Greeter/"


def varint(value):
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def text(value):
    """A message whose field 1 is a text, or bytes."""
    value = value.encode() if isinstance(value, str) else value
    return b"\x0a" + varint(len(value)) + value if value else b""


def numbers(one, two):
    """A message whose fields 1 and 2 are numbers."""
    return (b"\x08" + varint(one) if one else b"") + (b"\x10" + varint(two) if two else b"")


def read_varint(message, off):
    value = shift = 0
    while True:
        byte = message[off]
        off += 1
        value |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return value, off


def fields(message):
    """The fields of a message by their numbers."""
    off, read = 0, {}
    while off < len(message):
        tag, off = read_varint(message, off)
        value, off = read_varint(message, off)
        if tag & 7 == 2:
            off += value
            value = message[off - value : off]
        read[tag >> 3] = value
    return read


def check(is_right, *said):
    if not is_right:
        raise AssertionError(said)


class Caller:
    def __init__(self, address):
        self.channel = grpc.insecure_channel(address)
        self.hello = self.channel.unary_unary(SERVICE + "Hello")
        self.list = self.channel.unary_stream(SERVICE + "List")
        self.upload = self.channel.stream_unary(SERVICE + "Upload")
        self.chat = self.channel.stream_stream(SERVICE + "Chat")

    def all(self):
        for name in ("Ada", "", "long" * 100000):
            check(fields(self.hello(text(name), timeout=60))[1].decode() == "Hello, " + name, name[:10])
        items = [fields(item) for item in self.list(numbers(20, 50000), timeout=60)]
        check([item.get(1, 0) for item in items] == list(range(20)), items)
        check(all(len(item[2]) == 50000 for item in items))
        summary = fields(self.upload(iter([text(b"\0" * 50000)] * 20), timeout=60))
        check(summary == {1: 20, 2: 1000000}, summary)
        notes = ["a", "b", "c" * 100000]
        check([fields(note)[1].decode() for note in self.chat(iter(map(text, notes)), timeout=60)] == notes)
        self.metadata()
        self.errors()
        self.compressed()
        self.together()

    def metadata(self):
        sent = (("x-text", "a, b"), ("x-twice", "1"), ("x-twice", "2"), ("x-bytes-bin", b"\0\xff"))
        _, call = self.hello.with_call(text("meta"), metadata=sent, timeout=60)
        for got in (call.initial_metadata(), call.trailing_metadata()):
            kept = tuple((name, value) for name, value in got if name.startswith("x-"))
            check(sorted(kept, key=str) == sorted(sent, key=str), kept)

    def errors(self):
        self.fails(lambda: self.hello(text("fail"), timeout=60), grpc.StatusCode.FAILED_PRECONDITION, "nö: 100 %\n")
        self.fails(lambda: list(self.chat(iter([text("fail")]), timeout=60)), grpc.StatusCode.FAILED_PRECONDITION, "nö: 100 %\n")
        self.fails(lambda: self.hello(text("wait"), timeout=0.1), grpc.StatusCode.DEADLINE_EXCEEDED)
        self.fails(lambda: self.channel.unary_unary("/none.None/None")(b"", timeout=60), grpc.StatusCode.UNIMPLEMENTED)
        self.fails(lambda: self.hello(b"\xff", timeout=60), grpc.StatusCode.INVALID_ARGUMENT)
        call = self.chat(iter([text("a")] + [text("b")] * 3), timeout=60)
        check(fields(next(call))[1] == b"a")
        call.cancel()
        self.fails(lambda: list(call), grpc.StatusCode.CANCELLED)

    def fails(self, call, code, message=None):
        try:
            answer = call()
        except grpc.RpcError as error:
            check(error.code() == code, error)
            check(message is None or error.details() == message, error)
            return
        raise AssertionError((code, answer))

    def compressed(self):
        for method in (self.hello,):
            answer = method(text("z" * 100000), timeout=60, compression=grpc.Compression.Gzip)
            check(fields(answer)[1].decode() == "Hello, " + "z" * 100000)

    def together(self):
        calls = [self.hello.future(text(str(i) * 5000), timeout=60) for i in range(300)]
        for i, call in enumerate(calls):
            check(fields(call.result())[1].decode() == "Hello, " + str(i) * 5000, i)


def hello(request, context):
    name = fields(request).get(1, b"").decode()
    if name == "wait":
        gone = threading.Event()
        context.add_callback(gone.set)
        gone.wait(60)
        return b""
    if name == "fail":
        context.set_trailing_metadata((("why", "because"),))
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "nö: 100 %\n")
    if name == "meta":
        kept = tuple((name, value) for name, value in context.invocation_metadata() if name.startswith("x-"))
        context.send_initial_metadata(kept)
        context.set_trailing_metadata(kept)
    return text("Hello, " + name)


def list_items(request, context):
    asked = fields(request)
    for i in range(asked.get(1, 0)):
        body = b"\0" * asked.get(2, 0)
        yield (b"\x08" + varint(i) if i else b"") + (b"\x12" + varint(len(body)) + body if body else b"")


def upload(requests, context):
    sizes = [len(fields(chunk).get(1, b"")) for chunk in requests]
    return numbers(len(sizes), sum(sizes))


def chat(requests, context):
    for note in requests:
        if fields(note).get(1) == b"fail":
            context.abort(grpc.StatusCode.FAILED_PRECONDITION, "nö: 100 %\n")
        yield note


def serve(address):
    server = grpc.server(futures.ThreadPoolExecutor(max_workers=32), compression=grpc.Compression.Gzip)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE.strip("/"), {
        "Hello": grpc.unary_unary_rpc_method_handler(hello),
        "List": grpc.unary_stream_rpc_method_handler(list_items),
        "Upload": grpc.stream_unary_rpc_method_handler(upload),
        "Chat": grpc.stream_stream_rpc_method_handler(chat),
    }),))
    check(server.add_insecure_port(address), address)
    server.start()
    print("ready", flush=True)
    sys.stdin.read()
    server.stop(None)


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        Caller(sys.argv[2]).all()
        print("done", flush=True)
