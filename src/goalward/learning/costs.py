"""What an agent takes a step to cost: what it was told, or the least that is plausible after what it has paid."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from goalward._compile import component
from goalward.learning.counts import Counts
from goalward.models.rows import Floats, Longs
from goalward.models.settings import choice
from goalward.models.signature import Signature


@component
class KnownCosts(NamedTuple):
    """The mean costs are known."""

    cost_x: Floats  # (X,)

    def pay(self, x: int, cost: float) -> None:
        pass

    def revise(self, counts: Counts) -> None:
        pass


@component
class LearntCosts(NamedTuple):
    """Only the range is known: the lower end of an interval about the mean of what was paid [tarbouriech2020, App. I.1].

    beta' = width sqrt(ln(pairs n / delta) / n), and at least c_min. The paper's constants are for a range of at most 1; the width grows with it beyond.
    """

    cost_x: Floats  # (X,) the lower end
    paid_x: Floats  # (X,) in total
    revised_x: Longs  # (X,) N(s, a) when the lower end was worked out
    c_min: float
    width: float
    pairs: float
    delta: float

    @classmethod
    def of(cls, signature: Signature, bounds: str, scale: float, delta: float) -> LearntCosts:
        """With bounds="theory" 2 sqrt(ln(6 S A n / delta) / n); with "paper" without the constants, like the bounds of its experiments."""
        width, factor = (2.0, 6.0) if bounds == "theory" else (1.0, 1.0)
        pairs, spread = len(signature.cost_x), max(1.0, signature.c_max - signature.c_min)
        lower, log_of = np.full(pairs, signature.c_min), factor * signature.states * signature.actions
        return cls(lower, np.zeros(pairs), np.zeros(pairs, np.int64), signature.c_min, scale * width * spread, log_of, delta)

    def pay(self, x: int, cost: float) -> None:
        self.paid_x[x] += cost

    def revise(self, counts: Counts) -> None:
        """Work out the lower ends of the pairs that were tried again."""
        for x in range(self.cost_x.size):
            n = counts.visits_x[x]
            if n != self.revised_x[x]:
                self.revised_x[x] = n
                lower = self.paid_x[x] / n - self.width * math.sqrt(math.log(self.pairs * n / self.delta) / n)
                self.cost_x[x] = max(self.c_min, lower)


Costs = KnownCosts | LearntCosts
COSTS = ("known", "unknown")


def costs_of(signature: Signature, costs: str, bounds: str, scale: float, delta: float) -> Costs:
    """What the setting `costs` names."""
    if choice("costs", costs, COSTS) == "unknown":
        return LearntCosts.of(signature, bounds, scale, delta)
    return KnownCosts(signature.cost_x.copy())
