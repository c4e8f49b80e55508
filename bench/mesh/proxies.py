"""Configurations of the proxies that are compared, as equal as they can be: one worker, connections to the endpoint kept, no log unless the row has one.

Each function writes what the proxy needs into a directory and returns its command, or None where it does not speak what a row asks for.
"""

import json
from pathlib import Path

import servers

ROOT = Path(__file__).resolve().parent.parent.parent
# Routes that every request is compared with before it finds its own.
ROUTES = 20


def hone_mesh(directory, port, upstream, row):
    routes = "".join(f"      - {{match: {{prefix: /service-{at}}}, to: back}}\n" for at in range(ROUTES)) if row.is_full else ""
    log = "access_log: {path: access.log}\n" if row.is_full else ""
    (directory / "mesh.yaml").write_text(f"""workers: 1
{log}listeners:
  - name: front
    address: 127.0.0.1:{port}
    routes:
{routes}      - to: back
clusters:
  - {{name: back, protocol: {row.upstream}, endpoints: [127.0.0.1:{upstream}]}}
""")
    return [ROOT / "target/mesh/release/hone-mesh", "run", "mesh.yaml"]


def nginx(directory, port, upstream, row):
    if row.client != "http1" or row.upstream != "http1":
        return None
    passed = f'proxy_pass http://127.0.0.1:{upstream}; proxy_http_version 1.1; proxy_set_header Connection "";'
    command = servers.nginx(directory, "nginx", port, "")
    config = directory / "nginx.conf"
    locations = "".join(f"location /service-{at} {{ {passed.replace(f'127.0.0.1:{upstream}', 'back')} }}\n" for at in range(ROUTES)) if row.is_full else ""
    text = config.read_text().replace("location /answered { stub_status; }", locations + "location / { " + passed.replace(f"127.0.0.1:{upstream}", "back") + " }")
    text = text.replace("worker_connections 512", "worker_connections 4096")
    text = text.replace("http {", f"http {{ upstream back {{ server 127.0.0.1:{upstream}; keepalive 500; keepalive_requests 1000000; }}", 1)
    config.write_text(text.replace("access_log off", f"access_log {directory}/access.log combined buffer=32k") if row.is_full else text)
    return command


def haproxy(directory, port, upstream, row):
    command = servers.serve_haproxy(directory, port, upstream)
    config = directory / "haproxy.cfg"
    text = config.read_text().replace("defaults\n", "defaults\n  timeout http-keep-alive 60s\n  http-reuse always\n  option http-no-delay\n", 1)
    if row.client == "http2":
        text = text.replace(f"bind 127.0.0.1:{port}", f"bind 127.0.0.1:{port} proto h2")
    if row.upstream == "http2":
        text = text.replace(f"server s 127.0.0.1:{upstream}", f"server s 127.0.0.1:{upstream} proto h2")
    if row.is_full:
        rules = "".join(f"  use_backend b if {{ path_beg /service-{at} }}\n" for at in range(ROUTES))
        text = text.replace("  default_backend b\n", f"{rules}  default_backend b\n  log stdout format raw local0\n  option httplog\n")
    config.write_text(text)
    if row.is_full:
        # Lines go where those of the others go: into a file.
        return ["sh", "-c", f'exec "$@" >{directory}/access.log', "sh", *command]
    return command


def envoy(directory, port, upstream, row):
    command = servers.serve_envoy(directory, port, upstream)
    config = directory / "envoy.json"
    made = json.loads(config.read_text())
    resources = made["static_resources"]
    if row.upstream == "http2":
        options = {"@type": "type.googleapis.com/envoy.extensions.upstreams.http.v3.HttpProtocolOptions", "explicit_http_config": {"http2_protocol_options": {}}}
        resources["clusters"][0]["typed_extension_protocol_options"] = {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": options}
    manager = resources["listeners"][0]["filter_chains"][0]["filters"][0]["typed_config"]
    if row.is_full:
        routes = manager["route_config"]["virtual_hosts"][0]["routes"]
        routes[:0] = [{"match": {"prefix": f"/service-{at}"}, "route": {"cluster": "u"}} for at in range(ROUTES)]
        log = {"@type": "type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog", "path": str(directory / "access.log")}
        manager["access_log"] = [{"name": "envoy.access_loggers.file", "typed_config": log}]
    config.write_text(json.dumps(made))
    return command


OTHERS = {"nginx": nginx, "haproxy": haproxy, "envoy": envoy}
