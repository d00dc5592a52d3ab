"""`solve` against rational arithmetic, on random models with every known difficulty planted in them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goalward as gw
from goalward import SSP
from goalward.planning.methods import METHODS
from goalward.planning.solution import Solution
from tests.naive.certificate import check_certificate, exact_numbers, too_wide
from tests.naive.exact import exact_model, optimal_by_enumeration, optimal_by_iteration
from tests.strategies import FEATURES, MIXED_COSTS, Feature, Recipe, many_models, recipes

TAME = [feature for feature in FEATURES if feature.__name__ not in ("falling_chain", "small_beside_large", "slow_self_loop")]
ACCURACY = 1e-9  # of values, relative; small models are solved by elimination, to the last digits
tolerances = st.sampled_from([1e-6, 1e-3, 1e-8])
tame_recipes = st.sampled_from(TAME).flatmap(recipes)
any_recipes = st.sampled_from(FEATURES).flatmap(recipes)


def check(ssp: SSP, plan: Solution, accuracy: float = ACCURACY) -> None:
    """Everything that a solution promises, in rational numbers."""
    proven = bool(np.isfinite(plan.upper[np.isfinite(plan.value)]).all())
    assert proven or not plan.certified
    assert not proven or check_certificate(ssp, plan) == []
    exact, _ = optimal_by_iteration(exact_model(ssp))
    lower, upper = exact_numbers(plan.lower), exact_numbers(plan.upper)
    for s, v in enumerate(exact):
        assert lower[s] <= v <= upper[s]
        assert plan.value[s] == v == math.inf or abs(plan.value[s] - v) <= accuracy * v
    if plan.certified:
        assert too_wide(ssp, plan, plan.tolerance, plan.relative) == []
    assert plan.proper == all(exact[s] < math.inf for s in np.flatnonzero(ssp.start_distribution))


def beyond_double(plan: Solution, ssp: SSP) -> bool:
    """Whether values are so large beside costs that rounding may use up all slack."""
    positive = ssp.cost[ssp.cost > 0.0]
    return bool(plan.value[np.isfinite(plan.value)].max() > 1e8 * positive.min(initial=np.inf))


def best_so_far(ssp: SSP, tolerance: float, method: str) -> Solution:
    """The plan after 20,000 sweeps, finished or not."""
    try:
        return gw.solve(ssp, tolerance, method=method, max_sweeps=20_000)
    except gw.BudgetError as stopped:
        if stopped.solution is None:
            raise
        return stopped.solution


@pytest.mark.parametrize("feature", FEATURES)
def test_random_models(feature: Feature) -> None:
    @many_models
    @given(recipes(feature), tolerances)
    def solved(recipe: Recipe, tolerance: float) -> None:
        ssp = recipe.ssp()
        plan = gw.solve(ssp, tolerance)
        check(ssp, plan)
        assert plan.certified or beyond_double(plan, ssp)

    solved()


@many_models
@given(recipes(*FEATURES[:6], costs=MIXED_COSTS), st.booleans())
def test_many_difficulties_at_once(recipe: Recipe, relative: bool) -> None:
    ssp = recipe.ssp()
    check(ssp, gw.solve(ssp, relative=relative))


@many_models
@given(recipes(*FEATURES, costs=MIXED_COSTS, max_states=30, max_actions=5), tolerances)
def test_larger_models(recipe: Recipe, tolerance: float) -> None:
    ssp = recipe.ssp()
    check(ssp, gw.solve(ssp, tolerance), max(tolerance, ACCURACY))


@many_models
@given(recipes(max_states=4, max_actions=3))
def test_tiny_models_against_all_policies(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    exact = optimal_by_enumeration(exact_model(ssp))
    assert gw.solve(ssp).value.tolist() == pytest.approx([float(v) for v in exact], rel=ACCURACY, abs=0.0)


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method: str) -> None:
    """All are held to the same certificate. Value iteration need not come near; then it has to say so."""

    @many_models
    @given(tame_recipes, tolerances)
    def solved(recipe: Recipe, tolerance: float) -> None:
        ssp = recipe.ssp()
        plan, approximate = best_so_far(ssp, tolerance, method), method == "value-iteration"
        assert plan.method == method
        check(ssp, plan, 1e9 if approximate else ACCURACY)
        assert plan.certified or approximate

    solved()


@many_models
@given(tame_recipes, tolerances)
def test_absolute_tolerance(recipe: Recipe, tolerance: float) -> None:
    ssp = recipe.ssp()
    plan = gw.solve(ssp, tolerance, relative=False)
    check(ssp, plan)
    assert plan.certified


@many_models
@given(any_recipes, st.sampled_from([0.1, 1.0, 2.5, 10.0, 1e3]))
def test_penalty(recipe: Recipe, penalty: float) -> None:
    """The fixed point of min{J, .} is the value of the model with the reset action; with it, every state has a plan."""
    ssp = recipe.ssp()
    plan = gw.solve(ssp, penalty=penalty)
    check(ssp.with_reset(penalty), plan)
    assert plan.certified
    assert plan.value.max() <= penalty
    inner = np.setdiff1d(np.arange(ssp.num_states), ssp.goals)
    assert (plan.policy[inner] != -1).all()
    assert (plan.policy[inner] != ssp.num_actions).all()


@many_models
@given(any_recipes)
def test_the_policy_is_worth_its_value(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    plan = gw.solve(ssp)
    found = gw.evaluate(ssp, plan.policy)
    assert found.value.tolist() == pytest.approx(plan.value.tolist(), rel=ACCURACY, abs=0.0)
    assert (np.isfinite(found.hitting_time) == np.isfinite(plan.value)).all()


@many_models
@given(any_recipes)
def test_goals_are_worth_nothing_and_say_nothing(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    plan = gw.solve(ssp)
    for array in (plan.value, plan.lower, plan.upper):
        assert (array[ssp.goals] == 0.0).all()
    assert (plan.policy[ssp.goals] == -1).all()
