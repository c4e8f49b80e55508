"""Tables of what was measured."""

import figures
from parts import AGAIN, CPU_VARIANTS, DEFAULT, GC_VARIANTS

MIB = 1 << 20
# Of Go's default.
THROTTLED_TARGET = 0.5
# Part of the requests that must be finished at the end for a rate to count as kept.
RATE_KEPT = 0.97


def request_us(result):
    return result["used_us"] / max(result["load"]["finished"], 1)


def throttled_ms(result):
    """Milliseconds in a second."""
    return result["throttled_us"] / 1000 / result["load"]["seconds"]


def throttled_share(result):
    return result["throttled"] / max(result["periods"], 1)


def p50_ms(result):
    return result["load"]["p50_ms"]


def p99_ms(result):
    return result["load"]["p99_ms"]


def collecting_share(result):
    """Of the CPU time used, that of collections; with what they did on CPUs that nobody else wanted."""
    load = result["load"]
    return (load["after"]["collecting_s"] - load["before"]["collecting_s"]) * 1e6 / max(result["used_us"], 1)


def peak_mib(result):
    return (result["peak_bytes"] or 0) / MIB


def is_whole(result):
    return result["load"] is not None and result["service_lived"]


def line(result):
    if not is_whole(result):
        return f"ended early, {result['oom_kills']} killed for want of memory"
    load = result["load"]
    return (f"{request_us(result):,.0f} us a request, p50 {p50_ms(result):.1f} ms, p99 {p99_ms(result):.1f} ms, throttled {throttled_ms(result):.0f} ms/s, "
            f"{throttled_share(result):.0%} of periods, GOMAXPROCS {load['after']['procs']}, GOGC {load['after']['gogc']}, "
            f"collections {collecting_share(result):.0%}, peak {peak_mib(result):.0f} MiB, {load['finished']} of {load['requests']} done"
            + (f", {load['errors']} ERRORS: {load['first_error']}" if load["errors"] else ""))


def sawtooth_line(result):
    if not result["teeth"]:
        return f"{result['ending']}, {result['oom_kills']} killed for want of memory"
    told = result["teeth"]
    return (f"{told['seconds']:.1f} s, collections {sawtooth_share(result):.0%} of {result['used_us'] / 1e6:.1f} s of CPU time, {told['collections']} of them, "
            f"peak {peak_mib(result):.0f} MiB")


def sawtooth_share(result):
    return result["teeth"]["collecting_s"] * 1e6 / result["used_us"]


def heading(title, part, told):
    command = " ".join(["bench/tune/run", *told["arguments"]])
    return [f"# {title}", "",
            f"Part {part}, made by `{command}` in {told['rounds']} rounds on {told['machine']}, in control groups of version {told['control_groups']}, with "
            f"{', '.join(told['versions'])}. The command says what is measured and how. Medians of the rounds, with order statistics that hold them with 95 %; "
            "ratios are those of one round.", ""]


def variant_list(variants, named):
    return [*(f"- {name}: {variant.about}" for name, variant in variants.items() if name in named), ""]


