"""Theory beside practice: what the founding paper proves about UC-SSP and UCRL2, as numbers [tarbouriech2020].

>>> import goalward as gw
>>> theory = Theory.of(gw.environments.make("paper-grid"))
>>> theory.omega(3000), theory.omega_proof(3000), pivot_limit(theory.optimistic_hitting_time, 3000)
(150, 145, 52)
>>> f"{theory.truncated_regret(3000):,.0f}, {theory.failures(3000):,.0f}"
'3,747,820, 706,864'

Every bound names its lemma, what it bounds, and how surely; all are of the worst case, with the radii of Sect. 4. E is the event that every confidence set ever
planned with contains the true model. What the paper gives only up to constants and logarithms is no bound: see `goalward.learning.rates`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from goalward.errors import SettingError
from goalward.models.checks import number
from goalward.models.ssp import SSP
from goalward.planning.analyze import analyze


@dataclass(frozen=True)
class Theory:
    """The numbers that bounds are made of. A problem with dead ends has an infinite diameter: what needs a finite one says so."""

    states: int  # S, without the goals
    actions: int  # A
    c_min: float
    c_max: float
    diameter: float  # D; inf if from some state no policy surely arrives, and then so is Upsilon*
    optimal_cost: float  # V*(s0)
    max_hitting_time: float  # Upsilon*
    delta: float = 0.1  # the probability with which bounds may fail
    penalty: float | None = None  # J, for which one may give up

    def __post_init__(self) -> None:
        _whole("states", self.states, 1)
        _whole("actions", self.actions, 1)
        number("c_min", self.c_min, ">= 0", lambda c: c >= 0.0)
        number("c_max", self.c_max, f">= c_min = {self.c_min:g}", lambda c: c >= self.c_min)
        _at_least(1.0, "diameter", self.diameter)
        _at_least(0.0, "optimal_cost", self.optimal_cost)
        _at_least(1.0, "max_hitting_time", self.max_hitting_time)
        number("delta", self.delta, "in (0, 1)", lambda d: 0.0 < d < 1.0)
        if self.penalty is not None:
            number("penalty", self.penalty, f"that is positive and >= c_min = {self.c_min:g}", lambda j: j > 0.0 and j >= self.c_min)

    @classmethod
    def of(cls, ssp: SSP, delta: float = 0.1, penalty: float | None = None) -> Theory:
        """The numbers of a problem, which take a plan of the least cost and one of the fewest steps."""
        facts, inner = analyze(ssp), ssp.num_states - len(ssp.goals)
        steps = max(1.0, facts.diameter), max(1.0, facts.max_hitting_time)  # there is no less, but for rounding
        return cls(inner, ssp.num_actions, facts.c_min, facts.c_max, steps[0], facts.optimal_cost, steps[1], delta, penalty)

    @property
    def event_probability(self) -> float:
        """P(E) is at least this [tarbouriech2020, Lem. 3]."""
        return 1.0 - self.delta / 3.0

    def radius(self, visits: int) -> float:
        """Beta(s, a), the largest L1 distance of the true p(. | s, a) from the mean of so many visits, under E [tarbouriech2020, Sect. 4]."""
        counted = max(1, _whole("visits", visits, 0))
        return math.sqrt(8.0 * self.states * math.log(2.0 * self.actions * counted / self.delta) / counted)

    @property
    def optimistic_hitting_time(self) -> float:
        """The bound on E[tau~] from any state, of a policy planned in phase 1, in the model it was planned for; under E [tarbouriech2020, proof of Lem. 6].

        Without the 2, which is there for the precision of a plan, eps <= c_min / 2, it is what a plan of the least cost may take in the true model, too.
        """
        if self.c_min <= 0.0:
            raise SettingError("c_min", self.c_min, "a positive number: the proof of Lem. 6 divides by it (where steps may be free: perturbed_omega)")
        return 2.0 * self.c_max * self._finite("diameter") / self.c_min

    def perturbed_hitting_time(self, eta: float) -> float:
        """The same with eta added to all costs, under E [tarbouriech2020, App. I.3]. That is of exact plans; at a precision eps <= eta / 2, twice as much."""
        return self.c_max * self._finite("diameter") / _positive("eta", eta) + self._finite("max_hitting_time")

    def omega(self, episodes: int) -> int:
        """Omega_K, the largest pivot horizon of phase 1 in K episodes, under E: as stated [tarbouriech2020, Lem. 6]."""
        return stated_limit(self.optimistic_hitting_time, _whole("episodes", episodes, 1))

    def omega_proof(self, episodes: int) -> int:
        """The same as the proof of Lem. 6 has it. Both hold of a single episode k with k for K."""
        return proved_limit(self.optimistic_hitting_time, _whole("episodes", episodes, 1))

    def perturbed_omega(self, episodes: int, eta: float | None = None) -> int:
        """Omega_K with costs perturbed by at least eta = K^(-1/3), under E [tarbouriech2020, App. I.3]: ln(2 sqrt K) for the ln(S sqrt K) of the print."""
        least = float(_whole("episodes", episodes, 1)) ** (-1.0 / 3.0) if eta is None else eta
        return stated_limit(2.0 * self.perturbed_hitting_time(least), _whole("episodes", episodes, 1))

    def reset_omega(self, episodes: int, eta: float = 0.0) -> int:
        """Omega_K^(J), the length of the K-th attempt where one may give up for J, with eta added to all costs; rounded up [tarbouriech2020, App. I.2].

        Under E an attempt of this length fails in the optimistic model with probability at most 1 / sqrt(K). The paper has it without eta.
        """
        if self.penalty is None:
            raise SettingError("penalty", self.penalty, "a number: the length of an attempt of L_J is made of it")
        least = self.c_min + number("eta", eta, ">= 0", lambda e: e >= 0.0)
        if least <= 0.0:
            raise SettingError("c_min + eta", least, "a positive number: Lem. 16 divides by it")
        return math.ceil(6.0 * self.penalty / least * _log(_whole("episodes", episodes, 1)))

    def phase2_omega(self, attempts: int) -> int:
        """Omega'_K, the largest pivot horizon of the first G_K attempts of phase 2, where a step costs 1; under E [tarbouriech2020, App. G]."""
        return stated_limit(2.0 * self._finite("diameter"), _whole("attempts", attempts, 1))

    def phase2_steps(self, attempts: int, extra_steps: int = 0) -> int:
        """T_{K,2}, the steps in G_K attempts of phase 2, under E [tarbouriech2020, App. G]. Where attempts last H + 1 actions, extra_steps = 1."""
        if _whole("extra_steps", extra_steps, 0) > 1:
            raise SettingError("extra_steps", extra_steps, "0 or 1: attempts last H or H + 1 actions")
        return (self.phase2_omega(attempts) + extra_steps) * attempts if _whole("attempts", attempts, 0) else 0

    def radius_sum(self, steps: int) -> float:
        """The sum of the radii over so many steps, if counts were refreshed at every step: the pigeonhole principle [tarbouriech2020, App. D]."""
        return 2.0 * self.states * math.sqrt(8.0 * self.actions * _whole("steps", steps, 1) * math.log(2.0 * self.actions * steps / self.delta))

    def late_counts(self, episodes: int, phase1_steps: int | None = None) -> float:
        """What is to be added to `radius_sum`, for counts are refreshed only as attempts end. The paper leaves it out; it does not grow like sqrt(K).

        The n-th visit to a pair meets a count of at least n - Omega, where the sum of 1 / sqrt(n) takes it for n: that makes Omega more for each pair.
        Add 2 c_max D times this to `truncated_regret`, and twice this to `failures`, to have bounds that are proved.
        """
        omega, steps = self._phase1(episodes, phase1_steps)
        log = math.log(2.0 * self.actions * steps / self.delta)
        return self.states * self.actions * omega * math.sqrt(8.0 * self.states * log)

    def truncated_regret(self, episodes: int, phase1_steps: int | None = None) -> float:
        """W_K, the regret of the first H steps of each episode, with probability 1 - delta [tarbouriech2020, Lem. 5, constants of App. D and H].

        T_{K,1} is Omega_K K unless given. As printed: see `late_counts`.
        """
        omega, steps = self._phase1(episodes, phase1_steps)
        precision = 0.5 * self.c_min * omega * (1.0 + math.log(omega * episodes))
        return 2.0 * self.c_max * self.diameter * (self.radius_sum(steps) + self._chance(steps)) + precision

    def failures(self, episodes: int) -> float:
        """F_K, the number of episodes that go on to phase 2, with probability 1 - delta [tarbouriech2020, Lem. 7]. As printed: see `late_counts`.

        With the ln(3 ...) of App. F: the ln(2 ...) of the text would let the chances of failing sum to more than delta.
        """
        _, steps = self._phase1(episodes, None)
        return 2.0 * math.sqrt(episodes) + 2.0 * self._chance(steps) + 2.0 * self.radius_sum(steps)

    @property
    def span(self) -> float:
        """Sp(h_i) of UCRL2's value iteration from 0 on M_inf, which pays 1 at the goal; after each sweep, under E [tarbouriech2020, Lem. 12, App. B]."""
        return self._finite("diameter")

    def ucrl2_regret(self, steps: int) -> float:
        """UCRL2's regret where all steps cost 1, with probability 1 - delta [tarbouriech2020, Thm. 1, from jaksch2010, Thm. 2].

        Steps are those of M_inf, tau_k + 1 an episode. As printed: Thm. 2 counts all states, so that S + 1 should stand for S.
        """
        self._unit_costs()
        rate = 34.0 * (self._finite("optimal_cost") + 1.0) * self._finite("diameter") * self.states
        return rate * math.sqrt(self.actions * _whole("steps", steps, 2) * math.log(steps / self.delta))

    def ucrl2_steps(self, episodes: int) -> float:
        """UCRL2's T_K in M_inf, under the event of `ucrl2_regret` [tarbouriech2020, Lem. 11 with the constant of its proof]."""
        self._unit_costs()
        period = self._finite("optimal_cost") + 1.0
        slope = 68.0 * period * self._finite("diameter") * self.states * math.sqrt(self.actions)
        return 2.0 * period * _whole("episodes", episodes, 1) + kazerouni(slope, 1.0 / self.delta, 1.0)

    def _phase1(self, episodes: int, phase1_steps: int | None) -> tuple[int, int]:
        """Omega_K and T_{K,1}."""
        omega = self.omega(episodes)
        return omega, omega * episodes if phase1_steps is None else _whole("phase1_steps", phase1_steps, episodes)

    def _chance(self, steps: int) -> float:
        """How far a martingale with steps of at most 1 strays in T of them, for all T at once: with probability 1 - 2 delta / 3 [tarbouriech2020, App. D]."""
        return math.sqrt(2.0 * steps * math.log(3.0 * steps**2 / self.delta))

    def _finite(self, name: str) -> float:
        value: float = getattr(self, name)
        if value == math.inf:
            raise SettingError(name, value, "a finite number: some policy surely arrives from every state (with dead ends: reset_omega)")
        return value

    def _unit_costs(self) -> None:
        if (self.c_min, self.c_max) != (1.0, 1.0):
            raise SettingError("c_min, c_max", (self.c_min, self.c_max), "(1, 1): Thm. 1 is of steps that all cost 1")


