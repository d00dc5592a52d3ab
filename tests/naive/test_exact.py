"""The naive solvers against each other, and against answers worked out by hand."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given

from goalward import SSP
from tests.naive.exact import (
    INFINITE,
    ExactModel,
    Pair,
    action_value,
    exact_from_arrays,
    exact_model,
    optimal_by_enumeration,
    optimal_by_iteration,
    policy_total,
    proper_from,
    sure_states,
)  # fmt: skip
from tests.strategies import FEATURES, Feature, Recipe, free_component, infinite_cost, many_models, recipes, tempting_trap


def model_of(*rows: tuple[int, int, int, float, float], goal: int) -> ExactModel:
    return exact_model(SSP.from_rows(rows, start=0, goal=goal))


def test_numbers_mean_themselves_divided_by_their_exact_sum() -> None:
    model = model_of((0, 0, 1, 1 / 3, 0.1), (0, 0, 0, 2 / 3, 0.1), goal=1)
    total = Fraction(1 / 3) + Fraction(2 / 3)
    assert model.pairs_s == [[Pair(0, Fraction(0.1), {0: Fraction(2 / 3) / total, 1: Fraction(1 / 3) / total})], []]


def test_dense_arrays_mean_the_same() -> None:
    transitions = np.array([[[1 / 3, 0.0, 1 - 1 / 3], [0, 0, 0]], [[0, 0, 0], [0, 0, 0]], [[0, 1.0, 0], [0.1, 0.2, 0.7]]])
    costs = np.array([[1.0, 2.0], [3.0, 4.0], [0.0, 0.1]])
    ssp = SSP.from_arrays(transitions, costs, start=0, goal=1)
    assert exact_model(ssp) == exact_from_arrays(transitions, costs, [1])


def test_free_cycle_with_an_exit_costs_the_exit() -> None:
    model = model_of((0, 0, 1, 1.0, 0.0), (1, 0, 0, 1.0, 0.0), (1, 1, 2, 1.0, 1.0), goal=2)
    value, policy = optimal_by_iteration(model)
    assert value == optimal_by_enumeration(model) == [1, 1, 0]
    assert (policy[0].action, policy[1].action) == (0, 1)


def test_no_way_out_costs_infinitely_much() -> None:
    rows = [(0, 0, 3, 1.0, 5.0), (0, 1, 3, 0.5, 0.0), (0, 1, 1, 0.5, 0.0), (1, 0, 2, 1.0, 0.0), (2, 0, 1, 1.0, 0.0), (2, 0, 1, 0.0, 0.0)]
    model = model_of(*rows, goal=3)
    assert optimal_by_enumeration(model) == optimal_by_iteration(model)[0] == [5, INFINITE, INFINITE, 0]
    assert sure_states(model).stage.keys() == {1, 2}


def test_falling_back_to_the_start_takes_two_to_the_41_steps() -> None:
    rows = [(i, 0, t, 0.5, 1.0) for i in range(40) for t in (i + 1, 0)]
    value, _ = optimal_by_iteration(model_of(*rows, goal=40))
    assert value[0] == 2**41 - 2
    assert value[39] == 2**40


def test_totals_of_a_given_policy() -> None:
    """A walk 0 <-> 1 -> 2 with p(1, 2) = 1/4: from 1 it takes 7 steps, from 0 it takes 8; 3 leads nowhere."""
    model = model_of((0, 0, 1, 1.0, 0.0), (1, 0, 0, 0.75, 2.0), (1, 0, 2, 0.25, 2.0), (3, 0, 3, 1.0, 0.0), goal=2)
    policy = {s: model.pairs_s[s][0] for s in (0, 1, 3)}
    assert policy_total(model, policy, unit_costs=True) == [8, 7, 0, INFINITE]
    assert policy_total(model, policy) == [8, 8, 0, INFINITE]
    assert proper_from(model, policy) == {0, 1, 2}


@pytest.mark.parametrize("feature", FEATURES)
def test_enumeration_and_iteration_agree(feature: Feature) -> None:
    @many_models
    @given(recipes(feature, max_states=5, max_actions=3))
    def agree(recipe: Recipe) -> None:
        model = exact_model(recipe.ssp())
        assume(math.prod(max(1, len(pairs)) for pairs in model.pairs_s) <= 300)
        assert optimal_by_enumeration(model) == optimal_by_iteration(model)[0]

    agree()


@many_models
@given(recipes(infinite_cost, tempting_trap, free_component))
def test_states_that_surely_arrive_and_the_others_have_their_rankings(recipe: Recipe) -> None:
    model = exact_model(recipe.ssp())
    sure = sure_states(model)
    assert sure.rank.keys() | sure.stage.keys() == set(model.states)
    assert proper_from(model, sure.policy) >= sure.rank.keys()
    for s, pair in sure.policy.items():
        assert min(sure.rank[t] for t in pair.to) < sure.rank[s]
    for s, stage in sure.stage.items():
        for pair in model.pairs_s[s]:
            assert min(sure.stage.get(t, len(model.pairs_s)) for t in pair.to) < stage or all(sure.stage.get(t) == stage for t in pair.to)


@many_models
@given(recipes(free_component))
def test_best_policy_is_proper_and_greedy(recipe: Recipe) -> None:
    model = exact_model(recipe.ssp())
    value, policy = optimal_by_iteration(model)
    assert policy_total(model, policy) == value
    assert all(action_value(pair, value) >= value[s] for s in policy for pair in model.pairs_s[s])
