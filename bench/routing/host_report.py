"""Tables of what the processes of one real host used."""

import math

import figures
from programs import WAYS

OURS = "local first"
OTHERS = [way for way in WAYS if way != OURS]
BASE = "round robin"
# What a way may fall behind an open rate.
RATE_KEPT = 0.95
# How far the measured share of calls that stay may be from that of the weights: in standard errors of as many draws, and for counts of processes that are not
# read at the same moment.
STANDARD_ERRORS, READING = 5, 0.005
ABOUT = """# One real host of the simulated fleet

Made by `{command}` in {rounds} rounds, on {machine}, with {version}. Medians of the rounds, with order statistics that hold them with 95 %; ratios are those of one round.

Of the services that `bench/routing/run` looks at in pools, seed 1, the service of rank {rank} was taken, since local first keeps {local:.1f} % of its calls on their host,
nearest to the {fleet:.1f} % of the calls of all: {instances:,} instances. The hosts are those with callers and an instance of it, in the order of what local first keeps there: the medians of three thirds of
their calls. Hosts without an instance keep nothing by any policy.

One process is the callers on the host, one its instance, and one stands for the instances of all other hosts, each at an address of its own, over TCP on loopback. CPU time is that of
all of these: what instances elsewhere do for the host's callers, the host's own instance does for callers elsewhere. TCP over a network device costs more than over loopback, so a call that
stays saves more than here.

Naive local keeps every call of these hosts, and so loads some instances with many times their fair share ([routing.md](routing.md)); that is not seen here.
"""


def cpu_us(result):
    """CPU time of all processes for each call."""
    return user_us(result) + system_us(result)


def user_us(result):
    return used_us(result, "user_us")


def system_us(result):
    return used_us(result, "system_us")


def used_us(result, kind):
    return sum(one[kind] for one in processes(result)) / max(result["calls"], 1)


def processes(result):
    return [result["callers"], result["elsewhere"], *result["here"]]


def local_share(result):
    here = sum(one["calls"] for one in result["here"])
    return here / max(here + result["elsewhere"]["calls"], 1)


def per_s(result):
    return result["calls"] / result["seconds"]


def preempted_per_s(result):
    return sum(one["preempted"] for one in processes(result)) / result["seconds"]


def saving(base, ours):
    """The share of CPU time that is saved, for each share of the calls that stay beyond those of the base."""
    return (1 - cpu_us(ours) / cpu_us(base)) / (local_share(ours) - local_share(base))


def line(result):
    errors = f", {result['errors']} ERRORS: {result['first_error']}" if result["errors"] else ""
    return (f"{cpu_us(result):,.2f} us ({user_us(result):,.2f} user), {percent(local_share(result))} stayed of {percent(result['promised_local_share'])}, {per_s(result):,.0f} calls/s, "
            f"p50 {result['p50_us']:,.0f} us, p99 {result['p99_us']:,.0f} us{errors}")


def kept_up(results):
    return not results[0]["rate"] or figures.median([per_s(result) for result in results]) >= RATE_KEPT * results[0]["rate"]


def percent(share, digits=1):
    return f"{100 * share:.{digits}f} %"


def ratio_cell(ways, other, of):
    if not kept_up(ways[OURS]) or not kept_up(ways[other]):
        return "the rate was not kept"
    # The kernel may have charged a short load no user time at all.
    pairs = [(of(theirs), of(ours)) for theirs, ours in zip(ways[other], ways[OURS]) if of(theirs) > 0]
    if not pairs:
        return "-"
    value, low, high = figures.ratio(*zip(*pairs))
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def saving_cell(ways):
    if not kept_up(ways[OURS]) or not kept_up(ways[BASE]):
        return "-"
    return figures.spread([saving(base, ours) for base, ours in zip(ways[BASE], ways[OURS])], "{:.2f}")


def host_name(host):
    return f"{percent(host['local_shares'][OURS])} stay"


