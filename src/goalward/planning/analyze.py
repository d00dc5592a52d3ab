"""How hard a problem is: the quantities that bounds on regret are made of, and the traps that a model has.

>>> import goalward as gw
>>> facts = gw.analyze(gw.environments.make("weakly-communicating"))
>>> facts.diameter, facts.optimal_cost, facts.gain, facts.communicating, facts.weakly_communicating
(2.0, 1.0, 0.5, False, True)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goalward._compile import run
from goalward.models.graph import layers
from goalward.models.rows import Scalar
from goalward.models.ssp import SSP
from goalward.planning.average import average_rows, diameter_of
from goalward.planning.evaluate import SMALL, at_start, evaluate
from goalward.planning.regions import end_component, lost_states, unsafe_states
from goalward.planning.solution import Solution
from goalward.planning.solve import solve

TOLERANCE = 1e-9  # of the plans from which the numbers come
MOST_SHOWN = 10  # states of a list

NAMES = (
    "diameter", "optimal_cost", "max_value", "hitting_time", "max_hitting_time", "c_min", "c_max", "has_zero_cost_cycle", "loop_free_depth", "gain",
    "communicating", "weakly_communicating", "dead_ends", "unsafe",
)  # fmt: skip


def analyze(ssp: SSP) -> Analysis:
    """The facts about a problem, each computed when it is first asked for."""
    return Analysis(ssp)


@dataclass(frozen=True, eq=False, repr=False)
class Analysis:
    """Facts about a problem. States are the caller's; a number is inf where the goal cannot be reached surely."""

    ssp: SSP

    @cached_property
    def plan(self) -> Solution:
        """The best plan."""
        return solve(self.ssp, TOLERANCE)

    @cached_property
    def fastest(self) -> Solution:
        """The plan of the fewest steps."""
        return solve(self.ssp.with_costs(1.0), TOLERANCE)

    @cached_property
    def steps(self) -> NDArray[np.float64]:
        """(S',) the expected hitting time of the best plan."""
        return evaluate(self.ssp, self.plan.policy).hitting_time

    @property
    def c_min(self) -> float:
        """The smallest cost that a step may have."""
        return self.ssp.c_min

    @property
    def c_max(self) -> float:
        """The largest cost that a step may have."""
        return self.ssp.c_max

    @property
    def diameter(self) -> float:
        """D, the SSP-diameter: the least expected number of steps to the goal, from the worst state [tarbouriech2020, Asm. 2]."""
        return float(self.fastest.value.max())

    @property
    def optimal_cost(self) -> float:
        """V*(s0), averaged over a start distribution."""
        return at_start(self.ssp, self.plan.value)

    @property
    def max_value(self) -> float:
        """B*, the largest V*; at most c_max D [tarbouriech2020, Lem. 2]."""
        return float(self.plan.value.max())

    @property
    def hitting_time(self) -> float:
        """T*, the expected number of steps of the best plan from the start."""
        return at_start(self.ssp, self.steps)

    @property
    def max_hitting_time(self) -> float:
        """Upsilon*, the same from the worst state [tarbouriech2020, App. I.3]."""
        return float(self.steps.max())

    @cached_property
    def dead_ends(self) -> NDArray[np.int64]:
        """The states from which the goal cannot be reached at all."""
        return np.flatnonzero(self._per_state(lost_states(self.ssp.rows), False))

    @cached_property
    def unsafe(self) -> NDArray[np.int64]:
        """The states from which no policy reaches the goal with probability 1: the dead ends, and those that cannot avoid the risk of one."""
        return np.flatnonzero(self._per_state(unsafe_states(self.ssp.rows), False))

    @cached_property
    def end_component(self) -> NDArray[np.int64]:
        """(S',) the number of the maximal end component that a state is in, -1 where it is in none: there a policy can stay for ever."""
        return self._per_state(end_component(self.ssp.rows, np.ones(self.ssp.num_pairs, np.bool_)), -1)

    @cached_property
    def zero_cost_end_component(self) -> NDArray[np.int64]:
        """The same by pairs that cost nothing: there a policy can stay for ever for nothing."""
        return self._per_state(end_component(self.ssp.rows, self.ssp.cost == 0.0), -1)

    @property
    def has_zero_cost_cycle(self) -> bool:
        """Whether some policy can go round for ever for nothing."""
        return bool((self.zero_cost_end_component >= 0).any())

    @cached_property
    def loop_free_depth(self) -> int | None:
        """The largest number of steps that any policy can take to the goal; None if some state can be visited twice."""
        depth = int(run(layers, self.ssp.rows))
        return None if depth < 0 else depth

    @property
    def loop_free(self) -> bool:
        """Whether no state can be visited twice in an episode."""
        return self.loop_free_depth is not None

    @property
    def gain(self) -> float:
        """rho*, the largest average reward of M_inf, which pays 1 at the goal and goes on from a start state [tarbouriech2020, Thm. 1].

        That is 1 / (1 + the least expected number of steps from the start).
        """
        return 1.0 / (1.0 + at_start(self.ssp, self.fastest.value))

    @property
    def communicating(self) -> bool:
        """Whether in M_inf every state can be reached from every other."""
        return bool((self._average_component == 0).all())

    @property
    def weakly_communicating(self) -> bool:
        """Whether in M_inf the states that can be visited again and again can all be reached from one another, and from there no others.

        That is so if there is only one end component: all policies end there, so what it leads to leads back to it, and belongs to it.
        """
        return int(self._average_component.max()) == 0

    @cached_property
    def diameter_infinity(self) -> float:
        """D_inf, the diameter of M_inf: the least expected number of steps from one state to another, for the worst two [jaksch2010]. Takes a plan a state."""
        return diameter_of(self.ssp, TOLERANCE) if self.communicating else math.inf

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name, and the lists of states; D_inf is not among them, which takes a plan for each state."""
        return {name: found.tolist() if isinstance(found := getattr(self, name), np.ndarray) else found for name in NAMES}

    @cached_property
    def _average_component(self) -> NDArray[np.int64]:
        rows = average_rows(self.ssp)
        return end_component(rows, np.ones(len(rows.cost_x), np.bool_))

    def _per_state(self, found: NDArray[Scalar], at_goals: Any) -> NDArray[Scalar]:
        """From the states of `Rows`, (S,), to the caller's."""
        return np.append(found, np.array(at_goals, found.dtype))[self.ssp.index_s]

    def __repr__(self) -> str:
        if self.ssp.num_states > SMALL:
            return f"Analysis({self.ssp.num_states:,} states; each fact is computed when it is asked for, all of them by as_dict())"
        return f"Analysis({', '.join(f'{name}={_shown(found)}' for name, found in self.as_dict().items())})"


def _shown(found: Any) -> str:
    """A number to six figures, a list of states by their count if it is long."""
    if isinstance(found, float):
        return f"{found:.6g}"
    return f"<{len(found)} states>" if isinstance(found, list) and len(found) > MOST_SHOWN else str(found)
