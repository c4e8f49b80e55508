"""gRPC for Python on either side of hone-mesh: `serve` prints its port, `call PORT` checks what comes through.

Messages are bytes, so that no code has to be generated.
"""

import sys
import threading
from concurrent import futures

import grpc


class Handler(grpc.GenericRpcHandler):
    def service(self, details):
        method = details.method.rsplit("/", 1)[1]
        return {
            "Echo": grpc.unary_unary_rpc_method_handler(self.echo),
            "Fail": grpc.unary_unary_rpc_method_handler(self.fail),
            "Wait": grpc.unary_unary_rpc_method_handler(self.wait),
            "Count": grpc.unary_stream_rpc_method_handler(self.count),
            "Talk": grpc.stream_stream_rpc_method_handler(self.talk),
            # Of grpc.health.v1.Health.
            "Check": grpc.unary_unary_rpc_method_handler(self.check),
        }[method]

    def echo(self, request, context):
        context.set_trailing_metadata((("size", str(len(request))),))
        return request

    def fail(self, request, context):
        context.abort(grpc.StatusCode.FAILED_PRECONDITION, "not now: äöü")

    def wait(self, request, context):
        # Longer than its route allows.
        threading.Event().wait(5)

    def check(self, request, context):
        # SERVING, or NOT_SERVING for the service "bad".
        return b"\x08\x02" if request == b"\x0a\x03bad" else b"\x08\x01"

    def count(self, request, context):
        for number in range(int(request)):
            yield str(number).encode() * 1000

    def talk(self, requests, context):
        for request in requests:
            yield request[::-1]


def serve():
    server = grpc.server(futures.ThreadPoolExecutor(8))
    server.add_generic_rpc_handlers((Handler(),))
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    server.wait_for_termination()


def status_of(call, *words, **options):
    try:
        call(*words, **options)
    except grpc.RpcError as error:
        return error.code(), error.details()
    return grpc.StatusCode.OK, ""


def call(port):
    channel = grpc.insecure_channel(f"127.0.0.1:{port}")
    echo = channel.unary_unary("/test.Test/Echo")
    for size in (0, 1, 100_000, 2_000_000):
        answer, context = echo.with_call(b"x" * size, timeout=60)
        assert answer == b"x" * size, size
        assert ("size", str(size)) in [tuple(pair) for pair in context.trailing_metadata()]
    code, details = status_of(channel.unary_unary("/test.Test/Fail"), b"", timeout=60)
    assert (code, details) == (grpc.StatusCode.FAILED_PRECONDITION, "not now: äöü"), (code, details)
    code, _ = status_of(channel.unary_unary("/test.Test/Wait"), b"", timeout=60)
    assert code == grpc.StatusCode.DEADLINE_EXCEEDED, code
    code, _ = status_of(channel.unary_unary("/nowhere.Nowhere/Echo"), b"", timeout=60)
    assert code == grpc.StatusCode.UNIMPLEMENTED, code
    code, _ = status_of(channel.unary_unary("/dead.Dead/Echo"), b"", timeout=60)
    assert code == grpc.StatusCode.UNAVAILABLE, code
    counted = list(channel.unary_stream("/test.Test/Count")(b"500", timeout=60))
    assert counted == [str(number).encode() * 1000 for number in range(500)]
    # Each answer is waited for before the next request is sent.
    talked, next_one = [], threading.Event()

    def requests():
        for number in range(20):
            yield b"a%d" % number
            next_one.wait(60)
            next_one.clear()

    for answer in channel.stream_stream("/test.Test/Talk")(requests(), timeout=60):
        talked.append(answer)
        next_one.set()
    assert talked == [(b"a%d" % number)[::-1] for number in range(20)], talked
    many = [echo.future(b"%d" % number, timeout=60) for number in range(500)]
    assert [one.result() for one in many] == [b"%d" % number for number in range(500)]
    print("all right")


if sys.argv[1:] == ["serve"]:
    serve()
elif len(sys.argv) == 3 and sys.argv[1] == "call":
    call(sys.argv[2])
else:
    sys.exit(__doc__)
