"""An agent that is driven step by step: what it may be told, and what it answers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import goalward as gw
from goalward.simulation.agent import Agent
from tests.contracts.variants import crossing, grid

from .players import Nervous, Stubborn, fork


def uc_ssp(ssp: gw.SSP, **settings: Any) -> Agent:
    return gw.make_agent("uc-ssp", ssp.signature, **settings)


def test_it_knows_only_the_signature() -> None:
    """Problems of the same size and costs are the same to it, whatever their probabilities."""
    slippery = gw.environments.make("corridor", length=3, success=0.6)
    sure = gw.environments.make("corridor", length=3, success=0.9)
    first, second = uc_ssp(slippery), uc_ssp(sure)
    for s, s_next in ((0, 1), (1, 2), (2, 1), (1, 0), (0, 1), (1, 2), (2, 3)) * 20:
        first.reset(s)
        second.reset(s)
        a = first.act(s)
        assert second.act(s) == a
        first.observe(s, a, 1.0, s_next)
        second.observe(s, a, 1.0, s_next)


def test_states_and_actions_are_the_callers() -> None:
    """State 5 is the fourth that is no goal, and has the actions 0 and 2, of which 2 is the cheaper."""
    agent = uc_ssp(crossing())
    for _ in range(20):
        agent.reset(5)
        assert agent.act(5) == 2
        agent.observe(5, 2, 0.4, 4)
    assert agent.state.counts.visits_x.tolist() == [0] * 6 + [20]
    assert agent.policy()[[1, 4]].tolist() == [-1, -1]
    assert agent.value()[[1, 4]].tolist() == [0, 0]
    assert (agent.policy()[[2, 3]] >= 1).all()
    assert repr(agent) == "Agent(uc-ssp, Signature(4 states and the goal, 2 actions, costs 0.2 to 1, start None))"


def test_any_goal_ends_the_episode() -> None:
    agent = uc_ssp(crossing())
    for k, goal in enumerate((1, 4, 4, 1)):
        agent.reset(0)
        agent.observe(0, agent.act(0), 1.0, goal)
        assert agent.state.clock.k == k + 2


def test_a_reset_without_a_goal_ends_the_attempt_and_not_the_episode() -> None:
    agent = uc_ssp(grid())
    agent.reset(8)
    agent.observe(8, agent.act(8), 1.0, 4)
    assert (agent.state.clock.k, agent.state.clock.j) == (1, 0)
    agent.reset(8)  # truncated in state 4
    assert (agent.state.clock.k, agent.state.clock.j, agent.state.clock.G) == (1, 1, 1)
    agent.act(8)
    assert (agent.state.now.plans, agent.state.now.attempts) == (2, 2)


def test_an_algorithm_hears_where_it_was_interrupted() -> None:
    agent = gw.make_agent(Nervous, fork([0.5, 0, 0, 0.5]).signature, penalty=10.0)
    agent.reset(0)
    assert agent.state.interrupted[0] == 0
    for times, (s, a) in enumerate([(0, 0), (3, 0), (3, 0), (3, gw.RESET)]):
        assert agent.state.interrupted[0] == times
        assert agent.act(s) == a
        agent.observe(s, 0, 1.0, 3)
        agent.reset(3)
        assert agent.state.interrupted[1] == 2  # state 3 is the third that is no goal


def test_algorithms_that_cannot_be_interrupted_go_on() -> None:
    agent = gw.make_agent(Stubborn, fork().signature)
    agent.reset(0)
    agent.reset(3)
    assert agent.act(3) == 0


def test_giving_up() -> None:
    agent = gw.make_agent(Nervous, fork().signature, penalty=10.0)
    for _ in range(4):
        agent.reset(0)
    assert agent.act(0) == gw.RESET
    agent.observe(0, gw.RESET, 10.0, 2)
    agent.reset(0)
    assert agent.act(0) == 0


WRONG: list[tuple[str, tuple[Any, ...], str]] = [
    ("reset", (2,), "s = 2: expected a state that is no goal: there the episode is over"),
    ("reset", (4,), "s = 4: expected a state from 0 to 3"),
    ("reset", (-1,), "s = -1: expected a state from 0 to 3"),
    ("reset", (True,), "s = True: expected a state from 0 to 3"),
    ("act", (2,), "s = 2: expected a state that is no goal"),
    ("act", (0.0,), "s = 0.0: expected a state from 0 to 3"),
    ("observe", (2, 0, 1.0, 0), "s = 2: expected a state that is no goal"),
    ("observe", (0, 2, 1.0, 0), "action = 2: expected one of [0, 1], the actions of state 0"),
    ("observe", (3, -1, 1.0, 0), "action = -1: expected one of [0, 1], the actions of state 3"),
    ("observe", (0, 0, -1.0, 0), "cost = -1.0: expected a finite number >= 0"),
    ("observe", (0, 0, np.inf, 0), "cost = inf: expected a finite number >= 0"),
    ("observe", (0, 0, "1", 0), "cost = '1': expected a finite number >= 0"),
    ("observe", (0, 0, 1.0, 7), "s_next = 7: expected a state from 0 to 3"),
    ("observe", (0, gw.RESET, 1.0, 2), "action = 'gw.RESET': expected an action of the model: only an agent made with a penalty may give up"),
]


@pytest.mark.parametrize(("method", "arguments", "text"), WRONG, ids=[text for _, _, text in WRONG])
def test_refused(method: str, arguments: tuple[Any, ...], text: str) -> None:
    agent = uc_ssp(fork())
    agent.reset(0)
    with pytest.raises(gw.SettingError) as refused:
        getattr(agent, method)(*arguments)
    assert str(refused.value).startswith(text)


def test_giving_up_leads_to_a_goal() -> None:
    agent = uc_ssp(fork(), penalty=10.0)
    agent.reset(0)
    with pytest.raises(gw.SettingError, match="s_next = 3: expected a goal: giving up ends the episode"):
        agent.observe(0, gw.RESET, 10.0, 3)


def test_who_has_no_policy_says_so() -> None:
    agent = gw.make_agent(Stubborn, fork().signature)
    for asked in (agent.policy, agent.value):
        with pytest.raises(gw.SettingError, match=r"algorithm = 'Stubborn': expected one that has a (policy|value)\(\)"):
            asked()
