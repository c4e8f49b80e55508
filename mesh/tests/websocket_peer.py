#!/usr/bin/env python3
"""WebSocket by Python's websockets on either side of hone-mesh: `serve` prints its port, `call URL` checks what comes through.

With SSL_CERT_FILE a client of wss:// trusts that authority.
"""

import asyncio
import os
import ssl
import sys

import websockets


async def answer(connection):
    # Older ones have the path itself.
    if getattr(connection, "path", None) == "/close" or getattr(getattr(connection, "request", None), "path", None) == "/close":
        await connection.close(4001, "enough")
        return
    async for message in connection:
        await connection.send(message)


async def serve():
    async with websockets.serve(answer, "127.0.0.1", 0, max_size=None, subprotocols=["echo"]) as server:
        print(server.sockets[0].getsockname()[1], flush=True)
        await asyncio.Future()


async def call(url):
    secured = {"ssl": ssl.create_default_context(cafile=os.environ["SSL_CERT_FILE"])} if url.startswith("wss:") else {}
    async with websockets.connect(url, max_size=None, subprotocols=["echo"], **secured) as connection:
        assert connection.subprotocol == "echo", connection.subprotocol
        large = os.urandom(3_000_000)
        for message in "text", "", large, "again":
            await connection.send(message)
            assert await connection.recv() == message
        await (await connection.ping())

    # The server ends one by itself.
    async with websockets.connect(url + "/close", **secured) as connection:
        try:
            await connection.recv()
            raise AssertionError("the connection did not end")
        except websockets.ConnectionClosedError as closed:
            assert (closed.rcvd.code, closed.rcvd.reason) == (4001, "enough"), closed

    async def one(number):
        async with websockets.connect(url, **secured) as connection:
            for _ in range(20):
                await connection.send(f"{number} " + "x" * 1000 * number)
                assert await connection.recv() == f"{number} " + "x" * 1000 * number

    await asyncio.gather(*(one(number) for number in range(20)))
    print("all right")


if sys.argv[1] == "serve":
    asyncio.run(serve())
else:
    asyncio.run(call(sys.argv[2]))
