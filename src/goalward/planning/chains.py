"""What a policy makes of a problem: a Markov chain, which is a problem with nothing left to choose.

In each state the actions are mixed as the policy has it. A state in which the policy is undefined stays where it is, at cost 1, for ever.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.models.ssp import SSP
from goalward.planning.policies import choice_of


def chain_of(ssp: SSP, policy: ArrayLike) -> SSP:
    """The problem with the same states, start and goals, in which each state has one action: to do what the policy does."""
    choice = choice_of(ssp, policy)
    owner = np.repeat(np.arange(ssp.num_states), np.diff(ssp.first_pair))[choice.pair]
    undefined = np.setdiff1d(np.arange(ssp.num_states), np.union1d(owner, ssp.goals))
    length = np.diff(ssp.row_ptr)[choice.pair]
    entry = np.repeat(ssp.row_ptr[choice.pair] - np.cumsum(length) + length, length) + np.arange(length.sum())
    state = np.concatenate((np.repeat(owner, length), undefined))
    order = np.argsort(state, kind="stable")
    next_state = np.concatenate((ssp.next_state[entry], undefined))[order]
    probability = np.concatenate((ssp.probability[entry] * np.repeat(choice.weight, length), np.ones(len(undefined))))[order]
    cost = np.bincount(owner, choice.weight * ssp.cost[choice.pair], ssp.num_states)
    cost[undefined] = 1.0
    inner = np.setdiff1d(np.arange(ssp.num_states), ssp.goals)
    first_pair = np.searchsorted(inner, np.arange(ssp.num_states + 1))
    row_ptr = np.append(np.searchsorted(state[order], inner), len(state))
    return SSP.from_csr(first_pair, row_ptr, next_state, probability, cost[inner], start=ssp.start, goal=ssp.goals, state_names=ssp.state_names, grid=ssp.grid)
