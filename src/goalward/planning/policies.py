"""A policy as the caller writes it, as a weight of each state-action pair.

Deterministic: (S',) action numbers, -1 where it says nothing, `RESET` where it gives up. Stochastic: (S', A) rows of probabilities over action numbers. What
stands at a goal is never looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import SettingError
from goalward.models.checks import ROW_SUM_TOLERANCE
from goalward.models.rows import owners
from goalward.models.ssp import RESET, SSP

UNDEFINED = -1  # what a policy says where no action of its is known


class Choice(NamedTuple):
    """The pairs that a policy may choose, in increasing order, and how often it chooses them in their state."""

    state: NDArray[np.int64]  # of which the pair is
    pair: NDArray[np.int64]
    weight: NDArray[np.float64]


def choice_of(ssp: SSP, policy: ArrayLike) -> Choice:
    """Which pairs `policy` chooses; a state in which it is undefined has none."""
    given = _array(ssp, policy)
    if given.shape == (ssp.num_states,):
        return _deterministic(ssp, given)
    if given.shape == (ssp.num_states, ssp.num_actions):
        return _stochastic(ssp, given.astype(float))
    raise SettingError("policy.shape", given.shape, _expected_shapes(ssp))


def _array(ssp: SSP, policy: ArrayLike) -> NDArray[np.number]:
    try:
        given = np.asarray(policy)
    except ValueError:  # rows of different lengths
        given = np.array(None)
    if given.dtype.kind not in "iuf":
        raise SettingError("policy", policy, f"numbers: {_expected_shapes(ssp)}")
    return given


def _expected_shapes(ssp: SSP) -> str:
    states, actions = ssp.num_states, ssp.num_actions
    return f"({states},), an action in each state, or ({states}, {actions}), a probability for each action in each state"


def _deterministic(ssp: SSP, policy: NDArray[np.number]) -> Choice:
    defined = policy != UNDEFINED
    defined[ssp.goals] = False
    state = np.flatnonzero(defined)
    action = policy[state]
    if (action == RESET).any():
        action = np.where(action == RESET, _reset_action(ssp), action)
    pair, found = _find(ssp, state, action)
    if not found.all():
        raise _no_action(ssp, int(state[np.argmin(found)]), policy)
    return Choice(state, pair, np.ones(len(pair)))


def _no_action(ssp: SSP, s: int, policy: NDArray[np.number]) -> SettingError:
    wrong: Any = policy[s].item()
    expected = f"one of its actions {_actions_of(ssp, s)}, or {UNDEFINED} where the policy is undefined"
    if wrong == RESET:
        expected = "no reset: this model has no reset action; evaluate in ssp.with_reset(penalty)"
    return SettingError(f"policy in state {ssp.state_name(s)}", wrong, expected)


def _stochastic(ssp: SSP, policy: NDArray[np.float64]) -> Choice:
    policy[ssp.goals] = 0.0
    _check_weights(ssp, policy)
    state, action = np.nonzero(policy)
    pair, found = _find(ssp, state, action)
    if not found.all():
        s, a = int(state[np.argmin(found)]), int(action[np.argmin(found)])
        name = f"policy in state {ssp.state_name(s)}, action {ssp.action_name(a)}"
        raise SettingError(name, float(policy[s, a]), f"0: the state has only the actions {_actions_of(ssp, s)}")
    return Choice(state, pair, policy[state, action] / policy.sum(axis=1)[state])


def _check_weights(ssp: SSP, policy: NDArray[np.float64]) -> None:
    wrong = np.argwhere(~((policy >= 0.0) & (policy <= 1.0 + ROW_SUM_TOLERANCE)))
    if len(wrong):
        s, a = (int(i) for i in wrong[0])
        raise SettingError(f"policy in state {ssp.state_name(s)}, action {ssp.action_name(a)}", float(policy[s, a]), "a probability in [0, 1]")
    total = policy.sum(axis=1)
    total[ssp.goals] = 1.0
    off = np.flatnonzero(abs(total - 1.0) > ROW_SUM_TOLERANCE)
    if len(off):
        s = int(off[0])
        raise SettingError(f"sum of policy in state {ssp.state_name(s)}", float(total[s]), "1")


def _find(ssp: SSP, state: NDArray[np.int64], action: NDArray[np.number]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The pairs of these states and actions, and which of them there are."""
    width = ssp.num_actions
    owner = owners(ssp.first_pair)
    pair = np.searchsorted(owner * width + ssp.action, state * width + action)
    pair = np.minimum(pair, ssp.num_pairs - 1)
    return pair, (owner[pair] == state) & (ssp.action[pair] == action)


def _actions_of(ssp: SSP, s: int) -> list[int]:
    return list(ssp.action[ssp.first_pair[s] : ssp.first_pair[s + 1]].tolist())


def _reset_action(ssp: SSP) -> int:
    """The number of the action that `with_reset` adds: the largest, which in every state leads to a goal surely, at one cost. RESET if there is none."""
    reset = np.flatnonzero(ssp.action == ssp.num_actions - 1)
    leads = ssp.row_ptr[reset]
    everywhere = len(reset) == ssp.num_states - len(ssp.goals)
    surely = bool((np.diff(ssp.row_ptr)[reset] == 1).all()) and bool((ssp.next_state[leads] == ssp.goals[0]).all())
    return ssp.num_actions - 1 if everywhere and surely and np.ptp(ssp.cost[reset]) == 0.0 else RESET
