"""The grid of the paper's experiments."""

from __future__ import annotations

import numpy as np

from goalward.environments._grid import WALLS, directions, grid_ssp
from goalward.errors import SettingError
from goalward.models.checks import number
from goalward.models.settings import choice
from goalward.models.ssp import SSP

ROWS, COLUMNS = 3, 4
START, GOAL = 8, 3
SAND_PIT = 5
ZERO_PATCH = (0, 1, 5, 4)
BETA = {"sand-pit": 0.1, "zero-patch": 0.4}  # unless given; 0.4 is the paper's


def paper_grid(cost: str = "uniform", beta: float | None = None, walls: str = "stay") -> SSP:
    """The 3 x 4 grid of the experiments in the founding paper [tarbouriech2020, App. J].

    ::

        +---+---+---+---+
        | o | o |   | G |    S start, G goal
        +---+---+---+---+    P the sand pit
        | o | P |   |   |    o and P together: the patch that may cost nothing
        +---+---+---+---+
        | S |   |   |   |    right, down, left, up; a move fails with probability 0.05,
        +---+---+---+---+    and goes in one of the other three directions then

    cost="uniform": every step costs 1. "sand-pit": a step from P costs 1, any other beta (0.1). "zero-patch": a step from o or P costs nothing, any other
    beta (0.4); pushing a wall of the patch for ever is then free, and reaches nothing, if walls="stay".

    walls="stay": an action against a wall stays where it is, as the paper says; "slip": it slips like any other, which fits the paper's figures of the
    algorithms with Bernstein bounds better. The optimum is the same, for no optimal action pushes a wall.

    V*(start): uniform 5.3013723866; sand pit 2.6602152389, 0.5470266394, 0.0715592045, 0.0240124611 at beta = 0.5, 0.1, 0.01, 0.001, with the same optimal
    policy; zero patch 0.8574969373 (with walls="stay" an improper policy pays less).
    """
    choice("cost", cost, ("uniform", *BETA))
    if cost == "uniform" and beta is not None:
        raise SettingError("beta", beta, "nothing with cost = 'uniform', where every step costs 1")
    cost_s = np.ones(ROWS * COLUMNS)
    if cost != "uniform":
        cost_s[:] = number("beta", BETA[cost] if beta is None else beta, "in (0, 1]", lambda b: 0.0 < b <= 1.0)
        cost_s[[SAND_PIT] if cost == "sand-pit" else list(ZERO_PATCH)] = 1.0 if cost == "sand-pit" else 0.0
    return grid_ssp(ROWS, COLUMNS, cost_s, directions(0.05), start=START, goal=GOAL, walls=choice("walls", walls, WALLS))
