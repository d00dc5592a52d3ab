"""Hypothesis strategies of models: small, of every odd shape, with features planted in them.

A `Draft` collects states and actions; a feature is a function that adds some to it. `recipes(feature)` draws a random model, plants the feature, shuffles the
states and returns the rows, whose repr is what to type to get the model again.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from goalward import SSP

EXAMPLES = int(os.environ.get("GOALWARD_EXAMPLES", "0"))  # `make test-all` draws ten times as many, others every time
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
many_models = settings(max_examples=EXAMPLES or 40, derandomize=not EXAMPLES, deadline=None, suppress_health_check=SLOW)

Row = dict[int, float]  # successor -> probability

COSTS = st.sampled_from([1.0, 0.0, 2.0, 0.5, 0.1, 1 / 3, 7.25])
MIXED_COSTS = st.sampled_from([1.0, 0.0, 1e-6, 1e5, 0.3])
DYADIC_COSTS = st.sampled_from([1.0, 0.0, 0.25, 3.0])


class Recipe(NamedTuple):
    """What `SSP.from_rows` takes."""

    rows: list[tuple[int, int, int, float, float]]  # (s, a, s', p, c)
    states: int
    goal: list[int]
    start: int | list[float]

    def ssp(self) -> SSP:
        return SSP.from_rows(self.rows, states=self.states, goal=self.goal, start=self.start)


class Draft:
    """A model in the making: states get actions until it is finished."""

    def __init__(self, draw: st.DrawFn, states: int, goals: set[int], *, dyadic: bool, costs: st.SearchStrategy[float]) -> None:
        self.draw, self.goals, self.dyadic, self.costs = draw, goals, dyadic, costs
        self.actions: list[list[tuple[float, Row]]] = [[] for _ in range(states)]  # (cost, row)

    def new_states(self, count: int) -> list[int]:
        self.actions += [[] for _ in range(count)]
        return list(range(len(self.actions) - count, len(self.actions)))

    def add(self, s: int, cost: float, row: Row) -> None:
        self.actions[s].append((cost, row))

    def any_state(self) -> int:
        """Goals included."""
        return self.draw(st.integers(0, len(self.actions) - 1))

    def inner_state(self) -> int:
        return self.draw(st.sampled_from([s for s in range(len(self.actions)) if s not in self.goals]))

    def some_goal(self) -> int:
        return min(self.goals)

    def cost(self) -> float:
        return self.draw(self.costs)

    def row(self, successors: Sequence[int]) -> Row:
        """Probabilities for these successors: of sum exactly 1, or as division in floating point leaves them."""
        successors = list(dict.fromkeys(successors))
        weights = self.draw(st.lists(st.integers(1, 9), min_size=len(successors), max_size=len(successors)))
        return dyadic_row(successors, weights) if self.dyadic else divided_row(successors, weights)

    def any_row(self) -> Row:
        size = self.draw(st.integers(1, min(3, len(self.actions))))
        return self.row(self.draw(st.lists(st.integers(0, len(self.actions) - 1), min_size=size, max_size=size, unique=True)))

    def way_in(self, target: int) -> None:
        """One more action of some state, which leads to `target`, perhaps."""
        self.add(self.inner_state(), self.cost(), {target: 1.0} if self.draw(st.booleans()) else self.row([target, self.any_state()]))


def divided_row(successors: Sequence[int], weights: Sequence[int]) -> Row:
    """Thirds and the like: the floats nearest to w / sum, which need not sum to 1."""
    return {t: w / sum(weights) for t, w in zip(successors, weights, strict=True)}


def dyadic_row(successors: Sequence[int], weights: Sequence[int]) -> Row:
    """Multiples of 1/64 that sum to 1."""
    parts = [w / 64 for w in weights]
    return dict(zip(successors, [1.0 - sum(parts[1:]), *parts[1:]], strict=True))


def plain(draft: Draft) -> None:
    """Nothing is planted."""


def free_cycle(draft: Draft) -> None:
    """0 <-> 1 at cost 0, and a way out of one of them that costs."""
    a, b = draft.new_states(2)
    draft.add(a, 0.0, {b: 1.0})
    draft.add(b, 0.0, {a: 1.0})
    draft.add(draft.draw(st.sampled_from([a, b])), draft.cost(), {draft.any_state(): 1.0})
    draft.way_in(a)


def free_self_loop(draft: Draft) -> None:
    """Staying is free, leaving is not; or nothing but staying is possible with some probability."""
    s = draft.new_states(1)[0]
    draft.add(s, 0.0, {s: 1.0})
    draft.add(s, draft.cost(), draft.row([draft.any_state()]))
    other = draft.inner_state()
    draft.actions[other].insert(0, (0.0, {other: 1.0}))
    draft.way_in(s)


def tie_with_a_cycle(draft: Draft) -> None:
    """Going round is as good as leaving by the numbers, and comes first among the actions."""
    a, b = draft.new_states(2)
    cost, target = draft.draw(DYADIC_COSTS), draft.some_goal()
    for s, other in ((a, b), (b, a)):
        draft.add(s, 0.0, {other: 1.0})
        draft.add(s, cost, {target: 1.0})
        draft.add(s, cost, {target: 0.5, other: 0.5})
    draft.way_in(b)


def free_component(draft: Draft) -> None:
    """Three states between which chance decides, at no cost, and one or two ways out."""
    inside = draft.new_states(3)
    for s in inside:
        draft.add(s, 0.0, draft.row(draft.draw(st.permutations(inside))[: draft.draw(st.integers(2, 3))]))
        draft.add(s, 0.0, {draft.draw(st.sampled_from(inside)): 1.0})
    for s in draft.draw(st.lists(st.sampled_from(inside), min_size=1, max_size=2)):
        draft.add(s, draft.cost(), draft.any_row())
    draft.way_in(inside[0])


def infinite_cost(draft: Draft) -> None:
    """An action that may lead where there is no way out, itself free or not."""
    a, b = draft.new_states(2)
    draft.add(a, draft.cost(), {b: 1.0})
    draft.add(b, draft.cost(), draft.row([a, b]))
    draft.way_in(a)
    s = draft.inner_state()
    draft.add(s, 0.0, draft.row([a, draft.some_goal()]))


def tempting_trap(draft: Draft) -> None:
    """Every action of a state may miss the goal, at the next state only: the states that cannot surely arrive are found in several stages."""
    a, b, c = draft.new_states(3)
    draft.add(a, draft.cost(), draft.row([b, draft.some_goal()]))
    draft.add(b, 0.0, draft.row([c, draft.some_goal()]))
    draft.add(c, 0.0, {c: 1.0})
    draft.way_in(a)


def falling_chain(draft: Draft) -> None:
    """Each step goes on with probability 1/2, else all the way back: some 2^41 steps from its start."""
    chain = draft.new_states(draft.draw(st.integers(38, 41)))
    for s, after in zip(chain, [*chain[1:], draft.some_goal()], strict=True):
        draft.add(s, 1.0, {after: 0.5, chain[0]: 0.5})
    draft.way_in(chain[0])


def slow_self_loop(draft: Draft) -> None:
    """A state that is left with probability 1e-9."""
    after, s = draft.any_state(), draft.new_states(1)[0]
    draft.add(s, draft.cost(), {s: 1.0 - 1e-9, after: 1e-9})
    draft.way_in(s)


def small_beside_large(draft: Draft) -> None:
    """Costs that differ by a factor of 10^11, on states that can be left and come to."""
    a, b = draft.new_states(2)
    draft.add(a, 1e-6, draft.row([a, b]))
    draft.add(a, 1e5, {draft.some_goal(): 1.0})
    draft.add(b, 1e-6, draft.row([a, draft.any_state()]))
    draft.way_in(a)


def greedy_is_improper(draft: Draft) -> None:
    """With the right values, the first action of each state is as good as any, and all first actions together circle."""
    ring = draft.new_states(3)
    for s, after in zip(ring, [*ring[1:], ring[0]], strict=True):
        draft.add(s, 0.0, {after: 1.0})
    draft.add(draft.draw(st.sampled_from(ring)), draft.cost(), {draft.some_goal(): 1.0})
    draft.way_in(ring[0])


Feature = Callable[[Draft], None]
FEATURES: list[Feature] = [
    plain, free_cycle, free_self_loop, tie_with_a_cycle, free_component, infinite_cost, tempting_trap, falling_chain, slow_self_loop, small_beside_large,
    greedy_is_improper,
]  # fmt: skip


@st.composite
def recipes(
    draw: st.DrawFn, *features: Feature, max_states: int = 7, max_actions: int = 4, costs: st.SearchStrategy[float] = COSTS, dyadic: bool | None = None
) -> Recipe:
    """A random model of 2 to `max_states` states, goals among them, and what the features add; probabilities are `dyadic` or not, or (None) either."""
    states = draw(st.integers(2, max_states))
    goals = set(draw(st.permutations(range(states)))[: draw(st.integers(1, states // 2))])
    draft = Draft(draw, states, goals, dyadic=draw(st.booleans()) if dyadic is None else dyadic, costs=costs)
    for s in range(states):
        for _ in range(0 if s in goals else draw(st.integers(1, max_actions))):
            draft.add(s, draft.cost(), draft.any_row())
    for feature in features:
        feature(draft)
    return finished(draft)


def finished(draft: Draft) -> Recipe:
    """Under new numbers, with gaps between those of the actions, and a start."""
    shuffled = random.Random(draft.draw(st.integers(0, 1000)))
    number = list(range(len(draft.actions)))
    shuffled.shuffle(number)
    rows = []
    for s, actions in enumerate(draft.actions):
        names = sorted(shuffled.sample(range(len(actions) + 2), len(actions)))
        rows += [(number[s], a, number[t], p, cost) for a, (cost, row) in zip(names, actions, strict=True) for t, p in row.items()]
    return Recipe(rows, len(number), sorted(number[g] for g in draft.goals), _start(draft, number))


def _start(draft: Draft, number: Sequence[int]) -> int | list[float]:
    """A state, or sometimes a distribution over two."""
    first, second = (number[draft.inner_state()] for _ in range(2))
    if first == second or draft.draw(st.booleans()):
        return first
    return [0.25 * (s == first) + 0.75 * (s == second) for s in range(len(number))]
