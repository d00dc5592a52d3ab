"""`evaluate` against rational arithmetic, on random models and policies, proper and improper; and against closed forms."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import goalward as gw
from goalward import RESET, SSP, SettingError
from tests.naive.chains import arrival, moments, total_paid
from tests.naive.exact import INFINITE, Value, policy_total, proper_from
from tests.planning.drawn_policies import Case, cases
from tests.strategies import FEATURES, MIXED_COSTS, Feature, Recipe, falling_chain, free_component, infinite_cost, many_models, recipes, tempting_trap

CLOSE = 1e-11


def check(found: NDArray[np.float64], exact: Sequence[Value], accuracy: float = CLOSE) -> None:
    """Relatively, and infinite in the same states."""
    for s, (got, wanted) in enumerate(zip(found.tolist(), exact, strict=True)):
        if not got == wanted == INFINITE:
            assert abs(Fraction(got) - Fraction(wanted)) <= accuracy * Fraction(wanted), f"state {s}: {got!r}, not {float(wanted)!r}"


@pytest.mark.parametrize("feature", FEATURES)
def test_random_policies(feature: Feature) -> None:
    @many_models
    @given(cases(recipes(feature)))
    def evaluated(case: Case) -> None:
        check_all(case)

    evaluated()


@many_models
@given(cases(recipes(*FEATURES[:6], costs=MIXED_COSTS)))
def test_many_difficulties_at_once(case: Case) -> None:
    check_all(case)


def check_all(case: Case) -> None:
    ssp, (model, chain) = case.ssp, case.exact()
    found = gw.evaluate(ssp, case.policy)
    proper = proper_from(model, chain)
    check(found.value, total_paid(model, chain))
    check(found.hitting_time, policy_total(model, chain, unit_costs=True))
    check(found.arrival, arrival(model, chain))
    assert np.flatnonzero(found.proper_from).tolist() == sorted(proper)
    assert found.proper == all(s in proper for s in np.flatnonzero(ssp.start_distribution))
    assert (found.arrival[found.proper_from] == 1.0).all()


@many_models
@given(cases(recipes(infinite_cost, max_states=5)), st.sampled_from([0, 1, 2, 3, 5]))
def test_moments(case: Case, r: int) -> None:
    model, chain = case.exact()
    check(gw.evaluate(case.ssp, case.policy).moment(r), moments(model, chain, r)[r])


@many_models
@given(cases(recipes(falling_chain, max_states=4)))
def test_moments_of_very_long_ways(case: Case) -> None:
    model, chain = case.exact()
    check(gw.evaluate(case.ssp, case.policy).moment(2), moments(model, chain, 2)[2])


@many_models
@given(cases(recipes(free_component)), st.integers(1, 6))
def test_moments_are_bounded_as_the_paper_says(case: Case, r: int) -> None:
    """E[tau^r] <= 2 (r lambda)^r where lambda >= 2 bounds the mean from every state [tarbouriech2020, Lem. 15]."""
    found = gw.evaluate(case.ssp, case.policy)
    mean = max(2.0, found.hitting_time.max())
    assert (found.moment(r) <= 2 * (r * mean) ** r).all()


@pytest.mark.parametrize("feature", FEATURES)
def test_the_plan_is_worth_what_it_says(feature: Feature) -> None:
    @many_models
    @given(recipes(feature))
    def agree(recipe: Recipe) -> None:
        ssp = recipe.ssp()
        plan = gw.solve(ssp)
        found = gw.evaluate(ssp, plan.policy)
        assert found.value == pytest.approx(plan.value, rel=1e-9, abs=0.0)
        assert found.proper == plan.proper
        assert (found.proper_from == np.isfinite(plan.value)).all()

    agree()


@many_models
@given(recipes(tempting_trap), st.sampled_from([0.5, 1.0, 3.0, 50.0]))
def test_a_plan_that_may_give_up(recipe: Recipe, penalty: float) -> None:
    ssp = recipe.ssp()
    plan = gw.solve(ssp, penalty=penalty)
    found = gw.evaluate(ssp.with_reset(penalty), plan.policy)
    assert found.value == pytest.approx(plan.value, rel=1e-9, abs=0.0)
    assert found.proper_from.all()


def test_a_geometric_time() -> None:
    """Staying with probability 1 - p: E[tau] = 1/p, E[tau^2] = (2 - p)/p^2, E[tau^3] = (p^2 - 6p + 6)/p^3."""
    for p in (1.0, 0.5, 0.3, 1e-3, 1e-9):
        found = gw.evaluate(SSP.from_rows([(0, 0, 1, p, 3.0), (0, 0, 0, 1.0 - p, 3.0)], start=0, goal=1), [0, -1])
        exact = Fraction(p) / (Fraction(p) + Fraction(1.0 - p))
        assert found.value[0] == pytest.approx(float(3 / exact), rel=1e-15)
        assert found.moment(1)[0] == pytest.approx(float(1 / exact), rel=1e-15)
        assert found.moment(2)[0] == pytest.approx(float((2 - exact) / exact**2), rel=1e-14)
        assert found.moment(3)[0] == pytest.approx(float((exact**2 - 6 * exact + 6) / exact**3), rel=1e-14)
        assert [found.moment(r)[1] for r in (0, 1, 3)] == [1.0, 0.0, 0.0]


@pytest.mark.parametrize(("length", "p"), [(1, 0.9), (7, 0.9), (40, 0.25)])
def test_a_sum_of_geometric_times(length: int, p: float) -> None:
    """A corridor in which one stays where a step fails: mean n/p, variance n (1 - p)/p^2."""
    found = gw.evaluate(gw.environments.make("corridor", length=length, success=p, falls="stay"), np.zeros(length + 1, int))
    mean = length / p
    assert found.hitting_time[0] == found.value[0] == pytest.approx(mean, rel=1e-14)
    assert found.moment(2)[0] == pytest.approx(mean**2 + length * (1 - p) / p**2, rel=1e-13)


@pytest.mark.parametrize("length", [10, 41, 60, 300, 1000])
def test_back_to_the_start_half_of_the_time(length: int) -> None:
    """2^(n + 1) - 2 steps: the digits do not suffer from how many there are."""
    found = gw.evaluate(gw.environments.make("corridor", length=length, success=0.5, falls="start"), np.zeros(length + 1, int))
    assert found.hitting_time[0] == pytest.approx(2.0 * (2.0**length - 1), rel=1e-12)
    assert found.proper


def test_numbers_that_are_too_large_are_infinite() -> None:
    found = gw.evaluate(gw.environments.make("corridor", length=1100, success=0.5, falls="start"), np.zeros(1101, int))
    assert found.hitting_time[0] == math.inf
    assert found.proper
    assert found.survival(2)[1098:].tolist() == [0.75, 0.5, 0.0]


def test_moments_that_are_too_large_are_infinite_where_they_are() -> None:
    """0 takes some 10^9 steps, 1 takes one, from 2 it may be either."""
    rows = [(0, 0, 0, 1.0 - 1e-9, 1.0), (0, 0, 3, 1e-9, 1.0), (1, 0, 3, 1.0, 1.0), (2, 0, 0, 0.5, 1.0), (2, 0, 1, 0.5, 1.0)]
    found = gw.evaluate(SSP.from_rows(rows, start=2, goal=3), [0, 0, 0, -1])
    assert found.moment(20)[0] == pytest.approx(math.factorial(20) * 1e180, rel=1e-6)
    assert found.moment(40).tolist() == [math.inf, 1.0, math.inf, 0.0]
    assert found.moment(100).tolist() == [math.inf, 1.0, math.inf, 0.0]


def test_costs_near_the_largest_number() -> None:
    ssp = SSP.from_rows([(0, 0, 1, 1.0, 1e308), (1, 0, 2, 1.0, 1e308), (2, 0, 3, 1.0, 5e307)], start=0, goal=3)
    assert gw.evaluate(ssp, [0, 0, 0, -1]).value.tolist() == [math.inf, 1.5e308, 5e307, 0.0]


def test_going_round_for_nothing_costs_what_was_paid_before() -> None:
    """0 pays 5 to come to the free circle 1 <-> 2. From 3 one gets there or to the goal; from 4 to a circle that costs."""
    rows = [
        (0, 0, 1, 1.0, 5.0), (1, 0, 2, 1.0, 0.0), (2, 0, 1, 1.0, 0.0), (3, 0, 1, 0.5, 1.0), (3, 0, 6, 0.5, 1.0), (4, 0, 5, 1.0, 0.0), (5, 0, 4, 1.0, 1e-9),
    ]  # fmt: skip
    found = gw.evaluate(SSP.from_rows(rows, start=3, goal=6), np.zeros(7, int))
    assert found.value.tolist() == [5.0, 0.0, 0.0, 1.0, INFINITE, INFINITE, 0.0]
    assert found.hitting_time.tolist() == [INFINITE] * 6 + [0.0]
    assert found.arrival.tolist() == [0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 1.0]
    assert not found.proper


def test_a_policy_that_never_arrives_and_pays_nothing() -> None:
    found = gw.evaluate(gw.environments.make("two-state", c_min=0.0), [0, -1])
    assert (found.value.tolist(), found.arrival.tolist(), found.hitting_time.tolist()) == ([0.0, 0.0], [0.0, 1.0], [INFINITE, 0.0])
    assert found.moment(2).tolist() == [INFINITE, 0.0]


def test_where_it_is_undefined_a_policy_never_arrives() -> None:
    ssp = gw.environments.make("corridor", length=3)
    found = gw.evaluate(ssp, [0, -1, 0, -1])
    assert found.value.tolist() == [INFINITE, INFINITE, INFINITE, 0.0]
    assert found.arrival == pytest.approx([0.0, 0.0, 0.9, 1.0])
    assert gw.evaluate(ssp, [-1, -1, -1, -1]).arrival.tolist() == [0.0, 0.0, 0.0, 1.0]


def test_a_small_chance_is_known_to_many_digits() -> None:
    """Of 30 steps, each fails for good with probability 0.9."""
    rows = [(s, 0, t, p, 1.0) for s in range(30) for t, p in ((s + 1, 0.1), (31, 0.9))] + [(31, 0, 31, 1.0, 1.0)]
    found = gw.evaluate(SSP.from_rows(rows, start=0, goal=30), np.zeros(32, int))
    assert found.arrival[0] == pytest.approx(1e-30, rel=1e-12)


def test_repr() -> None:
    ssp = gw.environments.make("corridor", length=2, success=0.5, falls="stay")
    assert repr(gw.evaluate(ssp, [0, 0, -1])) == "Evaluation(3 states, proper; at the start: value 4, hitting time 4)"
    assert repr(gw.evaluate(ssp, [1, 0, -1])) == "Evaluation(3 states, improper; at the start: value inf, hitting time inf)"
    mixed = SSP.from_rows([(0, 0, 2, 1.0, 1.0), (1, 0, 2, 1.0, 3.0)], start=[0.25, 0.75, 0.0], goal=2)
    assert repr(gw.evaluate(mixed, [0, 0, -1])) == "Evaluation(3 states, proper; at the start: value 2.5, hitting time 1)"


def test_the_repr_of_a_large_model_computes_nothing() -> None:
    ssp = gw.environments.make("corridor", length=10_000)
    found = gw.evaluate(ssp, np.zeros(10_001, int))
    assert repr(found) == "Evaluation(10,001 states, proper)"
    assert "value" not in vars(found)
    assert found.value[0] > 0.0
    assert repr(found).startswith("Evaluation(10,001 states, proper; at the start: value 1")


@pytest.mark.parametrize("r", [-1, 101, 1.0, True, None, "2"])
def test_wrong_moments(r: object) -> None:
    found = gw.evaluate(gw.environments.make("corridor"), np.zeros(11, int))
    with pytest.raises(SettingError, match=r"^r = .*: expected a whole number from 0 to 100$"):
        found.moment(r)  # type: ignore[arg-type]


def test_giving_up_is_an_action_where_there_is_one() -> None:
    ssp = gw.environments.make("corridor", length=3).with_reset(4.0)
    found = gw.evaluate(ssp, [RESET, 0, RESET, -1])
    assert found.value == pytest.approx([4.0, 0.9 * (1 + 4) + 0.1 * (1 + 4), 4.0, 0.0])
