"""The float test of a row never accepts what is untrue, and hardly ever refuses what is true with room to spare."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import goalward as gw
from goalward import SSP
from goalward._compile import compiled, run
from goalward.models.rows import Rows
from goalward.planning.certificate import count_doubts, holds, holds_exactly, plain
from goalward.planning.reduction import reduce_model
from tests.naive.certificate import check_certificate
from tests.strategies import FEATURES, Recipe, many_models, recipes

positive = st.floats(1e-308, 1e300) | st.floats(0.0, 10.0) | st.sampled_from([0.0, 5e-324, 1e-300, 1.0, 1e16, 1e308])


def one_row(probability: list[float], cost: float) -> Rows:
    """A pair of state 0 that leads to states 0, 1, ...; the last is the goal."""
    n = len(probability)
    first_pair = np.append(0, np.ones(max(1, n - 1), np.int64))
    return Rows(first_pair, np.array([0, n]), np.arange(n, dtype=np.int32), np.array(probability), np.array([cost]))


def exactly(rows: Rows, bound: NDArray[np.float64]) -> Fraction:
    """The sum of p (c + bound(t) - bound(0)): c + P bound - bound, times the sum of the row."""
    here = Fraction(bound[0])
    return sum(
        (Fraction(p) * (Fraction(rows.cost_x[0]) + Fraction(bound[t]) - here) for t, p in zip(rows.next_state, rows.probability, strict=True)), Fraction(0)
    )


@st.composite
def tight_rows(draw: st.DrawFn) -> tuple[Rows, NDArray[np.float64]]:
    """Bounds that satisfy their row up to a few units in the last place, or not quite."""
    n = draw(st.integers(2, 6))
    weights = draw(st.lists(st.integers(1, 99), min_size=n, max_size=n))
    rows = one_row([w / sum(weights) for w in weights], draw(positive))
    bound = np.array([0.0, *draw(st.lists(positive, min_size=n - 1, max_size=n - 1))])
    others = sum((Fraction(p) * (Fraction(rows.cost_x[0]) + Fraction(v)) for p, v in zip(rows.probability[1:], bound[1:], strict=True)), Fraction(0))
    mass = sum(map(Fraction, rows.probability[1:]), Fraction(0))
    balance = (others + Fraction(rows.probability[0]) * Fraction(rows.cost_x[0])) / mass
    bound[0] = float(balance) if balance < Fraction(1.7e308) else 1.7e308
    for _ in range(abs(steps := draw(st.integers(-9, 9)))):
        bound[0] = math.nextafter(bound[0], math.inf if steps > 0 else 0.0)
    return rows, bound


@many_models
@given(tight_rows())
def test_what_the_float_test_accepts_is_true(drawn: tuple[Rows, NDArray[np.float64]]) -> None:
    rows, bound = drawn
    for sign in (1.0, -1.0):
        accepted = compiled(plain, rows, bound, 0, 0, sign)(rows, bound, 0, 0, sign)
        with np.errstate(all="ignore"):
            assert accepted == plain(rows, bound, 0, 0, sign)
        assert not accepted or sign * exactly(rows, bound) >= 0


@many_models
@given(tight_rows())
def test_what_the_float_test_refuses_is_decided(drawn: tuple[Rows, NDArray[np.float64]]) -> None:
    rows, bound = drawn
    assert holds_exactly(rows, bound, 0, 0, lower=True) == (exactly(rows, bound) >= 0)
    assert holds_exactly(rows, bound, 0, 0, lower=False) == (exactly(rows, bound) <= 0)


def test_room_to_spare_is_enough_for_the_float_test() -> None:
    """A row with a relative slack of 1e-12 is accepted."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        weight = rng.random(5)
        rows = one_row((weight / weight.sum()).tolist(), float(rng.random()))
        bound = np.append(0.0, rng.random(4) * 10.0 ** rng.integers(-3, 4))
        balance = (rows.cost_x[0] + rows.probability[1:] @ bound[1:]) / rows.probability[1:].sum()
        for sign in (1.0, -1.0):
            bound[0] = balance * (1.0 - sign * 1e-12)
            assert compiled(plain, rows, bound, 0, 0, sign)(rows, bound, 0, 0, sign)


