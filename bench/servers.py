"""Servers of others that benchmarks put under load: Envoy and HAProxy as proxies before an nginx that answers by itself, and nginx with a small file.

Each `serve_*` writes a configuration into a directory and gives the command that serves on a port of this machine alone. `GET /answered` of an nginx tells
how many requests it has answered.
"""

import json
import re
import socket
import subprocess
import sys
import time
from pathlib import Path

NGINX = """
daemon off; worker_processes 1; error_log stderr crit; pid {directory}/{name}.pid;
{user}
events {{ worker_connections 512; }}
http {{
  access_log off; keepalive_requests 1000000;
  client_body_temp_path {directory}; proxy_temp_path {directory}; fastcgi_temp_path {directory};
  uwsgi_temp_path {directory}; scgi_temp_path {directory};
  server {{ listen 127.0.0.1:{port} backlog=511; location /answered {{ stub_status; }} {answer} }}
}}
"""
HAPROXY = """
global
  nbthread 1
defaults
  mode http
  timeout connect 5s
  timeout client 30s
  timeout server 30s
frontend f
  bind 127.0.0.1:{port}
  default_backend b
backend b
  server s 127.0.0.1:{upstream}
"""


def nginx(directory, name, port, answer):
    config = Path(directory) / f"{name}.conf"
    user = "user root;" if subprocess.run(["id", "-u"], capture_output=True, text=True).stdout.strip() == "0" else ""
    config.write_text(NGINX.format(directory=directory, name=name, port=port, answer=answer, user=user))
    return ["nginx", "-c", str(config), "-p", str(directory), "-e", "stderr"]


def serve_nginx(directory, port, _):
    (Path(directory) / "page.html").write_text("a small page " * 60)
    return nginx(directory, "nginx", port, f"location / {{ root {directory}; }}")


def serve_haproxy(directory, port, upstream):
    config = Path(directory) / "haproxy.cfg"
    config.write_text(HAPROXY.format(port=port, upstream=upstream))
    return ["haproxy", "-db", "-f", str(config)]


def typed(name, **rest):
    """A configuration of one of Envoy's extensions."""
    return {"@type": f"type.googleapis.com/envoy.extensions.{name}", **rest}


def serve_envoy(directory, port, upstream):
    def address(port):
        return {"socket_address": {"address": "127.0.0.1", "port_value": port}}

    route = {"name": "r", "virtual_hosts": [
        {"name": "v", "domains": ["*"], "routes": [{"match": {"prefix": "/"}, "route": {"cluster": "u"}}]}]}
    router = {"name": "envoy.filters.http.router", "typed_config": typed("filters.http.router.v3.Router")}
    manager = typed("filters.network.http_connection_manager.v3.HttpConnectionManager", stat_prefix="h", codec_type="AUTO",
                    route_config=route, http_filters=[router])
    config = {"static_resources": {
        "listeners": [{"name": "l", "address": address(port), "filter_chains": [
            {"filters": [{"name": "envoy.filters.network.http_connection_manager", "typed_config": manager}]}]}],
        "clusters": [{"name": "u", "type": "STATIC", "connect_timeout": "5s", "load_assignment": {
            "cluster_name": "u", "endpoints": [{"lb_endpoints": [{"endpoint": {"address": address(upstream)}}]}]}}]}}
    path = Path(directory) / "envoy.json"
    path.write_text(json.dumps(config))
    # By its real name: what stands on PATH may be a script that starts it.
    return ["envoy", "-c", str(path), "--concurrency", "1", "--log-level", "error", "--disable-hot-restart"]


SERVERS = {"envoy": serve_envoy, "nginx": serve_nginx, "haproxy": serve_haproxy}


def free_port(kind=socket.SOCK_STREAM):
    """A port of this machine that nothing uses now."""
    with socket.socket(socket.AF_INET, kind) as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def wait_for(port, process):
    for _ in range(300):
        if process.poll() is not None:
            sys.exit(f"{process.args[0]} ended with status {process.returncode}")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"{process.args[0]} does not listen on port {port}")


def rss_kb(pid):
    """What a process has in memory now."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1])


def cpu_s(pid):
    """User and system time of all threads of a process so far."""
    return sum(int(Path(task, "schedstat").read_text().split()[0]) for task in Path(f"/proc/{pid}/task").iterdir()) / 1e9


def busiest(pid):
    """The process that works: nginx has a master above it."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(children[0]) if children else pid
