"""`solve` against rational arithmetic, on random models with every known difficulty planted in them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goalward as gw
from goalward import SSP
from goalward.planning.solution import Solution
from tests.naive.certificate import check_certificate, exact_numbers, too_wide
from tests.naive.exact import exact_model, optimal_by_iteration
from tests.strategies import FEATURES, MIXED_COSTS, Feature, Recipe, many_models, recipes


def check(ssp: SSP, plan: Solution, tolerance: float, accuracy: float) -> None:
    """Everything that a solution promises, in rational numbers."""
    assert check_certificate(ssp, plan) == []
    exact, _ = optimal_by_iteration(exact_model(ssp))
    lower, upper = exact_numbers(plan.lower), exact_numbers(plan.upper)
    for s, v in enumerate(exact):
        assert lower[s] <= v <= upper[s]
        assert plan.value[s] == v == math.inf or abs(plan.value[s] - v) <= accuracy * v
    if plan.certified:
        assert too_wide(ssp, plan, tolerance, plan.relative) == []
    assert plan.proper == all(exact[s] < math.inf for s in np.flatnonzero(ssp.start_distribution))


@pytest.mark.parametrize("feature", FEATURES)
def test_random_models(feature: Feature) -> None:
    @many_models
    @given(recipes(feature), st.sampled_from([1e-6, 1e-3, 1e-8]))
    def solved(recipe: Recipe, tolerance: float) -> None:
        ssp = recipe.ssp()
        plan = gw.solve(ssp, tolerance)
        check(ssp, plan, tolerance, 1e-9)
        assert plan.certified or max(v for v in plan.value if v < math.inf) > 1e8 * min(c for *_, c in recipe.rows if c > 0)

    solved()


@many_models
@given(recipes(*FEATURES[:6], costs=MIXED_COSTS))
def test_many_difficulties_at_once(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    check(ssp, gw.solve(ssp), 1e-6, 1e-9)
