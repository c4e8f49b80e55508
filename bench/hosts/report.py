"""Tables of what callers notice of hosts that are down."""

from statistics import median

ABOUT = """# Hosts that are down, and what callers notice

`bench/hosts/run`: one caller makes one call after the other, 2 ms apart, each with a deadline of 500 ms, to ten hosts, for {lasts}. Each run begins with a client that knows no
host yet. {rounds} rounds; {machine}. Counts are the sums of all rounds, times medians of the rounds.
"""


def cells(rows):
    calls, failed = sum(row["calls"] for row in rows), sum(row["failed"] for row in rows)
    return f"{failed} of {calls}", median(row["p99_ms"] for row in rows)


def table(found, healthy):
    lines = ["| hosts that are down | calls that failed | p99 | p99 / all healthy |", "|---|---:|---:|---:|"]
    for (fault, faulty), rows in found.items():
        failed, p99 = cells(rows)
        what = "none" if faulty == 0 else f"{faulty} of 10: {fault}"
        lines.append(f"| {what} | {failed} | {p99:.2f} ms | {p99 / healthy:.2f} |")
    return "\n".join(lines)


def text(found):
    parts = [ABOUT.format(**found)]
    for client in dict.fromkeys(row["client"] for row in found["rows"]):
        by_fault = {}
        for row in found["rows"]:
            if row["client"] == client:
                by_fault.setdefault((row["fault"], row["faulty"]), []).append(row)
        healthy = cells(by_fault["none", 0])[1]
        parts.append(f"## {client}\n\n{table(by_fault, healthy)}\n")
    return "\n".join(parts)
