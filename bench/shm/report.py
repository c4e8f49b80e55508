"""Tables of what was measured."""

import figures
from programs import TRANSPORTS

COMMAND = "bench/shm/run"
# What a transport may fall behind an open rate: more than chance makes of some thousand round trips of a Poisson process.
RATE_KEPT = 0.95
# The one that is held against others, and those in the order of their columns.
OURS = "shm"
OTHERS = ["shm again", "tcp", "unix", "shmipc"]
# The way to wake that others are held against: that of package shm.
OUR_WAY = "a byte over a Unix socket"


def target(size, rate, other):
    """The largest ratio of shm's CPU time to another one's, if there is one."""
    if rate:
        return None
    if other == "unix":
        return 0.8 if size == 64 else 0.6 if size >= 4 << 10 else None
    if other == "shmipc":
        return 0.7 if 4 << 10 <= size <= 64 << 10 else None
    return None


def cpu_us(result):
    """CPU time of both sides for each round trip."""
    return user_us(result) + system_us(result)


def user_us(result):
    return result["user_us"] / max(result["round_trips"], 1)


def system_us(result):
    return result["system_us"] / max(result["round_trips"], 1)


def per_s(result):
    return result["round_trips"] / result["seconds"]


def preempted_per_s(result):
    return (result["client"]["preempted"] + result["server"]["preempted"]) / result["seconds"]


def line(result):
    latency = f", p50 {result['p50_us']:,.1f} us, p99 {result['p99_us']:,.1f} us" if "p50_us" in result else ""
    errors = f", {result['errors']} ERRORS: {result['first_error']}" if result.get("errors") else ""
    return f"{cpu_us(result):,.2f} us ({user_us(result):,.2f} user), {per_s(result):,.0f} round trips/s{latency}{errors}"


def column(results, of, form="{:,.2f}"):
    return figures.spread([of(result) for result in results], form)


def middle(results, of):
    return figures.median([of(result) for result in results])


def ratio(results, others):
    return figures.ratio([cpu_us(result) for result in others], [cpu_us(result) for result in results])


def kept_up(results):
    return not results[0]["rate"] or middle(results, per_s) >= RATE_KEPT * results[0]["rate"]


def ratio_cell(ways, name, other):
    if name not in ways or other not in ways:
        return "-"
    if not kept_up(ways[name]) or not kept_up(ways[other]):
        return "the rate was not kept"
    value, low, high = ratio(ways[name], ways[other])
    first = ways[name][0]
    most = target(first["size"], first["rate"], other) if name == OURS else None
    said = "" if most is None else f", target {most}: {'met' if value <= most else 'MISSED'}"
    return f"{value:.2f} ({low:.2f} to {high:.2f}){said}"


def ratios_table(found):
    lines = ["| load | " + " | ".join(f"{OURS} of {other}" for other in OTHERS) + " | shm copied of unix | shm without looking of unix |",
             "|---|" + "---|" * (len(OTHERS) + 2)]
    for load, ways in found.items():
        cells = [ratio_cell(ways, OURS, other) for other in OTHERS] + [ratio_cell(ways, name, "unix") for name in ("shm copied", "shm without looking")]
        lines.append(f"| {load} | {' | '.join(cells)} |")
    return lines


def load_table(ways):
    lines = ["| transport | CPU of both, us a round trip | user | system | p50, us | p99, us | round trips/s | preempted/s |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
    for name, results in ways.items():
        lines.append(f"| {name} | {column(results, cpu_us)} | {middle(results, user_us):,.2f} | {middle(results, system_us):,.2f} "
                     f"| {column(results, lambda r: r['p50_us'], '{:,.1f}')} | {column(results, lambda r: r['p99_us'], '{:,.1f}')} "
                     f"| {middle(results, per_s):,.0f} | {middle(results, preempted_per_s):,.0f} |")
    return lines


def failures(found):
    lines = []
    for load, ways in found.items():
        for name, results in ways.items():
            failed = next((result for result in results if result["errors"]), None)
            if failed:
                lines.append(f"- {load}, {name}: {sum(result['errors'] for result in results):,} round trips failed, first by: {failed['first_error']}")
    return lines or ["No round trip of any transport failed."]


def heading(title, about):
    versions = f", with {', '.join(about['versions'])}" if "versions" in about else ""
    return [f"# {title}", "",
            f"Made by `{' '.join([COMMAND, *about['arguments']])}` in {about['rounds']} rounds, on {about['machine']}{versions}. "
            "The command says what is measured and how. Medians of the rounds, with order statistics that hold them with 95 %; ratios are those of one round.", ""]


def roundtrips(about, found):
    used = {name for ways in found.values() for name in ways}
    lines = heading("Round trips between two processes of one machine", about)
    lines += [*(f"- {name}: {transport.about}" for name, transport in TRANSPORTS.items() if name in used), "",
              "## Ratios and targets", "",
              "Of CPU time of both sides for each round trip. Against \"shm again\" it is the same code: a ratio that is not further from 1 than that says nothing. "
              "\"Preempted\" is how often a side was put aside for something else: many mean that the machine was not quiet.", "",
              *ratios_table(found), "", "## Errors", "", *failures(found), ""]
    for load, ways in found.items():
        lines += [f"## {load}", "", *load_table(ways), ""]
    return "\n".join(lines)


def wake(about, found):
    lines = heading("What it costs to wake the other side", about)
    lines += [f"Two processes, each on a CPU of its own, wake each other in turn. The ratio is that of CPU time to the way of package shm, {OUR_WAY}.", "",
              "| way | CPU of both, us a round trip | user | system | round trips/s | ratio |", "|---|---:|---:|---:|---:|---:|"]
    ways = found["wake"]
    for name, results in ways.items():
        value, low, high = ratio(results, ways[OUR_WAY])
        said = "1" if name == OUR_WAY else f"{value:.2f} ({low:.2f} to {high:.2f})"
        lines.append(f"| {name} | {column(results, cpu_us)} | {middle(results, user_us):.2f} | {middle(results, system_us):.2f} | {middle(results, per_s):,.0f} | {said} |")
    return "\n".join(lines) + "\n"


REPORTS = {"roundtrips": roundtrips, "wake": wake}
