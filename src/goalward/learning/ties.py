"""Which of equally good actions is played: `draw` is called once a plan, `pick` once a state. Three readings of what the founding paper leaves open."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from goalward._compile import component
from goalward.models.rows import Floats, Longs

TIE = 1e-12  # totals that differ by less, relatively, are equal


@component
class OrderTies(NamedTuple):
    """The first in an order of the actions that is drawn for the plan, one for all states."""

    preference: Longs  # (A,)
    rng: np.random.Generator

    @classmethod
    def of(cls, actions: int, rng: np.random.Generator) -> OrderTies:
        return cls(np.arange(actions), rng)

    def draw(self) -> None:
        for i in range(self.preference.size - 1, 0, -1):
            j = int(self.rng.random() * (i + 1))
            self.preference[i], self.preference[j] = self.preference[j], self.preference[i]

    def pick(self, total_x: Floats, first: int, end: int, most: float) -> int:
        for a in self.preference:
            if a < end - first and total_x[first + a] <= most:
                return int(a)
        return 0


@component
class RandomTies(NamedTuple):
    """Any of them, drawn in each state."""

    rng: np.random.Generator

    @classmethod
    def of(cls, actions: int, rng: np.random.Generator) -> RandomTies:
        return cls(rng)

    def draw(self) -> None:
        pass

    def pick(self, total_x: Floats, first: int, end: int, most: float) -> int:
        found, chosen = 0, 0
        for x in range(first, end):
            if total_x[x] <= most:
                found += 1
                if found == 1 or self.rng.random() * found < 1.0:
                    chosen = x - first
        return chosen


@component
class FirstTies(NamedTuple):
    """The one with the smallest number."""

    @classmethod
    def of(cls, actions: int, rng: np.random.Generator) -> FirstTies:
        return cls()

    def draw(self) -> None:
        pass

    def pick(self, total_x: Floats, first: int, end: int, most: float) -> int:
        for x in range(first, end):
            if total_x[x] <= most:
                return x - first
        return 0


Ties = OrderTies | RandomTies | FirstTies
TIES: dict[str, Any] = {"order": OrderTies, "random": RandomTies, "first": FirstTies}
