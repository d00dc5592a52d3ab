"""M_inf, the problem that never ends: from the goal, which pays a reward of 1, it goes on from a start state [tarbouriech2020, Sect. 3]."""

from __future__ import annotations

import numpy as np

from goalward.models.rows import Rows
from goalward.models.ssp import SSP
from goalward.planning.solve import solve


def average_rows(ssp: SSP) -> Rows:
    """The rows of M_inf: the goal is a state like the others, number S, with one pair of its own, and no pair leads to S + 1."""
    rows, starts = ssp.rows, np.flatnonzero(ssp.start_distribution)
    return Rows(
        np.append(rows.first_pair, len(rows.cost_x) + 1), np.append(rows.row_ptr, len(rows.next_state) + len(starts)),
        np.concatenate((rows.next_state, ssp.index_s[starts])), np.concatenate((rows.probability, ssp.start_distribution[starts])),
        np.ones(len(rows.cost_x) + 1),
    )  # fmt: skip


def diameter_of(ssp: SSP, tolerance: float) -> float:
    """D_inf, by one plan to each state of M_inf."""
    rows = average_rows(ssp)
    states = len(rows.first_pair) - 1
    longest = 0.0
    for target in range(states):
        towards = SSP.from_csr(rows.first_pair, rows.row_ptr, rows.next_state, rows.probability, rows.cost_x, start=int(target == 0), goal=target)
        longest = max(longest, float(solve(towards, tolerance).value.max()))
    return longest
