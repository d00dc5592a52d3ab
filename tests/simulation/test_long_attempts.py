"""Penalties so large that an attempt could last longer than 32 bits can count: it lasts as long as a run may."""

from __future__ import annotations

import pytest

import goalward as gw

from .players import grid

LONGEST = 2**31 - 2


@pytest.mark.parametrize("penalty", [1e9, 1e19, 1e300])
def test_attempts_do_not_wrap(penalty: float) -> None:
    agent = gw.make_agent("uc-ssp", grid().signature, penalty=penalty)
    agent.reset(8)
    for _ in range(20):
        a = agent.act(8)
        assert a != gw.RESET
        agent.observe(8, a, 1.0, 8)
    assert agent.state.now.pivot == LONGEST
    assert agent.state.clock.last == LONGEST


def test_step_by_step() -> None:
    """An agent that has not made a step since its plan goes on with it, whatever is said of its attempt."""
    agent = gw.make_agent("uc-ssp", grid().signature, penalty=20.0)
    for _ in range(3):
        agent.reset(8)
        assert agent.act(8) != gw.RESET


def test_visits_that_nobody_asked_for() -> None:
    """Observing without acting is no failed attempt."""
    agent = gw.make_agent("uc-ssp", grid().signature)
    agent.reset(8)
    for _ in range(5):
        agent.observe(8, 0, 1.0, 8)
    assert (agent.state.clock.j, agent.state.clock.G) == (0, 0)
