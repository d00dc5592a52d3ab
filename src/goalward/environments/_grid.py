"""Grids: cells in rows and columns, four moves, slips, walls around and traps inside.

Cells are numbered row by row. All of them are worked out at once: what a move does depends only on which of the four ways out of its cell are blocked, so there
are 16 kinds of cells, and a million cells are a look-up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goalward.models.ssp import SSP

ACTIONS = ("right", "down", "left", "up")
SLIPS = ("anywhere", "sideways")
WALLS = ("stay", "slip")
SLOT = (3, 4, 1, 0)  # of each direction among the successors of a cell in order: up, left, the cell itself, right, down
STAY = 2
WALLED_IN = 15  # the kind of a cell with all four ways blocked


def directions(slip: float, slips: str = "anywhere") -> NDArray[np.float64]:
    """(4, 4) the probability that an action (row) becomes a move in a direction (column).

    "anywhere": what slips is split evenly over the three other directions; "sideways": over the two at a right angle.
    """
    others = 1.0 - np.eye(4)
    if slips == "sideways":
        others[np.arange(4), (np.arange(4) + 2) % 4] = 0.0
    result: NDArray[np.float64] = (1.0 - slip) * np.eye(4) + slip * others / others.sum(axis=1, keepdims=True)
    return result


def grid_ssp(
    rows: int, columns: int, cost_s: NDArray[np.float64], direction: NDArray[np.float64], *,
    start: int, goal: int, walls: str, traps: tuple[int, ...] = (), named: bool = True,
) -> SSP:  # fmt: skip
    """The SSP of a grid; `cost_s` (rows * columns,) is what a step from each cell costs, `direction` (4, 4) what becomes of each action.

    A move in a blocked direction stays. walls="stay": so does, surely, an action whose own direction is blocked; walls="slip": that one slips like any other.
    No way leads out of a cell among `traps`.
    """
    cells = np.delete(np.arange(rows * columns, dtype=np.int32), goal)
    kind = _kinds(rows, columns, traps)
    probability = _successors(direction, walls)[kind[cells]]  # (cells, action, slot)
    possible = probability > 0.0
    next_state = cells[:, None, None] + np.array([-columns, -1, 0, 1, columns], dtype=np.int32)
    counts = np.full(rows * columns, len(ACTIONS))
    counts[goal] = 0
    return SSP.from_csr(
        _pointers(counts), _pointers(possible.sum(axis=2).ravel()), np.broadcast_to(next_state, possible.shape)[possible], probability[possible],
        np.repeat(cost_s[cells], len(ACTIONS)), start=start, goal=goal, action_names=ACTIONS, grid=(rows, columns),
        state_names=[f"({row},{column})" for row in range(rows) for column in range(columns)] if named else None,
    )  # fmt: skip


def _kinds(rows: int, columns: int, traps: tuple[int, ...]) -> NDArray[np.uint8]:
    """Which ways out of each cell are blocked: the sum of 2**direction over them."""
    blocked = np.zeros((4, rows, columns), dtype=np.uint8)
    blocked[0, :, -1] = blocked[1, -1] = blocked[2, :, 0] = blocked[3, 0] = 1
    kind: NDArray[np.uint8] = (blocked[0] + 2 * blocked[1] + 4 * blocked[2] + 8 * blocked[3]).ravel()
    kind[list(traps)] = WALLED_IN
    return kind


def _successors(direction: NDArray[np.float64], walls: str) -> NDArray[np.float64]:
    """(16, 4, 5) for each kind of cell and each action, the probability of each slot."""
    table = np.zeros((16, len(ACTIONS), 5))
    for kind in range(WALLED_IN):
        blocked = [bool(kind >> d & 1) for d in range(4)]
        for a in range(len(ACTIONS)):
            if blocked[a] and walls == "stay":
                table[kind, a, STAY] = 1.0
                continue
            for d in range(4):
                table[kind, a, STAY if blocked[d] else SLOT[d]] += direction[a, d]
    table[WALLED_IN, :, STAY] = 1.0
    return table


def _pointers(counts: NDArray[np.integer]) -> NDArray[np.int64]:
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))
