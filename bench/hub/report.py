"""The results of bench/hub/run in words and tables: fleet.md, with what a hub needs by the size of the fleet."""

import statistics

MIB, GIB = 2**20, 2**30
DAY_S = 86_400
# Targets of the hub; a miss stays in the results.
CPU_US, CORE_DAY_MB, RSS_MIB = 2, 2, 512
VIEW_S = {"folder": {"view, 1 day": 0.3, "view, 7 days": 2.5}, "bucket": {"view, 1 day": 1.0, "view, 7 days": 2.5}}
PAGE_S, MERGED_S = 1, 5
RATE_HZ = 19


def of(results):
    lines = ["# What the fleet hub costs", "", "Made by `bench/hub/run`, which says how. Raw: fleet.json.", "",
             f"Machine: {results['machine']}; load average {results['load_before']:.1f} at the start" + "".join(
                 f", {results[part]['load']:.1f} after {part}" for part in ["live", "dense", "day", "history"] if part in results) + "."]
    if results["is_quick"]:
        lines += ["", "**For orientation**: `--quick`, beside other work on the machine. Times of questions are then too long, CPU times a little."]
    for part in [targets, pools, live, dense, questions, history, sizing]:
        lines += part(results) or []
    return "\n".join(lines) + "\n"


def targets(results):
    lines = ["", "| figure | target | measured | |", "|---|---|---|---|"]
    for name, target, value, is_reached in judged(results):
        reached = "reached, of that part" if "of 120 rounds" in name else "reached"
        lines.append(f"| {name} | {target} | {value} | {reached if is_reached else '**missed**'} |")
    return lines


def judged(results):
    """Each target, with what was measured."""
    if live := results.get("live"):
        cost = cpu_us(results)
        yield "CPU time of a sample, compaction included", f"<= {CPU_US} us", f"{cost['all']:.2f} us", cost["all"] <= CPU_US
        peak = live["pace"]["peak_pss_bytes"] / MIB
        hosts = results["fleet"]["hosts"]
        yield f"memory with {hosts:,} hosts that send", f"<= {RSS_MIB} MiB", f"{peak:,.0f} MiB", peak <= RSS_MIB
    if "dense" in results:
        stored = core_day_mb(results)
        yield "stored of a core and day, half busy, all in", f"<= {CORE_DAY_MB} MB", f"{stored:.2f} MB", stored <= CORE_DAY_MB
    if day := results.get("day"):
        median = statistics.median(one["s"] for one in day["folder"]["view, 1 day"])
        limit = VIEW_S["folder"]["view, 1 day"]
        what = f"{day['spec']['hosts']} hosts, {day['spec']['hours']} hours, every round"
        yield f"flame graph of a service-day, folder, p50: {what}", f"<= {limit} s", f"{median:.2f} s", median <= limit
    if history := results.get("history"):
        thin = f" with {history['spec']['rounds_of_hour']} of 120 rounds"
        for place in ["folder", "bucket"]:
            for kind, asked in (history[place] or {}).items():
                limit = VIEW_S[place].get(kind)
                median = statistics.median(one["s"] for one in asked)
                if limit:
                    yield f"{kind}, {place}, p50{thin}", f"<= {limit} s", f"{median:.2f} s", median <= limit
            if history[place]:
                peak = max(one["peak_pss_bytes"] for asked in history[place].values() for one in asked) / MIB
                yield f"memory with questions, {place}{thin}", f"<= {RSS_MIB} MiB", f"{peak:,.0f} MiB", peak <= RSS_MIB
        if history["page"]:
            median = statistics.median(one["chart_ms"] for one in history["page"]) / 1000
            yield "the page opens, until the chart is drawn", f"< {PAGE_S} s", f"{median:.2f} s", median < PAGE_S
        merged = history["merged"]
        days = results["size"]["days"]
        yield f"profile of {merged['hosts']} hosts and {days} days of a service{thin}", f"<= {MERGED_S} s", f"{merged['whole_s']:.2f} s", merged["whole_s"] <= MERGED_S


def cpu_us(results):
    """CPU microseconds of a sample: taking it, compacting it, and both."""
    sent = results["live"]["pace"]
    # Compaction is counted once, where it is of a whole day.
    taken = (sent["hub_cpu_s"] - sent["by_thread_cpu_s"].get("compaction", 0)) / sent["samples"] * 1e6
    compacted = 0.0
    if "dense" in results:
        filled = results["dense"]["filled"]
        compacted = filled["compaction"]["cpu_s"] / filled["samples"] * 1e6
    return {"taken": taken, "compacted": compacted, "all": taken + compacted}


