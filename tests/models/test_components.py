"""Strongly connected components and end components: compiled and interpreted, against plain sets."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from goalward.models.components import end_components, strong_components
from goalward.models.graph import predecessors
from goalward.models.rows import Rows
from tests.kernels import result_of
from tests.models.test_graph import LONG, chain, rows_of, sparse_rows
from tests.naive.graph import Part, graph_of, mutually_reachable, staying_parts
from tests.strategies import FEATURES, Feature, Recipe, many_models, recipes

Mask = NDArray[np.bool_]


def everything(rows: Rows) -> Mask:
    return np.ones(len(rows.cost_x), np.bool_)


def free(rows: Rows) -> Mask:
    return np.equal(rows.cost_x, 0.0)


def strong(rows: Rows, keep: Mask) -> list[int]:
    """The component of each state; they are numbered 0, 1, ..."""
    component, count = result_of(strong_components, rows, keep)
    assert set(component.tolist()) == set(range(count))
    return component.tolist()  # type: ignore[no-any-return]


def staying(rows: Rows, keep: Mask) -> list[int]:
    """The end component of each state, -1 where it is in none; they are numbered 0, 1, ..., and `keep` stays as it was."""
    before = keep.copy()
    component, count = result_of(end_components, rows, keep, *result_of(predecessors, rows))
    assert set(component.tolist()) - {-1} == set(range(count))
    assert (keep == before).all()
    return component.tolist()  # type: ignore[no-any-return]


def parts(component: list[int]) -> set[Part]:
    return {frozenset(s for s, c in enumerate(component) if c == number) for number in set(component) - {-1}}


def check(rows: Rows, keep: Mask) -> None:
    """Both kinds against the naive twins; kept pairs lead to no component of a larger number."""
    graph, kept = graph_of(rows), np.flatnonzero(keep).tolist()
    component = strong(rows, keep)
    assert parts(component) == mutually_reachable(graph, kept)
    assert all(component[t] <= component[graph.owner_x[x]] for x in kept for t in graph.to_x[x] if t != graph.goal)
    assert parts(staying(rows, keep)) == staying_parts(graph, kept)


def some(rows: Rows, chance: Random) -> Mask:
    return np.array([chance.random() < 0.7 for _ in rows.cost_x])


@pytest.mark.parametrize("feature", FEATURES)
def test_random_models(feature: Feature) -> None:
    @many_models
    @given(recipes(feature), st.randoms(use_true_random=False))
    def checked(recipe: Recipe, chance: Random) -> None:
        rows = recipe.ssp().rows
        for keep in (everything(rows), free(rows), some(rows, chance)):
            check(rows, keep)

    checked()


@settings(many_models, max_examples=300)
@given(sparse_rows(), st.randoms(use_true_random=False))
def test_models_of_many_components(rows: Rows, chance: Random) -> None:
    check(rows, everything(rows))
    check(rows, some(rows, chance))


def ring(length: int, *more: tuple[int, int, list[int]]) -> Rows:
    return rows_of(*((s, 0, [(s + 1) % length]) for s in range(length)), *more, goal=length)


def test_a_ring() -> None:
    """It is one component of both kinds, also where it has a way out; without one of its pairs it is none."""
    rows = ring(6, (2, 1, [6]))
    keep = everything(rows)
    assert strong(rows, keep) == [0] * 6
    assert staying(rows, keep) == [0] * 6
    keep[0] = False
    assert parts(strong(rows, keep)) == {frozenset([s]) for s in range(6)}
    assert staying(rows, keep) == [-1] * 6


def test_a_ring_that_chance_leaves() -> None:
    """Where the step on may also be the way out, nobody can stay; the component of the graph is as it was."""
    rows = rows_of((0, 0, [1]), (1, 0, [2]), (2, 0, [0, 3]), goal=3)
    assert strong(rows, everything(rows)) == [0, 0, 0]
    assert staying(rows, everything(rows)) == [-1, -1, -1]


def test_a_graph_without_cycles() -> None:
    """States that lead to others have larger numbers."""
    rows = rows_of(*((s, t, [t]) for s in range(7) for t in range(s + 1, 8)), goal=7)
    assert strong(rows, everything(rows)) == [6, 5, 4, 3, 2, 1, 0]
    assert staying(rows, everything(rows)) == [-1] * 7


def test_nothing_is_kept() -> None:
    rows = ring(4, (2, 1, [4]))
    nothing = np.zeros(5, np.bool_)
    assert parts(strong(rows, nothing)) == {frozenset([s]) for s in range(4)}
    assert staying(rows, nothing) == [-1] * 4


def test_two_rings_and_what_lies_between() -> None:
    """0 <-> 1 may leave for 2, which leads to 3 <-> 4 or back."""
    rows = rows_of((0, 0, [1]), (1, 0, [0]), (1, 1, [2]), (2, 0, [1, 3]), (3, 0, [4]), (4, 0, [3]), (4, 1, [5]), goal=5)
    assert parts(strong(rows, everything(rows))) == {frozenset([0, 1, 2]), frozenset([3, 4])}
    assert parts(staying(rows, everything(rows))) == {frozenset([0, 1]), frozenset([3, 4])}


def wearing_off(length: int, *, last: list[int]) -> Rows:
    """Each state may stay, go on, or try to go back to 0, which may fail and go on; only the last has `last` instead."""
    moves = [(s, 0, [s]) for s in range(length)] + [(s, 1, [s + 1]) for s in range(length - 1)]
    return rows_of(*moves, *((s, 2, [0, s + 1]) for s in range(length - 1)), (length - 1, 2, last), goal=length)


def test_a_component_that_loses_a_state_in_every_round() -> None:
    """The last state cannot come back without risk; then the one before it cannot, and so on: each can only stay where it is."""
    rows = wearing_off(40, last=[0, 40])
    assert strong(rows, everything(rows)) == [0] * 40
    assert parts(staying(rows, everything(rows))) == {frozenset([s]) for s in range(40)}
    safe = wearing_off(40, last=[0])
    assert staying(safe, everything(safe)) == [0] * 40


def test_a_loss_that_spreads_at_once() -> None:
    """Without the pairs that stay, a state that loses its pair takes with it the one before."""
    rows = rows_of(*((s, 0, [max(s - 1, 0), s + 1]) for s in range(30)), goal=30)
    assert strong(rows, everything(rows)) == [0] * 30
    assert staying(rows, everything(rows)) == [-1] * 30


@pytest.mark.parametrize("last", [0, LONG // 2, LONG])
def test_a_long_chain(last: int) -> None:
    """It comes back to its start, to its middle, or not at all."""
    rows = chain(LONG, last=last)
    assert strong(rows, everything(rows)) == [max(min(last, LONG - 1) - s, 0) for s in range(LONG)]
    assert staying(rows, everything(rows)) == [-1] * last + [0] * (LONG - last)


def test_a_long_chain_that_is_worn_off_at_once() -> None:
    states = np.arange(LONG)
    back = np.column_stack((np.maximum(states - 1, 0), states + 1)).ravel()
    rows = chain(LONG, last=LONG)._replace(row_ptr=2 * np.arange(LONG + 1), next_state=back.astype(np.int32), probability=np.full(2 * LONG, 0.5))
    assert strong(rows, everything(rows)) == [0] * LONG
    assert staying(rows, everything(rows)) == [-1] * LONG
