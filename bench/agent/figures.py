"""From repeated measurements to what is said of them."""

import math
import statistics


def median(values):
    return statistics.median(values)


def interval(values):
    """Order statistics that hold the median with at least 95 %, by the binomial distribution; with fewer than six values,
    all there are."""
    ranked = sorted(values)
    count = len(ranked)
    lowest = 0
    outside = 0.0
    for rank in range(count // 2):
        outside += 2 * math.comb(count, rank) / 2**count
        if outside > 0.05:
            break
        lowest = rank
    return ranked[lowest], ranked[count - 1 - lowest]


def ratio(olds, news):
    """Median and interval of the ratios of pairs that ran one behind the other."""
    ratios = [new / old for old, new in zip(olds, news)]
    return median(ratios), *interval(ratios)


def spread(values, form="{:.3f}", scale=1.0):
    low, high = interval(values)
    said = [form.format(value * scale) for value in (median(values), low, high)]
    return f"{said[0]} ({said[1]} to {said[2]})"
