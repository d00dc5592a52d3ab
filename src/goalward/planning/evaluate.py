"""What a policy costs, how long it takes, and whether it arrives.

>>> import goalward as gw
>>> ssp = gw.environments.make("paper-grid")
>>> found = gw.evaluate(ssp, gw.solve(ssp).policy)
>>> found
Evaluation(12 states, proper; at the start: value 5.30137, hitting time 5.30137)
>>> float(found.quantile(0.99)[ssp.start]), round(float(found.moment(2)[ssp.start]), 4)
(8.0, 28.8254)
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import SettingError
from goalward.models.ssp import SSP
from goalward.planning.chains import chain_of, lost_states, resting_states
from goalward.planning.phase_type import arrival_quantiles, stirling_numbers, survival_after
from goalward.planning.solve import solve

TOLERANCE = 1e-10  # at which what is computed is to be certified; where double precision cannot do that, it comes as near as it can
MOST_MOMENT = 100


def evaluate(ssp: SSP, policy: ArrayLike) -> Evaluation:
    """Follow `policy`: (S',) the number of an action in each state, or (S', A) a probability of each.

    A policy need not surely arrive; -1 says that it is undefined, which counts as never arriving. `RESET` is understood in `ssp.with_reset(penalty)`.
    """
    return Evaluation(chain_of(ssp, policy))


@dataclass(frozen=True, eq=False)
class Evaluation:
    """A policy's Markov chain. Arrays have one entry for each of the caller's states; what is asked for first is computed first.

    The number of steps tau to the goal has a discrete phase-type distribution [tarbouriech2020, Prop. 1], with Q the moves between the states that are no
    goals.
    """

    chain: SSP  # one action a state

    @cached_property
    def value(self) -> NDArray[np.float64]:
        """Expected total cost. Where the policy may never arrive that is inf, unless all the steps it then goes on with for ever are free."""
        resting = resting_states(self.chain)
        return _expected(self.chain, np.concatenate((self.chain.goals, resting)) if len(resting) else self.chain.goals)

    @cached_property
    def hitting_time(self) -> NDArray[np.float64]:
        """Expected number of steps to the goal; inf where the policy may never arrive."""
        return _expected(self.chain.with_costs(1.0), self.chain.goals)

    @property
    def proper_from(self) -> NDArray[np.bool_]:
        """The states from which the policy reaches the goal with probability 1."""
        return np.isfinite(self.hitting_time)

    @property
    def proper(self) -> bool:
        """Whether the policy reaches the goal with probability 1 from every state that an episode may start in."""
        return bool(self.proper_from[self.chain.start_distribution > 0.0].all())

    @cached_property
    def arrival(self) -> NDArray[np.float64]:
        """P(tau < inf), the probability of ever reaching the goal: 1 less that of falling where no way leads there."""
        chain, proper = self.chain, self.proper_from
        if proper.all():
            return np.ones(chain.num_states)
        lost = lost_states(chain)
        falls = np.add.reduceat(np.where(np.isin(chain.next_state, lost), chain.probability, 0.0), chain.row_ptr[:-1])
        missed = _expected(chain.with_costs(falls), np.concatenate((chain.goals, lost)))
        missed[lost] = 1.0
        return np.where(proper, 1.0, 1.0 - np.minimum(missed, 1.0))

    def survival(self, n: int) -> NDArray[np.float64]:
        """P(tau > n) = (Q^n 1)(s) [tarbouriech2020, Prop. 1]."""
        return survival_after(self.chain.rows, _whole("n", n))[self.chain.index_s]

    def quantile(self, q: float) -> NDArray[np.float64]:
        """The least n with P(tau <= n) >= q; inf where that never comes to be."""
        if not 0.0 <= q < 1.0:
            raise SettingError("q", q, "a probability, at least 0 and below 1")
        rows, inner = self.chain.rows, self.chain.index_s
        arrival = np.zeros(len(rows.cost_x) + 1)
        arrival[inner] = self.arrival
        return arrival_quantiles(rows, float(q), arrival)[inner]

    def moment(self, r: int) -> NDArray[np.float64]:
        """E[tau^r], inf where the policy may never arrive: a sum of factorial moments with Stirling numbers [tarbouriech2020, proof of Lem. 15]."""
        order = _whole("r", r, MOST_MOMENT)
        if order == 0:
            return np.ones(self.chain.num_states)
        weights = stirling_numbers(order)
        return np.asarray(sum(weights[j] * self._factorial_moment(j) for j in range(1, order + 1)))

    def _factorial_moment(self, j: int) -> NDArray[np.float64]:
        """E[tau (tau - 1) ... (tau - j + 1)] = j! (I - Q)^-j Q^(j-1) 1: each is what the one before would cost as the expected cost of a step, times j."""
        known: list[NDArray[np.float64]] = self.__dict__.setdefault("_factorial_moments", [self.hitting_time])
        while len(known) < j:
            known.append((len(known) + 1) * self._next_factorial_moment(known[-1]))
        return known[j - 1]

    def _next_factorial_moment(self, last: NDArray[np.float64]) -> NDArray[np.float64]:
        """(I - Q)^-1 Q times the last."""
        chain, proper = self.chain, self.proper_from
        after = np.add.reduceat(chain.probability * np.where(proper, last, 0.0)[chain.next_state], chain.row_ptr[:-1])
        if not np.isfinite(after).all():
            return np.where(proper, np.where(last > 0.0, np.inf, 0.0), np.inf)
        return np.where(proper, _expected(chain.with_costs(after), chain.goals), np.inf)

    def __repr__(self) -> str:
        chain, kind = self.chain, "proper" if self.proper else "improper"
        value, steps = (_at_start(chain, found) for found in (self.value, self.hitting_time))
        return f"Evaluation({chain.num_states:,} states, {kind}; at the start: value {value:g}, hitting time {steps:g})"


def _expected(chain: SSP, goals: NDArray[np.int64]) -> NDArray[np.float64]:
    """The expected total cost of the chain until it reaches one of `goals`: planning, with nothing to choose."""
    if len(goals) == chain.num_states:
        return np.zeros(chain.num_states)
    if len(goals) > len(chain.goals):
        start = int(np.setdiff1d(np.arange(chain.num_states), goals)[0])
        chain = SSP.from_csr(chain.first_pair, chain.row_ptr, chain.next_state, chain.probability, chain.cost, start=start, goal=goals)
    return solve(chain, TOLERANCE).value


def _at_start(chain: SSP, per_state: NDArray[np.float64]) -> float:
    starts = chain.start_distribution > 0.0
    return math.fsum(chain.start_distribution[starts] * per_state[starts])


def _whole(name: str, given: int, most: float = math.inf) -> int:
    if not (isinstance(given, int | np.integer) and not isinstance(given, bool) and 0 <= given <= most):
        raise SettingError(name, given, "a whole number, at least 0" if most == math.inf else f"a whole number from 0 to {most}")
    return int(given)
