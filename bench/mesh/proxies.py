"""Configurations of the proxies that are compared, as equal as they can be: one worker, connections to the endpoint kept, no log unless the row has one.

Each function writes what the proxy needs into a directory and returns its command, or None where it does not speak what a row asks for.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import servers
from servers import typed

ROOT = Path(__file__).resolve().parent.parent.parent
COMMAND = ROOT / "target/mesh/release/hone-mesh"
# Package rpc's server and its load.
STACK = ROOT / "bench/rpc/generated/bin/stack-hone"
MODULES = [Path("/usr/lib/nginx/modules/ngx_stream_module.so"), ROOT / "target/daemons/usr/lib/nginx/modules/ngx_stream_module.so"]
# Routes that every request is compared with before it finds its own.
ROUTES = 20
# A reply of 1 KB.
BODY = "a reply." * 128


def build_mesh(directory=COMMAND.parent, configuration=("--preset", "release")):
    """Builds a hone-mesh in a directory. What the compilers say is shown where they fail."""
    jobs = str(len(os.sched_getaffinity(0)))
    for command in (["cmake", *configuration], ["cmake", "--build", directory, "--target", "hone-mesh", "-j", jobs]):
        done = subprocess.run(command, cwd=ROOT / "mesh", capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stdout + done.stderr)


def build_stack():
    subprocess.run([ROOT / "bench/rpc/generate"], check=True)
    subprocess.run(["go", "build", "-o", STACK, "./stacks/hone"], cwd=ROOT / "bench/rpc", check=True)


def certificate(directory):
    """A certificate and its key in one file, of the kind that servers have most often."""
    path = directory / "both.pem"
    words = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1"]
    made = subprocess.run(["openssl", "req", "-x509", *words, "-keyout", "-", "-out", "-"], check=True, capture_output=True, text=True)
    path.write_text(made.stdout)
    return path


def answers(directory, port, upstream):
    """What answers behind the proxies: nginx, since few servers answer for less, and what is slow would be what is waited for."""
    folder = directory / f"answers-{port}"
    folder.mkdir()
    command = servers.nginx(folder, "answers", port, f'location / {{ return 200 "{BODY}"; }}')
    config = folder / "answers.conf"
    text = config.read_text().replace("worker_connections 512", "worker_connections 4096")
    text = text.replace("keepalive_requests 1000000;", "keepalive_requests 1000000000; http2_max_concurrent_streams 1000;")
    if upstream == "http2":
        text = text.replace(f"listen 127.0.0.1:{port}", f"listen 127.0.0.1:{port} http2")
    config.write_text(text)
    return command


def hone_mesh(directory, port, upstream, row):
    routes = "".join(f"      - {{match: {{prefix: /service-{at}}}, to: back}}\n" for at in range(ROUTES)) if row.is_full else ""
    log = "access_log: {path: access.log}\n" if row.is_full else ""
    more = ""
    if row.is_full:
        more += "    filters: [request_id, {access: {deny: [{match: {prefix: /admin}}]}}, {rate_limit: {requests: 1000000}}]\n"
    if row.is_tls:
        more += f"    tls: {{certificates: [{{certificate: {certificate(directory)}, key: {directory}/both.pem}}]}}\n"
    if row.client == "thrift":
        more += "    protocol: thrift\n"
    upstream_protocol = "ttheader, limits: {calls: 1000}" if row.upstream == "thrift" else row.upstream
    retry = ", retry: {attempts: 2}" if row.is_full else ""
    (directory / "mesh.yaml").write_text(f"""workers: 1
{log}listeners:
  - name: front
    address: 127.0.0.1:{port}
{more}    routes:
{routes}      - {{to: back{retry}}}
clusters:
  - {{name: back, endpoints: [127.0.0.1:{upstream}], protocol: {upstream_protocol}}}
