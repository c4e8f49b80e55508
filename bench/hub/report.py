"""The results of bench/hub/run in words and tables: fleet.md, with what a hub needs by the size of the fleet."""

import statistics

MIB, GIB = 2**20, 2**30
DAY_S = 86_400
# Targets of the hub; a miss stays in the results.
CPU_US, CORE_DAY_MB, RSS_MIB = 2, 2, 512
VIEW_S = {"folder": {"view, 1 day": 0.3, "view, 7 days": 2.5}, "bucket": {"view, 1 day": 1.0, "view, 7 days": 2.5}}
PAGE_S, MERGED_S = 1, 5
RATE_HZ = 19
# Hosts at their pace: with few cores, and with many.
PACES = ["pace", "wide"]


def of(results):
    lines = ["# What the fleet hub costs", "", "Made by `bench/hub/run`, which says how. Raw: fleet.json.", "", *made(results)]
    if results["is_quick"]:
        lines += ["", "**For orientation**: `--quick`, beside other work on the machine. Times of questions are then too long, CPU times a little."]
    for part in [targets, pools, live, hour, dense, questions, history, profiles, beside_parca, sizing]:
        lines += part(results) or []
    return "\n".join(lines) + "\n"


def made(results):
    """Where and when each part was made: a part may be made alone, on another machine."""
    parts_of = {}
    for part, facts in results["made"].items():
        parts_of.setdefault((facts["machine"], facts["load_before"]), []).append((part, facts["load"]))
    return [f"- {machine}: load average {before:.1f} at the start, " + ", ".join(f"{load:.1f} after {part}" for part, load in parts) + "."
            for (machine, before), parts in parts_of.items()]


def targets(results):
    lines = ["", "| figure | target | measured | |", "|---|---|---|---|"]
    for name, target, value, is_reached in judged(results):
        reached = "reached, of that part" if "of 120 rounds" in name else "reached"
        lines.append(f"| {name} | {target} | {value} | {reached if is_reached else '**missed**'} |")
    return lines


def judged(results):
    """Each target, with what was measured."""
    if live := results.get("live"):
        hosts = results["fleet"]["hosts"]
        for name in PACES:
            cores, peak = live[name]["cores"], live[name]["peak_pss_bytes"] / MIB
            if "hour" in results:
                cost = cpu_us(results, name)
                yield f"CPU time of a sample, compaction included, hosts with {cores} cores", f"<= {CPU_US} us", f"{cost['all']:.2f} us", cost["all"] <= CPU_US
            yield f"memory with {hosts:,} hosts with {cores} cores that send", f"<= {RSS_MIB} MiB", f"{peak:,.0f} MiB", peak <= RSS_MIB
        asked = live["asked"]
        peak = max(one["peak_pss_bytes"] for kind in asked["folder"].values() for one in kind) / MIB
        what = f"memory with questions of the last hour, of which {asked['segment_bytes'] / MIB:,.0f} MiB are not compacted"
        yield what, f"<= {RSS_MIB} MiB", f"{peak:,.0f} MiB", peak <= RSS_MIB
    for part in results.get("dense", {}).values():
        stored = core_day_mb(part)
        yield f"stored of a core and day, half busy, all in, hosts with {part['cores']} cores", f"<= {CORE_DAY_MB} MB", f"{stored:.2f} MB", stored <= CORE_DAY_MB
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
    for form, part in results.get("profile", {}).items():
        spec = part["spec"]
        median = statistics.median(one["s"] for one in part["made"])
        what = f"{form} of a service of {spec['hosts']:,} hosts and {spec['hours'] // 24} days with {spec['rounds_of_hour']} of 120 rounds, p50"
        yield what, f"<= {MERGED_S} s", f"{median:.2f} s", median <= MERGED_S
        peak = max(one["peak_pss_bytes"] for one in part["made"]) / MIB
        yield f"memory with {form}", f"<= {RSS_MIB} MiB", f"{peak:,.0f} MiB", peak <= RSS_MIB


def cpu_us(results, pace):
    """CPU microseconds of a sample: taking it, compacting it, and both."""
    sent = results["live"][pace]
    # Compaction is counted once, where all that was taken is compacted.
    taken = (sent["hub_cpu_s"] - sent["by_thread_cpu_s"].get("compaction", 0)) / sent["samples"] * 1e6
    filled = results["hour"][str(sent["cores"])]
    compacted = filled["compaction"]["cpu_s"] / filled["samples"] * 1e6
    return {"taken": taken, "compacted": compacted, "all": taken + compacted}


