"""The distribution of the number of steps that a Markov chain takes to the goal: discrete phase-type [tarbouriech2020, Prop. 1].

P(tau > n) = Q^n 1, step by step: one sparse product each. Where so many steps are asked for that it is cheaper, the powers Q^1, Q^2, Q^4, ... are made instead,
as dense matrices.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from goalward._compile import compiled, component
from goalward.errors import BudgetError
from goalward.models.rows import Rows
from goalward.planning.reduction import Floats

MOST_WORK = 3e10  # multiplications before giving up: about half a minute
LARGEST = 1000  # states of a dense power
MOST_DOUBLINGS = 64  # a quantile of more than 2^64 steps is taken for infinite
TIE = 1e-12  # what misses a probability by no more than this share of it is taken to be equal to it


def survival_after(rows: Rows, n: int) -> Floats:
    """(S + 1,) P(tau > n)."""
    walking, dense = float(n) * len(rows.next_state), _dense_work(rows, n.bit_length())
    if min(walking, dense) > MOST_WORK:
        raise BudgetError(f"survival({n}): would take {min(walking, dense):.2g} multiplications, more than the {MOST_WORK:.2g} that are allowed")
    if dense < walking:
        return _survival_by_powers(rows, n)
    alive = np.append(np.ones(len(rows.cost_x)), 0.0)
    compiled(walk, rows, n, alive)(rows, n, alive)
    return alive


def _survival_by_powers(rows: Rows, n: int) -> Floats:
    power, alive = _one_step(rows), np.append(np.ones(len(rows.cost_x)), 0.0)
    dead = 1.0 - alive
    for bit in range(n.bit_length()):
        if n >> bit & 1:
            dead[:-1] = power.dead + power.inner @ dead[:-1]
            alive[:-1] = np.where(dead[:-1] < 0.5, 1.0 - dead[:-1], power.inner @ alive[:-1])
        power = _then(power, power)
    return alive


class Quantile(NamedTuple):
    """What is looked for: the first n at which P(tau <= n) has risen to `level`; or, if that is the smaller number, P(tau > n) has fallen to it."""

    rising: bool
    level: float

    @classmethod
    def of(cls, q: float) -> Quantile:
        return cls(True, q * (1.0 - TIE)) if q <= 0.5 else cls(False, (1.0 - q) * (1.0 + TIE))

    def reached(self, dead: Floats, alive: Floats) -> Any:
        return dead >= self.level if self.rising else alive <= self.level


def arrival_quantiles(rows: Rows, q: float, arrival: Floats) -> Floats:
    """(S + 1,) the least n with P(tau <= n) >= q; inf where there is none, because `arrival`, P(tau < inf), is below q."""
    wanted, entries, states = Quantile.of(q), len(rows.next_state), len(rows.cost_x)
    alive = np.append(np.ones(states), 0.0)
    possible = wanted.reached(arrival, 1.0 - arrival)
    quantile = np.where(wanted.reached(1.0 - alive, alive), 0.0, np.where(possible, np.inf, np.nan))
    ...
