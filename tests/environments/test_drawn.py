"""The environments that are drawn: their form, and the optima that need no planner."""

from __future__ import annotations

import heapq
import math

import numpy as np
import pytest

import goalward as gw
from goalward import SSP, environments


def shortest_paths(ssp: SSP) -> list[float]:
    """Of a model without chance, by Dijkstra's method from the goal."""
    moves = [(s, int(ssp.next_state[x]), float(ssp.cost[x])) for s in range(ssp.num_states) for x in range(ssp.first_pair[s], ssp.first_pair[s + 1])]
    value, queue = [math.inf] * ssp.num_states, [(0.0, int(ssp.goals[0]))]
    while queue:
        near, t = heapq.heappop(queue)
        if near < value[t]:
            value[t] = near
            for s, to, cost in moves:
                if to == t:
                    heapq.heappush(queue, (near + cost, s))
    return value


def backwards(ssp: SSP) -> list[float]:
    """Of a model whose moves lead to larger numbers only, in one pass from the last state."""
    value = np.zeros(ssp.num_states)
    for s in range(ssp.num_states - 2, -1, -1):
        pairs = range(ssp.first_pair[s], ssp.first_pair[s + 1])
        rows = [slice(ssp.row_ptr[x], ssp.row_ptr[x + 1]) for x in pairs]
        assert all(ssp.next_state[row].min() > s for row in rows)
        value[s] = min(ssp.cost[x] + ssp.probability[row] @ value[ssp.next_state[row]] for x, row in zip(pairs, rows, strict=True))
    return list(value)


@pytest.mark.parametrize(("states", "actions", "branching"), [(1, 1, 1), (1, 2, 2), (20, 3, 3), (6, 4, 7), (50, 1, 2)])
@pytest.mark.parametrize("reachable", [True, False])
def test_garnet_has_its_form(states: int, actions: int, branching: int, reachable: bool) -> None:
    ssp = environments.make("garnet", states=states, actions=actions, branching=branching, reachable=reachable, c_min=0.5, c_max=2.0)
    assert (ssp.num_states, ssp.start, ssp.goal) == (states + 1, 0, states)
    assert np.diff(ssp.first_pair).tolist() == [actions] * states + [0]
    assert np.diff(ssp.row_ptr).tolist() == [branching] * (states * actions)  # all different, or some would have been added up
    assert ((ssp.cost >= 0.5) & (ssp.cost <= 2.0)).all()


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("actions", "branching"), [(1, 1), (2, 1), (1, 3), (3, 2)])
def test_garnet_reaches_the_goal_if_it_is_to(seed: int, actions: int, branching: int) -> None:
    ssp = environments.make("garnet", states=15, actions=actions, branching=branching, seed=seed)
    assert gw.analyze(ssp).unsafe.tolist() == []


def test_garnet_may_have_dead_ends_otherwise() -> None:
    found = [environments.make("garnet", states=15, actions=2, branching=1, reachable=False, seed=seed) for seed in range(20)]
    assert any(gw.analyze(ssp).dead_ends.size for ssp in found)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("reachable", [True, False])
def test_garnet_without_chance_is_a_shortest_path(seed: int, reachable: bool) -> None:
    ssp = environments.make("garnet", states=40, actions=3, branching=1, reachable=reachable, seed=seed)
    assert gw.solve(ssp, 1e-12).value == pytest.approx(shortest_paths(ssp), rel=1e-10)


@pytest.mark.parametrize(("states", "actions", "concentration"), [(1, 1, 1.0), (8, 2, 1.0), (30, 3, 0.1), (5, 2, 100.0)])
def test_random_leads_everywhere(states: int, actions: int, concentration: float) -> None:
    ssp = environments.make("random", states=states, actions=actions, concentration=concentration, c_min=0.0, c_max=0.5, seed=3)
    assert (ssp.num_states, ssp.num_pairs, ssp.start, ssp.goal) == (states + 1, states * actions, 0, states)
    assert np.diff(ssp.row_ptr).tolist() == [states + 1] * ssp.num_pairs
    assert ((ssp.cost >= 0.0) & (ssp.cost <= 0.5)).all()
    assert gw.evaluate(ssp, np.append(np.zeros(states, np.int64), -1)).proper_from.all()


def test_random_is_more_even_the_larger_the_concentration() -> None:
    largest = [environments.make("random", states=30, concentration=c).probability.max() for c in (100.0, 1.0, 0.1)]
    assert largest == sorted(largest)
    assert largest[0] < 3 / 31


@pytest.mark.parametrize("c", [0.25, 1.0, 3])
def test_random_of_one_cost_and_one_action_costs_its_hitting_time(c: float) -> None:
    """(I - Q)^-1 1, times c."""
    ssp = environments.make("random", states=12, actions=1, c_min=c, c_max=c, seed=5)
    within = ssp.probability.reshape(12, 13)[:, :12]
    steps = np.linalg.solve(np.eye(12) - within, np.ones(12))
    assert gw.solve(ssp, 1e-12).value[:12] == pytest.approx(c * steps, rel=1e-9)


@pytest.mark.parametrize(("depth", "width", "actions"), [(1, 1, 1), (1, 4, 3), (2, 3, 1), (5, 4, 2), (20, 1, 2)])
def test_layered(depth: int, width: int, actions: int) -> None:
    """Whatever is done, and from any layer; and the optimum by a pass from the goal."""
    ssp = environments.make("layered", depth=depth, width=width, actions=actions, seed=2)
    layer = [0, *(1 + place // width for place in range(width * (depth - 1))), depth]
    assert (ssp.num_states, ssp.num_pairs, ssp.start, ssp.goal) == (len(layer), (len(layer) - 1) * actions, 0, len(layer) - 1)
    assert [ssp.state_name(s).partition(".")[0] for s in range(len(layer))] == [*map(str, layer[:-1]), "goal"]
    for x, s in enumerate(np.repeat(np.arange(ssp.num_states), np.diff(ssp.first_pair))):
        successors = ssp.next_state[ssp.row_ptr[x] : ssp.row_ptr[x + 1]].tolist()
        assert successors == [t for t in range(ssp.num_states) if layer[t] == layer[s] + 1]
    for action in range(actions):
        steps = gw.evaluate(ssp, np.append(np.full(len(layer) - 1, action), -1)).hitting_time
        assert steps == pytest.approx([depth - number for number in layer], rel=1e-9)
    assert gw.analyze(ssp).loop_free_depth == depth
    assert gw.solve(ssp, 1e-12).value == pytest.approx(backwards(ssp), rel=1e-10)


@pytest.mark.parametrize("c", [0.0, 0.1, 2])
@pytest.mark.parametrize("depth", [1, 7])
def test_layered_of_one_cost(depth: int, c: float) -> None:
    ssp = environments.make("layered", depth=depth, c_min=c, c_max=c)
    assert gw.solve(ssp, 1e-12).value[0] == pytest.approx(depth * c, rel=1e-10)


@pytest.mark.parametrize("name", ["garnet", "random", "layered"])
def test_costs_fill_their_range(name: str) -> None:
    ssp = environments.make(name, actions=60, c_min=1.0, c_max=3.0)
    assert 1.0 <= ssp.c_min < 1.05
    assert 2.95 < ssp.c_max <= 3.0
    assert ssp.cost.mean() == pytest.approx(2.0, abs=0.1)
