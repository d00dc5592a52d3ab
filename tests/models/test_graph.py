"""Which states reach the goal: compiled and interpreted, against plain sets."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goalward import SSP, environments, solve
from goalward.models.graph import almost_sure, distances, layers, predecessors, reaches_goal
from goalward.models.rows import Rows
from tests.kernels import result_of
from tests.naive.graph import Graph, fewest_steps, graph_of, longest_way, pairs_into, surely_arriving, unproven
from tests.strategies import FEATURES, Feature, Recipe, infinite_cost, many_models, recipes, tempting_trap

LONG = 100_000  # states of a chain: whatever recursed would not come back


class Facts(NamedTuple):
    """All that the graph says of a model."""

    into: tuple[Any, ...]
    level: list[int]
    witness: list[int]
    reaches: list[bool]
    rank: list[int]
    depth: int


def facts_of(rows: Rows) -> Facts:
    into = result_of(predecessors, rows)
    level, witness = result_of(distances, *into)
    reaches, rank = result_of(reaches_goal, rows, *into), result_of(almost_sure, rows, *into)
    return Facts(into, level.tolist(), witness.tolist(), reaches.tolist(), rank.tolist(), result_of(layers, rows))


def check(rows: Rows) -> None:
    """All of it against the naive twins."""
    graph, facts = graph_of(rows), facts_of(rows)
    ptr, pair, owner = (part.tolist() for part in facts.into)
    assert [pair[ptr[t] : ptr[t + 1]] for t in range(graph.goal + 1)] == [pairs_into(graph, t) for t in range(graph.goal + 1)]
    assert owner == graph.owner_x
    assert facts.level == fewest_steps(graph)
    check_witnesses(graph, facts)
    assert facts.reaches == [level >= 0 for level in facts.level[:-1]]
    assert {s for s, rank in enumerate(facts.rank) if rank == -1} == surely_arriving(graph)
    assert unproven(graph, facts.rank) == []
    assert [rank == 0 for rank in facts.rank] == [level < 0 for level in facts.level[:-1]]
    assert facts.depth == longest_way(graph)


def check_witnesses(graph: Graph, facts: Facts) -> None:
    """Each is a pair of its state, the first step of a shortest path."""
    for s, x in enumerate(facts.witness):
        if facts.level[s] < 0:
            assert x == -1
        else:
            assert x in graph.pairs_s[s]
            assert min(facts.level[t] for t in graph.to_x[x] if facts.level[t] >= 0) == facts.level[s] - 1


@pytest.mark.parametrize("feature", FEATURES)
def test_random_models(feature: Feature) -> None:
    @many_models
    @given(recipes(feature))
    def checked(recipe: Recipe) -> None:
        check(recipe.ssp().rows)

    checked()


@many_models
@given(recipes(infinite_cost, tempting_trap, tempting_trap, max_actions=2))
def test_several_traps_in_one_model(recipe: Recipe) -> None:
    check(recipe.ssp().rows)


@st.composite
def sparse_rows(draw: st.DrawFn, most: int = 14) -> Rows:
    """Few actions, each of one or two successors, and one goal: few ways lead there, and most may miss it."""
    states = draw(st.integers(2, most))
    successors = st.lists(st.integers(0, states), min_size=1, max_size=2, unique=True)
    actions = draw(st.lists(st.lists(successors, min_size=1, max_size=3), min_size=states, max_size=states))
    return rows_of(*((s, a, to) for s, choices in enumerate(actions) for a, to in enumerate(choices)), goal=states)


@settings(many_models, max_examples=300)
@given(sparse_rows())
def test_risky_models(rows: Rows) -> None:
    check(rows)


def rows_of(*moves: tuple[int, int, list[int]], goal: int) -> Rows:
    """Of moves (s, a, successors), all equally likely."""
    return SSP.from_rows([(s, a, t, 1 / len(to), 1.0) for s, a, to in moves for t in to], start=moves[0][0], goal=goal).rows


def test_a_ring() -> None:
    """0 -> 1 -> ... -> 5 -> 0, with the way out at 2: all surely arrive, and a state can be visited twice."""
    facts = facts_of(rows_of(*((s, 0, [(s + 1) % 6]) for s in range(6)), (2, 1, [6]), goal=6))
    assert facts.level == [3, 2, 1, 6, 5, 4, 0]
    assert facts.rank == [-1] * 6
    assert facts.depth == -1


def test_a_graph_without_cycles() -> None:
    """Of each state all later ones are successors, so that the shortest way is one step and the longest visits all."""
    facts = facts_of(rows_of(*((s, t, [t]) for s in range(7) for t in range(s + 1, 8)), goal=7))
    assert facts.level == [1] * 7 + [0]
    assert facts.depth == 7


@pytest.mark.parametrize("depth", [1, 5, 12])
def test_environment_in_layers(depth: int) -> None:
    facts = facts_of(environments.make("layered", depth=depth, width=3).rows)
    assert facts.depth == depth
    assert facts.level[0] == depth


def test_a_trap_that_is_reached_in_stages() -> None:
    """Each state arrives, or comes one nearer to the trap; each is found out only when the one before it was."""
    facts = facts_of(rows_of((0, 0, [0]), *((s, 0, [s - 1, 9]) for s in range(1, 9)), goal=9))
    assert facts.rank == list(range(9))
    assert facts.reaches == [False] + [True] * 8


def test_a_way_out_that_is_only_a_risk() -> None:
    """1 <-> 2 may go round as long as they like; the one way from there to the goal may miss it: they share a rank. 3 can avoid it all."""
    facts = facts_of(rows_of((0, 0, [0]), (1, 0, [2]), (2, 0, [1]), (2, 1, [0, 4]), (3, 0, [1, 4]), (3, 1, [4]), goal=4))
    assert facts.rank == [0, 1, 1, -1]


def test_a_state_that_has_to_look_for_another_path() -> None:
    """The short way from 1 is a risk; the long one, by 2 and 3, is safe."""
    facts = facts_of(rows_of((0, 0, [0]), (1, 0, [0, 4]), (1, 1, [2]), (2, 0, [3]), (3, 0, [4]), goal=4))
    assert facts.rank == [0, -1, -1, -1]
    assert facts.level == [-1, 1, 2, 1, 0]


def test_no_state_reaches_the_goal() -> None:
    facts = facts_of(rows_of((0, 0, [1]), (1, 0, [0]), goal=2))
    assert (facts.level, facts.rank, facts.reaches, facts.depth) == ([-1, -1, 0], [0, 0], [False, False], -1)


def chain(length: int, *, last: int) -> Rows:
    """0 -> 1 -> ... -> length - 1 -> `last`; `length` is the goal."""
    first = np.append(np.arange(length + 1), length)
    to = np.append(np.arange(1, length), last)
    return SSP.from_csr(first, np.arange(length + 1), to, np.ones(length), np.ones(length), start=0, goal=length).rows


def test_a_long_chain() -> None:
    facts = facts_of(chain(LONG, last=LONG))
    assert facts.level == list(range(LONG, -1, -1))
    assert facts.rank == [-1] * LONG
    assert facts.depth == LONG


def test_a_long_chain_to_nowhere() -> None:
    facts = facts_of(chain(LONG, last=LONG - 1))
    assert facts.rank == [0] * LONG
    assert facts.depth == -1


def test_a_long_chain_of_risks() -> None:
    """As above in stages: one state is removed after the other."""
    rows = environments.make("corridor", length=LONG, success=0.5).rows
    assert result_of(almost_sure, rows, *result_of(predecessors, rows)).tolist() == [-1] * LONG
    states = np.arange(LONG)
    to = np.column_stack((np.maximum(states - 1, 0), np.where(states, LONG, 0)))
    risky = SSP.from_csr(np.append(states, [LONG, LONG]), 2 * np.arange(LONG + 1), to.ravel(), np.full(2 * LONG, 0.5), np.ones(LONG), start=1, goal=LONG).rows
    assert result_of(almost_sure, risky, *result_of(predecessors, risky)).tolist() == list(range(LONG))


def test_paths_that_come_to_be_longer_than_there_are_states() -> None:
    """States that look for another path again and again may end further from the goal, by their level, than any path is long."""
    successors = [
        [[0]], [[5], [6]], [[7, 9], [2]], [[18]], [[11]], [[15]], [[7], [0, 12]], [[12]], [[4]], [[0, 14], [9]], [[13], [2]], [[10]], [[3]], [[1]], [[8]],
        [[14]], [[2, 18]], [[16], [5]],
    ]  # fmt: skip
    rows = [(s, a, t, 1 / len(to), 1.0) for s, actions in enumerate(successors) for a, to in enumerate(actions) for t in to]
    ssp = SSP.from_rows(rows, start=17, goal=18)
    check(ssp.rows)
    assert solve(ssp).value[17] == 14.0
