"""A chain, with three ways to fall back."""

from __future__ import annotations

import numpy as np

from goalward.environments._settings import check_pairs
from goalward.models.checks import number
from goalward.models.settings import choice, whole
from goalward.models.ssp import SSP

FALLS = ("step", "start", "stay")


def corridor(length: int = 10, success: float = 0.9, falls: str = "step") -> SSP:
    """A corridor of `length` cells with the goal at its end; a step forward may fall back.

    ::

                  forward: success
           +---+ ----> +---+ ----> +---+           +----------+ ----> +------+
           | 0 |       | 1 |       | 2 |    ...    | length-1 |       | goal |
           +---+ <---- +---+ <---- +---+           +----------+       +------+
                  back: surely

    Every step costs 1. "forward" fails with probability 1 - success and then, by `falls`, goes back one "step", back to the "start", or is to "stay".

    With p = success and n = length, V*(0) is
    step: e_0 + ... + e_(n-1), where e_0 = 1/p and e_i = (1 + (1-p) e_(i-1)) / p; at p = 1/2 that is n (n + 1);
    start: 1/p + 1/p^2 + ... + 1/p^n; at p = 1/2 that is 2^(n+1) - 2;
    stay: n / p.
    """
    n = whole("length", length, 1)
    check_pairs(2 * n, length=n)
    p = number("success", success, "in (0, 1]", lambda q: 0.0 < q <= 1.0)
    cells = np.arange(n)
    back = np.maximum(cells - 1, 0)
    fallen = {"step": back, "start": np.zeros_like(cells), "stay": cells}[choice("falls", falls, FALLS)]
    s, a = np.concatenate([cells] * 3), np.repeat([0, 0, 1], len(cells))
    s_next = np.concatenate([cells + 1, fallen, back])
    chance = np.repeat([p, 1.0 - p, 1.0], len(cells))
    return SSP.from_rows(s, a, s_next, chance, np.ones(len(s)), start=0, goal=len(cells), action_names=["forward", "back"])
