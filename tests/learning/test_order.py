"""The order of the states against NumPy's stable sort."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goalward.learning.order import Order
from goalward.models.rows import Floats
from tests.kernels import both_ways
from tests.strategies import many_models

VALUES = st.sampled_from([0.0, 0.1, 0.5, 1.0, 1.0 + 2.0**-52, 3.0, 1e9])


def update(order: Order, value_s: Floats) -> bool:
    return order.update(value_s)


def accumulate(order: Order, value_s: Floats) -> None:
    order.accumulate(value_s)


def updated(order: Order, value_s: Floats) -> tuple[bool, Order]:
    moved, after = both_ways(update, order, value_s)
    return moved, after[0]


@given(st.integers(1, 40).flatmap(lambda size: st.lists(st.lists(VALUES, min_size=size, max_size=size), min_size=1, max_size=4)))
@many_models
def test_every_update_is_a_stable_sort_of_the_order_before(values: list[list[float]]) -> None:
    """Equals stay as they were, and whether anything moved is told."""
    order = Order.of(len(values[0]))
    for value in values:
        value_s, before = np.array([*value, 0.0]), order.rank.copy()
        expected = before[np.argsort(value_s[before], kind="stable")]
        moved, order = updated(order, value_s)
        assert order.rank.tolist() == expected.tolist()
        assert order.place_s[order.rank].tolist() == list(range(len(value)))
        assert moved == (expected.tolist() != before.tolist())


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8, 9, 64, 100, 1000])
def test_sizes_about_powers_of_two(size: int) -> None:
    rng = np.random.default_rng(size)
    for value_s in (rng.random(size + 1), rng.integers(0, 5, size + 1).astype(float), np.arange(size + 1.0)[::-1].copy()):
        order = updated(Order.of(size), value_s)[1]
        assert order.rank.tolist() == np.argsort(value_s[:size], kind="stable").tolist()


def test_what_is_sorted_stays() -> None:
    moved, order = updated(Order.of(6), np.array([0.0, 1.0, 1.0, 1.0, 2.0, 3.0, 0.0]))
    assert not moved
    assert order.rank.tolist() == [0, 1, 2, 3, 4, 5]


def test_the_goal_has_no_place() -> None:
    """Its value, 0, comes last in the array and is not looked at."""
    _, order = updated(Order.of(3), np.array([2.0, 1.0, 3.0, 0.0]))
    assert order.rank.tolist() == [1, 0, 2]


def test_values_add_up_in_order() -> None:
    """To the same bits as NumPy's cumulative sum, which adds one after the other."""
    value_s = np.random.default_rng(3).random(31)
    order = updated(Order.of(30), value_s)[1]
    after = both_ways(accumulate, order, value_s)[1][0]
    assert after.below[:31].tolist() == [0.0, *np.cumsum(value_s[order.rank])]
