"""What a policy costs, how long it takes, and whether it arrives.

>>> import goalward as gw
>>> ssp = gw.environments.make("corridor", length=10)
>>> found = gw.evaluate(ssp, gw.solve(ssp).policy)
>>> found
Evaluation(11 states, proper; at the start: value 12.3438, hitting time 12.3438)
>>> float(found.quantile(0.99)[ssp.start]), round(float(found.moment(2)[ssp.start]), 4)
(20.0, 158.6523)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import SettingError
from goalward.models.checks import number
from goalward.models.rows import Scalar
from goalward.models.ssp import SSP
from goalward.planning.chains import chain_of
from goalward.planning.expected import ending_in, expected_total, mean_after
from goalward.planning.phase_type import arrival_quantiles, stirling_numbers, survival_after
from goalward.planning.regions import end_component, lost_states, unsafe_states

MOST_MOMENT = 100
SMALL = 10_000  # states of a model for whose repr something may be computed


def evaluate(ssp: SSP, policy: ArrayLike) -> Evaluation:
    """Follow `policy`: (S',) the number of an action in each state, or (S', A) a probability of each.

    A policy need not surely arrive; -1 says that it is undefined, which counts as never arriving. `RESET` is understood in `ssp.with_reset(penalty)`.
    """
    return Evaluation(chain_of(ssp, policy))


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation:
    """A policy's Markov chain. Arrays have one entry for each of the caller's states; each is computed when it is first asked for.

    The number of steps tau to the goal has a discrete phase-type distribution [tarbouriech2020, Prop. 1], with Q the moves between the states that are no
    goals. Numbers are right to some ten digits; to fewer where the policy takes more than 10^5 steps in a model too large for elimination. What is beyond the
    floating-point numbers is inf. `BudgetError` says what would take too long.
    """

    chain: SSP  # one action a state

    @cached_property
    def value(self) -> NDArray[np.float64]:
        """Expected total cost. Where the policy may never arrive that is inf, unless all the steps it then goes on with for ever are free."""
        rows = self.chain.rows
        free = rows.cost_x == 0.0
        resting = end_component(rows, free) >= 0 if free.any() else free
        return self._per_state(expected_total(ending_in(rows, resting) if resting.any() else rows))

    @cached_property
    def hitting_time(self) -> NDArray[np.float64]:
        """Expected number of steps to the goal; inf where the policy may never arrive."""
        rows = self.chain.rows
        return self._per_state(expected_total(rows._replace(cost_x=np.ones_like(rows.cost_x))))

    @cached_property
    def proper_from(self) -> NDArray[np.bool_]:
        """The states from which the policy reaches the goal with probability 1."""
        return self._per_state(np.append(~unsafe_states(self.chain.rows), True))

    @property
    def proper(self) -> bool:
        """Whether the policy reaches the goal with probability 1 from every state that an episode may start in."""
        return bool(self.proper_from[self.chain.start_distribution > 0.0].all())

    @cached_property
    def arrival(self) -> NDArray[np.float64]:
        """P(tau < inf), the probability of ever reaching the goal."""
        rows = self.chain.rows
        lost = lost_states(rows)
        if not lost.any():
            return np.ones(self.chain.num_states)
        at_once = mean_after(rows, np.append(np.zeros(len(lost)), 1.0))
        later = expected_total(ending_in(rows._replace(cost_x=at_once), lost))
        return np.where(self.proper_from, 1.0, np.minimum(self._per_state(later), 1.0))

    def survival(self, n: int) -> NDArray[np.float64]:
        """P(tau > n) = (Q^n 1)(s) [tarbouriech2020, Prop. 1]."""
        return self._per_state(survival_after(self.chain.rows, _whole("n", n)))

    def quantile(self, q: float) -> NDArray[np.float64]:
        """The least n with P(tau <= n) >= q, up to rounding; inf where that never comes to be, or takes more than 2^64 steps."""
        q = number("q", q, "from 0 to below 1", lambda p: 0.0 <= p < 1.0)
        return self._per_state(arrival_quantiles(self.chain.rows, q, self._merged(self.arrival)))

    def moment(self, r: int) -> NDArray[np.float64]:
        """E[tau^r], inf where the policy may never arrive: a sum of factorial moments with Stirling numbers [tarbouriech2020, proof of Lem. 15]."""
        order = _whole("r", r, MOST_MOMENT)
        total = np.full(len(self.chain.rows.cost_x) + 1, float(order == 0))
        with np.errstate(over="ignore"):
            for j, weight in enumerate(stirling_numbers(order)[1:], start=1):
                total += float(weight) * self._factorial_moment(j)
        return self._per_state(total)

    def _factorial_moment(self, j: int) -> NDArray[np.float64]:
        """(S + 1,) E[tau (tau - 1) ... (tau - j + 1)] = j! (I - Q)^-j Q^(j-1) 1.

        It is j times what the one before would cost as the expected cost after each step: (I - Q)^-1 Q.
        """
        known, rows = self._factorial_moments, self.chain.rows
        while len(known) < j:
            with np.errstate(over="ignore"):
                known.append((len(known) + 1.0) * expected_total(rows._replace(cost_x=mean_after(rows, known[-1]))))
        return known[j - 1]

    @cached_property
    def _factorial_moments(self) -> list[NDArray[np.float64]]:
        return [self._merged(self.hitting_time)]

    def _per_state(self, merged: NDArray[Scalar]) -> NDArray[Scalar]:
        """From the states of `Rows`, (S + 1,), to the caller's."""
        return merged[self.chain.index_s]

    def _merged(self, per_state: NDArray[np.float64]) -> NDArray[np.float64]:
        """The way back."""
        merged = np.empty(len(self.chain.rows.cost_x) + 1)
        merged[self.chain.index_s] = per_state
        return merged

    def __repr__(self) -> str:
        chain, kind = self.chain, "proper" if self.proper else "improper"
        known = [name for name in ("value", "hitting_time") if chain.num_states <= SMALL or name in self.__dict__]
        numbers = ", ".join(f"{name.replace('_', ' ')} {at_start(chain, getattr(self, name)):g}" for name in known)
        return f"Evaluation({chain.num_states:,} states, {kind}{numbers and f'; at the start: {numbers}'})"


def at_start(ssp: SSP, per_state: NDArray[np.float64]) -> float:
    """The mean over the start distribution."""
    starts = ssp.start_distribution > 0.0
    return math.fsum(ssp.start_distribution[starts] * per_state[starts])


def _whole(name: str, given: int, most: float = math.inf) -> int:
    if not (isinstance(given, int | np.integer) and not isinstance(given, bool) and 0 <= given <= most):
        raise SettingError(name, given, "a whole number, at least 0" if most == math.inf else f"a whole number from 0 to {most}")
    return int(given)
