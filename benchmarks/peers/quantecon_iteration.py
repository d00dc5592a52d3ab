"""QuantEcon's DiscreteDP in its state-action formulation, sparse, by its policy iteration.

It discounts always, so it solves another problem: with discount factor 1 - 1e-12 the value of a state is off by about 1e-12 times its hitting time, which the
column "off by" shows. Rewards are negative costs; the goal is a state that stays where it is for nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from models import Model, sandy_grid
from scipy.sparse import csr_matrix

from peers import Answer, Method, Problem

DISCOUNT = 1 - 1e-12
METHODS = {"policy-iteration": Method(f"beta={DISCOUNT}", sound=False, about="discounted, 1 - 1e-12; sparse LU")}


def prepare(model: Model, method: str, scratch: Path) -> Problem:
    """DiscreteDP checks and copies its arrays when it is made, outside the timing; a small grid has its kernels compiled."""
    solve(discrete_dp(sandy_grid(5)))
    problem = discrete_dp(model)
    return Problem(lambda _: solve(problem), read)


def discrete_dp(model: Model) -> Any:
    """With one pair and one transition more than the model has, the goal's."""
    from quantecon.markov import DiscreteDP

    pair, entry = model.first_pair[model.goal], model.row_ptr[model.first_pair[model.goal]]
    row_ptr = np.r_[model.row_ptr[: pair + 1], model.row_ptr[pair:] + 1]
    next_state, probability = np.insert(model.next_state, entry, model.goal), np.insert(model.probability, entry, 1.0)
    moves = csr_matrix((probability, next_state, row_ptr), shape=(model.n_pairs + 1, model.n_states))
    owner = np.insert(model.pair_state(), pair, model.goal)
    first_pair = np.r_[model.first_pair[: model.goal + 1], model.first_pair[model.goal + 1 :] + 1]
    return DiscreteDP(-np.insert(model.cost, pair, 0.0), moves, DISCOUNT, owner, np.arange(model.n_pairs + 1) - first_pair[owner])


def solve(problem: Any) -> Any:
    """What is timed."""
    return problem.solve(method="policy_iteration", max_iter=1000)


def read(result: Any) -> Answer:
    """Costs again."""
    return Answer(-np.asarray(result.v, dtype=np.float64), remark=f"{result.num_iter} policies")
