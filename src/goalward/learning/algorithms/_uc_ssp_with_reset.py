"""UC-SSP-L_J: for problems with dead ends, where an agent may give up [tarbouriech2020, App. I.2]. It is `uc-ssp` with a penalty."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from goalward._compile import component
from goalward.errors import SettingError
from goalward.learning.costs import Costs
from goalward.learning.counts import Counts
from goalward.learning.episodes import Clock, columns, note_plan, plan_cheaply, record, view
from goalward.learning.optimism import Plan
from goalward.learning.optimist import Optimist
from goalward.learning.perturbation import Perturbation, Perturbed
from goalward.learning.records import new_record
from goalward.learning.ties import TIE
from goalward.models.checks import number
from goalward.models.rows import Floats, Longs
from goalward.models.ssp import RESET

Now = columns("resets")
MOST_STEPS = 2.0**31 - 2.0  # of an attempt: no run has more, and columns of counts are 32 bits wide


@component
class UCSSPWithReset(NamedTuple):
    """One attempt an episode, on values truncated at J, and then the reset action; no phase 2."""

    counts: Counts
    costs: Costs
    perturbation: Perturbation
    cheap: Plan
    clock: np.record  # Clock; j and G stay 0
    now: np.record  # Now
    penalty: float  # J
    c_min: float
    goal: int

    @classmethod
    def of(cls, optimist: Optimist, costs: Costs, perturbation: Perturbation, penalty: float) -> UCSSPWithReset:
        c_min = optimist.signature.c_min
        J = number("penalty", penalty, f">= c_min = {c_min:g}: giving up would be best everywhere", lambda J: J > 0.0 and c_min <= J)
        if isinstance(perturbation, Perturbed) and perturbation.exponent == 0.0 and c_min + perturbation.size >= J:
            expected = f"less than penalty - c_min = {J - c_min:g}: giving up would be best everywhere, and nothing would be learnt"
            raise SettingError("perturbation", perturbation.size, expected)
        clock, now = new_record(Clock, t=1, k=1, begin=1), new_record(Now)
        return cls(optimist.counts, costs, perturbation, optimist.plan(costs.cost_x, c_min, J), clock, now, J, c_min, optimist.signature.states)

    def act(self, s: int) -> int:
        """The first action of an episode is never to give up: an agent that did so at once would learn nothing."""
        if self.clock.last == 0:
            self.plan(s)
        elif self.clock.t > self.clock.last or self.gives_up(s):
            return RESET
        return int(self.cheap.policy_s[s])

    def gives_up(self, s: int) -> bool:
        """Whether J is less than what any action costs; a tie goes to the action."""
        return bool(self.cheap.best_s[s] + self.cheap.outcome.offset > self.penalty * (1.0 + TIE))

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        if a == RESET:
            self.now.resets = 1
        else:
            record(self, s, a, cost, s_next)
        if s_next == self.goal:
            self.now.phase1_steps = self.clock.t - self.clock.begin
            self.clock.k += 1
            self.clock.last = 0

    def interrupt(self, s: int) -> None:
        """What is left of an attempt that has begun is lost; to give up comes next."""
        if self.clock.last > 0 and self.clock.t > self.clock.begin:
            self.clock.last = min(self.clock.last, self.clock.t - 1)

    def plan(self, s: int) -> None:
        """H = 6 J / (c_min + eta_k) ln(2 sqrt(k)); the paper has no eta_k there, and would divide by zero where some steps are free."""
        clock, now = self.clock, self.now
        plan_cheaply(self, s)
        least = self.c_min + self.cheap.outcome.offset
        horizon = math.ceil(min(MOST_STEPS, 6.0 * self.penalty / least * math.log(2.0 * math.sqrt(clock.k))))
        now.pivot, now.resets = horizon, 0
        note_plan(now, self.cheap)
        clock.last = clock.t + horizon - 1

    def policy(self) -> Longs:
        """(S,) with RESET where giving up is best."""
        chosen = self.cheap.policy_s.copy()
        for s in range(chosen.size):
            if self.gives_up(s):
                chosen[s] = RESET
        return chosen

    def value(self) -> Floats:
        return self.cheap.value_s

    def snapshot(self) -> dict[str, Any]:
        return view(self)
