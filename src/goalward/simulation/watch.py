"""Whether the event E held: a run in which the true model is known tells whether the confidence sets ever lost it [tarbouriech2020, Lem. 3].

After each step the true row p(. | s, a) is held against the set of the pair that was played, at its new count n. That is at *every* count, over which the
proof of Lem. 3 takes its union. It is more than E asks for, which is of the counts that plans are made with: what is proved under E holds wherever this does. A
pair without visits has every row in its set.

This is about transitions. Where costs are learnt, whether the true ones lie in their intervals [tarbouriech2020, App. I.1] is not looked at.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from goalward._compile import component
from goalward.errors import SettingError
from goalward.learning.confidence import BernsteinBox, L1Ball
from goalward.learning.counts import Counts
from goalward.learning.growth import is_component
from goalward.learning.records import new_record
from goalward.models.rows import Floats, Rows
from goalward.models.ssp import RESET

Found = np.dtype([("held", np.bool_), ("slack", np.float64), ("distance", np.float64)])


@component
class Distance(NamedTuple):
    """Of a ball: the sum of all |p - p_hat| may be the radius."""

    ball: L1Ball

    def begin(self, found: np.record) -> None:
        found.distance = 0.0

    def compare(self, p: float, seen: float, n: int, found: np.record) -> None:
        found.distance += abs(p - seen)

    def end(self, n: int, found: np.record) -> None:
        note(found, found.distance, self.ball.radius(n))


@component
class Deviations(NamedTuple):
    """Of a box: each |p - p_hat| has a radius of its own."""

    box: BernsteinBox

    def begin(self, found: np.record) -> None:
        pass

    def compare(self, p: float, seen: float, n: int, found: np.record) -> None:
        radius = self.box.radius(n)
        note(found, abs(p - seen), self.box.deviation * math.sqrt(seen * (1.0 - seen) * radius) + self.box.range * radius)

    def end(self, n: int, found: np.record) -> None:
        pass


@component
def note(found: np.record, deviation: float, radius: float) -> None:
    if deviation > radius:
        found.held = False
    found.slack = min(found.slack, (radius - deviation) / radius)


MEASURES: dict[type, Any] = {L1Ball: Distance, BernsteinBox: Deviations}


@component
class Watched(NamedTuple):
    """An algorithm, and how its confidence sets fare. It acts with the same bits as without."""

    agent: Any
    counts: Counts  # the algorithm's own
    measure: Any  # Distance | Deviations
    truth: Rows
    true_s: Floats  # (S + 1,) scratch: the true row of a pair; 0 between steps
    found: np.record  # Found: whether E held so far; the least (radius - deviation) / radius, of the distance or of each next state; scratch

    def act(self, s: int) -> int:
        return int(self.agent.act(s))

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        self.agent.observe(s, a, cost, s_next)
        if a != RESET:
            look(self, self.counts.first_pair[s] + a)

    def interrupt(self, s: int) -> None:
        self.agent.interrupt(s)


@component
def look(watched: Watched, x: int) -> None:
    """Compare each probability with its empirical one: first of the successors seen, then of all others. Takes as long as both lists are."""
    counts, truth, true_s, found = watched.counts, watched.truth, watched.true_s, watched.found
    n, goal = counts.visits_x[x], true_s.size - 1
    for i in range(truth.row_ptr[x], truth.row_ptr[x + 1]):
        true_s[truth.next_state[i]] += truth.probability[i]
    watched.measure.begin(found)
    for i in range(counts.first_x[x], counts.end_x[x]):
        y = counts.state_i[i]
        watched.measure.compare(true_s[y], counts.visits_i[i] / n, n, found)
        true_s[y] = 0.0
    watched.measure.compare(true_s[goal], counts.arrivals_x[x] / n, n, found)
    true_s[goal] = 0.0
    for i in range(truth.row_ptr[x], truth.row_ptr[x + 1]):
        y = truth.next_state[i]
        if true_s[y] > 0.0:
            watched.measure.compare(true_s[y], 0.0, n, found)
            true_s[y] = 0.0
    watched.measure.end(n, found)


class Watch:
    """Looks at one run of an algorithm. The algorithm may be replaced on the way, by one with more room."""

    def __init__(self, truth: Rows) -> None:
        self.truth, self.true_s = truth, np.zeros(len(truth.first_pair))
        self.found = new_record(Found, held=True, slack=np.inf)

    def over(self, agent: Any) -> Watched:
        """The algorithm as one that is watched."""
        counts, plausible = parts_to_watch(agent)
        return Watched(agent, counts, MEASURES[type(plausible)](plausible), self.truth, self.true_s, self.found)


def parts_to_watch(agent: Any) -> tuple[Counts, Any]:
    """The counts and the confidence set of an algorithm, wherever they are in it."""
    parts = [*_parts(agent)]
    counts = {id(part.visits_x): part for part in parts if isinstance(part, Counts)}
    plausible = {(type(part), *_constants(part)): part for part in parts if type(part) in MEASURES}  # each plan may hold one, with the same constants
    if len(counts) != 1 or len(plausible) != 1:
        have = f"{type(agent).__name__} has {len(counts)} and {len(plausible)}"
        raise SettingError("record.event", True, f"an algorithm with one part Counts and one confidence set that could lose the true model; {have}")
    return next(iter(counts.values())), next(iter(plausible.values()))


def _constants(part: Any) -> Iterator[float]:
    return (field for field in part if not isinstance(field, np.ndarray))


def _parts(part: Any) -> Iterator[Any]:
    """It and all components in it."""
    yield part
    for field in part:
        if is_component(field):
            yield from _parts(field)
