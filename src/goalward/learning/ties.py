"""Which of equally good actions is played: three readings of what the founding paper leaves open."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from goalward._compile import component
from goalward.models.rows import Floats, Longs

TIE = 1e-12  # totals that differ by less, relatively, are equal


@component
class OrderTies(NamedTuple):
    """The first in an order of the actions that is drawn for the plan, one for all states."""

    order: Longs  # (A,)
    rng: np.random.Generator

    @classmethod
    def of(cls, actions: int, rng: np.random.Generator) -> OrderTies:
        return cls(np.arange(actions), rng)

    def choose(self, first_pair: Longs, total_x: Floats, best_s: Floats, policy_s: Longs) -> None:
        """The last of the order first, for what is written later stays; and without a branch, for nobody can foretell which actions are good."""
        for i in range(self.order.size - 1, 0, -1):
            j = int(self.rng.random() * (i + 1))
            self.order[i], self.order[j] = self.order[j], self.order[i]
        for i in range(self.order.size - 1, -1, -1):
            a = self.order[i]
            for s in range(policy_s.size):
                x = min(first_pair[s] + a, first_pair[s + 1] - 1)
                good = (total_x[x] <= best_s[s] * (1.0 + TIE)) & (first_pair[s] + a == x)
                before = policy_s[s]
                policy_s[s] = a if good else before


@component
class RandomTies(NamedTuple):
    """Any of them, drawn in each state."""

    rng: np.random.Generator

    @classmethod
    def of(cls, actions: int, rng: np.random.Generator) -> RandomTies:
        return cls(rng)

    def choose(self, first_pair: Longs, total_x: Floats, best_s: Floats, policy_s: Longs) -> None:
        for s in range(policy_s.size):
            found = 0
            for x in range(first_pair[s], first_pair[s + 1]):
                if total_x[x] <= best_s[s] * (1.0 + TIE):
                    found += 1
                    if found == 1 or self.rng.random() * found < 1.0:
                        policy_s[s] = x - first_pair[s]


@component
class FirstTies(NamedTuple):
    """The one with the smallest number."""

    @classmethod
    def of(cls, actions: int, rng: np.random.Generator) -> FirstTies:
        return cls()

    def choose(self, first_pair: Longs, total_x: Floats, best_s: Floats, policy_s: Longs) -> None:
        for s in range(policy_s.size):
            for x in range(first_pair[s + 1] - 1, first_pair[s] - 1, -1):
                if total_x[x] <= best_s[s] * (1.0 + TIE):
                    policy_s[s] = x - first_pair[s]


Ties = OrderTies | RandomTies | FirstTies
TIES: dict[str, Any] = {"order": OrderTies, "random": RandomTies, "first": FirstTies}
