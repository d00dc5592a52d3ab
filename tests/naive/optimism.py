"""Optimistic planning from its definitions: dense arrays, one entry per pair and next state, and the goal last.

A row of visits, or of probabilities, has S + 1 entries; a value too, and that of the goal is 0.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog

from goalward.learning.confidence import Confidence, L1Ball
from goalward.models.rows import Floats, Longs


def most_hopeful(confidence: Confidence, visits_y: Longs, value_y: Floats) -> Floats:
    """The plausible row with the least expected value. Before the first visit every row is plausible: the goal, then."""
    n = int(visits_y.sum())
    if n == 0:
        return np.append(np.zeros(len(visits_y) - 1), 1.0)
    if isinstance(confidence, L1Ball):
        return most_hopeful_of_ball(visits_y / n, confidence.radius(n), value_y)
    return most_hopeful_of_box(*box(confidence, visits_y), value_y)


def most_hopeful_of_ball(p_hat: Floats, beta: float, value_y: Floats) -> Floats:
    """Half of beta more for the best of all, the goal; what that is too much is taken from the worst [jaksch2010, Fig. 2]."""
    row = p_hat.copy()
    row[-1] = min(1.0, p_hat[-1] + 0.5 * beta)
    for y in sorted(range(len(row) - 1), key=lambda y: -float(value_y[y])):
        row[y] = max(0.0, row[y] - max(0.0, math.fsum(row) - 1.0))
    return row


def box(confidence: Confidence, visits_y: Longs) -> tuple[Floats, Floats]:
    """The least and the most that each probability may be."""
    assert not isinstance(confidence, L1Ball)
    n = int(visits_y.sum())
    p_hat, radius = visits_y / n, confidence.radius(n)
    width = confidence.deviation * np.sqrt(p_hat * (1.0 - p_hat) * radius) + confidence.range * radius
    return np.maximum(0.0, p_hat - width), np.minimum(1.0, p_hat + width)


def most_hopeful_of_box(least_y: Floats, most_y: Floats, value_y: Floats) -> Floats:
    """The least of each, and then as much as possible of the best."""
    row = least_y.copy()
    for y in [len(row) - 1, *sorted(range(len(row) - 1), key=lambda y: float(value_y[y]))]:
        row[y] += min(most_y[y] - least_y[y], max(0.0, 1.0 - math.fsum(row)))
    return row


def least_by_linear_program(confidence: Confidence, visits_y: Longs, value_y: Floats) -> float:
    """min p . v over the set as it is defined, by an independent solver: no idea of filling in it."""
    size, n = len(visits_y), int(visits_y.sum())
    if n == 0:
        return float(linprog(value_y, A_eq=np.ones((1, size)), b_eq=[1.0], method="highs").fun)
    if not isinstance(confidence, L1Ball):
        bounds = np.column_stack(box(confidence, visits_y))
        return float(linprog(value_y, A_eq=np.ones((1, size)), b_eq=[1.0], bounds=bounds, method="highs").fun)
    p_hat, eye = visits_y / n, np.eye(size)  # p, and the absolute values of p - p_hat
    differences = np.block([[eye, -eye], [-eye, -eye], [np.zeros(size), np.ones(size)]])
    limits = np.concatenate([p_hat, -p_hat, [confidence.radius(n)]])
    total = np.concatenate([np.ones(size), np.zeros(size)])[None]
    return float(linprog(np.append(value_y, np.zeros(size)), A_ub=differences, b_ub=limits, A_eq=total, b_eq=[1.0], method="highs").fun)


class Problem(NamedTuple):
    """What an optimistic plan is made of."""

    confidence: Confidence
    first_pair: Longs  # (S + 1,)
    visits_xy: Longs  # (X, S + 1)
    cost_x: Floats  # (X,)
    offset: float
    cap: float

    def rows(self, value_y: Floats) -> Floats:
        """(X, S + 1) the most hopeful row of each pair."""
        return np.array([most_hopeful(self.confidence, visits_y, value_y) for visits_y in self.visits_xy])

    def totals(self, value_y: Floats) -> Floats:
        """(X,) c + p . v"""
        expected_x: Floats = (self.rows(value_y) * value_y).sum(axis=1)
        return self.cost_x + expected_x

    def backup(self, value_y: Floats) -> Floats:
        """L v = min{cap, min_a [c + p . v] + offset} [tarbouriech2020, Eq. 4]."""
        total_x = self.totals(value_y)
        best = [min(total_x[first:end]) + self.offset for first, end in zip(self.first_pair, self.first_pair[1:], strict=False)]
        return np.append(np.minimum(best, self.cap), 0.0)

    def after(self, sweeps: int) -> Floats:
        """What value iteration from 0 has come to."""
        value_y = np.zeros(len(self.first_pair))
        for _ in range(sweeps):
            value_y = self.backup(value_y)
        return value_y

    def optimum(self) -> Floats:
        """The fixed point, by policy iteration: every set allows the goal a positive probability, so all policies arrive."""
        value_y, better = np.zeros(len(self.first_pair)), self._value_of_greedy(np.zeros(len(self.first_pair)))
        while not np.allclose(value_y, better, rtol=1e-14, atol=0.0):
            value_y, better = better, self._value_of_greedy(better)
        return better

    def _value_of_greedy(self, value_y: Floats) -> Floats:
        """Of the actions and rows that are best for these values, and of giving up where that is better."""
        S, row_xy, total_x = len(self.first_pair) - 1, self.rows(value_y), self.totals(value_y)
        moves, paid = np.zeros((S, S)), np.full(S, self.cap)
        for s in range(S):
            x = min(range(self.first_pair[s], self.first_pair[s + 1]), key=lambda x: float(total_x[x]))
            if total_x[x] + self.offset < self.cap:
                moves[s], paid[s] = row_xy[x, :S], self.cost_x[x] + self.offset
        return np.append(np.linalg.solve(np.eye(S) - moves, paid), 0.0)


def horizon_by_powers(moves: Floats, threshold: float) -> int:
    """min{n > 1 : ||Q^{n-1}||_inf <= threshold} [tarbouriech2020, Eq. 5]."""
    n = 2
    while np.linalg.norm(np.linalg.matrix_power(moves, n - 1), np.inf) > threshold:
        n += 1
    return n
