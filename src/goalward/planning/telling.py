"""From the states of `Rows` back to the caller's: what a `Solution` tells."""

from __future__ import annotations

import math

import numpy as np

from goalward._compile import component
from goalward.models.rows import Floats, Ints, Longs

LARGEST_FLOAT = np.finfo(float).max


@component
def tell(
    index_s: Ints, reduced_s: Ints, action_x: Ints, pair_s: Ints, rank_s: Longs, values: Floats, lowest: Floats, highest: Floats, relative: bool, least: float
) -> tuple[Floats, Longs, Longs, Floats, Floats, float]:
    """Value, action, rank, lower and upper bound of each of the caller's states, (S',).

    `index_s` (S',) leads to the states of `Rows`, and `reduced_s` (S + 1,) from there to those of the reduced model, whose `values` (n + 1,) are given.

    The value is moved between the bounds. Where it is beyond the floating-point numbers it is the largest of them: only unreachable goals are infinitely far.

    Also the largest upper - lower over the states of finite value: over max(upper, least) if `relative`.
    """
    value, action, rank = np.empty(len(index_s)), np.empty(len(index_s), np.int64), np.empty(len(index_s), np.int64)
    lower, upper, width = np.empty(len(index_s)), np.empty(len(index_s)), 0.0
    for i in range(len(index_s)):
        s = index_s[i]
        lower[i], upper[i], rank[i] = lowest[s], highest[s], rank_s[s]
        x = pair_s[s] if s < len(pair_s) else -1
        action[i] = action_x[x] if x >= 0 else -1
        if reduced_s[s] < 0:
            value[i] = np.inf
        else:
            v = values[reduced_s[s]]
            value[i] = max(lower[i], min(upper[i], LARGEST_FLOAT, LARGEST_FLOAT if math.isnan(v) else v))
            wide = upper[i] - lower[i]
            if relative and 0.0 < wide < np.inf:
                wide /= max(upper[i], least)
            width = max(width, wide)
    return value, action, rank, lower, upper, width