def test_overflow_is_not_accepted() -> None:
    """inf >= inf would be: here 1e-300 * (1e308 + 1e308) overflows on the way, and the true sum is negative."""
    rows = one_row([0.5, 1e-300, 0.5], 1e308)
    bound = np.array([1.5e308, 1.7e308, 0.0])
    assert exactly(rows, bound) > 0
    assert not compiled(plain, rows, bound, 0, 0, -1.0)(rows, bound, 0, 0, -1.0)


@many_models
@given(st.sampled_from(FEATURES).flatmap(recipes), st.integers(0, 10**6))
def test_a_bound_moved_the_wrong_way_is_refused(recipe: Recipe, seed: int) -> None:
    """Beyond what the true value allows: some row breaks, and `holds` says so, like the naive checker."""
    ssp = recipe.ssp()
    plan, reduced = gw.solve(ssp), reduce_model(ssp.rows)
    moving = [s for s in range(ssp.num_states) if math.isfinite(plan.value[s]) and plan.value[s] > 0.0]
    if not moving:
        return
    s = moving[seed % len(moving)]
    for lower, name, moved in ((True, "lower", np.nextafter(plan.upper[s], np.inf)), (False, "upper", np.nextafter(plan.lower[s], 0.0))):
        array = getattr(plan, name).copy()
        array[s] = moved
        tampered = gw.Solution(**vars(plan) | {name: array})
        bound = np.append(array[np.setdiff1d(np.arange(ssp.num_states), ssp.goals)], 0.0)
        pair_s = pairs_of(ssp, plan)
        assert holds(ssp.exact_rows, reduced, pair_s, bound, lower=lower) == (check_certificate(ssp, tampered) == [])
        assert not holds(ssp.exact_rows, reduced, pair_s, bound, lower=lower)


def pairs_of(ssp: SSP, plan: gw.Solution) -> NDArray[np.int32]:
    """(S,) the pair that the plan chooses in each state."""
    inner = np.setdiff1d(np.arange(ssp.num_states), ssp.goals)
    return np.array([ssp.pair(s, plan.policy[s]) if plan.policy[s] >= 0 else -1 for s in inner.tolist()], np.int32)


def test_rows_in_doubt_are_counted_and_named() -> None:
    rows = Rows(np.array([0, 2]), np.array([0, 1, 2]), np.array([1, 1], np.int32), np.ones(2), np.array([1.0, 2.0]))
    reduced, bound, doubtful = reduce_model(rows), np.array([1.5, 0.0]), np.zeros(1, np.int32)
    for lower, x, count in ((True, -1, 1), (False, 0, 0), (False, 1, 1), (False, -1, 0)):
        assert run(count_doubts, rows, reduced, np.array([x], np.int32), bound, lower, doubtful) == count
        assert doubtful.tolist() == [max(0, x) if count else doubtful[0]]


@pytest.mark.parametrize("tolerance", [1e-3, 1e-12])
def test_values_beyond_what_doubles_can_prove(tolerance: float) -> None:
    """2^60 steps at cost 1: no doubles satisfy all rows. It is said, and what is claimed is true."""
    n = 60
    rows = [(s, 0, t, 0.5, 1.0) for s in range(n) for t in (0, s + 1)]
    plan = gw.solve(SSP.from_rows(rows, start=0, goal=n), tolerance)
    assert not plan.certified
    assert plan.value[0] == pytest.approx(2.0 ** (n + 1) - 2.0, rel=1e-12)
    assert plan.lower[0] <= 2.0 ** (n + 1) - 2.0 <= plan.upper[0]
