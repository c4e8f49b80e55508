#!/usr/bin/env python3
"""A client of WebSocket over HTTP/2 (RFC 8441) by Python's h2 and wsproto: checks what comes back from an echo at a port."""

import os
import socket
import sys

import h2.config
import h2.connection
import h2.events
import h2.settings
from wsproto.connection import Connection, ConnectionType
from wsproto.events import BytesMessage, CloseConnection, TextMessage


class Client:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), 60)
        self.wire = h2.connection.H2Connection(h2.config.H2Configuration(client_side=True, header_encoding="utf-8"))
        self.wire.initiate_connection()
        self.streams = {}
        self.send()

    def send(self):
        self.socket.sendall(self.wire.data_to_send())

    def turn(self):
        """Takes what has come: status and bytes of each stream."""
        for event in self.wire.receive_data(self.socket.recv(65536)):
            if isinstance(event, h2.events.ResponseReceived):
                self.streams[event.stream_id]["status"] = dict(event.headers)[":status"]
            elif isinstance(event, h2.events.DataReceived):
                self.streams[event.stream_id]["bytes"] += event.data
                self.wire.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
                self.streams[event.stream_id]["ended"] = True
        self.send()

    def until(self, condition):
        while not condition():
            self.turn()

    def open(self):
        stream = self.wire.get_next_available_stream_id()
        self.streams[stream] = {"status": None, "bytes": b"", "ended": False}
        self.wire.send_headers(stream, [(":method", "CONNECT"), (":protocol", "websocket"), (":scheme", "http"), (":path", "/"),
                                        (":authority", "localhost"), ("sec-websocket-version", "13"), ("origin", "http://localhost")])
        self.send()
        self.until(lambda: self.streams[stream]["status"])
        assert self.streams[stream]["status"] == "200", self.streams[stream]
        return stream

    def put(self, stream, data):
        while data:
            self.until(lambda: self.wire.local_flow_control_window(stream) > 0)
            size = min(len(data), self.wire.local_flow_control_window(stream), self.wire.max_outbound_frame_size)
            self.wire.send_data(stream, data[:size])
            self.send()
            data = data[size:]

    def take(self, stream, inside):
        """Returns the next whole message."""
        parts = []
        while True:
            inside.receive_data(self.streams[stream]["bytes"])
            self.streams[stream]["bytes"] = b""
            for event in inside.events():
                if isinstance(event, CloseConnection):
                    return event
                parts.append(event.data)
                if event.message_finished:
                    return type(event.data)().join(parts)
            self.turn()


client = Client(int(sys.argv[1]))
client.until(lambda: client.wire.remote_settings.enable_connect_protocol == 1)
pairs = [(client.open(), Connection(ConnectionType.CLIENT)) for _ in range(3)]
large = os.urandom(300_000)
for stream, inside in pairs:
    client.put(stream, inside.send(TextMessage(f"text {stream}")))
    client.put(stream, inside.send(BytesMessage(large)))
for stream, inside in pairs:
    assert client.take(stream, inside) == f"text {stream}"
    assert client.take(stream, inside) == large
    client.put(stream, inside.send(CloseConnection(1000, "done")))
    assert client.take(stream, inside).code == 1000
    client.until(lambda: client.streams[stream]["ended"])
print("all right")
