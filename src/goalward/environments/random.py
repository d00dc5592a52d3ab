"""Dense random problems."""

from __future__ import annotations

import numpy as np

from goalward.environments._settings import check_pairs, drawn_costs, drawn_rows, generator
from goalward.models.checks import number
from goalward.models.settings import whole
from goalward.models.ssp import SSP


def random(states: int = 8, actions: int = 2, concentration: float = 1.0, c_min: float = 0.1, c_max: float = 1.0, seed: int = 0) -> SSP:
    """A random problem in which every action may lead to every state.

    ::

        (0) (1) (2) ... (states-1)        from each, under each action, to each of them
         |   |   |          |             and to the goal, with drawn probabilities
         +---+---+----------+---> ((goal))

    `states` are counted without the goal, the start is state 0. Rows are drawn from a symmetric Dirichlet law: `concentration` 1 is uniform over all
    distributions, smaller ones have fewer likely successors. Costs are uniform in [c_min, c_max].

    Every policy reaches the goal with probability 1. V* has no closed form; if c_min = c_max and actions = 1 it is c_min times the expected hitting time.
    """
    S, A = whole("states", states, 1), whole("actions", actions, 1)
    check_pairs(S * A, states=S, actions=A)
    spread = number("concentration", concentration, ">= 0.1", lambda c: c >= 0.1)  # below that, probabilities underflow
    rng = generator(seed)
    transitions = np.zeros((S + 1, A, S + 1))
    transitions[:S] = drawn_rows(rng, S * A, S + 1, spread).reshape(S, A, S + 1)
    return SSP.from_arrays(transitions, drawn_costs(rng, c_min, c_max, (S + 1, A)), start=0, goal=S)
