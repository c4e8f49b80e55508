"""Tables of what was simulated."""

import figures

COLUMNS = {
    "calls on their host": (lambda f: f["local_share"], "{:.1f} %", 100),
    "of small services": (lambda f: f["local_share_small"], "{:.1f} %", 100),
    "in their zone": (lambda f: f["zone_share"], "{:.0f} %", 100),
    "load, least": (lambda f: f["load_least"], "{:.2f}", 1),
    "p1": (lambda f: f["load_p01"], "{:.2f}", 1),
    "p99": (lambda f: f["load_p99"], "{:.2f}", 1),
    "most": (lambda f: f["load_most"], "{:.2f}", 1),
    "instances called from a host": (lambda f: f["called_mean"], "{:,.0f}", 1),
    "churn, failure": (lambda f: f["churn"]["failure"], "{:.2f}", 1),
    "deploy": (lambda f: f["churn"]["deploy"], "{:.2f}", 1),
    "rates": (lambda f: f["churn"]["rates"], "{:.2f}", 1),
}
NAMES = {"pools": "Services that call each other share pools of hosts", "spread": "Instances anywhere"}
ABOUT = """# Who calls whom in a simulated fleet

`bench/routing/run`: {hosts:,} hosts, {services:,} services, {instances:,} instances; one service in ten was looked at, {sampled} that others call, with {smallest:,} to {largest:,} instances. {seeds} seeds: medians (least
to most). Shares of calls count services by their instances; small services have fewer than 200 instances. Loads are in relation to fair shares. Churn is the share of weights that an event moves, in relation to the share of the service that it is about: 1 is what has to move.
"""
POLICIES = """
| way to choose | what it does |
|---|---|
| round robin | turns by capacity |
| zone aware | as Envoy: each calling service counts its own instances and those that it calls, by zone |
| naive local | instances of the caller's host if there are any, else all |
| local first | package `hone/go/rpc/policy/localfirst`, by the true rates of all callers, with the default tolerance of 5 % |
| local first, 20 others | the same with `Subset: 20` |
| local first, rates of services | the same by the mean rate of each calling service, in proportion to capacities: single instances are a third above or below |
| local first, equal rates | the same as if all calling services called equally often, in proportion to capacities: some call ten times as often as others |
"""


def cell(results, policy, column):
    of, form, scale = COLUMNS[column]
    values = [of(result["policies"][policy]) * scale for result in results]
    if max(values) - min(values) < 1e-6:
        return form.format(values[0])
    middle, *ends = (form.format(value) for value in (figures.median(values), min(values), max(values)))
    return middle if ends == [middle, middle] else f"{middle} ({' to '.join(end.removesuffix(' %') for end in ends)})"


def table(results):
    lines = ["| way to choose | " + " | ".join(COLUMNS) + " |", "|---|" + "---:|" * len(COLUMNS)]
    order = [line.split(" | ")[0].removeprefix("| ") for line in POLICIES.splitlines()[3:]]
    for policy in order:
        lines.append(f"| {policy} | " + " | ".join(cell(results, policy, column) for column in COLUMNS) + " |")
    return "\n".join(lines)


def text(found):
    first = found["pools"][0]
    sizes = first["sampled_instances"]
    about = ABOUT.format(**{key: first[key] for key in ("hosts", "services", "instances")}, sampled=len(sizes), smallest=min(sizes), largest=max(sizes),
                         seeds=len(found["pools"]))
    tables = "".join(f"\n## {NAMES[placement]}\n\n{table(results)}\n" for placement, results in found.items())
    return about + POLICIES + tables
