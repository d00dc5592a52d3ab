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
@grows("state_i", "from_i", "weight_i", "room_i")
class OptimisticModel(NamedTuple):
    """For each pair the member of its confidence set that minimises the expected value.

    It depends on the values through their order alone: a row is written when its counts change, or when a successor has come to the other side of where its
    filling ends. A sweep in between is a sparse product.

    Row x lists the successors seen in order of value, from slot first_x[x] on. The goal stands behind the last that weighs something: there a product ends. If
    successors never seen are plausible too, the row adds `even_x` for each of the depth_x cheapest states and `last_x` for the next, which `below` of the order
    makes two products. The goal has value 0 and is left out.
    """

    confidence: Confidence
    first_x: Longs  # (X,)
    known_x: Longs  # (X,) how many successors were seen
    edge_x: Longs  # (X,) how many of them got their most, in order of value; or ANY_ORDER
    depth_x: Longs  # (X,)
    fitted_x: Longs  # (X,) N(s, a) when the row was written
    even_x: Floats  # (X,)
    last_x: Floats  # (X,)
    stays_x: Floats  # (X,) the probability not to come to the goal
    learnt: Longs  # (1,) visits taken in so far
    state_i: Longs  # as long as the pool of the counts
    from_i: Longs  # place in the list of the counts
    weight_i: Floats
    room_i: Floats  # most - least

    @classmethod
    def of(cls, confidence: Confidence, counts: Counts) -> OptimisticModel:
        pairs, pool, goal = len(counts.visits_x), len(counts.state_i), len(counts.first_pair) - 1
        first_x, known_x, depth_x, fitted_x = np.zeros((4, pairs), np.int64)
        even_x, last_x, stays_x = np.zeros((3, pairs))
        state_i, from_i, weight_i, room_i = np.zeros(pool, np.int64), np.zeros(pool, np.int64), np.zeros(pool), np.zeros(pool)
        state_i[0] = goal
        edge_x, learnt = np.full(pairs, ANY_ORDER), np.zeros(1, np.int64)
        return cls(confidence, first_x, known_x, edge_x, depth_x, fitted_x, even_x, last_x, stays_x, learnt, state_i, from_i, weight_i, room_i)

    def prepare(self, value_s: Floats, order: Order) -> None:
        """Call before `expect` with new values."""
        if self.confidence.admits_unseen():
            order.accumulate(value_s)

    def expect(self, x: int, value_s: Floats, order: Order) -> float:
        """p . v"""
        total, i, goal = 0.0, self.first_x[x], value_s.size - 1
        y = self.state_i[i]
        while y != goal:
            total += self.weight_i[i] * value_s[y]
            i += 1
            y = self.state_i[i]
        if self.confidence.admits_unseen():
            depth = self.depth_x[x]
            total += self.even_x[x] * order.below[depth] + self.last_x[x] * (order.below[depth + 1] - order.below[depth])
        return total

    def stay(self, x: int) -> float:
        """p . 1"""
        return float(self.stays_x[x])

    def learn(self, counts: Counts, order: Order) -> None:
        """Write the rows that have new visits."""
        new, pairs = counts.now[0] - self.learnt[0], self.fitted_x.size
        slot = counts.now[1] - new if new <= counts.now[1] else counts.now[1] - new + pairs
        for i in range(min(new, pairs)):
            x = counts.journal[slot] if new < pairs else i
            slot = slot + 1 if slot + 1 < pairs else 0
            if self.fitted_x[x] != counts.visits_x[x]:
                fit(self, x, counts, order)
        self.learnt[0] = counts.now[0]

    def rearrange(self, counts: Counts, order: Order) -> None:
        """The order has changed: write the rows for which that matters. Those with new visits wait for `learn`."""
        for x in range(self.fitted_x.size):
            if self.fitted_x[x] == counts.visits_x[x] and not stands(self, x, order):
                fit(self, x, counts, order)


