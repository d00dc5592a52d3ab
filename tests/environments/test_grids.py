"""The environments on grids: cell by cell against dictionaries, and their optima."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

import goalward as gw
from goalward import SSP, environments

MOVES = {"right": (0, 1), "down": (1, 0), "left": (0, -1), "up": (-1, 0)}
OPPOSITE = {"right": "left", "left": "right", "up": "down", "down": "up"}
Cell = tuple[int, int]


class Grid(NamedTuple):
    """What the docstrings say."""

    rows: int
    columns: int
    slip: float
    sideways: bool = False
    walls: str = "slip"
    trap: Cell | None = None

    def to(self, cell: Cell, way: str) -> Cell:
        row, column = cell[0] + MOVES[way][0], cell[1] + MOVES[way][1]
        return (row, column) if 0 <= row < self.rows and 0 <= column < self.columns else cell

    def chances(self, cell: Cell, action: str) -> dict[Cell, float]:
        """Where the action leads, and with what probability."""
        if cell == self.trap or (self.walls == "stay" and self.to(cell, action) == cell):
            return {cell: 1.0}
        others = [way for way in MOVES if way != action and not (self.sideways and way == OPPOSITE[action])]
        found: dict[Cell, float] = {}
        for way in MOVES:
            p = 1.0 - self.slip if way == action else self.slip / len(others) if way in others else 0.0
            if p > 0.0:
                found[self.to(cell, way)] = found.get(self.to(cell, way), 0.0) + p
        return found


def moves_of(ssp: SSP) -> dict[tuple[Cell, str], dict[Cell, float]]:
    """What the model says, in cells and words."""
    assert ssp.grid is not None
    found = {}
    for s in range(ssp.num_states):
        for x in range(ssp.first_pair[s], ssp.first_pair[s + 1]):
            row = slice(ssp.row_ptr[x], ssp.row_ptr[x + 1])
            cells = [divmod(int(t), ssp.grid[1]) for t in ssp.next_state[row]]
            found[divmod(s, ssp.grid[1]), ssp.action_name(int(ssp.action[x]))] = dict(zip(cells, ssp.probability[row].tolist(), strict=True))
    return found


def assert_same(ssp: SSP, grid: Grid, start: Cell, goal: Cell) -> None:
    """The goal has no actions; everything else is as the grid says, up to rounding."""
    assert ssp.grid == (grid.rows, grid.columns)
    assert (divmod(int(np.argmax(ssp.start_distribution)), grid.columns), divmod(int(ssp.goals[0]), grid.columns)) == (start, goal)
    cells = [cell for cell in product(range(grid.rows), range(grid.columns)) if cell != goal]
    expected = {(cell, action): grid.chances(cell, action) for cell in cells for action in MOVES}
    assert moves_of(ssp) == {key: pytest.approx(row, rel=1e-15) for key, row in expected.items()}


@pytest.mark.parametrize("cost", ["uniform", "sand-pit", "zero-patch"])
@pytest.mark.parametrize("walls", ["stay", "slip"])
def test_the_papers_grid(walls: str, cost: str) -> None:
    ssp = environments.make("paper-grid", walls=walls, cost=cost)
    assert_same(ssp, Grid(3, 4, 0.05, walls=walls), (2, 0), (0, 3))
    assert (ssp.start, ssp.goal, ssp.state_name(6)) == (8, 3, "(1,2)")


@pytest.mark.parametrize(("size", "slip", "slips"), [(5, 0.1, "sideways"), (3, 0.3, "anywhere"), (4, 0.0, "sideways"), (6, 0.25, "anywhere")])
def test_the_grid_with_a_trap(size: int, slip: float, slips: str) -> None:
    ssp = environments.make("dead-end-grid", size=size, slip=slip, slips=slips)
    assert_same(ssp, Grid(size, size, slip, slips == "sideways", trap=(size // 2, size // 2)), (size - 1, 0), (0, size - 1))
    assert (ssp.c_min, ssp.c_max) == (1.0, 1.0)


@pytest.mark.parametrize(("size", "slip"), [(2, 0.5), (5, 0.2), (7, 0.0)])
def test_the_sandy_grid(size: int, slip: float) -> None:
    assert_same(environments.make("sandy-grid", size=size, slip=slip), Grid(size, size, slip), (0, 0), (size - 1, size - 1))


@pytest.mark.parametrize(
    ("settings", "dear", "cost", "others"),
    [
        ({}, [], 1.0, 1.0),
        ({"cost": "sand-pit"}, [5], 1.0, 0.1),
        ({"cost": "sand-pit", "beta": 0.5}, [5], 1.0, 0.5),
        ({"cost": "zero-patch"}, [0, 1, 4, 5], 0.0, 0.4),
        ({"cost": "zero-patch", "beta": 1}, [0, 1, 4, 5], 0.0, 1.0),
    ],
)
def test_costs_of_the_papers_grid(settings: dict[str, Any], dear: list[int], cost: float, others: float) -> None:
    ssp = environments.make("paper-grid", **settings)
    for s in set(range(12)) - {3}:
        assert ssp.cost[ssp.first_pair[s] : ssp.first_pair[s + 1]].tolist() == [cost if s in dear else others] * 4


def test_sand_is_drawn_for_each_cell() -> None:
    cost = environments.make("sandy-grid", size=100, sand=0.25, sand_cost=3.0).cost.reshape(-1, 4)
    assert (cost == cost[:, :1]).all()  # all actions of a cell cost the same
    assert set(cost[:, 0].tolist()) == {1.0, 3.0}
    assert (cost[:, 0] == 3.0).mean() == pytest.approx(0.25, abs=0.02)


def solved(name: str, **settings: Any) -> tuple[SSP, gw.Solution]:
    ssp = environments.make(name, **settings)
    plan = gw.solve(ssp, 1e-12)
    assert plan.certified
    return ssp, plan


REFERENCE = {0.5: 2.6602152389, 0.1: 0.5470266394, 0.01: 0.0715592045, 0.001: 0.0240124611}  # V*(s0) with the sand pit


@pytest.mark.parametrize("walls", ["stay", "slip"])
def test_published_optima_of_the_papers_grid(walls: str) -> None:
    """To ten digits, and under both readings of the walls the same: no optimal action pushes one."""
    ssp, plan = solved("paper-grid", walls=walls)
    facts = gw.analyze(ssp)
    for number in (plan.value[8], facts.diameter, facts.max_value, facts.hitting_time, facts.max_hitting_time):
        assert number == pytest.approx(5.3013723866, abs=1e-10)
    for beta, reference in REFERENCE.items():
        assert solved("paper-grid", walls=walls, cost="sand-pit", beta=beta)[1].value[8] == pytest.approx(reference, abs=1e-10)
    patch = solved("paper-grid", walls=walls, cost="zero-patch")[1]
    assert patch.value[8] == pytest.approx(0.8574969373, abs=1e-10)
    assert (patch.proper, patch.improper_cheaper) == (True, walls == "stay")  # pushing a wall of the patch for ever: free if that is sure to stay


@pytest.mark.parametrize("walls", ["stay", "slip"])
def test_one_policy_is_optimal_at_every_depth_of_the_sand_pit(walls: str) -> None:
    plans = {beta: solved("paper-grid", walls=walls, cost="sand-pit", beta=beta) for beta in REFERENCE}
    assert len({tuple(plan.policy.tolist()) for _, plan in plans.values()}) == 1
    for (ssp, plan), (_, other) in product(plans.values(), plans.values()):
        assert gw.evaluate(ssp, other.policy).value == pytest.approx(plan.value, rel=1e-9)


def test_both_readings_of_the_walls_have_one_optimum() -> None:
    for settings in ({}, {"cost": "sand-pit"}, {"cost": "zero-patch"}):
        (stay, plan), (slip, other) = (solved("paper-grid", walls=walls, **settings) for walls in ("stay", "slip"))
        assert plan.value == pytest.approx(other.value, rel=1e-10)
        for s in set(range(12)) - {3}:
            cell = divmod(s, 4)
            assert Grid(3, 4, 0.05).to(cell, stay.action_name(int(plan.policy[s]))) != cell
            assert Grid(3, 4, 0.05).to(cell, slip.action_name(int(other.policy[s]))) != cell


def test_optimum_beside_a_trap() -> None:
    ssp, plan = solved("dead-end-grid")
    assert plan.value[20] == pytest.approx(9.1134288372692, rel=1e-12)
    assert np.flatnonzero(np.isinf(plan.value)).tolist() == [12]
    assert gw.analyze(ssp).dead_ends.tolist() == [12]
    beside = {7: "up", 11: "left", 13: "right", 17: "down"}
    assert {s: ssp.action_name(int(plan.policy[s])) for s in beside} == beside


@pytest.mark.parametrize("slips", ["anywhere", "sideways"])
@pytest.mark.parametrize("size", [3, 4, 5, 8])
def test_without_slip_the_trap_is_walked_round(size: int, slips: str) -> None:
    _, plan = solved("dead-end-grid", size=size, slip=0.0, slips=slips)
    assert plan.value[size * (size - 1)] == pytest.approx(2 * (size - 1), rel=1e-12)
    assert np.isinf(plan.value).sum() == 1


@pytest.mark.parametrize(("size", "slip"), [(3, 0.1), (5, 0.1), (6, 0.01)])
def test_slips_in_all_directions_make_the_goal_unsure(size: int, slip: float) -> None:
    ssp, plan = solved("dead-end-grid", size=size, slip=slip, slips="anywhere")
    assert np.isinf(plan.value).sum() == size * size - 1
    assert gw.analyze(ssp).dead_ends.tolist() == [size // 2 * size + size // 2]
    assert np.isfinite(gw.solve(ssp, penalty=50.0).value).all()


@pytest.mark.parametrize("size", [2, 3, 10])
@pytest.mark.parametrize(("sand", "sand_cost", "step"), [(0, 5.0, 1.0), (1.0, 5.0, 5.0), (1.0, 0.25, 0.25), (1.0, 0.0, 0.0)])
def test_sandy_grid_without_slip(size: int, sand: float, sand_cost: float, step: float) -> None:
    _, plan = solved("sandy-grid", size=size, slip=0.0, sand=sand, sand_cost=sand_cost)
    assert plan.value[0] == pytest.approx(2 * (size - 1) * step, rel=1e-11)


def test_all_sand_is_as_far_as_none() -> None:
    _, without = solved("sandy-grid", size=8, sand=0.0)
    _, with_sand = solved("sandy-grid", size=8, sand=1.0, sand_cost=3.0)
    assert with_sand.value == pytest.approx(3.0 * without.value, rel=1e-10)
