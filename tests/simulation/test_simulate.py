"""Runs depend on their seed and number alone; regret is what it says it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import goalward as gw
from goalward.simulation.runs import Runs

from .players import Alternating, Stubborn, bits_of, fork, grid

EPISODES, RUNS, SEED = 40, 6, 3


@pytest.fixture(scope="module")
def whole() -> Runs:
    return gw.simulate(grid(), "uc-ssp", EPISODES, RUNS, SEED, workers=1)


@pytest.mark.parametrize("workers", [1, 2, 4, None])
def test_workers_do_not_matter(whole: Runs, workers: int | None) -> None:
    assert bits_of(gw.simulate(grid(), "uc-ssp", EPISODES, RUNS, SEED, workers)) == bits_of(whole)


@pytest.mark.parametrize("sizes", [(1, 5), (2, 3, 1), (1, 1, 1, 1, 1, 1)])
def test_a_simulation_can_be_split(whole: Runs, sizes: tuple[int, ...]) -> None:
    """The parts, played in any order, are the whole."""
    firsts = np.cumsum([0, *sizes])[:-1]
    parts = {int(first): gw.simulate(grid(), "uc-ssp", EPISODES, size, SEED, first_run=int(first)) for first, size in [*zip(firsts, sizes, strict=True)][::-1]}
    assert [parts[first].first_run for first in sorted(parts)] == firsts.tolist()
    for name in ("cost", "steps", "start", "regret", *whole.columns):
        joined = np.concatenate([getattr(parts[first], name) for first in sorted(parts)])
        assert joined.tobytes() == getattr(whole, name).tobytes()


def test_the_beginning_does_not_depend_on_how_long_it_goes_on(whole: Runs) -> None:
    shorter = gw.simulate(grid(), "uc-ssp", EPISODES // 2, RUNS, SEED)
    assert shorter.cost.tobytes() == np.ascontiguousarray(whole.cost[:, : EPISODES // 2]).tobytes()


def test_runs_and_seeds_differ(whole: Runs) -> None:
    assert len({row.tobytes() for row in whole.cost}) == RUNS
    assert not (gw.simulate(grid(), "uc-ssp", EPISODES, RUNS, SEED + 1).cost == whole.cost).all(axis=1).any()


def test_algorithms_meet_the_same_noise() -> None:
    """Of one seed: where both do the same, the same happens to them."""
    starts = [gw.simulate(fork([0.5, 0, 0, 0.5]), algorithm, 50, seed=8).start for algorithm in ("uc-ssp", Stubborn, Alternating)]
    assert set(np.unique(starts[0])) == {0, 3}
    assert (starts[0] == starts[1]).all()
    assert (starts[0] == starts[2]).all()


def test_regret_by_hand() -> None:
    runs = gw.simulate(fork(), Alternating, 5, runs=2)
    assert runs.cost.tolist() == [[3, 2, 3, 2, 3]] * 2
    assert runs.steps.tolist() == [[1] * 5] * 2
    assert runs.start.tolist() == [[0] * 5] * 2
    assert runs.regret.tolist() == [[1, 1, 2, 2, 3]] * 2
    assert (runs.optimal_cost, runs.optimal_cost_without_reset) == (2.0, 2.0)
    assert (runs.start_states.tolist(), runs.start_values.tolist()) == ([0], [2.0])
    assert (runs.runs, runs.episodes, runs.finished.tolist(), runs.censored.tolist()) == (2, 5, [5, 5], [False, False])
    assert (runs.open_cost.tolist(), runs.open_steps.tolist()) == ([0, 0], [0, 0])


def test_regret_is_against_the_state_that_an_episode_starts_in() -> None:
    runs = gw.simulate(fork([0.25, 0, 0, 0.75]), Stubborn, 400)
    assert np.unique(runs.start).tolist() == [0, 3]
    assert (runs.cost == np.where(runs.start == 0, 3, 5)).all()
    assert (np.diff(runs.regret, prepend=0.0) == np.where(runs.start == 0, 1, 4)).all()
    assert runs.optimal_cost == 0.25 * 2 + 0.75 * 1
    assert runs.start_values.tolist() == [2, 1]


def test_regret_with_a_penalty_is_against_the_best_that_may_give_up() -> None:
    """Half of the time the first step leads where nothing helps: the fixed point of min(3, .) is 1 + 3/2, not min(3, inf)."""
    lost = gw.SSP.from_rows([(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0), (1, 0, 1, 1.0, 1.0)], start=0, goal=2)
    runs = gw.simulate(lost, "uc-ssp", 200, penalty=3.0)
    assert (runs.optimal_cost, runs.optimal_cost_without_reset) == (2.5, np.inf)
    assert runs.settings["penalty"] == 3.0
    assert (runs.regret[0] == np.cumsum(runs.cost[0] - 2.5)).all()
    assert set(np.unique(runs.resets)) == {0, 1}
    gave_up = runs.resets[0] == 1
    assert (runs.cost[0][~gave_up] == 1.0).all()
    assert (runs.cost[0][gave_up] == runs.steps[0][gave_up] - 1 + 3.0).all()  # all steps cost 1, and the last of them was to give up


def test_several_goals() -> None:
    """All goals end an episode; the states that start one are the caller's."""
    rows = [(1, 0, 0, 0.5, 1.0), (1, 0, 3, 0.5, 1.0), (2, 0, 3, 1.0, 2.0), (2, 1, 1, 1.0, 0.25)]
    runs = gw.simulate(gw.SSP.from_rows(rows, start=[0, 0.5, 0.5, 0], goal=[0, 3]), Stubborn, 100)
    assert set(np.unique(runs.start)) == {1, 2}
    assert (runs.cost == runs.start).all()
    assert (runs.steps == 1).all()
    assert (np.diff(runs.regret, prepend=0.0) == np.where(runs.start == 1, 0.0, 0.75)).all()


