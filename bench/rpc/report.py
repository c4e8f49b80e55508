"""Tables of what was measured."""

import figures
from stacks import IDLE_TARGETS

# What a load may fall behind an open rate.
RATE_KEPT = 0.98


def cpu_us(side, result):
    """User, system and both, for each call. A server counts calls by itself; the client's are those that it saw answered."""
    used = result[side]
    calls = max(used["calls"] if side == "server" else result["calls"], 1)
    user, system = used["user_us"] / calls, used["system_us"] / calls
    return user, system, user + system


def server_us(result):
    return cpu_us("server", result)[2]


def per_call(key, result):
    return result["server"][key] / max(result["server"]["calls"], 1)


def calls_per_s(result):
    return result["calls"] / result["seconds"]


def line(result):
    user, system, both = cpu_us("server", result)
    return (f"{calls_per_s(result):,.0f} calls/s, server {both:.2f} us ({user:.2f} user), client {cpu_us('client', result)[2]:.2f} us, "
            f"p99 {result['p99_us']:,.0f} us, p99.9 {result['p999_us']:,.0f} us" + (f", {result['errors']} ERRORS: {result['first_error']}" if result["errors"] else ""))


def column(results, of, form="{:,.2f}"):
    return figures.spread([of(result) for result in results], form)


def middle(results, of):
    return figures.median([of(result) for result in results])