def core_days(part):
    return part["hosts"] * part["cores"] * part["hours"] / 24


def core_day_mb(results):
    dense = results["dense"]
    return sum(dense["tables"].values()) / core_days(dense) / 1e6


def pools(results):
    lines = ["", "## Stacks of the recorded programs", "",
             "| program | samples | different stacks | mean depth | seen once | growth with twice the samples |", "|---|---:|---:|---:|---:|---:|"]
    for name, pool in results["pools"].items():
        half, whole = pool["stacks_of_parts"][-2:]
        lines.append(f"| {name} | {pool['samples']:,.0f} | {pool['stacks']:,} | {pool['mean_depth']:.0f} | {pool['seen_once'] / pool['samples']:.1%} of samples | "
                     f"{whole['stacks'] / half['stacks']:.2f}x |")
    return lines + ["", "The share of samples whose stack was seen once is, by Good and Turing, the chance that one more sample has a new stack. A replayed fleet has no "
                    "stacks beyond these: a fleet whose stacks go on growing as the last column says stores more of them."]


ASKED = ["| question | where | p50 | p95 | CPU time, p50 | bytes of the answer | most memory | less told apart |", "|---|---|---:|---:|---:|---:|---:|---|"]


def asked_rows(part, place):
    for kind, asked in sorted((part.get(place) or {}).items()):
        seconds = sorted(one["s"] for one in asked)
        left_out = sorted({one["left_out"] for one in asked if one["left_out"]})
        yield (f"| {kind} | {place} | {statistics.median(seconds):.2f} s | {seconds[int(len(seconds) * 0.95)]:.2f} s | "
               f"{statistics.median(one['cpu_s'] for one in asked):.2f} s | {statistics.median(one['bytes'] for one in asked):,.0f} | "
               f"{max(one['peak_pss_bytes'] for one in asked) / MIB:,.0f} MiB | {', '.join(left_out) or 'no'} |")


def live(results):
    if "live" not in results:
        return []
    lines = ["", "## Taking batches", "",
             "| | batches a second | samples a second | CPU us a sample | CPU us a batch | bytes a batch | answered in, p50 and p99 | refused | memory |",
             "|---|---:|---:|---:|---:|---:|---|---:|---:|"]
    for name, title in [("pace", f"{results['fleet']['hosts']:,} hosts at their pace"), ("flood", "as fast as the hub takes")]:
        part = results["live"][name]
        lines.append(
            f"| {title} | {part['batches'] / part['wall_s']:,.0f} | {part['samples'] / part['wall_s']:,.0f} | {part['hub_cpu_s'] / part['samples'] * 1e6:.2f} | "
            f"{part['hub_cpu_s'] / part['batches'] * 1e6:,.0f} | {part['batch_bytes'] / part['batches']:,.0f} | {part['wait_p50_s'] * 1000:.1f} and "
            f"{part['wait_p99_s'] * 1000:.1f} ms | {part['refused']} | {part['peak_pss_bytes'] / MIB:,.0f} MiB |")
    asked = results["live"]["asked"]
    return lines + ["", f"Questions of the last hour after that, of which {asked['segment_bytes'] / MIB:,.0f} MiB of batches were not compacted yet:", "",
                    *ASKED, *asked_rows(asked, "folder")]


def dense(results):
    if "dense" not in results:
        return []
    part, days = results["dense"], core_days(results["dense"])
    filled = part["filled"]
    rows = part["rows"]
    lines = ["", "## What is stored", "",
             f"{part['hosts']} hosts of {part['services']} services, with {part['cores']} cores, half busy, every round of {part['hours']} hours: {filled['samples']:,} samples in {filled['batches']:,} batches.", "",
             "| | MB per core and day | bytes a sample |", "|---|---:|---:|"]
    amounts = [("batches as they came", filled["batch_bytes"]), ("files of hours", filled["compaction"]["file_bytes"]), ("files of a day, a week later", part["week_later"]["file_bytes"])]
    lines += [f"| {name} | {size / days / 1e6:.2f} | {size / filled['samples']:.2f} |" for name, size in amounts]
    lines += ["", "| table | rows | bytes a row | MB per core and day | a week later |", "|---|---:|---:|---:|---:|"]
    for table, size in sorted(part["tables"].items(), key=lambda pair: -pair[1]):
        later = part["tables_week_later"].get(table, 0)
        count = rows.get(table)
        each = f"{count:,} | {size / count:.1f}" if count else " | "
        lines.append(f"| {table} | {each} | {size / days / 1e6:.3f} | {later / days / 1e6:.3f} |")
    cost = filled["compaction"]
    lines += ["", f"Compaction took {cost['cpu_s'] / filled['samples'] * 1e6:.2f} us of CPU time a sample, {cost['longest_s']:.1f} s the longest hour. "
              f"New stacks: {rows.get('stacks', 0) / filled['samples']:.2%} of the samples, {rows.get('samples', 0) / filled['samples']:.2f} rows a sample."]
    return lines


