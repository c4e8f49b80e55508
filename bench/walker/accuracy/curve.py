"""How agreement depends on the length of walks and on the burn-in dropped at their start.

All cells come from one recording of long walks: a walk of length L with burn-in b is steps b to b + L of a long
one, so the starts are the same and only length and burn-in differ. Three views:

- all: every walk. Its bias is what an endless recording would keep.
- branches: as many walks as give the same number of recorded branches in every cell.
- cost: as many walks as cost the same, at FIXED us a walk and MARGINAL us for each branch walked, dropped ones too.

In the last two each cell is the mean over several random choices of walks.
"""

import random

import compare

LENGTHS = (32, 64, 128, 256, 512, 1024, 2048, 4096)
BURN_INS = (0, 16, 64, 256)
DRAWS = 8


def cut(walks, length, burn_in):
    """Pieces of the walks; those that ended within the burn-in give nothing, shorter ones what they have."""
    pieces = (walk[burn_in:burn_in + length] for walk in walks)
    return [piece for piece in pieces if len(piece) > 0]


def cost_us(length, burn_in, fixed_us, marginal_us):
    return fixed_us + marginal_us * (length + burn_in)


def measure(grid, walks, sites, functions):
    """The figures of one cell from one set of pieces."""
    steps = compare.count_steps(walks)
    profile, calls = grid.profile(steps), grid.calls(steps)
    shares = [max(map(abs, compare.share_errors(grid, calls, site).values())) for site in sites]
    entries = [abs(error) for error in compare.entry_errors(grid, profile, functions)]
    covered = compare.coverage(grid, profile)
    return {
        "branches": sum(steps.values()),
        "overlap": grid.overlap(profile),
        "share_median": compare.median(shares),
        "share_worst": max(shares, default=float("nan")),
        "entry_median": compare.median(entries),
        "entry_worst": max(entries, default=float("nan")),
        "entry_within": sum(error <= compare.NEAR for error in entries),
        "blocks": covered["blocks"],
        "functions": covered["functions"],
        "functions_seen": covered["functions_seen"],
    }


def cell(grid, pieces, wanted, sites, functions, seed):
    """Mean figures over draws of `wanted` pieces; None where there are not that many."""
    if wanted < 1 or wanted > len(pieces):
        return None
    chance = random.Random(seed)
    draws = [measure(grid, chance.sample(pieces, wanted), sites, functions)
             for _ in range(1 if wanted == len(pieces) else DRAWS)]
    means = {key: sum(draw[key] for draw in draws) / len(draws) for key in draws[0]}
    means["overlap_spread"] = compare.deviation([draw["overlap"] for draw in draws]) if len(draws) > 1 else None
    return means | {"walks": wanted}


def curve(grid, walks, fixed_us, marginal_us, branches=None, seed=1):
    """All cells. `branches` is what the views of equal branches and equal cost afford; without it as many as the
    shortest walks have, which lets every cell take part."""
    functions = compare.hottest_functions(grid)
    sites = compare.hottest_sites(grid, several_targets=True)
    shortest = min(LENGTHS)
    branches = branches or shortest * len(cut(walks, shortest, max(BURN_INS)))
    afforded_us = branches / shortest * cost_us(shortest, 0, fixed_us, marginal_us)
    cells = []
    for burn_in in BURN_INS:
        for length in LENGTHS:
            pieces = cut(walks, length, burn_in)
            if not pieces:
                continue
            mean_length = sum(map(len, pieces)) / len(pieces)
            full = sum(len(piece) == length for piece in pieces)
            bias = compare.Bias(grid, compare.folds_of(grid, pieces, seed), functions)
            everything = cell(grid, pieces, len(pieces), sites, functions, seed)
            everything |= {"loss_by_bias_at_least": bias.loss, "entry_bias": compare.rooted(bias.entries)}
            affordable = afforded_us / cost_us(mean_length, burn_in, fixed_us, marginal_us)
            cells.append({
                "length": length, "burn_in": burn_in, "full_length": full / len(pieces),
                "all": everything,
                "branches": cell(grid, pieces, round(branches / mean_length), sites, functions, seed),
                "cost": cell(grid, pieces, round(affordable), sites, functions, seed),
            })
    return {"fixed_us": fixed_us, "marginal_us": marginal_us, "branches": branches,
            "afforded_us": afforded_us, "walks": len(walks), "draws": DRAWS, "sites": len(sites),
            "functions": len(functions), "cells": cells}
