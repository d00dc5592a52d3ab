"""Would a policy that may never arrive be cheaper? Only where costs are zero: staying in a free end component for ever costs nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goalward.errors import BudgetError
from goalward.models.ssp import SSP
from goalward.planning.reduction import Reduced
from goalward.planning.regions import end_component

if TYPE_CHECKING:
    from goalward.planning.solution import Solution


def improper_is_cheaper(ssp: SSP, reduced: Reduced, lower: NDArray[np.float64], seconds: float | None) -> bool:
    """From some state of finite value. `lower` bounds the value of each of the caller's states. What is not found out in time is taken for no."""
    if ssp.c_min > 0.0:
        return False
    n = len(reduced.blocks.first_choice)
    if (reduced.index_s[reduced.owner[reduced.inside_x]] < n).any():
        return True
    if not (reduced.index_s < 0).any():
        return False
    resting = _free_components_outside(ssp, reduced)
    finite = np.isfinite(lower)
    finite[ssp.goals] = False
    if not (resting.any() and finite.any()):
        return False
    found = _solve_with_more_goals(ssp, resting, seconds)
    return found is not None and bool((found.upper < lower)[finite].any())


def _free_components_outside(ssp: SSP, reduced: Reduced) -> NDArray[np.bool_]:
    """(S',) the states in free end components from which the goal cannot be reached surely."""
    resting = (end_component(ssp.rows, ssp.cost == 0.0) >= 0) & (reduced.rank_s >= 0)
    return np.append(resting, False)[ssp.index_s]


def _solve_with_more_goals(ssp: SSP, resting: NDArray[np.bool_], seconds: float | None) -> Solution | None:
    from goalward.planning.solve import solve  # which calls this module: the question is a planning problem itself

    goals = resting.copy()
    goals[ssp.goals] = True
    start = int(np.argmin(goals))
    easier = SSP.from_csr(ssp.first_pair, ssp.row_ptr, ssp.next_state, ssp.probability, ssp.cost, start=start, goal=goals, action=ssp.action)
    try:
        return solve(easier, max_seconds=seconds)
    except BudgetError as stopped:
        return stopped.solution
