"""Algorithms that are easy to follow, as a user would write them, and what to let them play."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import goalward as gw
from goalward.models.rows import Floats, Longs
from goalward.models.signature import Signature
from goalward.simulation.runs import Runs


@gw.component
class Stubborn(NamedTuple):
    """Always the same action."""

    choice: int

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator, *, choice: Any = 0) -> Stubborn:
        return cls(int(choice))

    def act(self, s: int) -> int:
        return self.choice

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


@gw.component
class Ponderous(NamedTuple):
    """Always action 0, after much thought: it does not use up its steps in any time that a test can wait."""

    rng: np.random.Generator

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator) -> Ponderous:
        return cls(rng)

    def act(self, s: int) -> int:
        for _ in range(1000):
            self.rng.random()
        return 0

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


@gw.component
class Alternating(NamedTuple):
    """Action 0 in the first episode, 1 in the second, 0 in the third ..."""

    episode: Longs  # (1,)
    goal: int

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator) -> Alternating:
        return cls(np.zeros(1, np.int64), signature.goal)

    def act(self, s: int) -> int:
        return int(self.episode[0] % 2)

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        if s_next == self.goal:
            self.episode[0] += 1


@gw.component
class Nervous(NamedTuple):
    """Counts interruptions, and gives up at the third of an episode."""

    interrupted: Floats  # (2,) how often, and in which state last
    goal: int

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator, *, penalty: float) -> Nervous:
        return cls(np.zeros(2), signature.goal)

    def act(self, s: int) -> int:
        return gw.RESET if self.interrupted[0] >= 3.0 else 0

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        if s_next == self.goal:
            self.interrupted[0] = 0.0

    def interrupt(self, s: int) -> None:
        self.interrupted[0] += 1.0
        self.interrupted[1] = s


def fork(start: Any = 0) -> gw.SSP:
    """Goal 2. From state 0, action 0 arrives at cost 3, action 1 at cost 2; from state 3, at costs 5 and 1. V* is 2 and 1. State 1 is out of reach."""
    rows = [(0, 0, 2, 1.0, 3.0), (0, 1, 2, 1.0, 2.0), (1, 0, 2, 1.0, 9.0), (1, 1, 2, 1.0, 9.0), (3, 0, 2, 1.0, 5.0), (3, 1, 2, 1.0, 1.0)]
    return gw.SSP.from_rows(rows, start=start, goal=2)


def grid() -> gw.SSP:
    return gw.environments.make("paper-grid")


def bits_of(runs: Runs) -> dict[str, tuple[str, tuple[int, ...], bytes]]:
    """All that was told of all episodes, as something that `==` compares bit by bit."""
    told = {"cost": runs.cost, "steps": runs.steps, "start": runs.start, "regret": runs.regret, **runs.columns}
    return {name: (str(column.dtype), column.shape, column.tobytes()) for name, column in told.items()}
