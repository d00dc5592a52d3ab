"""The naive graph facts against definitions that are slower still, and against the rational model."""

from __future__ import annotations

from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.naive.exact import exact_model, sure_states
from tests.naive.graph import fewest_steps, graph_of, is_end_component, staying_parts, surely_arriving, unproven
from tests.strategies import Recipe, free_component, infinite_cost, many_models, recipes, tempting_trap


@many_models
@given(recipes(free_component, max_states=5), st.randoms(use_true_random=False))
def test_end_components_are_the_largest_sets_that_are_one(recipe: Recipe, chance: Random) -> None:
    graph = graph_of(recipe.ssp().rows)
    kept = [x for x in range(len(graph.to_x)) if chance.random() < 0.8]
    parts = [frozenset(part) for size in range(1, graph.goal + 1) for part in combinations(range(graph.goal), size)]
    components = [part for part in parts if is_end_component(graph, part, kept)]
    assert staying_parts(graph, kept) == {part for part in components if not any(part < other for other in components)}


@many_models
@given(recipes(infinite_cost, tempting_trap))
def test_states_that_surely_arrive_are_those_of_the_exact_model(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    model, index = exact_model(ssp), ssp.index_s
    sure = sure_states(model)
    assert {int(index[s]) for s in sure.rank.keys() - model.goals} == surely_arriving(graph_of(ssp.rows))
    rank = [-1] * len(ssp.rows.first_pair)
    for s, stage in sure.stage.items():
        rank[index[s]] = stage
    assert unproven(graph_of(ssp.rows), rank[:-1]) == []
    assert {s for s, steps in enumerate(fewest_steps(graph_of(ssp.rows))) if steps < 0} <= {s for s, r in enumerate(rank) if r >= 0}


def test_a_wrong_ranking_is_found() -> None:
    ssp = Recipe([(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0), (1, 0, 1, 1.0, 1.0)], 3, [2], 0).ssp()
    graph = graph_of(ssp.rows)
    assert unproven(graph, [1, 0]) == []
    assert unproven(graph, [0, 0]) == [0]
    assert unproven(graph, [0, 1]) == [0]
    assert unproven(graph, [0, -1]) == [0]
