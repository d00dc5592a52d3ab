"""Problems made from a problem. Each function returns the parts of the new one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import ModelError
from goalward.models.building import costs_of_pairs
from goalward.models.checks import MOST_ACTION, Problems, check_costs, check_size, floats, number
from goalward.models.random_costs import RandomCosts
from goalward.models.rows import frozen, owners

if TYPE_CHECKING:
    from goalward.models.ssp import SSP

PARTS = (
    "first_pair", "row_ptr", "next_state", "probability", "cost", "action", "goals", "start_distribution", "state_names", "action_names", "grid",
    "random_costs",
)  # fmt: skip


def parts(ssp: SSP) -> dict[str, Any]:
    """What an SSP is made of."""
    return {name: getattr(ssp, name) for name in PARTS}


def with_costs(ssp: SSP, costs: ArrayLike | Callable[[int, int], float]) -> dict[str, Any]:
    state = owners(ssp.first_pair)
    if callable(costs):
        given = floats("costs", [costs(s, a) for s, a in zip(state.tolist(), ssp.action.tolist(), strict=True)])
    else:
        given = floats("costs", costs)
        if given.shape == (ssp.num_states,) == (ssp.num_pairs,) and (given[state] != given).any():
            raise ModelError([f"costs: shape {given.shape} may mean one a state or one a pair; expected (S', A), one number, or a function"])
    problems = Problems(ssp.state_name, ssp.action_name)
    width = max(ssp.num_actions, given.shape[-1]) if given.ndim == 2 else ssp.num_actions
    cost = given if given.shape == (ssp.num_pairs,) else costs_of_pairs(given, state, ssp.action, (ssp.num_states, width), problems)
    check_costs(cost, lambda x: problems.pair(state[x], ssp.action[x]), problems)
    problems.raise_if_any()
    return parts(ssp) | {"cost": frozen(cost + 0.0), "random_costs": None}


def with_reset(ssp: SSP, penalty: float) -> dict[str, Any]:
    penalty = number("penalty", penalty, "> 0", lambda c: c > 0.0)
    has_pairs = np.diff(ssp.first_pair) > 0
    last = ssp.first_pair[1:][has_pairs]  # a reset pair goes in behind the pairs of each state but the goals
    _check_room(ssp, len(last))
    names, drawn = ssp.action_names, ssp.random_costs
    return parts(ssp) | {
        "first_pair": frozen(ssp.first_pair + np.concatenate(([0], np.cumsum(has_pairs)))),
        "row_ptr": frozen(_insert_rows(ssp.row_ptr, last)),
        "next_state": frozen(np.insert(ssp.next_state, ssp.row_ptr[last], ssp.goals[0])),
        "probability": frozen(np.insert(ssp.probability, ssp.row_ptr[last], 1.0)),
        "cost": frozen(np.insert(ssp.cost, last, penalty)),
        "action": frozen(np.insert(ssp.action, last, ssp.num_actions)),
        "action_names": names and (*names[: ssp.num_actions], "reset"),
        "random_costs": drawn and drawn._replace(spread_x=frozen(np.insert(drawn.spread_x, last, 0.0))),
    }


def _check_room(ssp: SSP, more: int) -> None:
    problems = Problems(ssp.state_name, ssp.action_name)
    check_size(ssp.num_states, ssp.num_pairs + more, problems)
    if ssp.num_actions > MOST_ACTION + 1:
        problems.add(f"action {ssp.num_actions} would be the reset action: expected at most {MOST_ACTION + 1}")
    problems.raise_if_any()


def _insert_rows(row_ptr: NDArray[np.int64], before: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row pointers with one more row, of one entry, before each of the rows named."""
    lengths = np.insert(np.diff(row_ptr), before, 1)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))


def with_offset(ssp: SSP, eta: float) -> dict[str, Any]:
    room = sys.float_info.max - ssp.c_max
    eta = number("eta", eta, "that is not negative and leaves all costs finite", lambda e: 0.0 <= e <= room)
    drawn = ssp.random_costs
    moved = drawn and drawn._replace(low=drawn.low + eta, high=drawn.high + eta)
    return parts(ssp) | {"cost": frozen(ssp.cost + eta), "random_costs": moved}


def with_random_costs(ssp: SSP, law: str, spread: float, low: float | None, high: float | None) -> dict[str, Any]:
    least, most = float(ssp.cost.min()), float(ssp.cost.max())
    return parts(ssp) | {"random_costs": RandomCosts.checked(law, spread, least if low is None else low, most if high is None else high, ssp.cost)}
