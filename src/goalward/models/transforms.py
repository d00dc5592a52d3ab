"""Problems made from a problem. Each function returns the parts of the new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import SettingError
from goalward.models.building import own_costs
from goalward.models.random_costs import RandomCosts
from goalward.models.rows import frozen

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
    state = np.repeat(np.arange(ssp.num_states), np.diff(ssp.first_pair))
    if callable(costs):
        costs = np.array([costs(int(s), int(a)) for s, a in zip(state, ssp.action, strict=True)], dtype=float)
    return parts(ssp) | {"cost": own_costs(costs, state, ssp.action, ssp.num_states, ssp.state_name, ssp.action_name), "random_costs": None}


def with_reset(ssp: SSP, penalty: float) -> dict[str, Any]:
    if not (np.isfinite(penalty) and penalty > 0.0):
        raise SettingError("penalty", penalty, "a finite number > 0")
    has_pairs = np.diff(ssp.first_pair) > 0
    last = ssp.first_pair[1:][has_pairs]  # a reset pair goes in behind the pairs of each state but the goals
    names = ssp.action_names
    return parts(ssp) | {
        "first_pair": frozen(ssp.first_pair + np.concatenate(([0], np.cumsum(has_pairs)))),
        "row_ptr": frozen(_insert_rows(ssp.row_ptr, last)),
        "next_state": frozen(np.insert(ssp.next_state, ssp.row_ptr[last], ssp.goals[0])),
        "probability": frozen(np.insert(ssp.probability, ssp.row_ptr[last], 1.0)),
        "cost": frozen(np.insert(ssp.cost, last, float(penalty))),
        "action": frozen(np.insert(ssp.action, last, ssp.num_actions)),
        "action_names": (*names, *(str(a) for a in range(len(names), ssp.num_actions)), "reset") if names else None,
        "random_costs": _widened(ssp.random_costs, float(penalty)),
    }


def _insert_rows(row_ptr: NDArray[np.int64], before: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row pointers with one more row, of one entry, before each of the rows named."""
    lengths = np.insert(np.diff(row_ptr), before, 1)
    return np.concatenate((np.zeros(1, np.int64), np.cumsum(lengths)))


def _widened(random_costs: RandomCosts | None, penalty: float) -> RandomCosts | None:
    return random_costs and random_costs._replace(high=max(random_costs.high, penalty))


def with_offset(ssp: SSP, eta: float) -> dict[str, Any]:
    if not (np.isfinite(eta) and eta >= 0.0):
        raise SettingError("eta", eta, "a finite number that is not negative")
    drawn = ssp.random_costs
    moved = drawn and drawn._replace(low=drawn.low + eta, high=drawn.high + eta)
    return parts(ssp) | {"cost": frozen(ssp.cost + eta), "random_costs": moved}


def with_random_costs(ssp: SSP, law: str, spread: float, low: float | None, high: float | None) -> dict[str, Any]:
    least, most = float(ssp.cost.min()), float(ssp.cost.max())
    drawn = RandomCosts.checked(law, spread, least if low is None else low, most if high is None else high, least, most)
    return parts(ssp) | {"random_costs": drawn}
