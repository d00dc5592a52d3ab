"""Large grids, to measure planners on."""

from __future__ import annotations

import numpy as np

from goalward.environments._grid import directions, grid_ssp
from goalward.environments._settings import check_pairs, probability
from goalward.models.checks import number
from goalward.models.settings import whole
from goalward.models.ssp import SSP


def sandy_grid(size: int = 30, slip: float = 0.2, sand: float = 0.25, sand_cost: float = 5.0, seed: int = 1) -> SSP:
    """A size x size grid with slip and patches of sand, from corner to corner.

    ::

        +---+---+---+---+
        | S |   | # |   |    S start, G goal, # sand
        +---+---+---+---+
        |   | # |   |   |    right, down, left, up; a move fails with probability `slip`,
        +---+---+---+---+    and goes in one of the other three directions then;
        | # |   |   | # |    a move into a wall stays
        +---+---+---+---+
        |   |   | # | G |
        +---+---+---+---+

    A cell is sand with probability `sand`; a step from there costs `sand_cost`, any other step 1. A million cells (size=1000) take seconds.

    V*(start) = 2 (size - 1) with slip = 0 and sand = 0, and sand_cost times that with sand = 1.
    """
    N, fails = whole("size", size, 2), probability("slip", slip)
    check_pairs(4 * N * N, size=N)
    share = number("sand", sand, "in [0, 1]", lambda p: 0.0 <= p <= 1.0)
    dear = number("sand_cost", sand_cost, ">= 0", lambda c: c >= 0.0)
    is_sand = np.random.default_rng([whole("seed", seed, 0), N]).random(N * N) < share
    return grid_ssp(N, N, np.where(is_sand, dear, 1.0), directions(fails), start=0, goal=N * N - 1, walls="slip", named=False)
