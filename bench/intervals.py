"""Intervals of medians."""

import math


def interval(values):
    """The order statistics that hold the median in 95 of 100 cases: none of fewer than six values."""
    values = sorted(values)
    outside = 0
    for rank in range(len(values) // 2):
        outside += 2 * math.comb(len(values), rank) / 2 ** len(values)
        if outside > 0.05:
            return (values[rank - 1], values[-rank]) if rank > 0 else None
    return None
