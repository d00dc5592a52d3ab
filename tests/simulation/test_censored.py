"""A run that uses up its steps says so, and no number stands where none was found."""

from __future__ import annotations

import numpy as np
import pytest

import goalward as gw
from goalward.simulation.runs import Runs

from .players import Stubborn, grid

STEPS, EPISODES = 100, 60


@pytest.fixture(scope="module")
def cut() -> Runs:
    with pytest.warns(gw.GoalwardWarning) as caught:
        runs = gw.simulate(grid(), "uc-ssp", EPISODES, runs=3, seed=1, max_steps=STEPS, first_run=4)
    assert [warning.filename for warning in caught] == [__file__]  # the line that asked for it
    assert str(caught[0].message).startswith("3 of 3 runs are censored: max_steps = 100 were used up before 60 episodes were finished (run 4 in episode ")
    return runs


def test_what_was_not_finished_is_nan(cut: Runs) -> None:
    assert cut.censored.all()
    for r, finished in enumerate(cut.finished):
        assert 0 < finished < EPISODES
        for column in (cut.cost, cut.steps, cut.start, cut.regret, *cut.columns.values()):
            assert np.isfinite(column[r, :finished]).all()
            assert np.isnan(column[r, finished:]).all()


def test_all_steps_are_accounted_for(cut: Runs) -> None:
    assert (np.nansum(cut.steps, axis=1) + cut.open_steps == STEPS).all()
    assert (cut.open_cost == cut.open_steps).all()  # every step costs 1
    assert cut.max_steps == STEPS


def test_what_was_finished_is_as_without_a_limit(cut: Runs) -> None:
    whole = gw.simulate(grid(), "uc-ssp", EPISODES, runs=3, seed=1, first_run=4)
    assert not whole.censored.any()
    assert whole.steps.dtype == np.int32
    for r, finished in enumerate(cut.finished):
        assert cut.cost[r, :finished].tobytes() == whole.cost[r, :finished].tobytes()
        assert (cut.plans[r, :finished] == whole.plans[r, :finished]).all()


def test_a_run_that_never_arrives() -> None:
    with pytest.warns(gw.GoalwardWarning, match=r"1 of 1 runs are censored: max_steps = 5,000 .* \(run 0 in episode 1\)"):
        runs = gw.simulate(gw.environments.make("two-state", c_min=0.5, c_max=2.0), Stubborn, 3, max_steps=5000)
    assert np.isnan(runs.cost).all()
    assert np.isnan(runs.regret).all()
    assert (runs.finished.tolist(), runs.open_cost.tolist(), runs.open_steps.tolist()) == ([0], [2500.0], [5000])
    assert repr(runs).endswith("1 run of 3 episodes, 1 censored; V* 2)")


def test_the_last_step_that_is_allowed() -> None:
    """Three episodes of one step each need three steps, and no more."""
    ssp = gw.environments.make("two-state")
    assert not gw.simulate(ssp, Stubborn, 3, max_steps=3, choice=1).censored.any()
    with pytest.warns(gw.GoalwardWarning, match="in episode 3"):
        runs = gw.simulate(ssp, Stubborn, 3, max_steps=2, choice=1)
    assert (runs.finished.tolist(), runs.open_steps.tolist()) == ([2], [0])


def test_some_runs_are_censored_and_others_are_not() -> None:
    whole = gw.simulate(grid(), "uc-ssp", 20, runs=8)
    total = whole.steps.sum(axis=1)
    limit = int(np.median(total))
    with pytest.warns(gw.GoalwardWarning, match="of 8 runs are censored"):
        cut = gw.simulate(grid(), "uc-ssp", 20, runs=8, max_steps=limit)
    assert (cut.censored == (total > limit)).all()
    assert 0 < cut.censored.sum() < 8
    assert cut.cost[~cut.censored].tobytes() == whole.cost[~cut.censored].tobytes()


def test_dead_ends_are_warned_of_before_anything_is_played() -> None:
    trap = gw.environments.make("dead-end-grid")
    with pytest.warns(gw.GoalwardWarning) as caught:
        runs = gw.simulate(trap, "uc-ssp", 1000, max_steps=2000)
    assert [warning.filename for warning in caught] == [__file__] * 2
    assert "from state (2,2) the goal cannot be reached, and exploring may lead there" in str(caught[0].message)
    assert runs.censored.all()
    assert not gw.simulate(trap, "uc-ssp", 20, penalty=20.0).censored.any()  # and warns of nothing
    assert not gw.simulate(gw.environments.make("corridor"), "uc-ssp", 20).censored.any()


def test_traps_that_cannot_be_reached_are_not_warned_of() -> None:
    ssp = gw.SSP.from_rows([(0, 0, 2, 1.0, 1.0), (1, 0, 1, 1.0, 1.0)], start=0, goal=2)
    assert gw.simulate(ssp, Stubborn, 1).cost.tolist() == [[1.0]]