def stated_limit(mean: float, k: int) -> int:
    """The pivot horizon min{n > 1: |Q^(n - 1)| <= 1 / sqrt(k)} is at most this if E[tau] <= `mean` from every state: Lem. 6 has mean = 2 c_max D / c_min."""
    return math.ceil(3.0 * _mean(mean) * _log(_whole("k", k, 1)))


def proved_limit(mean: float, k: int) -> int:
    """The largest H with H - 1 < e mean ceil(ln(2 sqrt k)): what the proof of Lem. 6 gives. Below k = 2e7 that is now more, now less than stated."""
    return math.ceil(math.e * _mean(mean) * math.ceil(_log(_whole("k", k, 1))))


def pivot_limit(mean: float, k: int) -> int:
    """The least bound on the pivot horizon that follows from the mean: it is attained if the mean is a whole number. Not in the paper, whose Lem. 6 it proves.

    Let f(n) = |Q^n|, and y the state with P(tau(y) > N) = f(N). To be alive after N steps is to be so after n, and then for N - n more: P(tau(y) > n) is at
    least f(N) / f(N - n). Summed over n <= N: f(N) (1 / f(0) + ... + 1 / f(N)) <= mean. So the sums G(N) of 1 / f grow by a factor mean / (mean - 1) a step,
    from G(m - 1) >= m, where m is the mean rounded down; and f(N) <= (mean - 1) / G(N - 1). From N = m + mean ln(sqrt k) on that is at most 1 / sqrt(k), so
    H <= 1 + m + ceil(mean ln(sqrt k)). Lem. 6 allows 2.07 mean + 3 mean ln(sqrt k), which is no less as soon as mean >= 1.
    """
    whole, allowed = math.floor(_mean(mean)), 1.0 / math.sqrt(_whole("k", k, 1))
    if k == 1 or mean == 1.0:
        return 2
    excess = math.log((mean - 1.0) / (whole * allowed)) / -math.log1p(-1.0 / mean)
    return 1 + whole + max(0, math.ceil(excess))


