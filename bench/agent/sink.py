"""Back ends that take everything and keep nothing but counts."""

import socketserver
import struct
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Sink:
    """Answers every request at a port of its own with 204."""

    def __init__(self):
        self.requests = 0
        self.bytes = 0
        # Bodies, while somebody wants them.
        self.kept = None
        sink = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.body()
                sink.requests += 1
                sink.bytes += len(body)
                if sink.kept is not None:
                    sink.kept.append(body)
                self.send_response(204)
                self.end_headers()

            def body(self):
                if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                    return self.rfile.read(int(self.headers.get("Content-Length", 0)))
                parts = []
                while length := int(self.rfile.readline().split(b";")[0], 16):
                    parts.append(self.rfile.read(length))
                    self.rfile.readline()
                self.rfile.readline()
                return b"".join(parts)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/api/v1/write"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Tcp:
    """What the back ends over TCP share: a port of its own, and a thread for each connection."""

    def __init__(self):
        self.bytes = 0
        self.kept = None
        sink = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                sink.take(self.rfile, self.wfile)

        self.server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Graphite(Tcp):
    """Lines, of which none is answered."""

    def take(self, incoming, _):
        while part := incoming.read1(1 << 16):
            self.bytes += len(part)


class Relay(Tcp):
    """Frames of hone-agent's relay, each taken (docs/agent/send.md)."""

    def take(self, incoming, outgoing):
        while len(head := incoming.read(16)) == 16:
            magic, version, _, length, checksum = struct.unpack("<4sBBxxII", head)
            assert magic == b"HNRL", magic
            self.bytes += len(head) + len(incoming.read(length))
            outgoing.write(struct.pack("<4sBBxxI", b"HNAK", version, 0, checksum))
