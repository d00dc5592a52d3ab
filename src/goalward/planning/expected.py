"""What a Markov chain costs on its way to the goal: planning with nothing to choose, and without a proof.

A chain is `Rows` with one pair a state. As in planning, each state is brought into balance with its successors. What is left of imbalance is a small share of
the state's own cost, and then the values are wrong by no more than that share; or it is what rounding leaves of a value, which adds up over the steps of an
episode. Where an episode takes so many steps that rounding would matter, states are eliminated one after the other, which loses next to nothing.
"""

from __future__ import annotations

import numpy as np

from goalward._compile import compiled, component
from goalward.errors import BudgetError
from goalward.models.graph import Bools, Ints
from goalward.models.rows import Rows
from goalward.planning.budget import Budget, OutOfBudgetError
from goalward.planning.elimination import band_of, eliminate
from goalward.planning.recipe import fresh, settle_all
from goalward.planning.reduction import Floats, Reduced, reduce_model
from goalward.planning.sweeps import advantage

SHARE = 5e-11  # of its cost: the imbalance that a state may keep
ROUNDING = 1e-14  # ... or of its value, of which the guess is a lower bound
BAD = 1e-6  # an imbalance of this share of the cost is not put up with
BAD_ROUNDING = 1e-12  # ... or of the value, where a step is free
MOST_WORK = 3e10  # operations of an elimination: about half a minute
LARGEST = 1e8  # numbers in its band matrix


def expected_total(rows: Rows) -> Floats:
    """(S + 1,) the expected total cost; inf where the goal is not surely reached, or that is beyond the floating-point numbers. Costs may be inf."""
    rows, unit = _in_units(_lost_where_infinite(rows))
    reduced = reduce_model(rows)
    work = fresh(reduced, _slack(reduced))
    budget = Budget()
    try:
        settle_all(reduced, work, budget)
    except OutOfBudgetError as reason:
        raise BudgetError(f"expected total: not in balance after {budget.sweeps:,.0f} sweeps; the policy takes too long for a model of this size") from reason
    state = reduced, work.choice, work.value
    if not compiled(in_balance, *state)(*state) and not compiled(eliminate_all, *state, MOST_WORK, LARGEST)(*state, MOST_WORK, LARGEST):
        raise BudgetError("expected total: an episode takes so many steps that double precision does not do, and there are too many states for elimination")
    with np.errstate(over="ignore"):
        return np.append(work.value, np.inf)[reduced.index_s] * unit


def ending_in(rows: Rows, ends: Bools) -> Rows:
    """The chain that is over, at no further cost, where it comes to one of the states `ends`."""
    length, first = np.diff(rows.row_ptr), rows.row_ptr[:-1][ends]
    next_state, probability = rows.next_state.copy(), rows.probability.copy()
    next_state[first], probability[first] = len(ends), 1.0
    keep = ~np.repeat(ends, length)
    keep[first] = True
    row_ptr = np.append(0, np.cumsum(np.where(ends, 1, length)))
    return Rows(rows.first_pair, row_ptr, next_state[keep], probability[keep], np.where(ends, 0.0, rows.cost_x))


def mean_after(rows: Rows, value: Floats) -> Floats:
    """(S,) the expected `value`, (S + 1,), of the state after the next step."""
    return np.asarray(np.add.reduceat(rows.probability * value[rows.next_state], rows.row_ptr[:-1]))


def _lost_where_infinite(rows: Rows) -> Rows:
    """Where a step costs infinitely much one stays, never to arrive: that makes the total infinite just where it is."""
    infinite = np.isinf(rows.cost_x)
    if not infinite.any():
        return rows
    length = np.diff(rows.row_ptr)
    stays = np.repeat(np.arange(len(infinite), dtype=np.int32), length)
    return rows._replace(next_state=np.where(np.repeat(infinite, length), stays, rows.next_state), cost_x=np.where(infinite, 1.0, rows.cost_x))


def _in_units(rows: Rows) -> tuple[Rows, float]:
    """Costs up to 1, and the power of two by which they were divided: totals may overflow, but not on the way to them."""
    unit = float(np.ldexp(1.0, np.frexp(rows.cost_x.max(initial=0.0))[1] - 1))
    return rows._replace(cost_x=rows.cost_x / unit), unit


def _slack(reduced: Reduced) -> Floats:
    cost, guess = reduced.rows.cost_x, reduced.guess[:-1]
    least = float(cost.min(where=cost > 0.0, initial=1.0))
    return np.maximum(SHARE * cost, ROUNDING * np.where(guess > 0.0, guess, least))


@component
def in_balance(reduced: Reduced, choice: Ints, value: Floats) -> bool:
    """Whether no state is so far out of balance that rounding has spoilt the values, or that they never came near."""
    rows = reduced.rows
    for s in range(len(choice)):
        cost = rows.cost_x[choice[s]]
        limit = BAD * cost if cost > 0.0 else BAD_ROUNDING * value[s]
        if not abs(advantage(rows, value, value[s], choice[s])) <= limit:
            return False
    return True


@component
def eliminate_all(reduced: Reduced, choice: Ints, value: Floats, most_work: float, largest: float) -> bool:
    """Eliminate block after block; inf where a value is beyond the floating-point numbers. False if that would take too much."""
    rows, work = reduced.rows, 0.0
    for b in range(len(reduced.block_ptr) - 1):
        first, end = reduced.block_ptr[b], reduced.block_ptr[b + 1]
        below, above = band_of(rows, first, end)
        work += (end - first) * (below + 1.0) * (above + 1.0)
        if work > most_work or (end - first) * (below + 1.0 + above) > largest:
            return False
        if not eliminate(rows, choice, value, first, end, below, above):
            for s in range(first, end):
                value[s] = np.inf
    return True
