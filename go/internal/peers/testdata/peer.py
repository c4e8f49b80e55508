"""Calls the service Shop, or answers its calls, by Apache's library for Python.

peer.py call|serve HOST PORT WIRE, which is binary|old|compact, framed|buffered and plain|multiplexed, with dashes between them
"""

import os
import sys
import threading

from thrift.Thrift import TApplicationException, TMessageType
from thrift.TMultiplexedProcessor import TMultiplexedProcessor
from thrift.protocol.TBinaryProtocol import TBinaryProtocol, TBinaryProtocolFactory
from thrift.protocol.TCompactProtocol import TCompactProtocolFactory
from thrift.protocol.TMultiplexedProtocol import TMultiplexedProtocol
from thrift.server.TServer import TThreadedServer
from thrift.transport.TSocket import TServerSocket, TSocket
from thrift.transport.TTransport import TBufferedTransportFactory, TFramedTransportFactory

from base.ttypes import Context, NotFound
from shop import Shop
from shop.ttypes import Item, Order, OutOfStock, Payment

PROTOCOLS = {
    "binary": TBinaryProtocolFactory(strictRead=True, strictWrite=True),
    "old": TBinaryProtocolFactory(strictRead=False, strictWrite=False),
    "compact": TCompactProtocolFactory(),
}
TRANSPORTS = {"framed": TFramedTransportFactory(), "buffered": TBufferedTransportFactory()}


class Handler:
    """A shop: what a function does follows from what it is asked."""

    def __init__(self):
        self.forgotten = set()

    def alive(self):
        return True

    def find(self, id, context):
        if id == -1:
            raise NotFound(key="of " + context.caller)
        if id == -2:
            raise ValueError("the shelf fell over")
        if id in self.forgotten:
            raise NotFound(key="forgotten")
        return Item(id=id, raw=b"x" * id, digest=b"", sizes=set(), contexts={}, numbers=[], words=set())

    def order(self, order, limit):
        if len(order.items) > limit:
            raise OutOfStock(id=order.items[0], text="größer")
        return len(order.items)

    def forget(self, id):
        self.forgotten.add(id)

    def nothing(self):
        pass

    def all(self):
        return {"a": [self.find(1, None)]}


def expect(got, want, what):
    if got != want:
        sys.exit("%s: %r, not %r" % (what, got, want))


def expect_raised(kind, call, what):
    try:
        result = call()
    except kind as raised:
        return raised
    sys.exit("%s: %r, and no %s" % (what, result, kind.__name__))


def call_all(client, protocol):
    expect(client.alive(), True, "alive")
    for id in (7, 100000):
        item = client.find(id, Context(caller="me"))
        expect((item.id, item.price, len(item.raw)), (id, 9.99, id), "find")
    expect(expect_raised(NotFound, lambda: client.find(-1, Context(caller="me")), "find").key, "of me", "a declared exception")
    failed = expect_raised(TApplicationException, lambda: client.find(-2, Context(caller="me")), "find")
    expect(failed.type, TApplicationException.INTERNAL_ERROR, "type")
    if "the shelf fell over" not in failed.message:
        sys.exit("the text of an error: %r" % failed.message)
    order = Order(items=[1, 2], payment=Payment(cash=3), history={})
    expect(client.order(order, 2), 2, "order")
    raised = expect_raised(OutOfStock, lambda: client.order(order, 1), "order")
    expect((raised.id, raised.text), (1, "größer"), "another declared exception")
    client.forget(5)
    expect(expect_raised(NotFound, lambda: client.find(5, Context(caller="me")), "find").key, "forgotten", "after a one-way call")
    client.nothing()
    expect([item.id for item in client.all()["a"]], [1], "all")
    call_unknown(protocol)
    expect(client.alive(), True, "alive after all")


def call_unknown(protocol):
    """Calls what is not there, with a number of its own."""
    protocol.writeMessageBegin("fly", TMessageType.CALL, 77)
    Shop.nothing_args().write(protocol)
    protocol.writeMessageEnd()
    protocol.trans.flush()
    name, kind, sequence = protocol.readMessageBegin()
    expect((name, kind, sequence), ("fly", TMessageType.EXCEPTION, 77), "the answer of an unknown function")
    exception = TApplicationException()
    exception.read(protocol)
    protocol.readMessageEnd()
    expect(exception.type, TApplicationException.UNKNOWN_METHOD, "the type of an unknown function")


def serve(host, port, protocols, transports, is_multiplexed):
    processor = Shop.Processor(Handler())
    if is_multiplexed:
        several = TMultiplexedProcessor()
        several.registerProcessor("Shop", processor)
        processor = several
    socket = TServerSocket(host, port)
    server = TThreadedServer(processor, socket, transports, protocols, daemon=True)
    listen = socket.listen

    def listen_and_tell():
        listen()
        print(socket.handle.getsockname()[1], flush=True)

    socket.listen = listen_and_tell
    threading.Thread(target=server.serve, daemon=True).start()
    sys.stdin.read()
    os._exit(0)


def main():
    what, host, port, wire = sys.argv[1:]
    protocol, transport, names = wire.split("-")
    protocols, transports = PROTOCOLS[protocol], TRANSPORTS[transport]
    if what == "serve":
        serve(host, int(port), protocols, transports, names == "multiplexed")
    socket = transports.getTransport(TSocket(host, int(port)))
    socket.open()
    spoken = protocols.getProtocol(socket)
    if names == "multiplexed":
        spoken = TMultiplexedProtocol(spoken, "Shop")
    call_all(Shop.Client(spoken), spoken)
    socket.close()


main()
