"""Policy iteration with SciPy's sparse LU: what one writes in an afternoon, and the check on all the others.

It starts from a policy that surely arrives (every state moves towards the goal with positive probability) and changes an action only for a strict gain.
So every policy on the way arrives too, zero costs or not: weighted and summed over a class of states that is never left, strict gains would have to be zero.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from models import Floats, Ints, Model
from scipy.sparse import csc_array, csr_array, identity
from scipy.sparse.linalg import spsolve

from peers import Answer, Method, Problem

METHODS = {"policy-iteration": Method("", sound=True, about="from a policy found by breadth-first search; sparse LU")}
GAIN = 1e-11  # a smaller relative gain is taken for rounding


def prepare(model: Model, method: str, scratch: Path) -> Problem:
    """The matrix of all pairs; the goal's pairs, of which there are none, are nowhere needed."""
    moves = csr_array((model.probability, model.next_state, model.row_ptr), shape=(model.n_pairs, model.n_states))
    return Problem(partial(policy_iteration, model, moves), lambda answer: answer)


def policy_iteration(model: Model, moves: csr_array, _: None) -> Answer:
    """Evaluate, improve, until nothing improves."""
    states = np.delete(np.arange(model.n_states), model.goal)
    first, policy, value = model.first_pair[states], towards_goal(model), np.zeros(model.n_states)
    for rounds in range(1, 1000):
        chosen = policy[states]
        value[states] = spsolve(csc_array(identity(len(states), format="csr") - moves[chosen][:, states]), model.cost[chosen])
        pair_value = model.cost + moves @ value
        better = np.minimum.reduceat(pair_value, first) < value[states] * (1 - GAIN)
        if not better.any():
            return Answer(value, remark=f"{rounds} policies")
        policy[states[better]] = best_pair(model, pair_value, states)[better]
    raise RuntimeError("policy iteration has not ended after 1000 policies")


def best_pair(model: Model, pair_value: Floats, states: Ints) -> Ints:
    """The first of the cheapest pairs of each state; `pair_value` is (X,)."""
    least = np.repeat(np.minimum.reduceat(pair_value, model.first_pair[states]), np.diff(model.first_pair)[states])
    minimal = np.flatnonzero(pair_value == least)
    return minimal[np.searchsorted(minimal, model.first_pair[states])]


def towards_goal(model: Model) -> Ints:
    """For each state (S',) a pair that may lead closer to the goal, found by breadth-first search from the goal."""
    policy, owner, entry_pair = np.full(model.n_states, -1), model.pair_state(), model.entry_pair()
    into = csr_array((entry_pair, (model.next_state, np.arange(len(entry_pair)))), shape=(model.n_states, len(entry_pair)))
    layer = np.array([model.goal])
    while layer.size:
        pairs = np.concatenate([into.data[into.indptr[t] : into.indptr[t + 1]] for t in layer])
        pairs = pairs[(policy[owner[pairs]] < 0) & (owner[pairs] != model.goal)]
        layer, which = np.unique(owner[pairs], return_index=True)
        policy[layer] = pairs[which]
    return policy