def busy_share(results):
    """Part of the time for which cores of hosts with few of them were busy while they sent: services have busy hours."""
    sent = results["live"]["pace"]
    return sent["samples"] / (sent["batches"] * 30 * sent["cores"] * RATE_HZ)


def core_days(part):
    return part["hosts"] * part["cores"] * part["hours"] / 24


def core_day_mb(part):
    return sum(part["tables"].values()) / core_days(part) / 1e6


def pools(results):
    lines = ["", "## Stacks of the recorded programs", "", "Where parts were made on several machines: as recorded for the last one.", "",
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
        if refused := sum(one.get("is_too_large", False) for one in asked):
            left_out.append(f"{refused} of {len(asked)} refused as too large")
        yield (f"| {kind} | {place} | {statistics.median(seconds):.2f} s | {seconds[int(len(seconds) * 0.95)]:.2f} s | "
               f"{statistics.median(one['cpu_s'] for one in asked):.2f} s | {statistics.median(one['bytes'] for one in asked):,.0f} | "
               f"{max(one['peak_pss_bytes'] for one in asked) / MIB:,.0f} MiB | {'; '.join(left_out) or 'no'} |")


def live(results):
    if "live" not in results:
        return []
    lines = ["", "## Taking batches", "",
             "| | batches a second | samples a second | CPU us a sample | CPU us a batch | bytes a batch | answered in, p50 and p99 | refused | memory |",
             "|---|---:|---:|---:|---:|---:|---|---:|---:|"]
    for name, part in [(name, results["live"][name]) for name in [*PACES, "flood"]]:
        title = f"{results['fleet']['hosts']:,} hosts with {part['cores']} cores, {'as fast as the hub takes' if name == 'flood' else 'at their pace'}"
        lines.append(
            f"| {title} | {part['batches'] / part['wall_s']:,.0f} | {part['samples'] / part['wall_s']:,.0f} | {part['hub_cpu_s'] / part['samples'] * 1e6:.2f} | "
            f"{part['hub_cpu_s'] / part['batches'] * 1e6:,.0f} | {part['batch_bytes'] / part['batches']:,.0f} | {part['wait_p50_s'] * 1000:.1f} and "
            f"{part['wait_p99_s'] * 1000:.1f} ms | {part['refused']} | {part['peak_pss_bytes'] / MIB:,.0f} MiB |")
    asked = results["live"]["asked"]
    return lines + ["", f"Questions of the last hour after that, of which {asked['segment_bytes'] / MIB:,.0f} MiB of batches were not compacted yet:", "",
                    *ASKED, *asked_rows(asked, "folder")]


def hour(results):
    if "hour" not in results:
        return []
    lines = ["", "## Compacting them", "", "| hosts with | samples | batches | rows a sample | CPU us a sample | CPU us a batch |", "|---|---:|---:|---:|---:|---:|"]
    for cores, filled in results["hour"].items():
        cpu_s = filled["compaction"]["cpu_s"]
        lines.append(f"| {cores} cores | {filled['samples']:,} | {filled['batches']:,} | {filled['rows'] / filled['samples']:.2f} | "
                     f"{cpu_s / filled['samples'] * 1e6:.2f} | {cpu_s / filled['batches'] * 1e6:,.0f} |")
    return lines


def dense(results):
    lines = []
    for part in results.get("dense", {}).values():
        days, filled, rows = core_days(part), part["filled"], part["rows"]
        lines += ["", f"## What is stored of hosts with {part['cores']} cores", "",
                  f"{part['hosts']} hosts of {part['services']} services, half busy, every round of {part['hours']} hours: {filled['samples']:,} samples in {filled['batches']:,} batches.", "",
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
    return lines


def profiles(results):
    """The compiler profile of one service that all hosts run."""
    if "profile" not in results:
        return []
    lines = ["", "## The compiler profile of a service", "", "| form | program | hosts | days | rounds of an hour | rows of branches | seconds, p50 and most | CPU time, p50 | most memory | made of | |",
             "|---|---|---:|---:|---:|---:|---:|---:|---:|---|---|"]
    for form, part in results["profile"].items():
        spec, made, last = part["spec"], part["made"], part["made"][-1]
        seconds = [one["s"] for one in made]
        branches = sum(part["rows"].get(table, 0) for table in ["branches", "ranges"])
        lines.append(f"| {form} | {part['program']} | {spec['hosts']:,} | {spec['hours'] // 24} | {spec['rounds_of_hour']} of 120 | {branches:,} | {statistics.median(seconds):.2f} and {max(seconds):.2f} | "
                     f"{statistics.median(one['cpu_s'] for one in made):.2f} | {max(one['peak_pss_bytes'] for one in made) / MIB:,.0f} MiB | {last['samples']:,} samples, {last['branch_records']:,} branch records, "
                     f"{last['hosts']:,} hosts | {'fit' if last['status'] == 200 else 'not fit'} |")
    return lines


def beside_parca(results):
    if not results.get("parca"):
        return []
    lines = ["", "## Beside Parca", "", "The same rounds of the same hosts, as fast as each server takes them, with all that is stored in the end. Parca 0.28.0 takes profiles in pprof's format over gRPC; as it comes it keeps what "
             "it took in memory until a block is full, and loses that in a crash. \"Logged\" writes a log too, every 50 ms, after it has answered. The hub answers once a batch is on the disk; its memory here is that of taking, and with compaction that of the table above.", "",
             "| hosts with | server | samples | CPU us a sample | bytes stored for a sample | most memory | answered in, p50 and p99 |", "|---|---|---:|---:|---:|---:|---:|"]
    for cores, part in results["parca"].items():
        samples = part["requests"]["samples"]
        for name in ["parca", "parca, logged"]:
            server = part[name]
            lines.append(f"| {cores} cores | {name.capitalize()} | {samples:,} | {server['cpu_s'] / samples * 1e6:.2f} | {server['stored_bytes'] / samples:.2f} | "
                         f"{server['peak_pss_bytes'] / MIB:,.0f} MiB | {waits(server['sent'])} |")
        sent, filled = part["hub"]["sent"], part["hub"]["filled"]
        cost = sent["cpu_s"] / sent["samples"] + filled["compaction"]["cpu_s"] / filled["samples"]
        lines.append(f"| {cores} cores | hone-hub | {filled['samples']:,} | {cost * 1e6:.2f} | {part['hub']['stored_bytes'] / filled['samples']:.2f} | "
                     f"{sent['peak_pss_bytes'] / MIB:,.0f} MiB | {waits(sent)} |")
    return lines


def waits(sent):
    return f"{sent['wait_p50_s'] * 1000:.1f} and {sent['wait_p99_s'] * 1000:.1f} ms"


def sizing(results):
    if not {"live", "hour", "dense"} <= results.keys():
        return []
    lines = ["", "## What a fleet needs", "",
             f"Reckoned from the above: {RATE_HZ} samples a second of a busy core, a batch in 30 s; 7 days by hour and host, 400 days in all. Traffic and CPU time are those of cores "
             f"{busy_share(results):.0%} busy, as they were at the hour at which they sent; files those of cores half busy. "
             "Files of days tell hosts not apart, and the services above have few hosts: those of a large fleet need less.", "",
             "| hosts | cores of each | batches a second | traffic | CPU of the hub, cores | files of 7 days | files of 400 days |", "|---:|---:|---:|---:|---:|---:|---:|"]
    for name, part in zip(PACES, results["dense"].values()):
        cost, sent = cpu_us(results, name), results["live"][name]
        hourly, daily = core_day_mb(part) * 1e6, part["week_later"]["file_bytes"] / core_days(part)
        for hosts in [10, 100, 1000, 10_000]:
            cores, batches_s = hosts * sent["cores"], hosts / 30
            samples_s = sent["samples"] / sent["batches"] * batches_s
            lines.append(f"| {hosts:,} | {sent['cores']} | {batches_s:,.1f} | {batches_s * sent['batch_bytes'] / sent['batches'] / 1e6:.2f} MB/s | "
                         f"{samples_s * cost['all'] / 1e6:.3f} | {cores * hourly * 7 / GIB:,.1f} GiB | {cores * (hourly * 7 + daily * 393) / GIB:,.1f} GiB |")
    return lines