@component
def stands(model: OptimisticModel, x: int, order: Order) -> bool:
    """Whether the row would be filled the same: all that were filled come before where the filling ends, and all others after it."""
    edge, known = model.edge_x[x], model.known_x[x]
    if edge == ANY_ORDER:
        return True
    first, mark, within = model.first_x[x], model.depth_x[x], model.last_x[x] == 0.0  # whether the filling ends with a successor, or with a state not seen
    if within:
        if edge == known:
            return not model.confidence.admits_unseen()
        at_edge = model.state_i[first + edge] if model.state_i[first + edge] != order.rank.size else model.state_i[first + edge + 1]
        if model.confidence.admits_unseen() and order.place_s[at_edge] != mark:
            return False
        mark = order.place_s[at_edge]
    if mark < order.moved[0] or mark > order.moved[1]:
        return True
    last_filled, first_other = -1, order.place_s.size
    for i in range(first, first + edge):
        last_filled = max(last_filled, order.place_s[model.state_i[i]])
    for i in range(first + edge, first + known + 1):
        first_other = min(first_other, order.place_s[model.state_i[i]])
    return bool(last_filled < mark < first_other + within)


@component
def fit(model: OptimisticModel, x: int, counts: Counts, order: Order) -> None:
    """Least probabilities first; then what is left, to the goal and to the cheapest states."""
    n = counts.visits_x[x]
    model.fitted_x[x] = n
    radius = model.confidence.radius(n)
    left = 1.0 - model.confidence.most_goal(counts.arrivals_x[x] / n, radius) - gather(model, x, counts, order, n, radius)
    fill(model, x, left, radius, order)


@component
def gather(model: OptimisticModel, x: int, counts: Counts, order: Order, n: int, radius: float) -> float:
    """The successors in order of value, those the row had, which are nearly so, and then the new ones, with their least probability for weight; its sum."""
    old, first, known, mass = model.first_x[x], counts.first_x[x], model.known_x[x], 0.0
    model.first_x[x], model.known_x[x] = first, counts.end_x[x] - first
    for j in range(model.known_x[x]):
        listed = model.from_i[old + j] if j < known else j
        y, p = counts.state_i[first + listed], counts.visits_i[first + listed] / n
        least = model.confidence.least(p, radius)
        room = model.confidence.most(p, radius) - least
        mass += least
        i = first + j
        while i > first and order.place_s[model.state_i[i - 1]] > order.place_s[y]:
            model.state_i[i], model.from_i[i] = model.state_i[i - 1], model.from_i[i - 1]
            model.weight_i[i], model.room_i[i] = model.weight_i[i - 1], model.room_i[i - 1]
            i -= 1
        model.state_i[i], model.from_i[i], model.weight_i[i], model.room_i[i] = y, listed, least, room
    return mass


@component
def fill(model: OptimisticModel, x: int, left: float, radius: float, order: Order) -> None:
    """To the least probability comes a share of what is left."""
    confidence, depends, first = model.confidence, left > 0.0, model.first_x[x]
    model.even_x[x], model.last_x[x], model.depth_x[x] = confidence.most(0.0, radius), 0.0, 0
    end, edge, stays = first, 0, 0.0
    for i in range(first, first + model.known_x[x]):
        if confidence.admits_unseen():
            left = spread(model, x, left, order.place_s[model.state_i[i]])
        added = min(max(0.0, left), model.room_i[i])
        left, weight = left - added, model.weight_i[i] + added
        filled = left > 0.0  # choices without branches from here on: which it will be nobody can foretell
        edge = edge + 1 if filled else edge
        if confidence.admits_unseen():
            weight = weight - model.even_x[x] if filled else weight  # `depth` passes over it, and gives it this
            model.depth_x[x] += 1 if filled else 0
        end = i + 1 if weight != 0.0 else end
        stays += weight
        model.weight_i[i] = weight
    if confidence.admits_unseen():
        spread(model, x, left, order.rank.size)
        stays += model.even_x[x] * model.depth_x[x] + model.last_x[x]
    model.stays_x[x] = stays
    for i in range(first + model.known_x[x], end, -1):
        model.state_i[i] = model.state_i[i - 1]
    model.state_i[end] = order.rank.size  # the goal
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