def filled_in_words(filled):
    return (f"{filled['samples']:,} samples in {filled['batches']:,} batches, {filled['compaction']['file_bytes'] / MIB:,.1f} MiB in {filled['compaction']['files']:,} files")


def questions(results):
    """One service-day, with all that its hosts send."""
    if "day" not in results:
        return []
    part = results["day"]
    return ["", "## A service-day with every round", "",
            f"{part['spec']['hosts']} hosts of one service for {part['spec']['hours']} hours: {filled_in_words(part['filled'])}.", "", *ASKED, *asked_rows(part, "folder")]


def history(results):
    if "history" not in results:
        return []
    part, size = results["history"], results["size"]
    spec = part["spec"]
    lines = ["", "## Many services and days", "",
             f"{spec['hosts']:,} hosts, {size['days']} days, {spec['rounds_of_hour']} of the 120 rounds of an hour: {filled_in_words(part['filled'])}. "
             "Twenty services; a question is about one. What grows with rows takes longer where all rounds come.", "", *ASKED]
    for place in ["folder", "bucket"]:
        lines += asked_rows(part, place)
    lines += ["", "The bucket is moto's server on the same machine, in Python: its answers take CPU time here, but no way through a network." if part["bucket"] else
              "No server with the API of S3 is installed: `scripts/hub-peers` gets one."]
    if part["page"]:
        chart, view = ([one[key] / 1000 for one in part["page"]] for key in ["chart_ms", "view_ms"])
        lines += ["", f"The page of a service's day, in headless Chromium, from the start of loading until the chart is drawn: {statistics.median(chart):.2f} s (most {max(chart):.2f}); "
                  f"until the flame graph is loaded: {statistics.median(view):.2f} s (most {max(view):.2f})."]
    merged = part["merged"]
    lines += ["", f"`{merged['form']}` profile of {merged['service']}, {size['days']} days: {merged['asked_s']:.2f} s for the hub's answers of each day, {merged['read_s']:.2f} s to read them, "
              f"{merged['make_s']:.2f} s to make it of {merged['hosts']} hosts ({'fit' if merged['is_fit'] else 'not fit'} to be used); left out of answers: "
              f"{', '.join(sorted({kind for kind in merged['left_out'] if kind})) or 'nothing'}."]
    return lines


def sizing(results):
    if not {"live", "dense"} <= results.keys():
        return []
    cost, sent, part = cpu_us(results), results["live"]["pace"], results["dense"]
    filled = part["filled"]
    hourly = core_day_mb(results) * 1e6
    daily = part["week_later"]["file_bytes"] / core_days(part)
    batch = filled["batch_bytes"] / filled["batches"]
    lines = ["", "## What a fleet needs", "",
             f"Reckoned from the above: hosts with {part['cores']} cores, half busy, {RATE_HZ} samples a second of a busy core, a batch in 30 s; 7 days by hour and host, 400 days in all.", "",
             "| hosts | batches a second | traffic | CPU of the hub, cores | files of 7 days | files of 400 days |", "|---:|---:|---:|---:|---:|---:|"]
    for hosts in [10, 100, 1000, 10_000]:
        cores = hosts * part["cores"]
        samples_s = sent["samples"] / sent["batches"] / 30 * hosts
        lines.append(f"| {hosts:,} | {hosts / 30:,.1f} | {hosts / 30 * batch / 1e6:.2f} MB/s | {samples_s * cost['all'] / 1e6:.3f} | {cores * hourly * 7 / GIB:,.1f} GiB | "
                     f"{cores * (hourly * 7 + daily * 393) / GIB:,.1f} GiB |")
    return lines
