"""The states in order of value."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from goalward._compile import component
from goalward.models.rows import Floats, Longs

STRETCH = 16  # states that are sorted by insertion


@component
class Order(NamedTuple):
    """The states but the goal, by increasing value."""

    rank: Longs  # (S,) rank[0] is the cheapest
    place_s: Longs  # (S + 1,) its inverse; the goal, which is not among them, stands last
    below: Floats  # (S + 2,) below[m]: summed value of the m cheapest
    moved: Longs  # (2,) the first and the last place that the last sorting gave to another state
    merged: Longs  # (S,) scratch

    @classmethod
    def of(cls, states: int) -> Order:
        return cls(np.arange(states), np.arange(states + 1), np.zeros(states + 2), np.array([0, states]), np.arange(states))

    def update(self, value_s: Floats) -> bool:
        """Sort by value, equals as they were; says whether anything moved."""
        sorted_so_far, before = True, -math.inf
        for s in self.rank:
            sorted_so_far = sorted_so_far & (before <= value_s[s])
            before = value_s[s]
        if not sorted_so_far:
            sort(self, value_s)
        return not sorted_so_far

    def accumulate(self, value_s: Floats) -> None:
        """Add up `below`."""
        total = 0.0
        for i in range(self.rank.size):
            total += value_s[self.rank[i]]
            self.below[i + 1] = total


@component
def sort(order: Order, value_s: Floats) -> None:
    """Insertion in short stretches, which are merged then; both pass over what is in order already."""
    size, width = order.rank.size, STRETCH
    for left in range(0, size, STRETCH):
        insert(order.rank, left, min(left + STRETCH, size), value_s)
    while width < size:
        for left in range(0, size - width, 2 * width):
            merge(order, left, left + width, min(left + 2 * width, size), value_s)
        width *= 2
    first, last = size, -1
    for i in range(size):
        s = order.rank[i]
        if order.place_s[s] != i:
            first, last = min(first, i), i
            order.place_s[s] = i
    order.moved[0], order.moved[1] = first, last


@component
def insert(rank: Longs, left: int, right: int, value_s: Floats) -> None:
    """Sort a stretch of `rank`."""
    for i in range(left + 1, right):
        s, target = rank[i], i
        while target > left and value_s[rank[target - 1]] > value_s[s]:
            rank[target] = rank[target - 1]
            target -= 1
        rank[target] = s


@component
def merge(order: Order, left: int, middle: int, right: int, value_s: Floats) -> None:
    """Merge two sorted stretches of `rank`, side by side."""
    rank, waiting = order.rank, order.merged
    if value_s[rank[middle - 1]] <= value_s[rank[middle]]:
        return
    for i in range(left, middle):
        waiting[i] = rank[i]
    i, j = left, middle
    for target in range(left, right):
        if j < right and (i == middle or value_s[rank[j]] < value_s[waiting[i]]):
            rank[target] = rank[j]
            j += 1
        elif i < middle:
            rank[target] = waiting[i]
            i += 1
