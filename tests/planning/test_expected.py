"""Expected totals of chains: the ways to compute them against one another, and what is said when none does."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array, eye_array
from scipy.sparse.linalg import splu

import goalward as gw
from goalward import SSP, BudgetError
from goalward.models.rows import Rows
from goalward.planning import expected
from goalward.planning.chains import chain_of
from goalward.planning.expected import eliminate_all, ending_in, expected_total, mean_after
from goalward.planning.reduction import reduce_model
from tests.kernels import both_ways, random_rows


def at_random(name: str, **settings: object) -> Rows:
    """The chain of the policy that plays all actions equally often, in a catalogue model."""
    ssp = gw.environments.make(name, **settings)
    policy = np.zeros((ssp.num_states, ssp.num_actions))
    owner = np.repeat(np.arange(ssp.num_states), np.diff(ssp.first_pair))
    policy[owner, ssp.action] = 1.0 / np.diff(ssp.first_pair)[owner]
    return chain_of(ssp, policy).rows


def by_sparse_lu(rows: Rows) -> NDArray[np.float64]:
    states = len(rows.cost_x)
    moves = csr_array((rows.probability, rows.next_state, rows.row_ptr), shape=(states, states + 1))[:, :-1]
    return np.append(splu((eye_array(states) - moves).tocsc()).solve(rows.cost_x), 0.0)


GRID = at_random("sandy-grid", size=60)
SLOW = at_random("corridor", length=400, success=0.3)  # some 10^150 steps


@pytest.mark.parametrize(
    "rows", [GRID, at_random("garnet", states=1000), at_random("sandy-grid", size=40, sand_cost=1e6), at_random("corridor", length=300, success=1.0)]
)
def test_large_chains(rows: Rows) -> None:
    assert expected_total(rows) == pytest.approx(by_sparse_lu(rows), rel=1e-9)


WAYS = {
    "elimination": {"PATIENCE": 1, "QUICK": 1e12},
    "lu": {"PATIENCE": 1, "QUICK": 0.0},
    "sweeps": {"PATIENCE": 1, "QUICK": 0.0, "LARGEST_LU": 0.0},
}


@pytest.mark.parametrize("settings", WAYS.values(), ids=WAYS)
def test_every_way_leads_to_the_same_values(monkeypatch: pytest.MonkeyPatch, settings: dict[str, float]) -> None:
    usual = expected_total(GRID)
    for name, value in settings.items():
        monkeypatch.setattr(expected, name, value)
    assert expected_total(GRID) == pytest.approx(usual, rel=1e-9)


def test_where_double_precision_does_not_do_states_are_eliminated(monkeypatch: pytest.MonkeyPatch) -> None:
    total = expected_total(SLOW)
    assert np.isfinite(total).all()
    assert total[0] > 1e100
    monkeypatch.setattr(expected, "MOST_WORK", 1.0)
    with pytest.raises(BudgetError, match=r"^expected total: an episode takes so many steps that double precision does not do, and there are too many states"):
        expected_total(SLOW)


def test_elimination_compiled_and_not() -> None:
    reduced = reduce_model(random_rows(np.random.default_rng(0), 8, 1, 2))
    states = len(reduced.blocks.first_choice)
    arguments = reduced.blocks, np.arange(states, dtype=np.int32), np.zeros(states + 1)
    done, (_, _, value, *_) = both_ways(eliminate_all, *arguments, 1e9, 1e9)
    assert done
    assert np.append(value, np.inf)[reduced.index_s] == pytest.approx(expected_total(random_rows(np.random.default_rng(0), 8, 1, 2)), rel=1e-14)
    assert not both_ways(eliminate_all, *arguments, 1.0, 1e9)[0]
    assert not both_ways(eliminate_all, *arguments, 1e9, 1.0)[0]


def test_too_many_sweeps(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"PATIENCE": 1, "QUICK": 0.0, "LARGEST_LU": 0.0}.items():
        monkeypatch.setattr(expected, name, value)
    monkeypatch.setattr("goalward.planning.budget.MOST_SWEEPS", 2)
    with pytest.raises(BudgetError, match=r"^expected total: not in balance after [\d,]+ sweeps; the policy takes too long for so large a model$"):
        expected_total(GRID)


def test_cheap_states_among_dear_ones() -> None:
    """What a step costs in one state is nothing beside what the others cost: rounding of the values is larger, and does not matter."""
    rows = at_random("sandy-grid", size=40)
    cost = np.where(np.arange(len(rows.cost_x)) % 7 == 0, 1e-9, 1e9)
    rows = rows._replace(cost_x=cost)
    assert expected_total(rows) == pytest.approx(by_sparse_lu(rows), rel=1e-9)


def chain(*rows: tuple[int, int, float, float], goal: int) -> Rows:
    return SSP.from_rows([(s, 0, t, p, c) for s, t, p, c in rows], start=rows[0][0], goal=goal).rows


#             0 -> 1 or 2;  1 -> goal or 1;  2 -> 3 -> 2
BRANCH = chain((0, 1, 0.5, 1.0), (0, 2, 0.5, 1.0), (1, 4, 0.5, 1.0), (1, 1, 0.5, 1.0), (2, 3, 1.0, 1.0), (3, 2, 1.0, 1.0), goal=4)


def test_ending_earlier() -> None:
    assert expected_total(BRANCH).tolist() == [np.inf, 2.0, np.inf, np.inf, 0.0]
    assert expected_total(ending_in(BRANCH, np.array([False, False, True, True]))).tolist() == [2.0, 2.0, 0.0, 0.0, 0.0]
    assert expected_total(ending_in(BRANCH, np.array([False, True, False, True]))).tolist() == [1.5, 0.0, 1.0, 0.0, 0.0]
    assert expected_total(ending_in(BRANCH, np.ones(4, np.bool_))).tolist() == [0.0] * 5
    assert BRANCH.cost_x.tolist() == [1.0] * 4


def test_infinite_costs_spoil_what_leads_to_them_alone() -> None:
    rows = chain((0, 1, 0.5, 1.0), (0, 2, 0.5, 1.0), (1, 3, 1.0, 1.0), (2, 3, 1.0, 1.0), goal=3)
    assert expected_total(rows._replace(cost_x=np.array([1.0, np.inf, 5.0]))).tolist() == [np.inf, np.inf, 5.0, 0.0]
    assert expected_total(rows._replace(cost_x=np.array([np.inf, 1.0, 5.0]))).tolist() == [np.inf, 1.0, 5.0, 0.0]
    assert expected_total(rows._replace(cost_x=np.full(3, np.inf))).tolist() == [np.inf, np.inf, np.inf, 0.0]


def test_nothing_costs_nothing() -> None:
    assert expected_total(GRID._replace(cost_x=np.zeros_like(GRID.cost_x))).tolist() == [0.0] * len(GRID.first_pair)


def test_scale_does_not_matter() -> None:
    usual = expected_total(GRID)
    for power in (-1000, 1000):
        assert (expected_total(GRID._replace(cost_x=GRID.cost_x * 2.0**power)) == usual * 2.0**power).all()


def test_mean_after_a_step() -> None:
    assert mean_after(BRANCH, np.array([1.0, 2.0, 4.0, 8.0, 16.0])).tolist() == [3.0, 9.0, 8.0, 4.0]
