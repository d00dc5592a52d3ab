"""Graph facts in plain sets: slow, obvious, from the definitions.

A graph here is `Rows` without numbers: the pairs of each state, and the successors of each pair. The goal is the state `goal`, which has no pairs.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from goalward.models.rows import Rows


class Graph(NamedTuple):
    pairs_s: list[list[int]]
    to_x: list[frozenset[int]]  # successors
    owner_x: list[int]
    goal: int


Part = frozenset[int]


def graph_of(rows: Rows) -> Graph:
    pairs_s = [list(range(first, end)) for first, end in zip(rows.first_pair[:-1].tolist(), rows.first_pair[1:].tolist(), strict=True)]
    to_x = [frozenset(rows.next_state[first:end].tolist()) for first, end in zip(rows.row_ptr[:-1], rows.row_ptr[1:], strict=True)]
    return Graph(pairs_s, to_x, [s for s, pairs in enumerate(pairs_s) for _ in pairs], len(pairs_s))


def pairs_into(graph: Graph, t: int) -> list[int]:
    return [x for x, to in enumerate(graph.to_x) if t in to]


def fewest_steps(graph: Graph) -> list[int]:
    """To the goal from each state, the goal included, with all luck; -1 where there is no path."""
    steps = {graph.goal: 0}
    for n in range(1, len(graph.pairs_s) + 1):
        steps |= {s: n for s, pairs in enumerate(graph.pairs_s) if s not in steps and any(graph.to_x[x] & steps.keys() for x in pairs)}
    return [steps.get(s, -1) for s in range(graph.goal + 1)]


def surely_arriving(graph: Graph) -> set[int]:
    """The largest set of states in which every state has a path to the goal of pairs that never leave the set."""
    inside = set(range(graph.goal))
    while True:
        reaching = {graph.goal}
        for _ in graph.pairs_s:
            reaching |= {s for s in inside for x in graph.pairs_s[s] if graph.to_x[x] <= inside | {graph.goal} and graph.to_x[x] & reaching}
        if reaching == inside | {graph.goal}:
            return inside
        inside = reaching - {graph.goal}


def unproven(graph: Graph, rank: list[int]) -> list[int]:
    """The pairs that break the ranking: of the states ranked 0 or more, those with neither a ranked successor below nor all successors of the same rank."""
    outside = {s: r for s, r in enumerate(rank) if r >= 0}
    return [
        x
        for s, r in outside.items()
        for x in graph.pairs_s[s]
        if not (any(outside.get(t, r) < r for t in graph.to_x[x]) or all(outside.get(t) == r for t in graph.to_x[x]))
    ]


def reachable(graph: Graph, s: int, kept: Iterable[int]) -> set[int]:
    """The states that can be visited from s by kept pairs, s only if it can be visited again."""
    moves: dict[int, set[int]] = {}
    for x in kept:
        moves.setdefault(graph.owner_x[x], set()).update(graph.to_x[x])
    found, new = set[int](), {s}
    while new:
        new = {t for u in new for t in moves.get(u, ())} - found
        found |= new
    return found


def mutually_reachable(graph: Graph, kept: Iterable[int]) -> set[Part]:
    """The parts of the states (the goal is in none) that can be visited from one another. A state alone is one too."""
    pairs = list(kept)
    found = {s: reachable(graph, s, pairs) | {s} for s in range(graph.goal)}
    return {frozenset(t for t in found[s] if t != graph.goal and s in found[t]) for s in found}


def staying_parts(graph: Graph, kept: Iterable[int]) -> set[Part]:
    """The maximal end components of the kept pairs: drop pairs that may leave their part of mutually reachable states, until none does."""
    left = set(kept)
    while True:
        part_of = {s: part for part in mutually_reachable(graph, left) for s in part}
        staying = {x for x in left if graph.to_x[x] <= part_of[graph.owner_x[x]]}
        if staying == left:
            return {part_of[graph.owner_x[x]] for x in left}
        left = staying


def is_end_component(graph: Graph, part: Part, kept: Iterable[int]) -> bool:
    """By the definition: every state has a kept pair that stays, and by such pairs every state can be visited from every one."""
    staying = [x for x in kept if graph.owner_x[x] in part and graph.to_x[x] <= part]
    return all(reachable(graph, s, staying) == part for s in part)


def longest_way(graph: Graph) -> int:
    """The most steps to the goal from any state; -1 if some state can be visited twice."""
    pairs = range(len(graph.to_x))
    if any(s in reachable(graph, s, pairs) for s in range(graph.goal)):
        return -1

    @cache
    def steps(s: int) -> int:
        return max((1 + steps(t) for x in graph.pairs_s[s] for t in graph.to_x[x]), default=0) if s != graph.goal else 0

    return max(map(steps, range(graph.goal)))
