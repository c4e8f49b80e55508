"""How well a recording agrees with the truth, and how much of the difference is chance.

Three questions: the overlap of block counts, the target shares of the hottest indirect call sites, the entry counts
of the hottest functions. For each, noise and bias are told apart:

- noise: bootstrap over walks (a walk is the unit of chance, branches within it depend on each other). The spread of
  resampled recordings about the recording itself is what chance alone would do to an unbiased one.
- bias, from the sizes: root(loss^2 - noise^2), the middle guess.
- bias, at least: one half of the walks says in which direction each atom deviates, the other half by how much. The
  product has the expectation zero where there is no bias, whatever the noise; and given the directions it is linear
  in the walks, so that the scatter of folds gives its interval. Noise may hide a direction: so it is a lower
  estimate, which tightens as walks are added.
- bias of the entry counts: products of the deviations of different folds have the mean square bias as their
  expectation, noise does not add to it. The interval is that of the jackknife.
"""

import math
import random
from collections import Counter
from itertools import chain

SITES = 10
FUNCTIONS = 50
FOLDS = 20
RESAMPLES = 200
STEPS_RESAMPLED = 300_000_000  # bounds the time, not the number of walks
NEAR = 0.05
WIDTH = 1.96
STUDENT_FOLDS = 2.093  # 95 %, FOLDS - 1 degrees of freedom
STUDENT_HALF = 2.262  # FOLDS / 2 - 1


def count_steps(walks):
    return Counter(chain.from_iterable(walks))


def shares(targets):
    total = sum(targets.values())
    return {target: count / total for target, count in targets.items()} if total else {}


def hottest_sites(grid, several_targets=False):
    """The indirect call sites with the most calls; with several targets: the second has 1 % at least."""
    def polymorphic(targets):
        ordered = sorted(shares(targets).values())
        return len(ordered) > 1 and ordered[-2] >= 0.01

    sites = [site for site, targets in grid.truth_calls.items() if not several_targets or polymorphic(targets)]
    return sorted(sites, key=lambda site: (-sum(grid.truth_calls[site].values()), site))[:SITES]


def hottest_functions(grid):
    """The functions with the most executions of their first instruction, as (atom, name)."""
    functions = [f for f in grid.functions if grid.truth_counts[f[0]] and grid.weight[f[0]]]
    return [(f[0], f[1]) for f in sorted(functions, key=lambda f: (-grid.truth_counts[f[0]], f[0]))[:FUNCTIONS]]


def entry_errors(grid, profile, functions):
    return [profile[atom] / grid.truth[atom] - 1 for atom, _ in functions]


def share_errors(grid, calls, site):
    """{target: recorded share - true share} of one site; a site never seen misses all its shares."""
    true, seen = shares(grid.truth_calls[site]), shares(calls.get(site, {}))
    return {target: seen.get(target, 0.0) - true.get(target, 0.0) for target in true.keys() | seen.keys()}


def largest(errors):
    return max(errors, key=lambda target: (abs(errors[target]), -(target or 0)))


def median(values):
    ordered = sorted(values)
    if not ordered:
        return math.nan
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def deviation(values):
    mean = sum(values) / len(values)
    return math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1)) if len(values) > 1 else math.nan


def quantile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def around(estimate, standard_error, student):
    """An estimate with its 95 % interval."""
    half = student * standard_error
    return {"estimate": estimate, "low": estimate - half, "high": estimate + half}


