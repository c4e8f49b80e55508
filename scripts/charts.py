"""Bar charts of results of record: what one piece of work costs Hone and others, read of the tables in bench/results."""

import html
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STYLE = ROOT / "crates/base/hone-page/ui/page.css"
OWN_STYLE = """
body { padding: 14px 18px; width: 1000px; } h1 { font-size: 17px; margin: 0 0 2px; } p { margin: 0 0 10px; color: var(--soft); font-size: 13px; }
h2 { font-size: 13px; margin: 10px 0 3px; font-weight: 600; } div { display: grid; grid-template-columns: 130px 1fr; font-size: 13px; line-height: 20px; }
i { display: block; height: 14px; margin-top: 3px; border-radius: 3px; background: var(--edge); } .own i { background: var(--accent); } .own { font-weight: 600; }
span { display: flex; gap: 8px; }
"""


def table(results, heading):
    """The rows of the first table below a heading: cells by the name of their column."""
    _, below = results.read_text().split(f"\n## {heading}\n", 1)
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in below.split("\n## ")[0].splitlines() if line.startswith("|")]
    return [dict(zip(lines[0], cells)) for cells in lines[2:]]


def number(cell):
    return float(re.match(r"[\d.,]+", cell)[0].replace(",", ""))


def page(title, about, results, groups, own, others, column):
    """A page with a group of bars for each table. `groups`: headings in the results, with their titles; `own` and `others`: names of rows, with what they are shown as."""
    body = [f"<h1>{html.escape(title)}</h1><p>{html.escape(about)}</p>"]
    for heading, shown in groups.items():
        rows = table(results, heading)
        first = next(iter(rows[0]))
        costs = {row[first]: row[column] for row in rows}
        bars = {name: number(costs[name]) for name in [*own, *others] if name in costs}
        longest = max(bars.values())
        body.append(f"<h2>{html.escape(shown)}</h2>")
        for name, value in bars.items():
            kind = ' class="own"' if name in own else ""
            told = costs[name].split(" ")[0]
            body.append(f'<div{kind}>{html.escape((own | others)[name])}<span><i style="width: {value / longest * 80:.1f}%"></i>{told}</span></div>')
    tell = "<script>addEventListener('load', () => document.title = 'height ' + Math.ceil(document.documentElement.getBoundingClientRect().height))</script>"
    return f"<!doctype html><html><head><meta charset=utf-8><title></title><style>{STYLE.read_text()}{OWN_STYLE}</style>{tell}</head><body>{''.join(body)}</body></html>"


def agent():
    return page(
        "CPU time for a sample of StatsD", "Microseconds, median of 7 runs; datagrams of 8 KB, unless said otherwise (bench/results/agent/statsd.md)", ROOT / "bench/results/agent/statsd.md",
        {"8 KB, Unix, 30,000 series": "Unix datagrams, 30,000 series", "one line, Unix, 3,000 series": "Unix datagrams of one line, 3,000 series", "8 KB, UDP, 3,000 series": "UDP, 3,000 series"},
        {"hone-agent": "hone-agent"}, {"statsd_exporter": "statsd_exporter", "telegraf": "telegraf"}, "CPU us/sample")


def thrift():
    return page(
        "Time to read a message of Thrift", "Nanoseconds, median of 8 rounds (bench/results/thrift/codec.md)", ROOT / "bench/results/thrift/codec.md",
        {"Read article=4122B": "an article, 4 KB", "Read medium=17268B": "an order, 17 KB", "Read many=49496B": "a message of many types, 49 KB"},
        {"hone": "hone-thrift"}, {"fastgo": "FastCodec", "frugal": "Frugal", "apache": "Apache"}, "ns")


def rpc():
    return page(
        "CPU time of a server for a call", "Microseconds, median of 10 rounds; 100 callers over TCP that share one connection, or have one each (framed, pool); one core (bench/results/rpc/calls.md)", ROOT / "bench/results/rpc/calls.md",
        {"echo, tcp, 100 callers": "echo of 1 KB", "price, tcp, 100 callers": "price: 5 KB of lists, maps and texts"},
        {"hone": "hone, Thrift", "hone grpc": "hone, gRPC", "hone framed": "hone framed"}, {"kitex mux": "Kitex mux", "grpc-go": "grpc-go", "kitex pool": "Kitex pool"}, "server CPU, us a call")


def mesh():
    return page(
        "CPU time of a proxy for a request", "Microseconds, median of 10 rounds; replies of 1 KB (bench/results/mesh/proxies.md)", ROOT / "bench/results/mesh/proxies.md",
        {"HTTP/1, 50 connections": "HTTP/1, 50 connections", "HTTP/2 on both sides, 10 connections with 10 streams": "HTTP/2, 10 connections with 10 streams", "HTTP/1 in TLS 1.3, 50 connections, HTTP/1 out": "HTTP/1 in TLS 1.3, 50 connections"},
        {"hone-mesh": "hone-mesh"}, {"nginx": "nginx", "haproxy": "HAProxy", "envoy": "Envoy"}, "us a request")
