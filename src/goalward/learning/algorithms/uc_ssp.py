"""UC-SSP: optimism with a pivot horizon [tarbouriech2020, Alg. 1 and 2].

Each episode first tries to reach the goal cheaply (phase 1). An attempt that outlives its pivot horizon has failed, and from then on every attempt only tries
to reach the goal soon (phase 2). Every attempt follows the best policy of the most hopeful model that the data allow.

    Algorithm 1                                                     Algorithm 2 (EVI_SSP)
      N, t, k, G := 0, 1, 0, 0             create                     epsilon, gamma        plan, plan_cheaply
      k += 1, j := 0                       end_episode                N -> p_hat, M_{k,j}   model.learn
      t_{k,j} := t, EVI_SSP(k, j)          plan                       v, policy, model      extended_value_iteration
      execute a_t, observe, N += 1         act, observe               H_{k,j}               pivot_horizon
      j += 1, G += 1                       end_attempt

Deviations: v_0 is not 0 but the previous value, lowered until it is certain to be optimistic (`warm_start`). There is no nu: only plans read N, and they are
made between attempts. Of equally good actions, the first in an order that is drawn once a plan (`tie_breaking`). An attempt lasts H + 1 actions, as Algorithm
1 says, not H, as the text does (`attempt_steps`).

With `penalty` = J, giving up is possible anywhere at that cost, and the variant for problems with dead ends plays (UC-SSP-L_J, App. I.2). `perturbation`
makes zero costs positive (UC-SSP-L_eta, App. I.3). `costs="unknown"` learns the costs too (App. I.1).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from goalward._compile import component
from goalward.errors import SettingError
from goalward.learning.algorithms._uc_ssp_with_reset import UCSSPWithReset
from goalward.learning.costs import Costs, costs_of
from goalward.learning.counts import Counts
from goalward.learning.episodes import Clock, columns, note_plan, plan_cheaply, record, view
from goalward.learning.horizon import Survival, expected_steps, pivot_horizon
from goalward.learning.optimism import Plan, extended_value_iteration
from goalward.learning.optimist import Optimist
from goalward.learning.perturbation import Perturbation, perturbation_of
from goalward.learning.records import new_record
from goalward.models.rows import Floats, Longs
from goalward.models.settings import choice
from goalward.models.signature import Signature

Now = columns("phase2_steps", "phase2_pivot")
EXTRA_STEPS = {"H+1": 1, "H": 0}


@component
class UCSSP(NamedTuple):
    """Algorithm 1."""

    counts: Counts  # N
    costs: Costs
    perturbation: Perturbation
    cheap: Plan  # phase 1: least cost
    soon: Plan  # phase 2: fewest steps
    survival: Survival
    clock: np.record  # Clock: step t, episode k, attempt j, phase-2 attempts G, first step of the episode, last step of the attempt
    now: np.record  # Now: what is told of the episode
    extra_steps: int  # an attempt lasts H + extra_steps
    goal: int

    @classmethod
    def create(
        cls, signature: Signature, rng: np.random.Generator, *, confidence: str = "l1", bounds: str = "paper", scale: float = 1.0, delta: float = 0.1,
        perturbation: Any = "auto", penalty: float | None = None, costs: str = "known", tie_breaking: str = "order", warm_start: bool = True,
        attempt_steps: str = "H+1", states_in_root: str = "S+1", states_in_log: str = "S",
    ) -> UCSSP | UCSSPWithReset:  # fmt: skip
        """Of settings; with a penalty it is the variant with resets."""
        optimist = Optimist.of(
            signature, rng, confidence=confidence, bounds=bounds, scale=scale, delta=delta, states_in_root=states_in_root, states_in_log=states_in_log,
            tie_breaking=tie_breaking, warm_start=warm_start,
        )  # fmt: skip
        paid, added = costs_of(signature, costs, bounds, scale, delta), perturbation_of(signature, perturbation)
        extra_steps = EXTRA_STEPS[choice("attempt_steps", attempt_steps, EXTRA_STEPS)]
        if penalty is not None:
            if attempt_steps != "H+1":
                raise SettingError("attempt_steps", attempt_steps, "nothing with a penalty: without phase 2 an attempt has no pivot horizon")
            return UCSSPWithReset.of(optimist, paid, added, penalty)
        cheap, soon = optimist.plan(paid.cost_x, signature.c_min), optimist.plan(np.ones_like(signature.cost_x), 1.0)
        clock, S = new_record(Clock, t=1, k=1, begin=1), signature.states
        return cls(optimist.counts, paid, added, cheap, soon, Survival.of(S), clock, new_record(Now), extra_steps, S)

    def act(self, s: int) -> int:
        if self.clock.t > self.clock.last:
            self.plan(s)
        return int(self.cheap.policy_s[s] if self.clock.j == 0 else self.soon.policy_s[s])

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        record(self, s, a, cost, s_next)
        if s_next == self.goal:
            self.end_episode()
        elif self.clock.t > self.clock.last:
            self.end_attempt()

    def interrupt(self, s: int) -> None:
        """The attempt counts as failed."""
        if self.clock.t <= self.clock.last:
            self.end_attempt()
            self.clock.last = 0

    def plan(self, s: int) -> None:
        """EVI_SSP(k, j): an optimistic policy, and how long to trust it."""
        clock, now = self.clock, self.now
        if clock.j == 0:
            plan_cheaply(self, s)
            horizon = pivot_horizon(self.cheap, self.survival, 1.0 / math.sqrt(clock.k))
            now.pivot, now.phase2_steps, now.phase2_pivot = horizon, 0, 0
            note_plan(now, self.cheap)
        else:
            now.sweeps += extended_value_iteration(self.soon, self.counts, 1.0 / (2.0 * clock.t))
            horizon = pivot_horizon(self.soon, self.survival, 1.0 / math.sqrt(clock.G))
            now.phase2_pivot = max(now.phase2_pivot, horizon)
            note_plan(now, self.soon)
        clock.last = clock.t + horizon - 1 + self.extra_steps

    def end_attempt(self) -> None:
        if self.clock.last > 0:  # not so if nobody asked how to act
            self.note_steps()
            self.clock.j += 1
            self.clock.G += 1

    def end_episode(self) -> None:
        self.note_steps()
        self.clock.k += 1
        self.clock.j = 0
        self.clock.last = 0

    def note_steps(self) -> None:
        steps = self.clock.t - self.clock.begin
        if self.clock.j == 0:
            self.now.phase1_steps = steps
        else:
            self.now.phase2_steps = steps - self.now.phase1_steps

    def hitting_time(self, s: int) -> float:
        """Expected steps to the goal in the optimistic model of phase 1; to be asked for as a probe (`gw.Record`)."""
        return expected_steps(self.cheap, self.survival, s)

    def policy(self) -> Longs:
        """(S,) what the last plan plays."""
        ended = self.clock.t > self.clock.last and self.clock.j > 0  # the next plan is still to be made
        return self.cheap.policy_s if self.clock.j - ended == 0 else self.soon.policy_s

    def value(self) -> Floats:
        """(S + 1,) the optimistic value of the last phase 1."""
        return self.cheap.value_s

    def snapshot(self) -> dict[str, Any]:
        return view(self)
