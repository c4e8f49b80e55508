"""Results in words."""

import figures


def sums(rounds, who):
    """CPU time in us per message of server or caller in each round; nothing where there was none."""
    if f"{who}_user_us" not in rounds[0]:
        return []
    return [found[f"{who}_user_us"] + found[f"{who}_system_us"] for found in rounds]


def both(rounds):
    servers, callers = sums(rounds, "server"), sums(rounds, "caller")
    return [server + caller for server, caller in zip(servers, callers)] if servers else callers


def cpu(rounds, who):
    """CPU time, and how much of it was the kernel's."""
    values = sums(rounds, who)
    if not values or not any(values):
        return "-"
    kernel = sum(found[f"{who}_system_us"] for found in rounds) / sum(values)
    return f"{figures.median(values):.2f} ({kernel:.0%})"


def ratio(olds, news):
    if not olds or not all(olds):
        return "-"
    median, low, high = figures.ratio(olds, news)
    return f"{median:.2f} ({low:.2f} to {high:.2f})"


def middle(rounds, name, form):
    return form.format(figures.median([found[name] for found in rounds]))


# What only some experiments tell.
MORE = {
    "frames_per_write": ("frames a write", "{:.1f}"),
    "segments": ("segments", "{:.2f}"),
    "copied_share": ("copied after all", "{:.0%}"),
    "has_queue": ("queue known", "{:.0f}"),
}
MORE_OF = {"epoll": ["frames_per_write"], "sockmap": ["segments"], "smc": ["segments"], "zerocopy": ["copied_share"], "busypoll": ["has_queue"]}


def table(experiment, places):
    more = MORE_OF[experiment]
    heads = ["", "", "server us", "beside", "caller us", "both us", "both beside", "messages/s", "p50 us", "p99 us", *(MORE[name][0] for name in more)]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for place, choices in places.items():
        base = next(iter(choices.values()))
        for choice, rounds in choices.items():
            is_base = rounds is base
            cells = [place, choice, cpu(rounds, "server"), "" if is_base else ratio(sums(base, "server"), sums(rounds, "server")),
                     cpu(rounds, "caller"), f"{figures.median(both(rounds)):.2f}", "" if is_base else ratio(both(base), both(rounds)),
                     middle(rounds, "per_second", "{:,.0f}"), middle(rounds, "p50_us", "{:.1f}"), middle(rounds, "p99_us", "{:.0f}"),
                     *(middle(rounds, name, MORE[name][1]) for name in more)]
            lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def promises(kept):
    lines = ["## Promises of TCP", "", "What a sender may send, of 64 MiB, while its peer reads nothing; and what a send gives once the peer has closed (Python's name for it).", "",
             "| | taken | error |", "|---|---|---|"]
    lines += [f"| {choice} | {found['taken_bytes'] / (1 << 20):.1f} MiB | {found['error']} |" for choice, found in kept.items()]
    return "\n".join(lines)


def text(name, experiment, about, found):
    parts = [f"# {experiment.title}", f"Made by `bench/kernel/run {name}`; raw figures are in {name}.json. {experiment.about}"]
    if about["missing"]:
        parts.append("**Not measured here.** " + " ".join(f"{reason[0].upper()}{reason[1:]}." for reason in about["missing"]))
    if found:
        parts.append(f"CPU time in us per message, the kernel's share of it in brackets: medians of {about['rounds']} rounds of {about['milliseconds']} ms each. Server and "
                     "caller have a core each. \"Beside\" is the ratio to the first line of the same place, of the same round: median and 95 % interval (with fewer than six "
                     "rounds, all there are); \"again\" is that line once more. Latency is the caller's: of a call, or of a send where nothing comes back.")
    parts += [f"## {title}\n\n{table(name, places)}" for title, places in found.items()]
    if about["promises"]:
        parts.append(promises(about["promises"]))
    loads = ", ".join(f"{load:.1f}" for load in about["load_average"])
    parts.append(f"{about['machine']}; {about['tools']}. Load average at the beginning and at the end: {loads}.")
    return "\n\n".join(parts) + "\n"
