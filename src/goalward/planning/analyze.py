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

from goalward._compile import compiled
from goalward.models.components import end_components
from goalward.models.graph import almost_sure, layers, predecessors, reaches_goal
from goalward.models.rows import Rows
from goalward.models.ssp import SSP
from goalward.planning.average import average_rows, diameter_of, part_of_end_component
from goalward.planning.evaluate import evaluate
from goalward.planning.solution import Solution
from goalward.planning.solve import solve

TOLERANCE = 1e-9  # of the plans from which the numbers come


def analyze(ssp: SSP) -> Analysis:
    """The facts about a problem, each computed when it is first asked for."""
    return Analysis(ssp)


@dataclass(frozen=True, eq=False)
class Analysis:
    """Facts about a problem. States are the caller's; a number is inf where the goal cannot be reached surely."""

    ssp: SSP

    @cached_property
    def plan(self) -> Solution:
        """The best plan."""
        return solve(self.ssp, TOLERANCE)

    @cached_property
    def fastest(self) -> Solution:
        """The plan of fewest steps."""
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
        """D, the SSP-diameter: the least expected number of steps to the goal, from the worst state [tarbouriech2020, Def. of D in Asm. 2]."""
        return float(self.fastest.value.max())

    @property
    def optimal_cost(self) -> float:
        """V*(s0), averaged over a start distribution."""
        return self._at_start(self.plan.value)

    @property
    def max_value(self) -> float:
        """B*, the largest V*; at most c_max D [tarbouriech2020, Lem. 2]."""
        return float(self.plan.value.max())

    @property
    def hitting_time(self) -> float:
        """T*, the expected number of steps of the best plan from the start."""
        return self._at_start(self.steps)

    @property
    def max_hitting_time(self) -> float:
        """Upsilon*, the same from the worst state."""
        return float(self.steps.max())

    @cached_property
    def dead_ends(self) -> NDArray[np.int64]:
        """The states from which the goal cannot be reached at all."""
        rows, into = self.ssp.rows, self._into
        reaches = compiled(reaches_goal, rows, *into)(rows, *into)
        return np.flatnonzero(~np.append(reaches, True)[self.ssp.index_s])

    @cached_property
    def unsafe(self) -> NDArray[np.int64]:
        """The states from which no policy reaches the goal with probability 1: the dead ends, and those that cannot avoid the risk of one."""
        rows, into = self.ssp.rows, self._into
        rank = compiled(almost_sure, rows, *into)(rows, *into)
        return np.flatnonzero(np.append(rank, -1)[self.ssp.index_s] >= 0)

    @cached_property
    def end_component(self) -> NDArray[np.int64]:
        """(S',) the number of the maximal end component that a state is in, -1 where it is in none: there a policy can stay for ever."""
        return self._end_components(np.ones(self.ssp.num_pairs, np.bool_))

    @cached_property
    def zero_cost_end_component(self) -> NDArray[np.int64]:
        """The same by pairs that cost nothing: there a policy can stay for ever for nothing."""
        return self._end_components(self.ssp.cost == 0.0)

    @property
    def has_zero_cost_cycle(self) -> bool:
        """Whether some policy can go round for ever for nothing."""
        return bool((self.zero_cost_end_component >= 0).any())

    @cached_property
    def loop_free_depth(self) -> int | None:
        """The largest number of steps that any policy can take to the goal; None if some state can be visited twice."""
        rows = self.ssp.rows
        depth = int(compiled(layers, rows)(rows))
        return None if depth < 0 else depth

    @property
    def loop_free(self) -> bool:
        """Whether no state can be visited twice in an episode."""
        return self.loop_free_depth is not None

    @property
    def gain(self) -> float:
        """rho*, the largest average reward of M_inf, which pays 1 at the goal and goes on from a start state: 1 / (least E[tau(s0)] + 1) [tarbouriech2020, Thm. 1]."""
        return 1.0 / (self._at_start(self.fastest.value) + 1.0)

    @property
    def communicating(self) -> bool:
        """Whether in M_inf every state can be reached from every other."""
        return bool((self._resting == 0).all())

    @property
    def weakly_communicating(self) -> bool:
        """Whether in M_inf the states that can be visited again and again can all be reached from one another. (So it is if M_inf is communicating.)"""
        return int(self._resting.max()) == 0

    @cached_property
    def diameter_infinity(self) -> float:
        """D_inf, the diameter of M_inf: the most, over pairs of states, of the least expected number of steps from one to the other [jaksch2010]. A plan a state."""
        return diameter_of(self.ssp, TOLERANCE) if self.communicating else math.inf

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name; D_inf not among them, which takes a plan for each state."""
        names = ("diameter", "optimal_cost", "max_value", "hitting_time", "max_hitting_time", "c_min", "c_max", "has_zero_cost_cycle", "loop_free_depth", "gain",
                 "communicating", "weakly_communicating")  # fmt: skip
        return {name: getattr(self, name) for name in names} | {"dead_ends": self.dead_ends.tolist(), "unsafe": self.unsafe.tolist()}

    @cached_property
    def _into(self) -> tuple[Any, ...]:
        rows = self.ssp.rows
        return tuple(compiled(predecessors, rows)(rows))

    @cached_property
    def _resting(self) -> NDArray[np.int64]:
        return part_of_end_component(average_rows(self.ssp))

    def _end_components(self, keep: NDArray[np.bool_]) -> NDArray[np.int64]:
        rows: Rows = self.ssp.rows
        component, _ = compiled(end_components, rows, keep, *self._into)(rows, keep, *self._into)
        return np.append(component, -1)[self.ssp.index_s].astype(np.int64)

    def _at_start(self, per_state: NDArray[np.float64]) -> float:
        starts = self.ssp.start_distribution > 0.0
        return math.fsum(self.ssp.start_distribution[starts] * per_state[starts])

    def __repr__(self) -> str:
        return f"Analysis({', '.join(f'{name}={shown(value)}' for name, value in self.as_dict().items())})"


def shown(value: Any) -> str:
    """A number to six figures, a list of states by their count if it is long."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return f"<{len(value)} states>" if isinstance(value, list) and len(value) > 10 else str(value)