def resampled(walks, seed):
    """Step counts of recordings drawn from this one, walk by walk."""
    chance = random.Random(seed)
    steps = sum(map(len, walks))
    for _ in range(max(40, min(RESAMPLES, STEPS_RESAMPLED // max(1, steps)))):
        yield count_steps(chance.choices(walks, k=len(walks)))


def folds_of(grid, walks, seed):
    """Atom counts of FOLDS parts of the walks, dealt at random."""
    order = list(walks)
    random.Random(seed).shuffle(order)
    return [grid.counts(count_steps(order[i::FOLDS])) for i in range(FOLDS)]


class Bias:
    """What the folds say of bias: `loss` of the overlap, `entries` as a mean square; None where folds are empty.

    A fold's deviation is its count minus the true share of all it executed, over what an average fold executed:
    linear in the counts, so that its expectation is 0 without bias however small the fold is.
    """

    def __init__(self, grid, folds, functions):
        self.grid, self.folds = grid, folds
        self.executed = [sum(count * w for count, w in zip(fold, grid.weight)) for fold in folds]
        self.mean = sum(self.executed) / len(folds)
        enough = all(self.executed)
        self.loss = self.of_the_overlap() if enough else None
        self.entries = self.of_entries([atom for atom, _ in functions]) if enough and functions else None

    def of_the_overlap(self):
        halves = [range(0, len(self.folds), 2), range(1, len(self.folds), 2)]
        one, other = (self.directed(*pair) for pair in (halves, halves[::-1]))
        # The two are correlated, so the mean's error is taken as the mean of both.
        error = sum(deviation(losses) / math.sqrt(len(losses)) for losses in (one, other)) / 2
        return around(sum(one + other) / len(one + other), error, STUDENT_HALF)

    def directed(self, telling, measured):
        """Losses of the measured folds in the direction that the telling ones deviate."""
        total = [sum(column) for column in zip(*(self.folds[k] for k in telling))]
        executed = sum(self.executed[k] for k in telling)
        signed = [math.copysign(w, count - q * executed) if w and (count or q) else 0.0
                  for count, w, q in zip(total, self.grid.weight, self.grid.truth)]
        constant = sum(w * q for w, q in zip(signed, self.grid.truth))
        return [(sum(w * count for w, count in zip(signed, self.folds[k]) if count) - constant * self.executed[k])
                / self.mean / 2 for k in measured]

    def of_entries(self, atoms):
        truth = self.grid.truth
        n = len(self.folds)
        whole, without = 0.0, [0.0] * n
        for atom in atoms:
            d = [(fold[atom] - truth[atom] * here) / (truth[atom] * self.mean)
                 for fold, here in zip(self.folds, self.executed)]
            total, squares = sum(d), sum(x * x for x in d)
            whole += (total ** 2 - squares) / (n * (n - 1))
            for k, x in enumerate(d):
                without[k] += ((total - x) ** 2 - (squares - x * x)) / ((n - 1) * (n - 2))
        whole, without = whole / len(atoms), [value / len(atoms) for value in without]
        error = deviation(without) * (n - 1) / math.sqrt(n)
        return around(whole, error, STUDENT_FOLDS)


def root(square):
    """The root of an estimate of a square, which chance may take below zero."""
    return math.sqrt(max(0.0, square))


def rooted(estimate):
    return estimate and {key: root(value) for key, value in estimate.items()}


def compare(grid, walks, seed=1):
    """Everything that the report says of one recording, as plain data."""
    everything = count_steps(walks)
    profile, calls = grid.profile(everything), grid.calls(everything)
    executed = sum(count * weight for count, weight in zip(grid.counts(everything), grid.weight))
    functions = hottest_functions(grid)
    sites, polymorphic = hottest_sites(grid), hottest_sites(grid, several_targets=True)
    resamples = Resamples(grid, profile, functions, sorted(set(sites + polymorphic)))
    for steps in resampled(walks, seed):
        resamples.add(steps)
    bias = Bias(grid, folds_of(grid, walks, seed), functions)
    overlap = grid.overlap(profile)
    noise = sum(resamples.losses) / len(resamples.losses)
    return {
        "walks": len(walks),
        "branches": sum(everything.values()),
        "branches_in_binary": sum(n for step, n in everything.items() if grid.spans[step]),
        "broken": broken(grid, everything),
        "overlap": {
            "value": overlap,
            "standard_error": deviation(resamples.overlaps),
            "loss": 1 - overlap,
            "loss_by_noise": noise,
            "loss_by_noise_high": quantile(resamples.losses, 0.975),
            "loss_by_bias_about": root((1 - overlap) ** 2 - noise ** 2),
            "loss_by_bias_at_least": bias.loss,
        },
        "entries": entries(grid, profile, executed, functions, resamples, bias),
        "calls": call_shares(grid, calls, sites, resamples),
        "polymorphic_calls": call_shares(grid, calls, polymorphic, resamples),
        "coverage": coverage(grid, profile),
        "worst_atoms": worst_atoms(grid, profile),
    }


class Resamples:
    """What the resampled recordings say."""

    def __init__(self, grid, profile, functions, sites):
        self.grid, self.profile, self.functions, self.sites = grid, profile, functions, sites
        self.losses, self.overlaps, self.entries, self.shares = [], [], [], {site: [] for site in sites}

    def add(self, steps):
        profile, calls = self.grid.profile(steps), self.grid.calls(steps)
        self.losses.append(1 - self.grid.overlap(profile, self.profile))
        self.overlaps.append(self.grid.overlap(profile))
        self.entries.append(entry_errors(self.grid, profile, self.functions))
        for site in self.sites:
            self.shares[site].append(share_errors(self.grid, calls, site))

    def entry_error(self, number, expected):
        """Standard error of a relative entry error; at least that of independent counts, since what was hardly
        seen hardly varies between resamples."""
        spread = deviation([errors[number] for errors in self.entries])
        return max(spread, 1 / math.sqrt(expected)) if expected else math.inf

    def share_error(self, site, target, true_share, recorded):
        """The same of a share."""
        spread = deviation([errors.get(target, 0.0) for errors in self.shares[site]])
        return max(spread, math.sqrt(true_share * (1 - true_share) / recorded)) if recorded else math.inf


def entries(grid, profile, executed, functions, resamples, bias):
    errors = entry_errors(grid, profile, functions)
    noise = [resamples.entry_error(number, grid.truth[atom] * executed) for number, (atom, _) in enumerate(functions)]
    rows = [{"function": name, "true_count": grid.truth_counts[atom], "error": error, "standard_error": se}
            for (atom, name), error, se in zip(functions, errors, noise)]
    sizes = [abs(error) for error in errors]
    return {
        "functions": len(functions),
        "median": median(sizes),
        "worst": max(sizes, default=math.nan),
        "within": sum(size <= NEAR for size in sizes),
        "beyond_noise": sum(size > WIDTH * se for size, se in zip(sizes, noise)),
        "median_by_noise": 0.6745 * median(noise),  # the median size of a normal deviate
        "root_mean_square": math.sqrt(sum(size * size for size in sizes) / max(1, len(sizes))),
        "bias_root_mean_square": rooted(bias.entries),
        "rows": rows,
    }


def call_shares(grid, calls, sites, resamples):
    rows = []
    for site in sites:
        true = shares(grid.truth_calls[site])
        errors = share_errors(grid, calls, site)
        target = largest(errors)
        relative = {t: abs(errors[t]) / share for t, share in true.items() if share >= 0.01}
        recorded = sum(calls.get(site, {}).values())
        se = resamples.share_error(site, target, true.get(target, 0.0), recorded)
        rows.append({
            "site": f"{site:#x}", "function": grid.name(site), "targets": len(true),
            "true_calls": sum(grid.truth_calls[site].values()),
            "recorded_calls": recorded,
            "worst_target": grid.name(target), "true_share": true.get(target, 0.0),
            "error": errors[target], "standard_error": se,
            "relative_error": max(relative.values(), default=0.0),
        })
    sizes = [abs(row["error"]) for row in rows]
    return {
        "sites": len(rows),
        "several_targets": sum(row["targets"] > 1 for row in rows),
        "never_seen": sum(row["recorded_calls"] == 0 for row in rows),
        "median": median(sizes),
        "median_by_noise": 0.6745 * median([row["standard_error"] for row in rows]),
        "worst": max(sizes, default=math.nan),
        "worst_relative": max((row["relative_error"] for row in rows), default=math.nan),
        "within": sum(size <= NEAR for size in sizes),
        "within_relative": sum(row["relative_error"] <= NEAR for row in rows),
        "beyond_noise": sum(abs(row["error"]) > WIDTH * row["standard_error"] for row in rows),
        "rows": rows,
    }


def coverage(grid, profile):
    """Share of the truth's instructions in code that was recorded, by instruction and by function."""
    blocks = sum(w * q for w, p, q in zip(grid.weight, profile, grid.truth) if p)
    functions = seen = 0.0
    for _, _, first, last in grid.functions:
        weight = sum(grid.weight[a] * grid.truth[a] for a in range(first, last))
        functions += weight
        if any(profile[a] for a in range(first, last)):
            seen += weight
    count = sum(any(profile[a] for a in range(first, last)) for _, _, first, last in grid.functions)
    return {"blocks": blocks, "functions": seen / functions if functions else math.nan,
            "functions_seen": count, "functions_executed": len(grid.functions)}


def broken(grid, everything):
    """Recorded ranges that the binary's code does not allow, by reason."""
    table = Counter()
    for step, why in grid.broken.items():
        table[why] += everything.get(step, 0)
    return dict(+table)


def worst_atoms(grid, profile):
    """The code that costs the most overlap, for whoever looks for the reason."""
    costs = [(w * (p - q), at) for at, (w, p, q) in enumerate(zip(grid.weight, profile, grid.truth))]
    worst = sorted(costs, key=lambda cost: -abs(cost[0]))[:10]
    return [{"at": grid.name(grid.binary.addresses[grid.firsts[at]]), "difference": difference,
             "true_share": grid.weight[at] * grid.truth[at]} for difference, at in worst]
