"""Counts against a dictionary, in a pool that grows and in one that is large enough."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goalward._compile import compiled
from goalward.learning.counts import Counts
from goalward.learning.growth import grown
from goalward.models.rows import Longs
from tests.kernels import both_ways, result_of, same
from tests.learning.learners import Draws, dense_visits, listed, visited
from tests.naive.visits import Visits
from tests.strategies import many_models

STATES, PAIRS = 11, 3
FIRST_PAIR = np.append(np.zeros(STATES, np.int64), PAIRS)  # how pairs belong to states does not matter to counts
draws_of_pairs = st.lists(st.tuples(st.integers(0, PAIRS - 1), st.integers(0, STATES)), max_size=80)


def record_while_there_is_room(counts: Counts, x_n: Longs, y_n: Longs, n: int) -> int:
    """Go on from visit n; returns how many are recorded."""
    while n < x_n.size and not counts.is_full():
        counts.record(x_n[n], y_n[n])
        n += 1
    return n


def has_doubled(counts: Counts, x: int, before_x: Longs) -> bool:
    return counts.has_doubled(x, before_x)


@given(draws_of_pairs)
@many_models
def test_counts_are_those_of_a_dictionary(draws: Draws) -> None:
    counts, twin = visited(Counts.empty(FIRST_PAIR, 4), draws), Visits(STATES, PAIRS)
    for x, y in draws:
        twin.record(x, y)
    assert [listed(counts, x) for x in range(PAIRS)] == [twin.successors(x) for x in range(PAIRS)]
    assert dense_visits(counts).tolist() == twin.dense().tolist()
    assert counts.visits_x.tolist() == [twin.of(x) for x in range(PAIRS)]


@given(draws_of_pairs)
@many_models
def test_a_pool_of_4_that_grows_holds_what_a_large_one_holds(draws: Draws) -> None:
    small, large = visited(Counts.empty(FIRST_PAIR, 4), draws), Counts.empty(FIRST_PAIR, 1000)
    for x, y in draws:
        large.record(x, y)
    for name in ("visits_x", "arrivals_x", "first_x", "end_x", "limit_x", "used"):
        assert same(getattr(small, name), getattr(large, name)), name
    for name in ("state_i", "visits_i"):
        assert same(getattr(small, name)[: small.used[0]], getattr(large, name)[: large.used[0]]), name
        assert not getattr(large, name)[large.used[0] :].any()


def test_compiled_counts_grow_the_same() -> None:
    rng = np.random.default_rng(0)
    x_n, y_n = rng.integers(0, PAIRS, 120), rng.integers(0, STATES + 1, 120)
    small, n, grew = Counts.empty(FIRST_PAIR, 4), 0, 0
    while n < 120:
        n, (small, *_) = both_ways(record_while_there_is_room, small, x_n, y_n, n)
        if n < 120:
            small, grew = grown(small), grew + 1
    recorded, (large, *_) = both_ways(record_while_there_is_room, Counts.empty(FIRST_PAIR, 1000), x_n, y_n, 0)
    assert recorded == 120
    assert grew >= 4
    assert [listed(small, x) for x in range(PAIRS)] == [listed(large, x) for x in range(PAIRS)]


def test_lists_do_not_overlap_and_stay_in_the_pool() -> None:
    rng = np.random.default_rng(1)
    counts = visited(Counts.empty(FIRST_PAIR, 4), zip(rng.integers(0, PAIRS, 200), rng.integers(0, STATES, 200), strict=True))
    rooms = sorted(zip(counts.first_x, counts.limit_x, strict=True))
    assert all(limit <= first for (_, limit), (first, _) in pairwise(rooms))
    assert rooms[-1][1] <= counts.used[0] <= len(counts.state_i)


def test_room_follows_what_is_seen_whatever_the_number_of_states() -> None:
    counts = Counts.empty(np.append(np.zeros(1_000_000, np.int64), 1))
    counts.record(0, 999_999)
    assert len(counts.state_i) < 100
    assert listed(counts, 0) == [(999_999, 1)]


def record_blindly(counts: Counts, x_n: Longs, y_n: Longs) -> None:
    for n in range(x_n.size):
        counts.record(x_n[n], y_n[n])


@pytest.mark.parametrize("fast", [False, True])
def test_a_pool_that_nobody_makes_larger_says_so(fast: bool) -> None:
    """What there was room for is kept."""
    counts, x_n, y_n = Counts.empty(np.append(np.zeros(100, np.int64), 1), 4), np.zeros(100, np.int64), np.arange(100)
    record = compiled(record_blindly, counts, x_n, y_n) if fast else record_blindly
    with pytest.raises(MemoryError, match=r"counts: the pool is full; .* asks is_full\(\) before each step, and goes on with grown\(agent\)"):
        record(counts, x_n, y_n)
    found = listed(counts, 0)
    assert 0 < len(found) < 100
    assert found == [(y, 1) for y in range(len(found))]


@pytest.mark.parametrize("before", [0, 1, 2, 5])
def test_a_pair_has_doubled_when_it_was_tried_as_often_again(before: int) -> None:
    """From 0 visits that is at the first."""
    counts, x = Counts.empty(FIRST_PAIR), 1
    before_x = np.array([100, before, 100])
    counts.visits_x[x] = before
    wanted = max(1, before)
    for new in range(2 * wanted):
        assert result_of(has_doubled, counts, x, before_x) == (new >= wanted)
        counts.record(x, STATES)