def load_table(stacks):
    lines = ["| stack | server CPU, us a call | user | system | client CPU | calls/s | p50, us | p99 | p99.9 | allocations | bytes | collections per 1,000 | preempted/s |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for name, results in stacks.items():
        lines.append(f"| {name} | {column(results, server_us)} | {middle(results, lambda r: cpu_us('server', r)[0]):.2f} "
                     f"| {middle(results, lambda r: cpu_us('server', r)[1]):.2f} | {middle(results, lambda r: cpu_us('client', r)[2]):.2f} "
                     f"| {middle(results, calls_per_s):,.0f} | {middle(results, lambda r: r['p50_us']):,.0f} | {middle(results, lambda r: r['p99_us']):,.0f} "
                     f"| {column(results, lambda r: r['p999_us'], '{:,.0f}')} | {middle(results, lambda r: per_call('allocations', r)):.1f} "
                     f"| {middle(results, lambda r: per_call('allocated_bytes', r)):,.0f} "
                     f"| {middle(results, lambda r: 1000 * per_call('collections', r)):.2f} "
                     f"| {middle(results, lambda r: r['server']['preempted'] / r['seconds']):,.0f} |")
    return lines


def ratio(stacks, name, other, of):
    return figures.ratio([of(result) for result in stacks[other]], [of(result) for result in stacks[name]])


MEASURES = {
    "cpu": server_us,
    "client": lambda result: cpu_us("client", result)[2],
    "p99": lambda result: result["p99_us"],
    "p999": lambda result: result["p999_us"],
    "allocations": lambda result: per_call("allocations", result),
}


def kept_up(load, results):
    """True for a closed load, and for an open one whose rate was kept."""
    if not load.endswith("calls/s"):
        return True
    rate = float(load.split(", ", 2)[2].split()[0].replace(",", ""))
    return middle(results, calls_per_s) >= RATE_KEPT * rate


def ratio_cell(comparison, load, measure, of, stacks, name, other):
    # Latency of closed loads is that of another rate for each stack.
    if measure in ("p99", "p999") and not load.endswith("calls/s"):
        return "-"
    value, low, high = ratio(stacks, name, other, of)
    target = comparison.targets.get((name, other), {}).get(measure)
    said = "" if target is None else f", target {target}: {'met' if value <= target else 'MISSED'}"
    return f"{value:.2f} ({low:.2f} to {high:.2f}){said}"


def ratios_table(comparison, found):
    lines = ["| load | of | against | server CPU a call | client CPU a call | p99 | p99.9 | allocations a call |", "|---|---|---|---|---|---|---|---|"]
    for load, stacks in found.items():
        for name, others in comparison.against.items():
            for other in others:
                if name not in stacks or other not in stacks:
                    continue
                if not all(kept_up(load, stacks[which]) for which in (name, other)):
                    lines.append(f"| {load} | {name} | {other} | the rate was not kept | | | | |")
                    continue
                cells = [ratio_cell(comparison, load, measure, of, stacks, name, other) for measure, of in MEASURES.items()]
                lines.append(f"| {load} | {name} | {other} | {' | '.join(cells)} |")
    return lines


def heading(title, about, command):
    return [f"# {title}", "",
            f"Made by `{' '.join([command, *about['arguments']])}` in {about['rounds']} rounds, on {about['machine']}, with {', '.join(about['versions'])}. "
            "The command says what is measured and how. Medians of the rounds, with order statistics that hold them with 95 %; ratios are those of one round.", ""]


def failures(found):
    lines = []
    for load, stacks in found.items():
        for name, results in stacks.items():
            errors = sum(result["errors"] for result in results)
            if errors:
                first = next(result["first_error"] for result in results if result["errors"])
                lines.append(f"- {load}, {name}: {errors:,} calls failed, first by: {first}")
    return lines or ["No call of any stack failed."]


def stacks_list(comparison):
    return [*(f"- {name}: {stack.about}" for name, stack in comparison.stacks.items()), ""]


def calls(comparison, about, found):
    lines = heading(f"RPC for Go: {comparison.title}", about, "bench/rpc/run")
    lines += [*stacks_list(comparison),
              "## Ratios and targets", "",
              "Of hone's figure to that of the other one. Against the one called \"again\" it is the same code: a ratio that is not further from 1 than that says nothing. "
              "Latency is compared at the same rate alone. \"Preempted\" is how often a server was put aside for something else: many mean that the machine was not quiet, and then "
              "calls a second and latencies say little.", "", *ratios_table(comparison, found), "", "## Errors", "", *failures(found), ""]
    for load, stacks in found.items():
        lines += [f"## {load}", "", *load_table(stacks), ""]
    return "\n".join(lines)


PARTS = ["codec", "handler", "collector", "kernel", "rest"]


def share(part, result):
    """Of all samples of a server, those of a part, in percent."""
    parts = result["server_parts"]
    return 100 * parts[f"{part}_ns"] / max(sum(parts.values()), 1)


def codecs(comparison, about, found):
    lines = heading(f"RPC for Go: {comparison.title}", about, "bench/rpc/run")
    lines += [*stacks_list(comparison),
              "Shares of the server's CPU time in percent, by Go's profiler: the codec with all that it allocates; the service's own handler; the garbage collector where "
              "nothing else is charged for it; system calls; and the rest, which is the stack itself and Go's scheduler. CPU is that of getrusage, with the profiler.", ""]
    for load, stacks in found.items():
        lines += [f"## {load}", "", "| stack | server CPU, us a call | of it codec, us | codec, % | handler | collector | kernel | rest |", "|---|---:|---:|---:|---:|---:|---:|---:|"]
        for name, results in stacks.items():
            shares = [column(results, lambda r, part=part: share(part, r), "{:.1f}") for part in PARTS]
            lines.append(f"| {name} | {column(results, server_us)} | {column(results, lambda r: server_us(r) * share('codec', r) / 100)} | {' | '.join(shares)} |")
        lines.append("")
    return "\n".join([*lines, *failures(found), ""])


def per_connection(when, kind, result):
    return (result[when][kind] - result["before"][kind]) / result["connections"] / 1024


def idle_line(result):
    return (f"{per_connection('as_is', 'rss_bytes', result):.1f} KiB a connection as it is, "
            f"{per_connection('settled', 'rss_bytes', result):.1f} KiB once garbage is collected")


IDLE_KINDS = [("as_is", "rss_bytes"), ("as_is", "pss_bytes"), ("settled", "rss_bytes"), ("settled", "pss_bytes")]


def idle(_, about, found):
    lines = heading("RPC for Go: memory of idle connections", about, "bench/rpc/run")
    lines += ["KiB that a server has more for each of 10,000 connections over which one call of 1 KB went: a second later, and once garbage has been collected and "
              "free memory given back.", "", "| stack | RSS | PSS | RSS, collected | PSS, collected |", "|---|---:|---:|---:|---:|"]
    for name, results in found.items():
        cells = [column(results, lambda r: per_connection(when, kind, r), "{:.1f}") for when, kind in IDLE_KINDS]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    lines += ["", "## Targets", ""]
    for (name, other), target in IDLE_TARGETS.items():
        for when, said in (("as_is", "as it is"), ("settled", "collected")):
            value, low, high = ratio(found, name, other, lambda r: per_connection(when, "rss_bytes", r))
            lines.append(f"- {name} of {other}'s, {said}: {value:.2f} ({low:.2f} to {high:.2f}), target {target:.2f}: {'met' if value <= target else 'MISSED'}.")
    return "\n".join(lines) + "\n"
