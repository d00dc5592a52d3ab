"""Policy iteration with sparse LU: right wherever the values are not too large, and dear where the matrix fills up."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled, run
from goalward.models.rows import Rows, stretches
from goalward.planning.blocks import SETTLED, Work
from goalward.planning.budget import Budget
from goalward.planning.elimination import LARGEST_BAND, band_of, band_room, band_work, eliminate
from goalward.planning.reduction import Blocks
from goalward.planning.sweeps import sweep_all

ROUNDS = 1000  # of policy iteration; a few dozen are the rule
CHEAP = 1e8  # multiplications: a tenth of a second


def iterate_policies(blocks: Blocks, work: Work, block: int, budget: Budget) -> None:
    """Settle one block, from the first choice on, which surely arrives; strict improvements never lose that."""
    rows, first, end = blocks.rows, int(blocks.block_ptr[block]), int(blocks.block_ptr[block + 1])
    work.choice[first:end] = blocks.first_choice[first:end]
    sweep, exact = compiled(sweep_all, rows, work.slack_x, work.choice, work.value, first, end), False
    for _ in range(ROUNDS):
        if not exact and not evaluate_exactly(rows, work, first, end):
            work.value[first:end] = np.inf
            return
        worst, switched = sweep(rows, work.slack_x, work.choice, work.value, first, end)
        budget.spend((end - first) / len(blocks.first_choice), worst / SETTLED)
        if switched == 0 and (exact or not polish(rows, work, first, end)):
            return
        exact = switched == 0


def polish(rows: Rows, work: Work, first: int, end: int) -> bool:
    """Values to the last digits, by elimination, where that is cheap: LU loses digits where the policy is slow."""
    below, above = run(band_of, rows, first, end)
    cheap = band_work(end - first, below, above) <= CHEAP and band_room(end - first, below, above) <= LARGEST_BAND
    return cheap and run(eliminate, rows, work.choice, work.value, first, end, below, above)


def evaluate_exactly(rows: Rows, work: Work, first: int, end: int) -> bool:
    """Write what the policy costs into `work.value`; False if it is beyond the floating-point numbers. Where LU fails, elimination need not."""
    value = policy_value(rows, work.choice[first:end], work.value, first, end)
    if np.isfinite(value).all():
        work.value[first:end] = value
        return True
    below, above = run(band_of, rows, first, end)
    arguments = rows, work.choice, work.value, first, end, below, above
    return bool(band_room(end - first, below, above) <= LARGEST_BAND and run(eliminate, *arguments))


def policy_value(rows: Rows, choice: NDArray[np.int32], value: NDArray[np.float64], first: int, end: int) -> NDArray[np.float64]:
    """What the policy costs from the states first ... end - 1, if the others are worth `value`."""
    from scipy.sparse import csc_array
    from scipy.sparse.linalg import MatrixRankWarning, splu

    size = end - first
    length = np.diff(rows.row_ptr)[choice]
    state = np.repeat(np.arange(size), length)
    entry = stretches(rows.row_ptr[choice], length)
    target, probability = rows.next_state[entry], rows.probability[entry]
    inside = (target >= first) & (target < end)
    constant = rows.cost_x[choice] + np.bincount(state, np.where(inside, 0.0, probability * value[target]), size)
    row, column = np.concatenate((np.arange(size), state[inside])), np.concatenate((np.arange(size), target[inside] - first))
    matrix = csc_array((np.concatenate((np.ones(size), -probability[inside])), (row, column)), shape=(size, size))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", MatrixRankWarning)
        try:
            solved: NDArray[np.float64] = splu(matrix, permc_spec="COLAMD").solve(constant)
        except RuntimeError:  # singular: beyond the floating-point numbers
            return np.full(size, np.inf)
    return solved
