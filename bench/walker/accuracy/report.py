"""The tables for people, made from the raw results alone."""

INTRODUCTION = """# Recorded branches against the truth

Made by `bench/walker/accuracy/run`; raw numbers in `accuracy-*.json` beside this file. Counts are of the main
binary's own code alone: libc picks other variants of its functions under valgrind. Counts are normalised by all
instructions executed there.

- overlap: sum over instructions of the smaller of the two normalised counts. *Ceiling*: the same between the truth
  and a truth at a quarter of the scale (sqlite: another run). What is missing there is mostly the start of the
  program, whose share falls with the scale: truth and recording differ by about a third of it. *Noise*: the loss that chance alone would
  cause with these walks (bootstrap over walks). *Bias*: root of loss squared minus noise squared; *at least*: a
  lower estimate with its 95 % interval, whose expectation is 0 where there is no bias (how: `compare.py`).
- entries: executions of the first instruction of the 50 functions that the truth enters most; relative errors.
  *Bias*: root mean square of the systematic part with its 95 % interval.
- call shares: for the ten indirect call sites with most calls, the share of each target; the largest error per site
  in percentage points. *Relative*: among targets with 1 % or more of the calls. *Several targets*: the ten hottest
  sites whose second target has 1 % or more; with one target a share is 100 % whatever is recorded.
- *beyond noise*: errors larger than 1.96 standard errors; 1 in 20 by chance alone.
"""

NOTES = """
Two things stay systematic however good the walker is. Walks start uniformly in CPU time but have a fixed number of
branches, so a phase of the program with fewer branches per second than the others (cache misses, long divisions)
weighs more in a recording than in the truth. And shares of phases move with the clock: the truth counts work, the
recording time.
"""


def percent(value, digits=1):
    return "–" if value is None or value != value else f"{100 * value:.{digits}f}"


def between(estimate, digits=1):
    if estimate is None:
        return "–"
    return f"{percent(estimate['estimate'], digits)} [{percent(estimate['low'], digits)}, " \
           f"{percent(estimate['high'], digits)}]"


def short(name, width=70):
    """A name that fits a table; the place within the function stays."""
    name = name.replace("|", "\\|")
    function, plus, offset = name.rpartition("+0x")
    if not plus:
        function, offset = name, ""
    if len(function) > width:
        function = function[:width - 1] + "…"
    return function + plus + offset


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def overlaps(results):
    rows = []
    for r in results:
        o = r["agreement"]["overlap"]
        rows.append([r["program"], r["agreement"]["walks"], r["agreement"]["branches"],
                     percent(o["value"]) + " ± " + percent(1.96 * o["standard_error"]), percent(r["ceiling"]["overlap"]),
                     percent(o["loss_by_noise"]), percent(o["loss_by_bias_about"]),
                     between(o["loss_by_bias_at_least"]), percent(r["agreement"]["coverage"]["blocks"]),
                     sum(r["agreement"]["broken"].values())])
    return table(["program", "walks", "branches", "overlap %", "ceiling %", "noise", "bias", "at least [95 %]",
                  "weight covered %", "impossible ranges"], rows)


def entry_table(results):
    rows = []
    for r in results:
        e = r["agreement"]["entries"]
        rows.append([r["program"], percent(e["median"]), percent(e["median_by_noise"]), percent(e["worst"]),
                     f"{e['within']} of {e['functions']}", e["beyond_noise"], between(e["bias_root_mean_square"]),
                     percent(r["ceiling"]["entry_worst"])])
    return table(["program", "median %", "by noise", "worst %", "within 5 %", "beyond noise", "bias, rms % [95 %]",
                  "worst of the ceiling"], rows)


