"""What a Markov chain costs on its way to the goal: planning with nothing to choose, and without a proof.

A chain is `Rows` with one pair a state. As in planning, each state is brought into balance with its successors: by sweeps, as long as they cost no more than
sparse LU would. Of the imbalance that is left, a share of the state's own cost makes all values wrong by that share at most; and a share of its value, by that
share times the expected number of steps, for the expected value of the state after any number of steps is never more than that of the first. Rounding leaves a
share of the value. Where an episode takes so many steps that this would matter, states are eliminated one after the other instead, which loses next to nothing.
"""

from __future__ import annotations

import numpy as np

from goalward._compile import component, run
from goalward.errors import BudgetError
from goalward.models.checks import row_sums
from goalward.models.rows import Bools, Floats, Ints, Rows
from goalward.planning.blocks import Work
from goalward.planning.budget import Budget, OutOfBudgetError
from goalward.planning.elimination import band_of, band_room, band_work, eliminate
from goalward.planning.lu import policy_value
from goalward.planning.recipe import fresh, settle_all
from goalward.planning.reduction import Blocks, reduce_model

SHARE = 5e-11  # of its cost: the imbalance that a state may keep
ROUNDING = 1e-14  # ... or of its value
COARSE = 1e-3  # the share of the cost, and of the largest guess, with which to begin
ROUNDS = 4  # of finding out what the values are and what imbalance is small beside them
PATIENCE = 300  # sweeps that take about as long as LU
BAD = 1e-6  # values that may be wrong by that share are not put up with
QUICK = 1e9  # operations of an elimination: about a second
MOST_WORK = 3e10  # ... and about half a minute
LARGEST_ELIMINATION = 5e7  # numbers in its band matrix
LARGEST_LU = 2e8  # numbers in the band that LU would fill at worst; some percent of it are the rule


def expected_total(rows: Rows) -> Floats:
    """(S + 1,) the expected total cost; inf where the goal is not surely reached, or that is beyond the floating-point numbers. Costs may be inf."""
    rows, unit = _in_units(_lost_where_infinite(rows))
    reduced = reduce_model(rows)
    value = _balanced(reduced.blocks)
    if not _trusted(reduced.blocks, value) and not _eliminated(reduced.blocks, value, MOST_WORK):
        raise BudgetError("expected total: an episode takes so many steps that double precision does not do, and there are too many states for elimination")
    with np.errstate(over="ignore"):
        return np.append(value, np.inf)[reduced.index_s] * unit


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
    return row_sums(rows.row_ptr, rows.probability * value[rows.next_state])


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


def _balanced(blocks: Blocks) -> Floats:
    """(n + 1,) the values: by sweeps; by elimination or LU if that takes too long, and they do not; in the end by sweeps after all."""
    cost = blocks.rows.cost_x
    work = fresh(blocks, np.maximum(COARSE * cost, COARSE * blocks.guess.max()))
    try:
        _sweep_until_balanced(blocks, work, Budget(PATIENCE))
    except OutOfBudgetError:
        if not _eliminated(blocks, work.value, QUICK):
            if _fits_lu(blocks.rows):
                work.value[:-1] = policy_value(blocks.rows, work.choice, work.value, 0, len(cost))
            else:
                _sweep_on(blocks, work)
    return work.value


def _sweep_on(blocks: Blocks, work: Work) -> None:
    budget = Budget()
    try:
        _sweep_until_balanced(blocks, work, budget)
    except OutOfBudgetError as reason:
        raise BudgetError(f"expected total: not in balance after {budget.sweeps:,.0f} sweeps; the policy takes too long for so large a model") from reason


def _sweep_until_balanced(blocks: Blocks, work: Work, budget: Budget) -> None:
    cost = blocks.rows.cost_x
    least = float(cost.min(where=cost > 0.0, initial=1.0))
    for _ in range(ROUNDS):
        settle_all(blocks, work, budget)
        slack = np.maximum(SHARE * cost, ROUNDING * np.maximum(abs(work.value[:-1]), least))
        if (_imbalance(blocks, work.value) <= slack).all():
            break
        work = work._replace(slack_x=slack)


def _imbalance(blocks: Blocks, value: Floats) -> Floats:
    """(n,) the cost of each state, and the differences to its successors, which would make 0."""
    rows = blocks.rows
    with np.errstate(invalid="ignore"):  # values may be infinite
        differences = value[rows.next_state] - np.repeat(value[:-1], np.diff(rows.row_ptr))
    return np.asarray(abs(rows.cost_x + row_sums(rows.row_ptr, rows.probability * differences)))


def _trusted(blocks: Blocks, value: Floats) -> bool:
    """Whether the values are right to some digits, and not spoilt by rounding: what states are off by their costs must be small by the steps that there are."""
    imbalance, cost = _imbalance(blocks, value), blocks.rows.cost_x
    off = ~(imbalance <= BAD * cost)
    if not off.any():
        return True
    if (cost == 1.0).all() or not np.isfinite(value).all():
        return False
    blocks = blocks._replace(rows=blocks.rows._replace(cost_x=np.ones_like(cost)))
    steps = _balanced(blocks)
    share = float((imbalance[off] / value[:-1][off]).max())
    return _trusted(blocks, steps) and share * float(steps.max()) <= BAD


def _eliminated(blocks: Blocks, value: Floats, most_work: float) -> bool:
    arguments = blocks, np.arange(len(value) - 1, dtype=np.int32), value, most_work, LARGEST_ELIMINATION
    return run(eliminate_all, *arguments)


def _fits_lu(rows: Rows) -> bool:
    """Whether LU surely has room: in the order of Cuthill and McKee it would fill the band at most, and it finds better orders."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    states = len(rows.cost_x)
    moves = csr_array((rows.probability, rows.next_state, rows.row_ptr), shape=(states, states + 1))[:, :-1].tocoo()
    place = np.argsort(reverse_cuthill_mckee(moves.tocsr()))
    width = int(abs(place[moves.row] - place[moves.col]).max(initial=0))
    return (2 * width + 1) * states <= LARGEST_LU


@component
def eliminate_all(blocks: Blocks, choice: Ints, value: Floats, most_work: float, largest: float) -> bool:
    """Eliminate block after block; inf where a value is beyond the floating-point numbers. False if that would take too much."""
    rows, work = blocks.rows, 0.0
    for b in range(len(blocks.block_ptr) - 1):
        first, end = blocks.block_ptr[b], blocks.block_ptr[b + 1]
        below, above = band_of(rows, first, end)
        work += band_work(end - first, below, above)
        if work > most_work or band_room(end - first, below, above) > largest:
            return False
        if not eliminate(rows, choice, value, first, end, below, above):
            for s in range(first, end):
                value[s] = np.inf
    return True