""")
    return [COMMAND, "run", "mesh.yaml"]


def nginx(directory, port, upstream, row):
    if row.client == "thrift":
        return nginx_of_bytes(directory, port, upstream)
    if row.client != "http1" or row.upstream != "http1":
        return None
    passed = f'proxy_pass http://127.0.0.1:{upstream}; proxy_http_version 1.1; proxy_set_header Connection "";'
    command = servers.nginx(directory, "nginx", port, "")
    config = directory / "nginx.conf"
    locations = "".join(f"location /service-{at} {{ {passed.replace(f'127.0.0.1:{upstream}', 'back')} }}\n" for at in range(ROUTES)) if row.is_full else ""
    text = config.read_text().replace("location /answered { stub_status; }", locations + "location / { " + passed.replace(f"127.0.0.1:{upstream}", "back") + " }")
    text = text.replace("worker_connections 512", "worker_connections 4096")
    text = text.replace("http {", f"http {{ upstream back {{ server 127.0.0.1:{upstream}; keepalive 500; keepalive_requests 1000000; }}", 1)
    if row.is_tls:
        both = certificate(directory)
        text = text.replace(f"listen 127.0.0.1:{port}", f"ssl_certificate {both}; ssl_certificate_key {both}; ssl_protocols TLSv1.3; listen 127.0.0.1:{port} ssl")
    if row.is_full:
        text = text.replace("access_log off", f"access_log {directory}/access.log combined buffer=32k; limit_req_zone $server_port zone=all:1m rate=1000000r/s")
        text = text.replace("proxy_http_version 1.1;", "proxy_http_version 1.1; proxy_set_header X-Request-Id $request_id;")
        text = text.replace("location / {", "limit_req zone=all burst=1000000 nodelay; location /admin { deny all; } location / {", 1)
    config.write_text(text)
    return command


def nginx_of_bytes(directory, port, upstream):
    """Bytes of TCP, by a module that is a package of its own (Debian: libnginx-mod-stream)."""
    module = next((path for path in MODULES if path.exists()), None)
    if module is None:
        return None
    command = servers.nginx(directory, "nginx", port, "")
    config = directory / "nginx.conf"
    head = config.read_text().split("events", 1)[0]
    config.write_text(
        f"load_module {module};\n{head} events {{ worker_connections 4096; }}\n"
        f"stream {{ server {{ listen 127.0.0.1:{port}; proxy_pass 127.0.0.1:{upstream}; tcp_nodelay on; }} }}\n"
    )
    return command


def haproxy(directory, port, upstream, row):
    command = servers.serve_haproxy(directory, port, upstream)
    config = directory / "haproxy.cfg"
    text = config.read_text().replace("defaults\n", "defaults\n  timeout http-keep-alive 60s\n  http-reuse always\n  option http-no-delay\n", 1)
    if row.client == "thrift":
        text = text.replace("mode http", "mode tcp").replace("  http-reuse always\n", "").replace("  option http-no-delay\n", "")
    if row.client == "http2":
        text = text.replace(f"bind 127.0.0.1:{port}", f"bind 127.0.0.1:{port} proto h2")
    if row.is_tls:
        text = text.replace(f"bind 127.0.0.1:{port}", f"bind 127.0.0.1:{port} ssl crt {certificate(directory)} ssl-min-ver TLSv1.3")
    if row.upstream == "http2":
        text = text.replace(f"server s 127.0.0.1:{upstream}", f"server s 127.0.0.1:{upstream} proto h2")
    if row.is_full:
        rules = "".join(f"  use_backend b if {{ path_beg /service-{at} }}\n" for at in range(ROUTES))
        features = (
            "  unique-id-format %[uuid]\n  unique-id-header X-Request-Id\n  http-request deny if { path_beg /admin }\n"
            "  stick-table type integer size 1 expire 10s store http_req_rate(1s)\n  http-request track-sc0 int(1)\n"
            "  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 1000000 }\n"
        )
        text = text.replace("  default_backend b\n", f"{features}{rules}  default_backend b\n  log stdout format raw local0\n  option httplog\n")
        text = text.replace("backend b\n  server", "backend b\n  retries 2\n  server")
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
        options = typed("upstreams.http.v3.HttpProtocolOptions", explicit_http_config={"http2_protocol_options": {}})
        resources["clusters"][0]["typed_extension_protocol_options"] = {"envoy.extensions.upstreams.http.v3.HttpProtocolOptions": options}
    chain = resources["listeners"][0]["filter_chains"][0]
    if row.client == "thrift":
        chain["filters"] = [{"name": "tcp", "typed_config": typed("filters.network.tcp_proxy.v3.TcpProxy", stat_prefix="t", cluster="u")}]
        config.write_text(json.dumps(made))
        return command
    if row.is_tls:
        both = {"filename": str(certificate(directory))}
        context = {"tls_certificates": [{"certificate_chain": both, "private_key": both}], "tls_params": {"tls_minimum_protocol_version": "TLSv1_3"}}
        context = typed("transport_sockets.tls.v3.DownstreamTlsContext", common_tls_context=context)
        chain["transport_socket"] = {"name": "envoy.transport_sockets.tls", "typed_config": context}
    manager = chain["filters"][0]["typed_config"]
    if row.is_full:
        routes = manager["route_config"]["virtual_hosts"][0]["routes"]
        routes[:0] = [{"match": {"prefix": f"/service-{at}"}, "route": {"cluster": "u"}} for at in range(ROUTES)]
        log = typed("access_loggers.file.v3.FileAccessLog", path=str(directory / "access.log"))
        for route in routes:
            route["route"]["retry_policy"] = {"retry_on": "connect-failure", "num_retries": 2}
        denied = {"permissions": [{"url_path": {"path": {"prefix": "/admin"}}}], "principals": [{"any": True}]}
        bucket = {"max_tokens": 1000000, "tokens_per_fill": 1000000, "fill_interval": "1s"}
        whole = {"default_value": {"numerator": 100, "denominator": "HUNDRED"}}
        manager["http_filters"][:0] = [
            {"name": "envoy.filters.http.rbac", "typed_config": typed("filters.http.rbac.v3.RBAC", rules={"action": "DENY", "policies": {"admin": denied}})},
            {"name": "envoy.filters.http.local_ratelimit", "typed_config": typed(
                "filters.http.local_ratelimit.v3.LocalRateLimit", stat_prefix="l", token_bucket=bucket, filter_enabled=whole, filter_enforced=whole)},
        ]
        manager["access_log"] = [{"name": "envoy.access_loggers.file", "typed_config": log}]
    config.write_text(json.dumps(made))
    return command


OTHERS = {"nginx": nginx, "haproxy": haproxy, "envoy": envoy}
