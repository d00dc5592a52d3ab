"""A grid with a trap."""

from __future__ import annotations

import numpy as np

from goalward.environments._grid import SLIPS, directions, grid_ssp
from goalward.environments._settings import check_pairs, probability
from goalward.models.settings import choice, whole
from goalward.models.ssp import SSP


def dead_end_grid(size: int = 5, slip: float = 0.1, slips: str = "sideways") -> SSP:
    """A size x size grid with a trap in its middle and no way out of it.

    ::

        +---+---+---+---+---+
        |   |   |   |   | G |    S start, G goal, X the trap
        +---+---+---+---+---+
        |   |   |   |   |   |    right, down, left, up; every step costs 1;
        +---+---+---+---+---+    a move fails with probability `slip`;
        |   |   | X |   |   |    a move into a wall stays
        +---+---+---+---+---+
        |   |   |   |   |   |
        +---+---+---+---+---+
        | S |   |   |   |   |
        +---+---+---+---+---+

    slips="sideways": a move that fails goes in one of the two directions at a right angle; a policy that always moves away from the trap when beside it
    reaches the goal surely. "anywhere": in one of the three others; the goal is then never reached surely, and giving up has to be possible: solve with a
    penalty.

    V*(S) = 9.1134288... with the defaults, 2 (size - 1) with slip = 0; infinite from X, and from everywhere with slips = "anywhere" and slip > 0.
    """
    N, fails = whole("size", size, 3), probability("slip", slip)
    check_pairs(4 * N * N, size=N)
    direction = directions(fails, choice("slips", slips, SLIPS))
    return grid_ssp(N, N, np.ones(N * N), direction, start=N * (N - 1), goal=N - 1, walls="slip", traps=(N // 2 * N + N // 2,))
