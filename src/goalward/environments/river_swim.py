"""RiverSwim with the right bank as the goal."""

from __future__ import annotations

import numpy as np

from goalward.environments._settings import check_pairs
from goalward.models.checks import number
from goalward.models.settings import whole
from goalward.models.ssp import SSP

FIRST = (0.0, 0.4, 0.6)  # back, stay, on: swimming from the left bank
MIDDLE = (0.05, 0.6, 0.35)  # and against the current


def river_swim(length: int = 6, drift_cost: float = 1.0) -> SSP:
    """Swim against the current to the right bank [strehl2008, with the probabilities of osband2013].

    ::

           0.4          0.6         0.6               0.6
          +--+         +--+        +--+              +--+
          |  v   0.6   |  v  0.35  |  v   0.35       |  v  0.35
          ( 0 ) -----> ( 1 ) ----> ( 2 ) ----> ... ( length-2 ) ----> ((goal))
                <-----       <----       <----
                 0.05         0.05        0.05

    The arrows are "swim", which costs 1. "drift" costs `drift_cost` and goes one state to the left, surely; on the left bank it stays. As in the original,
    where a small reward waits there, a low drift_cost tempts to linger.

    V*(0) = e_0 + ... + e_(length-2), where e_0 = 1/0.6 and e_i = (1 + 0.05 e_(i-1)) / 0.35, whatever drifting costs; 14.7223379... with 6 states.
    """
    n = whole("length", length, 2) - 1
    check_pairs(2 * n, length=n + 1)
    states = np.arange(n)
    drift = number("drift_cost", drift_cost, "in [0, 1]", lambda c: 0.0 <= c <= 1.0)
    swim = np.tile(MIDDLE, (len(states), 1))
    swim[0] = FIRST
    back = np.maximum(states - 1, 0)
    s, a = np.concatenate([states] * 4), np.repeat([0, 1, 1, 1], len(states))
    s_next = np.concatenate([back, back, states, states + 1])
    chance = np.concatenate([np.ones(len(states)), *swim.T])
    cost = np.where(a == 0, drift, 1.0)
    return SSP.from_rows(s, a, s_next, chance, cost, start=0, goal=len(states), action_names=["drift", "swim"])
