#!/usr/bin/env python3
"""Whether a connection keeps TCP's promises to a program that knows of nothing: prints, as JSON,

taken_bytes: what a sender is allowed to send, of LIMIT_BYTES, while its peer reads nothing; and
error: what a send gives once the peer has closed with data unread, after that was told.
"""

import json
import select
import socket

LIMIT_BYTES = 64 << 20
BLOCK = bytes(1 << 16)


def pair():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        caller = socket.create_connection(listener.getsockname())
        return caller, listener.accept()[0]


def taken():
    caller, _peer = pair()
    caller.setblocking(False)
    count = 0
    while count < LIMIT_BYTES:
        try:
            count += caller.send(BLOCK)
        except BlockingIOError:
            # A receiver that has room left takes more a little later.
            if not select.select([], [caller], [], 0.5)[1]:
                break
    return count


def error():
    caller, peer = pair()
    caller.sendall(BLOCK)
    peer.close()
    select.select([caller], [], [], 1)
    for _ in range(3):
        try:
            caller.send(BLOCK)
        except OSError as told:
            return type(told).__name__
    return "none"


print(json.dumps({"taken_bytes": taken(), "error": error()}))
