"""Visits in a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np

from goalward.models.rows import Longs


class Visits:
    """N(x, y) of pairs x and next states y; the goal is state S."""

    def __init__(self, states: int, pairs: int) -> None:
        self.states, self.pairs = states, pairs
        self.count: Counter[tuple[int, int]] = Counter()
        self.seen: list[tuple[int, int]] = []  # each once, in the order in which they were seen first

    def record(self, x: int, y: int, times: int = 1) -> None:
        if (x, y) not in self.count:
            self.seen.append((x, y))
        self.count[x, y] += times

    def of(self, x: int) -> int:
        return sum(count for (pair, _), count in self.count.items() if pair == x)

    def successors(self, x: int) -> list[tuple[int, int]]:
        """States that are no goal, in the order in which they were seen first, and their visits."""
        return [(y, self.count[x, y]) for pair, y in self.seen if pair == x and y != self.states]

    def dense(self) -> Longs:
        """(X, S + 1)"""
        return np.array([[self.count[x, y] for y in range(self.states + 1)] for x in range(self.pairs)])
