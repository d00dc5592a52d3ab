"""What the optimistic plans of one algorithm have in common, made from its settings."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from goalward.learning.confidence import Confidence, confidence_set
from goalward.learning.counts import Counts
from goalward.learning.model import OptimisticModel
from goalward.learning.optimism import Plan
from goalward.learning.starts import ColdStart, WarmStart
from goalward.learning.ties import TIES
from goalward.models.rows import Floats
from goalward.models.settings import choice, flag
from goalward.models.signature import Signature


class Optimist(NamedTuple):
    """Counts and a confidence set that plans of several objectives share; each has a model of its own."""

    signature: Signature
    counts: Counts
    confidence: Confidence
    warm: bool
    tie_breaking: str
    rng: np.random.Generator

    @classmethod
    def of(
        cls, signature: Signature, rng: np.random.Generator, *, confidence: str, bounds: str, scale: float, delta: float, states_in_root: str,
        states_in_log: str, tie_breaking: str, warm_start: bool,
    ) -> Optimist:  # fmt: skip
        """The settings are those of the algorithms; what is wrong with one is said by its name."""
        plausible = confidence_set(signature, confidence, bounds=bounds, scale=scale, delta=delta, states_in_root=states_in_root, states_in_log=states_in_log)
        ties = choice("tie_breaking", tie_breaking, TIES)
        return cls(signature, Counts.empty(signature.first_pair), plausible, flag("warm_start", warm_start), ties, rng)

    def plan(self, cost_x: Floats, least_cost: float, cap: float = math.inf) -> Plan:
        """A plan that minimises the sum of costs, none of which is below `least_cost`; giving up costs `cap`."""
        start: Any = WarmStart() if self.warm else ColdStart()
        ties = TIES[self.tie_breaking].of(self.signature.actions, self.rng)
        return Plan.of(self.signature.first_pair, cost_x, least_cost, cap, OptimisticModel.of(self.confidence, self.counts), start, ties)