def call_table(results, which):
    rows = []
    for r in results:
        c = r["agreement"][which]
        rows.append([r["program"], c["sites"], c["several_targets"], percent(c["median"]),
                     percent(c["median_by_noise"]), percent(c["worst"]), f"{c['within']} of {c['sites']}",
                     f"{c['within_relative']} of {c['sites']}", c["beyond_noise"], c["never_seen"]])
    return table(["program", "sites", "with several targets", "median, points", "by noise", "worst", "within 5 points",
                  "within 5 % relative", "beyond noise", "never seen"], rows)


def site_table(result):
    rows = [[short(row["function"]), row["targets"], short(row["worst_target"]), percent(row["true_share"]),
             f"{percent(row['error'])} ± {percent(1.96 * row['standard_error'])}"
             if row["recorded_calls"] else "never seen", row["recorded_calls"]]
            for row in result["agreement"]["polymorphic_calls"]["rows"]]
    return table(["site", "targets", "target with the largest error", "true share %", "error, points",
                  "recorded calls"], rows)


def how(result):
    s = result["recorder"]
    spent = f"target {s['target_cpu_s']:.1f} s of CPU, stopped {s['stopped_s']:.2f} s, " \
            f"{s['walks']} walks by the recorder's count" if "target_cpu_s" in s else ""
    return f"- {result['program']} ({result['language']}; {result['mix']}): `{' '.join(result['options'])}`; {spent}"


def accuracy(results):
    """The whole report of all programs."""
    machine = results[0]["machine"]
    parts = [INTRODUCTION, "## Overlap of block counts\n", overlaps(results),
             "## Entry counts of the fifty hottest functions\n", entry_table(results),
             "## Target shares of the ten hottest indirect call sites\n", call_table(results, "calls"),
             "Sites with several targets:\n", call_table(results, "polymorphic_calls"), NOTES,
             "## How\n", "\n".join(how(r) for r in results) + "\n",
             "Machine: " + ", ".join(f"{key} {value}" for key, value in machine.items()) + ".\n"]
    for result in results:
        parts += [f"## {result['program']}: sites with several targets\n", site_table(result)]
    return "\n".join(parts)


VIEWS = {
    "all": "every walk; *bias* is what an endless recording would keep (a lower estimate)",
    "branches": "as many walks as give {branches} recorded branches",
    "cost": "as many walks as cost {afforded_us:.0f} us at {fixed_us:g} us a walk and {marginal_us:g} us a branch",
}


def curve_table(result, view):
    rows = []
    for c in result["cells"]:
        v = c[view]
        if v is None:
            continue
        row = [c["length"], c["burn_in"], round(v["walks"]), percent(v["overlap"]), percent(v["share_median"]),
               percent(v["share_worst"]), percent(v["entry_median"]), percent(v["entry_worst"]),
               f"{v['entry_within']:.0f}", percent(v["blocks"]), percent(v["functions"]), f"{v['functions_seen']:.0f}"]
        if view == "all":
            row += [between(v["loss_by_bias_at_least"]), between(v["entry_bias"]), percent(c["full_length"], 0)]
        rows.append(row)
    head = ["length", "burn-in", "walks", "overlap %", "share err median", "worst", "entry err median", "worst",
            "within 5 %", "blocks covered %", "functions %", "functions"]
    return table(head + (["overlap bias [95 %]", "entry bias rms [95 %]", "full length %"] if view == "all" else []),
                 rows)


def curve(results):
    """The report of walk length and burn-in."""
    parts = ["# Walk length and burn-in\n",
             "Made by `bench/walker/accuracy/run curve`; raw numbers in `curve-*.json`. All cells of a program come "
             "from one recording of long walks. Share errors: the ten hottest sites with several targets, in points. "
             "Lengths and burn-ins are taken branches. A missing row: not enough walks.\n"]
    for result in results:
        parts.append(f"## {result['program']}\n\n{result['walks']} walks, `{' '.join(result['options'])}`\n")
        for view, words in VIEWS.items():
            parts += [f"### {view}: {words.format(**result)}\n", curve_table(result, view)]
    return "\n".join(parts)
