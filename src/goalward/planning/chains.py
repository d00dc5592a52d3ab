"""What a policy makes of a problem: a Markov chain, which is a problem with nothing left to choose.

In each state the actions are mixed as the policy has it. A state in which the policy is undefined stays where it is, at cost 1, for ever.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from goalward.models.rows import stretches
from goalward.models.ssp import SSP
from goalward.planning.policies import choice_of


def chain_of(ssp: SSP, policy: ArrayLike) -> SSP:
    """The problem with the same states, start and goals, in which each state has one action: to do what the policy does."""
    choice = choice_of(ssp, policy)
    length = np.diff(ssp.row_ptr)[choice.pair]
    entry = stretches(ssp.row_ptr[choice.pair], length)
    cost = np.bincount(choice.state, choice.weight * ssp.cost[choice.pair], ssp.num_states)
    inner = np.ones(ssp.num_states, np.bool_)
    inner[ssp.goals] = False
    undefined = np.flatnonzero(inner & (np.bincount(choice.state, minlength=ssp.num_states) == 0))
    cost[undefined] = 1.0
    state = np.concatenate((np.repeat(choice.state, length), undefined))
    next_state = np.concatenate((ssp.next_state[entry], undefined))
    probability = np.concatenate((ssp.probability[entry] * np.repeat(choice.weight, length), np.ones(len(undefined))))
    if len(undefined):
        order = np.argsort(state, kind="stable")
        state, next_state, probability = state[order], next_state[order], probability[order]
    first_pair = np.append(0, np.cumsum(inner))
    row_ptr = np.append(0, np.cumsum(np.bincount(state, minlength=ssp.num_states)[inner]))
    return SSP.from_csr(first_pair, row_ptr, next_state, probability, cost[inner], start=ssp.start, goal=ssp.goals, state_names=ssp.state_names, grid=ssp.grid)
