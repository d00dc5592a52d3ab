"""The reduced model has the values of the model, and none of what makes it hard."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goalward import SSP
from goalward._compile import compiled, run
from goalward.models.components import end_components
from goalward.models.graph import predecessors
from goalward.models.rows import Rows
from goalward.planning.approach import approach, probability_of
from goalward.planning.free_moves import sorted_by
from goalward.planning.reduction import Reduced, reduce_model, reduce_rows
from goalward.planning.witness import lift_policy
from tests.kernels import both_ways, same
from tests.naive.exact import exact_model, optimal_by_iteration, proper_from
from tests.strategies import FEATURES, Recipe, many_models, recipes

any_recipes = st.sampled_from(FEATURES).flatmap(recipes)


def as_problem(reduced: Reduced) -> SSP:
    """The reduced model as a model of its own."""
    rows, n = reduced.blocks.rows, len(reduced.blocks.first_choice)
    first_pair = np.append(rows.first_pair, rows.first_pair[-1])
    return SSP.from_csr(first_pair, rows.row_ptr, rows.next_state, rows.probability, rows.cost_x, start=0, goal=n)


@many_models
@given(any_recipes)
def test_same_values(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    reduced = reduce_model(ssp.rows)
    n = len(reduced.blocks.first_choice)
    smaller = [float(v) for v in optimal_by_iteration(exact_model(as_problem(reduced)))[0]] if n else [0.0]
    exact, _ = optimal_by_iteration(exact_model(ssp))
    for s, v in enumerate(exact):
        u = reduced.index_s[ssp.index_s[s]]
        assert (math.inf if u < 0 else smaller[u]) == pytest.approx(float(v), rel=1e-9, abs=0.0)
        assert (u == n) == (v == 0)


@many_models
@given(any_recipes)
def test_both_ways(recipe: Recipe) -> None:
    rows = recipe.ssp().rows
    assert same(reduce_rows(rows), compiled(reduce_rows, rows)(rows))


@many_models
@given(any_recipes)
def test_blocks_and_order(recipe: Recipe) -> None:
    """A block leads to itself and to blocks before it; no pair stays where it is; rows sum to 1."""
    reduced = reduce_model(recipe.ssp().rows)
    rows, n = reduced.blocks.rows, len(reduced.blocks.first_choice)
    block = np.searchsorted(reduced.blocks.block_ptr, np.arange(n), side="right") - 1
    for s in range(n):
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            successors = rows.next_state[rows.row_ptr[x] : rows.row_ptr[x + 1]]
            assert s not in successors
            assert all(t == n or block[t] <= block[s] for t in successors)
            assert rows.probability[rows.row_ptr[x] : rows.row_ptr[x + 1]].sum() == pytest.approx(1.0, rel=1e-12)
    assert reduced.blocks.block_ptr[-1] == n


@many_models
@given(any_recipes)
def test_first_choices_arrive_and_are_lifted_to_a_policy_that_arrives(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    reduced = reduce_model(ssp.rows)
    (pair_s, rank_s, proper), _ = both_ways(lift_policy, reduced, reduced.blocks.first_choice)
    assert proper
    model = exact_model(ssp)
    state_of = np.flatnonzero(~np.isin(np.arange(ssp.num_states), ssp.goals))
    policy = {int(state_of[s]): next(p for p in model.pairs_s[state_of[s]] if p.action == ssp.action[x]) for s, x in enumerate(pair_s) if x >= 0}
    surely = {s for s in model.states if reduced.index_s[ssp.index_s[s]] >= 0}
    assert proper_from(model, policy) == surely
    assert all(rank_s[ssp.index_s[s]] == 0 for s in model.goals)


def test_a_policy_that_says_nothing_somewhere_does_not_arrive() -> None:
    """If nobody knew how to walk about in a free end component, the state without a pair would be noticed."""
    rows = SSP.from_rows([(0, 0, 1, 1.0, 0.0), (1, 0, 0, 1.0, 0.0), (0, 1, 2, 1.0, 1.0)], start=0, goal=2).rows
    reduced = reduce_model(rows)
    assert run(lift_policy, reduced, reduced.blocks.first_choice)[2]
    forged = reduced._replace(inside_x=np.zeros_like(reduced.inside_x))
    pair_s, rank_s, proper = run(lift_policy, forged, forged.blocks.first_choice)
    assert (pair_s.tolist(), rank_s.tolist(), proper) == ([1, -1], [1, -1, 0], False)


@many_models
@given(any_recipes)
def test_free_pairs_left_make_no_end_component(recipe: Recipe) -> None:
    """Dynamic programming is sound on what is left: whoever goes on for ever pays for ever."""
    rows = reduce_model(recipe.ssp().rows).blocks.rows
    component, count = end_components(rows, rows.cost_x == 0.0, *predecessors(rows))
    assert (count, set(component) - {-1}) == (0, set())


def test_the_approach_is_exact_where_nothing_is_left_to_chance() -> None:
    """Dijkstra's algorithm: against Bellman and Ford's, on random graphs."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = 40
        arcs = [(s, a, int(rng.integers(0, n + 1)), 1.0, float(rng.integers(0, 9))) for s in range(n) for a in range(3)]
        ssp = SSP.from_rows(arcs, start=0, goal=n, states=n + 1)
        rows = ssp.rows
        into = compiled(predecessors, rows)(rows)
        keep = np.ones(len(rows.cost_x), np.bool_)
        (order, guess, _), _ = both_ways(approach, rows, keep, *into)
        distance = np.append(np.full(n, np.inf), 0.0)
        for _ in range(n):
            for s, _, t, _, c in arcs:
                distance[s] = min(distance[s], distance[t] + c)
        assert guess.tolist() == distance.tolist()
        assert guess[order].tolist() == sorted(distance[:n][np.isfinite(distance[:n])])


def test_long_rows_are_searched_by_bisection() -> None:
    """Wherever the goal stands among the successors."""
    for goal_place in (0, 1, 20, 39, 40):
        successors = np.insert(np.arange(0, 80, 2), goal_place, 99).astype(np.int32)
        probability = np.arange(1.0, 42.0)
        rows = Rows(np.array([0, 1]), np.array([0, 41]), successors, probability, np.ones(1))
        for t, p in zip(successors.tolist(), probability.tolist(), strict=True):
            assert both_ways(probability_of, rows, 0, t, 99)[0] == p


def test_sorted_by() -> None:
    rng = np.random.default_rng(0)
    for count in (1, 3, 50):
        states, key = rng.permutation(20).astype(np.int32), rng.integers(0, count, 20).astype(np.int32)
        (ptr, result), _ = both_ways(sorted_by, states, key, count)
        assert result.tolist() == sorted(states.tolist(), key=lambda s: (key[s], states.tolist().index(s)))
        assert ptr.tolist() == [int((key < k).sum()) for k in range(count + 1)]