def hosts_table(hosts):
    policies = list(dict.fromkeys(way.policy for way in WAYS.values()))
    lines = ["| host | calls from hosts that keep less | " + " | ".join(policies) + " |", "|---|---:|" + "---:|" * len(policies)]
    for host in hosts:
        lines.append(f"| {host['name']} | {percent(host['quantile'], 0)} | " + " | ".join(percent(host['local_shares'][policy]) for policy in policies) + " |")
    return lines


def ratios_table(found, of):
    lines = ["| host | load | " + " | ".join(f"of {other}" for other in OTHERS) + " |", "|---|---|" + "---|" * len(OTHERS)]
    for host, loads in found.items():
        for load, ways in loads.items():
            lines.append(f"| {host} | {load} | " + " | ".join(ratio_cell(ways, other, of) for other in OTHERS) + " |")
    return lines


def savings_table(found):
    lines = ["| load | " + " | ".join(found) + " |", "|---|" + "---:|" * len(found)]
    for load in next(iter(found.values())):
        lines.append(f"| {load} | " + " | ".join(saving_cell(loads[load]) for loads in found.values()) + " |")
    return lines


def is_as_promised(results):
    """Of all rounds together."""
    here = sum(one["calls"] for result in results for one in result["here"])
    calls = here + sum(result["elsewhere"]["calls"] for result in results)
    promised = results[0]["promised_local_share"]
    error = math.sqrt(promised * (1 - promised) / max(calls, 1))
    return abs(here / max(calls, 1) - promised) <= STANDARD_ERRORS * error + READING


def failures(found):
    lines = []
    for host, loads in found.items():
        for load, ways in loads.items():
            for name, results in ways.items():
                errors = sum(result["errors"] for result in results)
                if errors:
                    first = next(result["first_error"] for result in results if result["errors"])
                    lines.append(f"- {host}, {load}, {name}: {errors:,} calls failed, first by: {first}")
                if not is_as_promised(results):
                    lines.append(f"- {host}, {load}, {name}: another share of the calls stayed than the weights promise.")
    return lines or ["No call failed, and everywhere as many calls stayed as the weights promise."]


def load_table(ways):
    lines = ["| way | CPU, us a call | user | system | stayed | promised | p50, us | p99, us | calls/s | preempted/s |", "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for name, results in ways.items():
        def middle(of, results=results):
            return figures.median([of(result) for result in results])

        def spread(of, form, results=results):
            return figures.spread([of(result) for result in results], form)
        lines.append(f"| {name} | {spread(cpu_us, '{:,.2f}')} | {middle(user_us):,.2f} | {middle(system_us):,.2f} | {percent(middle(local_share), 2)} "
                     f"| {percent(results[0]['promised_local_share'], 2)} | {spread(lambda r: r['p50_us'], '{:,.0f}')} | {spread(lambda r: r['p99_us'], '{:,.0f}')} "
                     f"| {middle(per_s):,.0f} | {middle(preempted_per_s):,.0f} |")
    return lines


def text(about, found):
    seen = about["service"]
    head = ABOUT.format(command=" ".join(["bench/routing/run", *about["arguments"]]), rounds=about["rounds"], machine=about["machine"], version=about["version"],
                        rank=seen["rank"], local=100 * seen["local_share"], fleet=100 * seen["fleet_share"], instances=seen["instances"])
    lines = [head, *hosts_table(seen["hosts"]), "", *(f"- {name}: {way.about}" for name, way in WAYS.items()), "",
             "## CPU time of a call by local first, in relation to", "",
             f"Against \"{OURS} again\" it is the same code: a ratio that is not further from 1 than that says nothing.", "", *ratios_table(found, cpu_us), "",
             "The same of user time:", "", *ratios_table(found, user_us), "",
             "## What a call saves that stays", "",
             f"Percent of the CPU time by {BASE} that local first saves, for each 1 % of the calls that stay.", "", *savings_table(found), "",
             "## Errors", "", *failures(found), ""]
    for host, loads in found.items():
        for load, ways in loads.items():
            lines += [f"## {host}; {load}", "", *load_table(ways), ""]
    return "\n".join(lines)
