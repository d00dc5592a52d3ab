"""The naive chains against answers worked out by hand."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goalward import SSP
from tests.naive.chains import arrival, distribution_far, mixed, moments, survival, total_paid
from tests.naive.exact import INFINITE, ExactModel, Pair, exact_model, policy_total
from tests.planning.drawn_policies import Case, cases
from tests.strategies import free_component, infinite_cost, many_models, recipes

HALF = Fraction(1, 2)


def only_policy(*rows: tuple[int, int, int, float, float], goal: int) -> tuple[ExactModel, dict[int, Pair]]:
    """A model with one action a state."""
    model = exact_model(SSP.from_rows(rows, start=rows[0][0], goal=goal))
    return model, {s: pairs[0] for s, pairs in enumerate(model.pairs_s) if pairs}


FAIR = only_policy((0, 0, 1, 0.5, 2.0), (0, 0, 0, 0.5, 2.0), goal=1)  # heads is the goal
RISKY = only_policy((0, 0, 3, 0.25, 1.0), (0, 0, 1, 0.75, 1.0), (1, 0, 2, 1.0, 5.0), (2, 0, 2, 1.0, 0.0), goal=3)


def test_a_mixture() -> None:
    model = exact_model(SSP.from_rows([(0, 0, 1, 1.0, 1.0), (0, 3, 0, 0.5, 4.0), (0, 3, 1, 0.5, 4.0)], start=0, goal=1))
    assert mixed(model, {0: {0: Fraction(1), 3: Fraction(2)}}) == {0: Pair(-1, Fraction(3), {0: Fraction(1, 3), 1: Fraction(2, 3)})}
    assert mixed(model, {}) == {}


def test_a_fair_coin() -> None:
    assert total_paid(*FAIR) == [4, 0]
    assert arrival(*FAIR) == [1, 1]
    assert survival(*FAIR, 3) == [Fraction(1, 8), 0]
    assert moments(*FAIR, 3) == [[1, 1], [2, 0], [6, 0], [26, 0]]


def test_a_risk() -> None:
    assert total_paid(*RISKY) == [1 + Fraction(3, 4) * 5, 5, 0, 0]
    assert arrival(*RISKY) == [Fraction(1, 4), 0, 0, 1]
    assert survival(*RISKY, 2) == [Fraction(3, 4), 1, 1, 0]
    assert moments(*RISKY, 1)[1] == [INFINITE, INFINITE, INFINITE, 0]


def test_going_round_at_a_cost_is_never_paid_off() -> None:
    model, chain = only_policy((0, 0, 1, 1.0, 0.0), (1, 0, 0, 1.0, 1.0), (2, 0, 0, 0.5, 1.0), (2, 0, 3, 0.5, 1.0), goal=3)
    assert total_paid(model, chain) == [INFINITE, INFINITE, INFINITE, 0]


def test_where_the_policy_is_undefined() -> None:
    model = FAIR[0]
    assert total_paid(model, {}) == [INFINITE, 0]
    assert arrival(model, {}) == [0, 1]
    assert survival(model, {}, 5) == [1, 0]
    assert distribution_far(model, {}, 5) == ([Decimal(1), Decimal(0)], [Decimal(0), Decimal(1)])


def test_very_many_steps() -> None:
    model, chain = only_policy((0, 0, 1, 2.0**-40, 1.0), (0, 0, 0, 1.0 - 2.0**-40, 1.0), goal=1)
    alive, arrived = distribution_far(model, chain, 2**42)
    assert float(alive[0]) == pytest.approx(math.exp(-4), rel=1e-11)
    assert alive[0] + arrived[0] == pytest.approx(Decimal(1), abs=Decimal("1e-45"))


@many_models
@given(cases(recipes(infinite_cost, free_component, max_states=4)), st.integers(0, 9))
def test_ways_to_compute_agree(case: Case, n: int) -> None:
    model, chain = case.exact()
    alive, arrived = distribution_far(model, chain, n)
    for s, p in enumerate(survival(model, chain, n)):
        assert float(alive[s]) == pytest.approx(float(p), rel=1e-14)
        assert float(arrived[s]) == pytest.approx(float(1 - p), rel=1e-14)
        assert p >= 1 - arrival(model, chain)[s]
    assert moments(model, chain, 1)[1] == policy_total(model, chain, unit_costs=True)
    paid = total_paid(model, chain)
    assert all(paid[s] == total for s, total in enumerate(policy_total(model, chain)) if total < INFINITE)
