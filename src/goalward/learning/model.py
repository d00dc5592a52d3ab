"""The most hopeful model within a confidence set."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goalward._compile import component
from goalward.learning.confidence import Confidence
from goalward.learning.counts import Counts
from goalward.learning.growth import grows
from goalward.learning.order import Order
from goalward.models.rows import Floats, Longs

ANY_ORDER = -1  # edge of a row whose weights do not depend on the order of the states


@component
@grows("state_i", "from_i", "weight_i")
class OptimisticModel(NamedTuple):
    """For each pair the member of its confidence set that minimises the expected value.

    It depends on the values through their order alone: a row is written when its counts change, or when a successor has come to the other side of where its
    filling ends. A sweep in between is a sparse product.

    Row x lists the successors seen in order of value, slots first_x[x] <= i < known_x[x], and weighs those before end_x[x]; the others weigh nothing. If
    successors never seen are plausible too, it adds `even_x` for each of the depth_x cheapest states and `last_x` for the next, which `below` of the order
    makes two products. The goal has value 0 and is left out.
    """

    confidence: Confidence
    first_x: Longs  # (X,)
    end_x: Longs  # (X,)
    known_x: Longs  # (X,)
    edge_x: Longs  # (X,) the slot of the first successor that did not get its most
    depth_x: Longs  # (X,)
    fitted_x: Longs  # (X,) N(s, a) when the row was written
    even_x: Floats  # (X,)
    last_x: Floats  # (X,)
    state_i: Longs  # as long as the pool of the counts
    from_i: Longs  # its place in the list of the counts
    weight_i: Floats

    @classmethod
    def of(cls, confidence: Confidence, counts: Counts) -> OptimisticModel:
        pairs, pool = len(counts.visits_x), len(counts.state_i)
        first_x, end_x, known_x, depth_x, fitted_x = np.zeros((5, pairs), np.int64)
        even_x, last_x = np.zeros((2, pairs))
        state_i, from_i, weight_i = np.zeros(pool, np.int64), np.zeros(pool, np.int64), np.zeros(pool)
        edge_x = np.full(pairs, ANY_ORDER)
        return cls(confidence, first_x, end_x, known_x, edge_x, depth_x, fitted_x, even_x, last_x, state_i, from_i, weight_i)

    def prepare(self, value_s: Floats, order: Order) -> None:
        """Call before `expect` with new values."""
        if self.confidence.admits_unseen():
            order.accumulate(value_s)

    def expect(self, x: int, value_s: Floats, order: Order) -> float:
        """p . v"""
        total = 0.0
        for i in range(self.first_x[x], self.end_x[x]):
            total += self.weight_i[i] * value_s[self.state_i[i]]
        if self.confidence.admits_unseen():
            depth = self.depth_x[x]
            total += self.even_x[x] * order.below[depth] + self.last_x[x] * (order.below[depth + 1] - order.below[depth])
        return total

    def learn(self, counts: Counts, order: Order) -> None:
        """Write the rows that have new visits."""
        for x in range(self.fitted_x.size):
            if self.fitted_x[x] != counts.visits_x[x]:
                fit(self, x, counts, order)

    def rearrange(self, counts: Counts, order: Order) -> None:
        """The order has changed: write the rows for which that matters. Those with new visits wait for `learn`."""
        for x in range(self.fitted_x.size):
            if self.fitted_x[x] == counts.visits_x[x] and not stands(self, x, order):
                fit(self, x, counts, order)


@component
def stands(model: OptimisticModel, x: int, order: Order) -> bool:
    """Whether the row would be filled the same: all that were filled come before the edge, and all others after it."""
    edge = model.edge_x[x]
    if edge == ANY_ORDER:
        return True
    mark, rest = edge_of_fill(model, x, edge, order)
    if mark < 0:
        return False
    last_filled, first_other = -1, order.rank.size
    for i in range(model.first_x[x], edge):
        last_filled = max(last_filled, order.place_s[model.state_i[i]])
    for i in range(rest, model.known_x[x]):
        first_other = min(first_other, order.place_s[model.state_i[i]])
    return bool(last_filled < mark < first_other)


@component
def edge_of_fill(model: OptimisticModel, x: int, edge: int, order: Order) -> tuple[int, int]:
    """The place where the filling ends, -1 if it cannot be that any more, and the slot of the first successor that has to come after it."""
    if model.last_x[x] > 0.0:  # it ends with a state that was not seen
        return model.depth_x[x], edge
    if edge == model.known_x[x]:
        return -1, edge
    place = order.place_s[model.state_i[edge]]
    if model.confidence.admits_unseen() and place != model.depth_x[x]:
        return -1, edge
    return place, edge + 1


@component
def fit(model: OptimisticModel, x: int, counts: Counts, order: Order) -> None:
    """Least probabilities first; then what is left, to the goal and to the cheapest states."""
    n = counts.visits_x[x]
    model.fitted_x[x] = n
    gather(model, x, counts, order)
    radius = model.confidence.radius(n)
    left = 1.0 - model.confidence.most_goal(counts.arrivals_x[x] / n, radius)
    for i in range(model.first_x[x], model.known_x[x]):
        p = counts.visits_i[counts.first_x[x] + model.from_i[i]] / n
        model.weight_i[i] = p
        left -= model.confidence.least(p, radius)
    fill(model, x, left, radius, order)


@component
def gather(model: OptimisticModel, x: int, counts: Counts, order: Order) -> None:
    """The successors in order of value: those the row had, which are nearly so, and then the new ones."""
    old, first, known = model.first_x[x], counts.first_x[x], model.known_x[x] - model.first_x[x]
    size = counts.end_x[x] - first
    model.first_x[x], model.known_x[x] = first, first + size
    for j in range(size):
        place_in_list = model.from_i[old + j] if j < known else j
        y = counts.state_i[first + place_in_list]
        i = first + j
        while i > first and order.place_s[model.state_i[i - 1]] > order.place_s[y]:
            model.state_i[i], model.from_i[i] = model.state_i[i - 1], model.from_i[i - 1]
            i -= 1
        model.state_i[i], model.from_i[i] = y, place_in_list


@component
def fill(model: OptimisticModel, x: int, left: float, radius: float, order: Order) -> None:
    """p_hat becomes the weight: the least probability, and a share of what is left."""
    confidence, depends = model.confidence, left > 0.0
    model.even_x[x], model.last_x[x], model.depth_x[x] = confidence.most(0.0, radius), 0.0, 0
    end = edge = model.first_x[x]
    for i in range(model.first_x[x], model.known_x[x]):
        if confidence.admits_unseen():
            left = spread(model, x, left, order.place_s[model.state_i[i]])
        least = confidence.least(model.weight_i[i], radius)
        added = min(max(0.0, left), confidence.most(model.weight_i[i], radius) - least)
        left -= added
        model.weight_i[i] = least + added
        if left > 0.0:
            edge = i + 1
            if confidence.admits_unseen():
                model.weight_i[i] -= model.even_x[x]  # `depth` passes over it, and gives it this
                model.depth_x[x] += 1
        if model.weight_i[i] != 0.0:
            end = i + 1
    if confidence.admits_unseen():
        spread(model, x, left, order.rank.size)
    model.end_x[x] = end
    model.edge_x[x] = edge if depends else ANY_ORDER


@component
def spread(model: OptimisticModel, x: int, left: float, place: int) -> float:
    """Fill the unseen states cheaper than the one in this place; returns what is left."""
    if left <= 0.0:
        return left
    even = model.even_x[x]
    filled = int(min(place - model.depth_x[x], left / even))
    model.depth_x[x] += filled
    left = max(0.0, left - filled * even)
    if model.depth_x[x] == place:
        return left
    model.last_x[x] = left
    return 0.0
