"""The model as an environment: where episodes start, what a step costs and where it leads."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from goalward._compile import component
from goalward.models.random_costs import draw_cost
from goalward.models.rows import Floats, Longs, Rows, frozen, owners
from goalward.models.ssp import SSP

NO_ACTION = "act() chose an action that the state does not have; expected one from 0 to one less than it has, or gw.RESET"
NO_PENALTY = "act() chose gw.RESET, but nobody may give up; expected an action of the state (penalty=J allows giving up, to an algorithm with that setting)"


@component
class FixedStart(NamedTuple):
    """Every episode starts in the same state."""

    state: int

    def draw_start(self, rng: np.random.Generator) -> int:
        return self.state


@component
class DrawnStart(NamedTuple):
    """Episodes start in states drawn from a distribution."""

    state_m: Longs
    probability_m: Floats

    def draw_start(self, rng: np.random.Generator) -> int:
        m, u = 0, rng.random() - self.probability_m[0]
        while u >= 0.0 and m < self.state_m.size - 1:
            m += 1
            u -= self.probability_m[m]
        return int(self.state_m[m])


@component
class FixedCosts(NamedTuple):
    """A step costs what its pair costs."""

    cost_x: Floats  # (X,)

    def draw_cost_of(self, x: int, rng: np.random.Generator) -> float:
        return float(self.cost_x[x])


@component
class DrawnCosts(NamedTuple):
    """Costs are drawn at every step."""

    cost_x: Floats  # (X,) their means
    spread_x: Floats  # (X,)
    law: int
    low: float
    high: float

    def draw_cost_of(self, x: int, rng: np.random.Generator) -> float:
        return draw_cost(self.law, self.cost_x[x], self.spread_x[x], self.low, self.high, rng)


@component
class World(NamedTuple):
    """What an agent meets. Its states are those of `Rows`, whose successors come with the likeliest first."""

    rows: Rows
    start: Any  # FixedStart | DrawnStart
    cost: Any  # FixedCosts | DrawnCosts
    penalty: float  # of the reset action
    goal: int

    @classmethod
    def of(cls, ssp: SSP, penalty: float | None = None) -> World:
        return cls(_likeliest_first(ssp.rows), _start_of(ssp), _costs_of(ssp), np.inf if penalty is None else float(penalty), len(ssp.rows.first_pair) - 1)

    def begin(self, rng: np.random.Generator) -> int:
        return int(self.start.draw_start(rng))

    def step(self, s: int, a: int, rng: np.random.Generator) -> tuple[float, int]:
        """Draw (cost, next state)."""
        rows, x = self.rows, self.rows.first_pair[s] + a
        if a < 0 or x >= rows.first_pair[s + 1]:
            raise IndexError(NO_ACTION)
        i, last = rows.row_ptr[x], rows.row_ptr[x + 1] - 1
        u = rng.random() - rows.probability[i]
        while u >= 0.0 and i < last:
            i += 1
            u -= rows.probability[i]
        return self.cost.draw_cost_of(x, rng), int(rows.next_state[i])

    def give_up(self) -> tuple[float, int]:
        """What the reset action costs, and where it leads."""
        if self.penalty == np.inf:
            raise IndexError(NO_PENALTY)
        return self.penalty, self.goal


def _likeliest_first(rows: Rows) -> Rows:
    """The successors of each pair in the order in which a draw finds them soonest."""
    order = np.lexsort((-rows.probability, owners(rows.row_ptr)))
    return rows._replace(next_state=frozen(rows.next_state[order]), probability=frozen(rows.probability[order]))


def _start_of(ssp: SSP) -> FixedStart | DrawnStart:
    if isinstance(ssp.start, int):
        return FixedStart(int(ssp.index_s[ssp.start]))
    states = np.flatnonzero(ssp.start_distribution)
    return DrawnStart(ssp.index_s[states].astype(np.int64), ssp.start_distribution[states])


def _costs_of(ssp: SSP) -> FixedCosts | DrawnCosts:
    drawn = ssp.random_costs
    return FixedCosts(ssp.cost) if drawn is None else DrawnCosts(ssp.cost, drawn.spread_x, drawn.code, drawn.low, drawn.high)