def test_random_costs_are_paid_and_not_their_means() -> None:
    runs = gw.simulate(fork().with_random_costs("bernoulli", low=1.0, high=9.0), Stubborn, 4000)
    assert np.unique(runs.cost).tolist() == [1.0, 9.0]
    assert abs(runs.cost.mean() - 3.0) < 4 * runs.cost.std() / np.sqrt(4000)
    assert runs.optimal_cost == 2.0


def test_actions_that_a_state_has_not_are_skipped() -> None:
    """Algorithms count the actions of each state from 0."""
    ssp = gw.SSP.from_rows([(0, 4, 1, 1.0, 1.0), (0, 7, 2, 1.0, 5.0), (1, 2, 2, 1.0, 1.0), (1, 9, 0, 1.0, 1.0)], start=0, goal=2)
    assert gw.simulate(ssp, Stubborn, 2).cost.tolist() == [[2, 2]]


def test_settings_are_told_with_their_defaults() -> None:
    runs = gw.simulate(fork(), Stubborn, 1, choice=1)
    assert (runs.algorithm, runs.settings, runs.environment) == ("Stubborn", {"choice": 1}, repr(fork()))
    assert gw.simulate(fork(), "uc-ssp", 1, scale=2.0).settings["scale"] == 2.0
    assert gw.simulate(fork(), "uc-ssp", 1).settings == {entry.name: entry.settings for entry in gw.algorithms()}["uc-ssp"]


@pytest.mark.parametrize("column", ["cost", "steps", "start", "phase1_steps", "pivot", "attempts", "plans", "sweeps"])
def test_what_is_told_makes_sense(whole: Runs, column: str) -> None:
    told: Any = getattr(whole, column)
    assert told.shape == (RUNS, EPISODES)
    least = {"start": 8}.get(column, 1)
    assert (told >= least).all()


def test_phases_add_up(whole: Runs) -> None:
    assert (whole.phase1_steps + whole.phase2_steps == whole.steps).all()
    assert (whole.plans == whole.attempts).all()
    assert ((whole.attempts > 1) == (whole.phase2_steps > 0)).all()
    assert (whole.phase1_steps <= whole.pivot + 1).all()
    assert (whole.optimistic_value <= whole.optimal_cost * (1 + 1e-9)).mean() > 0.9
