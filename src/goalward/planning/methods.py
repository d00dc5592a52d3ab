"""The methods of `solve` by name.

Each brings the values and the choice in `work` near the optimum of the reduced model; what they are worth, the certificate says.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled, component
from goalward.models.rows import Floats, Rows, owners
from goalward.planning.blocks import LEAST_SLACK, Work
from goalward.planning.budget import Budget
from goalward.planning.lu import evaluate_exactly, iterate_policies, polish
from goalward.planning.recipe import settle_all
from goalward.planning.reduction import Blocks
from goalward.planning.sweeps import sweep_all


def policy_iteration(blocks: Blocks, work: Work, budget: Budget) -> None:
    """Howard's, block by block, each policy evaluated by sparse LU."""
    for block in range(len(blocks.block_ptr) - 1):
        iterate_policies(blocks, work, block, budget)


def linear_program(blocks: Blocks, work: Work, budget: Budget) -> None:
    """Maximise the sum of the values under v <= c + P v, by HiGHS; then the value of the policy it points to, for HiGHS stops at 1e-7."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    rows, n = blocks.rows, len(blocks.first_choice)
    if not n:
        return
    pairs = len(rows.cost_x)
    moves = csr_array((rows.probability, rows.next_state, rows.row_ptr), shape=(pairs, n + 1))[:, :n]
    stays = csr_array((np.ones(pairs), owners(rows.first_pair), np.arange(pairs + 1)), shape=(pairs, n))
    found = linprog(-np.ones(n), stays - moves, rows.cost_x, bounds=(0.0, None), method="highs", options=_time_left(budget))
    budget.spend(1.0, np.nan)
    if found.x is None:
        return
    work.value[:n] = found.x
    sweep = compiled(sweep_all, rows, work.slack_x, work.choice, work.value, 0, n)
    sweep(rows, work.slack_x, work.choice, work.value, 0, n)
    if not polish(rows, work, 0, n):
        evaluate_exactly(rows, work, 0, n)


def _time_left(budget: Budget) -> dict[str, float]:
    return {} if budget.seconds_left is None else {"time_limit": budget.seconds_left}


def value_iteration(blocks: Blocks, work: Work, budget: Budget) -> None:
    """The paper's: from 0, all states at once, until no value changes by more than a fraction of the least cost [tarbouriech2020, Alg. 2].

    Where a pair is free, all costs are raised by a fraction of the smallest positive one [tarbouriech2020, App. I.3]. What the values are worth is not known
    when it stops; often its bounds have to be wide.
    """
    rows, n = blocks.rows, len(blocks.first_choice)
    if not n:
        return
    positive = rows.cost_x[rows.cost_x > 0.0]
    least, share = float(positive.min(initial=1.0)), float((work.slack_x / np.maximum(rows.cost_x, LEAST_SLACK)).min())
    offset = least * share if len(positive) < len(rows.cost_x) else 0.0
    raised = rows._replace(cost_x=rows.cost_x + offset)
    old, new = np.zeros(n + 1), np.zeros(n + 1)
    backup = compiled(backup_all, raised, old, new, work.choice)
    stop, change = max(offset, share * least, LEAST_SLACK) / 2.0, np.inf
    while change > stop:
        change = backup(raised, old, new, work.choice)
        old, new = new, old
        budget.spend(1.0, change / stop)
        work.value[:] = old


@component
def backup_all(rows: Rows, old: Floats, new: Floats, choice: NDArray[np.int32]) -> float:
    """new := min over pairs of c + P old; returns the largest difference."""
    change = 0.0
    for s in range(len(choice)):
        best = np.inf
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            total = rows.cost_x[x]
            for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                total += rows.probability[i] * old[rows.next_state[i]]
            if total < best:
                best, choice[s] = total, x
        new[s] = best
        change = max(change, abs(best - old[s]))
    return change


METHODS: dict[str, Callable[[Blocks, Work, Budget], None]] = {
    "auto": settle_all,
    "value-iteration": value_iteration,
    "policy-iteration": policy_iteration,
    "linear-program": linear_program,
}