def table(results, columns):
    """Of variants, what each column makes of their whole results."""
    lines = ["| variant | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for name, of in results.items():
        whole = [result for result in of if is_whole(result)]
        cells = [figures.spread([column(result) for result in whole], form, scale) if whole else "-" for column, form, scale in columns.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |" + ("" if len(whole) == len(of) else f" {len(of) - len(whole)} of {len(of)} ended early"))
    return lines


def ratio(results, name, column):
    """Of pairs of one round, of which the default's is not 0."""
    pairs = [(column(old), column(new)) for old, new in zip(results[DEFAULT], results[name]) if is_whole(old) and is_whole(new)]
    pairs = [(old, new) for old, new in pairs if old > 0]
    return figures.ratio(*zip(*pairs)) if pairs else None


def ratio_cell(value, target=None):
    if value is None:
        return "-"
    middle, low, high = value
    said = "" if target is None else f", target {target}: {'met' if middle <= target else 'MISSED'}"
    return f"{middle:.2f} ({low:.2f} to {high:.2f}){said}"


def ratios(found, columns, targets):
    """Of the default's. targets are those of a variant and column."""
    lines = ["| | variant | " + " | ".join(columns) + " |", "|---|---|" + "---|" * len(columns)]
    for case, results in found.items():
        for name in results:
            if name != DEFAULT:
                cells = [ratio_cell(ratio(results, name, column), targets.get((name, head))) for head, column in columns.items()]
                lines.append(f"| {case} | {name} | {' | '.join(cells)} |")
    return lines


def failures(found):
    lines = []
    for case, results in found.items():
        for name, of in results.items():
            early = sum(not is_whole(result) for result in of)
            whole = [result["load"] for result in of if is_whole(result)]
            errors, behind = sum(load["errors"] for load in whole), sum(load["finished"] < RATE_KEPT * load["requests"] for load in whole)
            for count, what in ((early, "runs ended early"), (errors, "requests failed"), (behind, "runs did not keep up with their rate")):
                if count:
                    lines.append(f"- {case}, {name}: {count} {what}.")
    return lines or ["Every run was whole, kept its rate, and no request failed."]


def cases(found, told, columns):
    lines = []
    for case, results in found.items():
        lines += [f"## {case[0].upper()}{case[1:]}", "", f"{told['rates'][case]:,} requests a second.", "", *table(results, columns), ""]
    return lines


REQUEST_COLUMNS = {
    "CPU, us a request": (request_us, "{:,.0f}", 1),
    "p50, ms": (p50_ms, "{:,.1f}", 1),
    "p99, ms": (p99_ms, "{:,.1f}", 1),
    "collections, of CPU time": (collecting_share, "{:.0f} %", 100),
}
QUOTA_COLUMNS = {
    "throttled, ms/s": (throttled_ms, "{:,.1f}", 1),
    "periods throttled": (throttled_share, "{:.0f} %", 100),
    **REQUEST_COLUMNS,
    "GOMAXPROCS at the end": (lambda result: result["load"]["after"]["procs"], "{:.0f}", 1),
}
MEMORY_COLUMNS = {
    **REQUEST_COLUMNS,
    "peak memory, MiB": (peak_mib, "{:,.0f}", 1),
    "GOGC at the end": (lambda result: result["load"]["after"]["gogc"], "{:.0f}", 1),
}


def quota(told):
    found = told["found"]
    named = {name for results in found.values() for name in results}
    return "\n".join([*heading("GOMAXPROCS under a CPU quota", "quota", told), *variant_list(CPU_VARIANTS, named),
                      "" if len(named) == len(CPU_VARIANTS) else "\"Old Go\" is left out where it is the default, as the machine has no more CPUs.\n",
                      "## Ratios and targets", "", f"Of the default's. What is no further from 1 than that of \"{AGAIN}\" says nothing. Throttled time is that of rounds in which the default was throttled at all.", "",
                      *ratios(found, {"throttled time": throttled_ms, "p99": p99_ms, "CPU a request": request_us}, {("tune.CPU", "throttled time"): THROTTLED_TARGET}),
                      "", *failures(found), "", *cases(found, told, QUOTA_COLUMNS)])


def memory(told):
    found = told["found"]
    return "\n".join([*heading("GOGC under a memory limit", "memory", told), *variant_list(GC_VARIANTS, GC_VARIANTS),
                      "## Ratios", "", f"Of the default's. What is no further from 1 than that of \"{AGAIN}\" says nothing.", "",
                      *ratios(found, {"CPU a request": request_us, "p99": p99_ms, "peak memory": peak_mib}, {}),
                      "", *failures(found), "", *cases(found, told, MEMORY_COLUMNS)])


def sawtooth(told):
    lines = [*heading("Live memory that rises to 95 % of a limit and falls", "sawtooth", told), *variant_list(GC_VARIANTS, GC_VARIANTS),
             "| variant | killed for want of memory | other ends | seconds | collections, of CPU time | collections | CPU, s | peak memory, MiB |",
             "|---|---:|---|---:|---:|---:|---:|---:|"]
    for name, results in told["found"].items():
        whole = [result for result in results if result["teeth"]]
        others = [result["ending"] for result in results if not result["teeth"] and not result["oom_kills"]]
        cells = ["-"] * 5
        if whole:
            cells = [figures.spread([of(result) for result in whole], form, scale) for of, form, scale in (
                (lambda result: result["teeth"]["seconds"], "{:.2f}", 1), (sawtooth_share, "{:.0f} %", 100),
                (lambda result: result["teeth"]["collections"], "{:.0f}", 1), (lambda result: result["used_us"] / 1e6, "{:.2f}", 1), (peak_mib, "{:.0f}", 1))]
        killed = sum(result["oom_kills"] > 0 for result in results)
        lines.append(f"| {name} | {killed} of {len(results)} | {', '.join(others) or '-'} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


REPORTS = {"quota": quota, "memory": memory, "sawtooth": sawtooth}
