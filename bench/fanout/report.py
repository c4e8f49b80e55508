"""Tables of what was simulated."""

ABOUT = """# Fan-outs to one service, simulated

`bench/fanout/run`: each request makes {calls} calls at a time, of {work_ms} ms of CPU time each (5 to 15, evenly spread), to a service with {cpus} CPUs, and is answered where all are within {deadline_ms} ms.
The service can answer {capacity:.0f} requests a second. Load is what comes and goodput what is answered in time, in relation to that, over {seconds} s. Work that callers have given up goes on.

| way to bound calls | what it does |
|---|---|
| no limit | every request begins all its calls at once |
| 2 calls per request | of each request 2 are under way at a time, as with `SetLimit(2)` of golang.org/x/sync/errgroup |
| limit of the service | `limit.Adaptive` at the service, which refuses single calls; a request fails at its first refused call |
| fan-out | package `hone/go/rpc/policy/fanout` at the callers, with its defaults |
"""
TITLES = {
    "article": "The example",
    "stopped": "The service stops work that callers have given up",
    "call timeout": "A call has 30 ms once it has begun",
    "4 callers": "Four processes call, each with a limit of its own",
    "16 CPUs": "16 CPUs",
    "16 CPUs, 8 callers": "16 CPUs, eight processes call",
    "16 CPUs, exponential": "16 CPUs, CPU times of calls spread exponentially",
}
ORDER = ["no limit", "2 calls per request", "limit of the service", "fan-out"]


def percent(share):
    return f"{100 * share:.0f} %"


def goodput(scenario):
    loads = [load["load"] for load in scenario["policies"]["fan-out"]["loads"]]
    lines = ["| goodput at a load of | " + " | ".join(f"{load:g}" for load in loads) + " | after a burst |", "|---|" + "---:|" * (len(loads) + 1)]
    for name in ORDER:
        found = scenario["policies"][name]
        after = found["recovery_seconds"]
        cells = [percent(load["goodput"]) for load in found["loads"]] + [f"{after} s" if after >= 0 else "never"]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def details(scenario):
    lines = ["| | load | answered in time | CPU time for requests that fail | mean time of those answered |", "|---|---:|---:|---:|---:|"]
    for name in ORDER:
        for load in scenario["policies"][name]["loads"]:
            took = f"{load['mean_ms']:.0f} ms" if load["goodput"] else ""
            lines.append(f"| {name} | {load['load']:g} | {percent(load['answered'])} | {percent(load['wasted'])} | {took} |")
    return "\n".join(lines)


def text(found, seconds):
    example = found[0]["example"]
    capacity = example["cpus"] / example["calls"] / (example["work_ms"] / 1000)
    burst = "After a burst: seconds until 9 of 10 requests are answered in time again at a load of 0.5, once 5 s of a load of 3 are over.\n"
    parts = [ABOUT.format(**example, capacity=capacity, seconds=seconds)]
    parts += [f"## {TITLES[scenario['name']]}\n\n{goodput(scenario)}\n" for scenario in found]
    parts.insert(2, burst)
    parts.append(f"## The example, in detail\n\n{details(found[0])}\n")
    return "\n".join(parts)
