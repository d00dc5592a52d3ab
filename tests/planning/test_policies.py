"""Policies as callers write them: what each way of writing means, and what is said of one that is none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import goalward as gw
from goalward import RESET, SSP, SettingError
from goalward.errors import shown
from goalward.planning.chains import chain_of
from goalward.planning.policies import choice_of

#            0: a0 -> 1, a2 -> goal 3;  1: a1 -> 0 or goal 2;  4: a0 -> 4
ROWS = [(0, 0, 1, 1.0, 1.0), (0, 2, 3, 1.0, 4.0), (1, 1, 0, 0.5, 2.0), (1, 1, 2, 0.5, 2.0), (4, 0, 4, 1.0, 0.0)]
SSP_5 = SSP.from_rows(ROWS, start=0, goal=[2, 3])
NAMED = SSP.from_rows(ROWS, start=0, goal=[2, 3], state_names=["hall", "stairs", "roof", "street", "cellar"], action_names=["walk", "climb", "jump"])
MIXED = [[0.25, 0.0, 0.75], [0.0, 1.0, 0.0], [0.0] * 3, [0.0] * 3, [1.0, 0.0, 0.0]]


@pytest.mark.parametrize(
    "policy",
    [
        [2, 1, -1, -1, 0], (2, 1, 0, 99, 0), [2.0, 1.0, -7.5, np.nan, 0.0], np.array([2, 1, -1, -1, 0], np.int8), np.array([2, 1, 9, 9, 0], np.uint64),
        [[0, 0, 1], [0, 1, 0], [0, 0, 0], [5, -5, np.nan], [1, 0, 0]], np.eye(3)[[2, 1, 0, 0, 0]], np.eye(3, dtype=int)[[2, 1, 0, 0, 0]],
    ],
)  # fmt: skip
def test_ways_to_write_a_policy(policy: Any) -> None:
    choice = choice_of(SSP_5, policy)
    assert choice.state.tolist() == [0, 1, 4]
    assert choice.pair.tolist() == [1, 2, 3]
    assert choice.weight.tolist() == [1.0, 1.0, 1.0]


def test_where_it_is_undefined_nothing_is_chosen() -> None:
    assert choice_of(SSP_5, [-1, 1, -1, -1, -1]).pair.tolist() == [2]
    assert choice_of(SSP_5, [-1] * 5).pair.tolist() == []


def test_weights() -> None:
    choice = choice_of(SSP_5, MIXED)
    assert choice.pair.tolist() == [0, 1, 2, 3]
    assert choice.weight.tolist() == [0.25, 0.75, 1.0, 1.0]


def test_weights_that_almost_sum_to_1_are_divided_by_their_sum() -> None:
    policy = np.array(MIXED)
    policy[0] = [0.5, 0.0, 0.5 + 5e-10]
    choice = choice_of(SSP_5, policy)
    assert choice.weight[:2].sum() == 1.0
    assert choice.weight[1] > 0.5


def test_no_policy_of_the_callers_is_changed() -> None:
    policy = np.array(MIXED)
    policy[2] = 3.0
    before = policy.copy()
    choice_of(SSP_5, policy)
    assert (policy == before).all()


def test_giving_up() -> None:
    ssp = SSP_5.with_reset(7.0)
    choice = choice_of(ssp, [RESET, 1, RESET, -1, 3])
    assert [(s, ssp.action[x], ssp.cost[x]) for s, x in zip(choice.state, choice.pair, strict=True)] == [(0, 3, 7.0), (1, 1, 2.0), (4, 3, 7.0)]


SHAPES = r"\(5,\), an action in each state, or \(5, 3\), a probability for each action in each state"


@pytest.mark.parametrize(
    ("policy", "sentence"),
    [
        ([0, 1], rf"policy\.shape = \(2,\): expected {SHAPES}"),
        (0, rf"policy\.shape = \(\): expected {SHAPES}"),
        (np.zeros((5, 2)), rf"policy\.shape = \(5, 2\): expected {SHAPES}"),
        (np.zeros((5, 3, 1)), rf"policy\.shape = \(5, 3, 1\): expected {SHAPES}"),
        (None, rf"policy = None: expected numbers: {SHAPES}"),
        ("right", rf"policy = 'right': expected numbers: {SHAPES}"),
        ([True] * 5, rf"policy = \[True, .*\]: expected numbers: {SHAPES}"),
        ([[0], [1, 2]], rf"policy = \[\[0\], \[1, 2\]\]: expected numbers: {SHAPES}"),
        ([1j] * 5, rf"policy = .*: expected numbers: {SHAPES}"),
        ([2, 0, -1, -1, 0], r"policy in state 1 = 0: expected one of its actions \[1\], or -1 where the policy is undefined"),
        ([1, 1, -1, -1, 0], r"policy in state 0 = 1: expected one of its actions \[0, 2\], or -1 where the policy is undefined"),
        ([0, 1, -1, -1, 3], r"policy in state 4 = 3: expected one of its actions \[0\], or -1"),
        ([-3, 1, -1, -1, 0], r"policy in state 0 = -3: expected one of its actions \[0, 2\]"),
        ([0.5, 1, -1, -1, 0], r"policy in state 0 = 0\.5: expected one of its actions \[0, 2\]"),
        ([0, np.nan, -1, -1, 0], r"policy in state 1 = nan: expected one of its actions \[1\]"),
        ([0, np.inf, -1, -1, 0], r"policy in state 1 = inf: expected one of its actions \[1\]"),
        ([0, 2**62, -1, -1, 0], r"policy in state 1 = 4611686018427387904: expected one of its actions \[1\]"),
        ([0, RESET, -1, -1, 0], r"policy in state 1 = -2: expected no reset: this model has no reset action; evaluate in ssp\.with_reset\(penalty\)"),
        ([[0.5, 0, 0.4], [0, 1, 0], [0] * 3, [0] * 3, [1, 0, 0]], r"sum of policy in state 0 = 0\.9: expected 1"),
        ([[1, 0, 0], [0, 0, 0], [0] * 3, [0] * 3, [1, 0, 0]], r"sum of policy in state 1 = 0\.0: expected 1"),
        ([[1, 0, 0], [0, 2, -1], [0] * 3, [0] * 3, [1, 0, 0]], r"policy in state 1, action 1 = 2\.0: expected a probability in \[0, 1\]"),
        ([[1, 0, 0], [0, 1, 0], [0] * 3, [0] * 3, [1, np.nan, 0]], r"policy in state 4, action 1 = nan: expected a probability in \[0, 1\]"),
        ([[0.5, 0.5, 0], [0, 1, 0], [0] * 3, [0] * 3, [1, 0, 0]], r"policy in state 0, action 1 = 0\.5: expected 0: the state has only the actions \[0, 2\]"),
    ],
)
def test_wrong_policies(policy: Any, sentence: str) -> None:
    with pytest.raises(SettingError, match=rf"^{sentence}"):
        gw.evaluate(SSP_5, policy)


def test_errors_name_states_and_actions_as_the_model_does() -> None:
    with pytest.raises(SettingError, match=r"^policy in state stairs = 0: expected one of its actions \[1\]"):
        gw.evaluate(NAMED, [0, 0, -1, -1, 0])
    with pytest.raises(SettingError, match=r"^policy in state stairs, action jump = 1\.0: expected 0: the state has only the actions \[1\]"):
        gw.evaluate(NAMED, np.eye(3)[[0, 2, 0, 0, 0]])


def test_a_reset_action_is_one_that_every_state_has_at_one_price() -> None:
    for ssp in (SSP_5.with_reset(7.0).with_costs(lambda s, a: float(s)), SSP.from_rows([*ROWS, (0, 3, 2, 1.0, 7.0)], start=0, goal=[2, 3])):
        with pytest.raises(SettingError, match="this model has no reset action"):
            gw.evaluate(ssp, [RESET, 1, -1, -1, 0])


def test_a_solution_is_no_policy() -> None:
    with pytest.raises(SettingError, match=r"^policy = Solution\(5 states"):
        gw.evaluate(SSP_5, gw.solve(SSP_5))  # type: ignore[arg-type]


def test_the_chain_keeps_what_the_policy_does_not_change() -> None:
    ssp = SSP.from_rows(ROWS, start=[0.5, 0.5, 0, 0, 0], goal=[2, 3], state_names=list("abcde"), action_names=list("xyz"))
    chain = chain_of(ssp, MIXED)
    assert chain.first_pair.tolist() == [0, 1, 2, 2, 2, 3]
    assert chain.cost.tolist() == [0.25 * 1.0 + 0.75 * 4.0, 2.0, 0.0]
    assert [chain.next_state.tolist(), chain.probability.tolist()] == [[1, 3, 0, 2, 4], [0.25, 0.75, 0.5, 0.5, 1.0]]
    assert (chain.goals.tolist(), chain.start_distribution.tolist(), chain.state_names) == ([2, 3], [0.5, 0.5, 0, 0, 0], tuple("abcde"))
    assert gw.evaluate(gw.environments.make("paper-grid"), np.zeros(12, int)).chain.grid == (3, 4)


def test_ways_that_meet_are_one() -> None:
    """Two actions of a state that may lead to the same state, and to a goal each."""
    rows = [(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0), (0, 1, 1, 0.25, 3.0), (0, 1, 3, 0.75, 3.0), (1, 0, 2, 1.0, 1.0)]
    chain = chain_of(SSP.from_rows(rows, start=0, goal=[2, 3]), [[0.5, 0.5], [1.0, 0.0], [0.0, 0.0], [0.0, 0.0]])
    assert [chain.next_state.tolist(), chain.probability.tolist()] == [[1, 2, 3, 2], [0.375, 0.25, 0.375, 1.0]]
    assert chain.rows.probability.tolist() == [0.375, 0.625, 1.0]


def test_a_policy_that_says_nothing_stays() -> None:
    chain = chain_of(SSP_5, [-1, 1, -1, -1, -1])
    assert [chain.next_state.tolist(), chain.probability.tolist()] == [[0, 0, 2, 4], [1.0, 0.5, 0.5, 1.0]]
    assert chain.cost.tolist() == [1.0, 2.0, 1.0]


def test_long_policies_are_shown_short() -> None:
    with pytest.raises(SettingError) as caught:
        gw.evaluate(SSP_5, ["stay"] * 1000)
    assert shown(["stay"] * 1000) in str(caught.value)