def moment_bound(mean: float, r: int) -> float:
    """E[tau^r] from any state, if mean >= 2 bounds E[tau] from every state [tarbouriech2020, Lem. 15]."""
    base = _whole("r", r, 1) * number("mean", mean, ">= 2, as the proof of Lem. 15 needs it", lambda x: x >= 2.0)
    try:
        return float(2.0 * base**r)
    except OverflowError:
        return math.inf


def kazerouni(a1: float, a2: float, a3: float) -> float:
    """The most that -a3 x + a1 sqrt(x) ln(a2 x) can be, for any x > 0 [tarbouriech2020, Lem. 13, which says x >= 2]."""
    a1, a2, a3 = _positive("a1", a1), _positive("a2", a2), _positive("a3", a3)
    log = math.log(2.0 * a1 / a3) + 0.5 * math.log(a2) + 1.0
    return 16.0 * a1 * a1 / (9.0 * a3) * log * log


def shrinking(c: float, x: float) -> float:
    """f(x) = sqrt(ln(c x) / x), which does not grow on x >= 1 if c >= 4 [tarbouriech2020, Lem. 14]. Radii, with c = 2 A / delta, shrink."""
    number("c", c, ">= 4, as Lem. 14 needs it", lambda given: given >= 4.0)
    number("x", x, ">= 1", lambda given: given >= 1.0)
    return math.sqrt(math.log(c * x) / x)


def _whole(name: str, value: Any, least: int) -> int:
    if not isinstance(value, Integral) or isinstance(value, bool) or value < least:
        raise SettingError(name, value, f"a whole number >= {least}")
    return int(value)


def _positive(name: str, value: Any) -> float:
    return number(name, value, "> 0", lambda x: x > 0.0)


def _at_least(least: float, name: str, value: Any) -> None:
    if value != math.inf:
        number(name, value, f">= {least:g}, or inf", lambda x: x >= least)


def _log(k: int) -> float:
    return math.log(2.0 * math.sqrt(k))


def _mean(value: Any) -> float:
    return number("mean", value, ">= 1, for every way to the goal has a step", lambda x: x >= 1.0)
