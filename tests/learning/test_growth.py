"""Algorithms whose memory grows: what is shared stays shared, and of several parts that grow the first that is full counts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from goalward._compile import component
from goalward.learning.growth import Both, Growing, growing_part, grown, grows, is_component
from goalward.learning.starts import WarmStart
from goalward.models.rows import Longs
from tests.kernels import result_of
from tests.learning.learners import Learner, Planner, Task, ball

FIRST_PAIR = np.array([0, 1, 2])


@component
@grows("seen_i")
class Trail(NamedTuple):
    """The states seen."""

    seen_i: Longs
    used: Longs  # (1,)

    def is_full(self) -> bool:
        return bool(self.used[0] == self.seen_i.size)


@component
class Walker(NamedTuple):
    """Three parts that grow, one of them in a part of a part; two of them are the same."""

    trail: Trail
    inner: Learner
    again: Trail
    name_s: Longs


@component
class Still(NamedTuple):
    name_s: Longs


def is_full(growing: Growing) -> bool:
    return growing.is_full()


def pools_of(part: Any) -> tuple[str, ...]:
    pools: tuple[str, ...] = type(part)._pools
    assert pools
    return pools


def walker() -> Walker:
    trail = Trail(np.arange(4), np.zeros(1, np.int64))
    return Walker(trail, Learner.of(ball(2, 1.0), FIRST_PAIR, 4), trail, np.arange(3))


def test_every_pool_doubles_and_keeps_what_it_holds() -> None:
    agent = walker()
    agent.inner.counts.record(0, 1)
    larger = grown(agent)
    assert larger.trail.seen_i.tolist() == [0, 1, 2, 3, 0, 0, 0, 0]
    for before, after in ((agent.inner.counts, larger.inner.counts), (agent.inner.model, larger.inner.model)):
        for pool in pools_of(before):
            assert len(getattr(after, pool)) == 2 * len(getattr(before, pool))
            assert getattr(after, pool)[: len(getattr(before, pool))].tolist() == getattr(before, pool).tolist()
            assert getattr(after, pool).dtype == getattr(before, pool).dtype
    assert agent.trail.seen_i.tolist() == [0, 1, 2, 3]


def test_what_parts_share_they_go_on_sharing() -> None:
    """Pools, and all that is no pool is the very same array as before."""
    agent = walker()
    larger = grown(grown(agent))
    assert larger.trail.seen_i is larger.again.seen_i
    assert len(larger.trail.seen_i) == 16
    assert larger.trail.used is agent.trail.used
    assert larger.name_s is agent.name_s
    assert larger.inner.order is not agent.inner.order
    assert larger.inner.order.rank is agent.inner.order.rank


def test_a_plan_keeps_the_record_that_others_see() -> None:
    task = Task.drawn(np.random.default_rng(0), 4, 2)
    planner = Planner.of(task, ball(4, 1.0), WarmStart())
    larger = grown(planner)
    assert larger.plan.outcome is planner.plan.outcome
    assert larger.plan.cost_x is planner.plan.cost_x
    for pool in pools_of(planner.plan.model):
        assert len(getattr(larger.plan.model, pool)) == 2 * len(getattr(planner.plan.model, pool))


@pytest.mark.parametrize("full", ["trail", "counts", "again", "none"])
def test_any_part_that_is_full_counts(full: str) -> None:
    agent = walker()._replace(again=Trail(np.arange(4), np.zeros(1, np.int64)))
    if full == "counts":
        agent.inner.counts.used[0] = len(agent.inner.counts.state_i)
    elif full != "none":
        getattr(agent, full).used[0] = 4
    growing = growing_part(agent)
    assert isinstance(growing, Both)
    assert result_of(is_full, growing) == (full != "none")


def test_one_part_that_grows_needs_no_other() -> None:
    learner = Learner.of(ball(2, 1.0), FIRST_PAIR, 4)
    assert growing_part(learner) is learner.counts
    assert growing_part(learner.counts) is learner.counts


def test_an_algorithm_that_never_grows_says_nothing() -> None:
    agent = Still(np.arange(3))
    assert growing_part(agent) is None
    assert grown(agent).name_s is agent.name_s


def test_components_are_tuples_with_names() -> None:
    assert is_component(Still(np.arange(3)))
    assert not is_component((1, 2))
    assert not is_component(np.arange(3))
