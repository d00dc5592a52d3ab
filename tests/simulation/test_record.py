"""A closer look changes nothing, and shows what was there."""

from __future__ import annotations

import numpy as np
import pytest

import goalward as gw
from goalward.simulation.record import Snapshot
from goalward.simulation.runs import Runs
from tests.contracts.variants import crossing, grid, trap

from .players import Stubborn, bits_of

EPISODES, CHOSEN = 60, (1, 2, 17, 60)


def looked_at(ssp: gw.SSP) -> tuple[Runs, Runs]:
    """With snapshots of runs 1 and 2, and without."""
    plain = gw.simulate(ssp, "uc-ssp", EPISODES, runs=3, seed=4)
    record = gw.Record(snapshots=CHOSEN[::-1] + CHOSEN, runs=(2, 1))
    return gw.simulate(ssp, "uc-ssp", EPISODES, runs=3, seed=4, record=record), plain


@pytest.fixture(scope="module")
def on_crossing() -> tuple[Runs, Runs]:
    """States and actions have other numbers there than algorithms give them."""
    return looked_at(crossing())


@pytest.fixture(scope="module")
def on_grid() -> tuple[Runs, Runs]:
    return looked_at(grid())


def test_nothing_changes(on_crossing: tuple[Runs, Runs], on_grid: tuple[Runs, Runs]) -> None:
    for with_snapshots, without in (on_crossing, on_grid):
        assert bits_of(with_snapshots) == bits_of(without)
        assert without.snapshots == ()


def test_each_is_there_once_and_in_order(on_grid: tuple[Runs, Runs]) -> None:
    assert [(snapshot.run, snapshot.episode) for snapshot in on_grid[0].snapshots] == [(r, k) for r in (1, 2) for k in CHOSEN]


def assert_possible(snapshot: Snapshot, ssp: gw.SSP, runs: Runs) -> None:
    """The path is one of the model, from a start to a goal, and what is told of the episode."""
    r, k = snapshot.run - runs.first_run, snapshot.episode - 1
    assert len(snapshot.states) == len(snapshot.actions) + 1 == len(snapshot.costs) + 1
    assert len(snapshot.actions) == runs.steps[r, k]
    assert np.add.accumulate(snapshot.costs)[-1] == runs.cost[r, k]
    assert snapshot.states[0] == runs.start[r, k]
    assert not np.isin(snapshot.states[:-1], ssp.goals).any()
    assert snapshot.states[-1] in ssp.goals
    for s, a, paid, s_next in zip(snapshot.states, snapshot.actions, snapshot.costs, snapshot.states[1:], strict=False):
        if a != gw.RESET:
            x = ssp.pair(int(s), int(a))
            to = ssp.next_state[ssp.row_ptr[x] : ssp.row_ptr[x + 1]]
            assert s_next in to or (s_next in ssp.goals and np.isin(to, ssp.goals).any())  # the goals are one: the first stands for all
            assert paid == ssp.cost[x]


def test_paths(on_crossing: tuple[Runs, Runs], on_grid: tuple[Runs, Runs]) -> None:
    for (runs, _), ssp in ((on_crossing, crossing()), (on_grid, grid())):
        for snapshot in runs.snapshots:
            assert_possible(snapshot, ssp, runs)


def test_attempts(on_grid: tuple[Runs, Runs]) -> None:
    runs, _ = on_grid
    assert max(len(snapshot.attempts) for snapshot in runs.snapshots) > 2
    for snapshot in runs.snapshots:
        r, k = snapshot.run, snapshot.episode - 1
        assert len(snapshot.attempts) == runs.attempts[r, k]
        assert snapshot.attempts[0] == 0
        assert (np.diff(snapshot.attempts) > 0).all()
        assert snapshot.attempts[-1] < len(snapshot.actions)
        assert runs.phase1_steps[r, k] == [*snapshot.attempts, len(snapshot.actions)][1]


def test_thoughts(on_crossing: tuple[Runs, Runs]) -> None:
    """In the caller's numbers: one entry a state, goals and all, or one a pair."""
    ssp, (runs, _) = crossing(), on_crossing
    optimal = gw.solve(ssp).value
    for snapshot in runs.snapshots:
        assert snapshot.policy is not None
        assert snapshot.value is not None
        assert snapshot.policy.shape == snapshot.value.shape == (ssp.num_states,)
        for s in range(ssp.num_states):
            assert (snapshot.policy[s] == -1 and snapshot.value[s] == 0) if s in ssp.goals else ssp.pair(s, int(snapshot.policy[s])) >= 0
        assert snapshot.actions[0] == snapshot.policy[snapshot.states[0]]
        assert (snapshot.value <= optimal * (1 + 1e-9)).all()
        assert {name: fact.shape for name, fact in snapshot.facts.items()} == {"visits_x": (ssp.num_pairs,), "radius_x": (ssp.num_pairs,)}
        assert snapshot.facts["visits_x"].sum() == runs.steps[snapshot.run, : snapshot.episode - 1].sum()
        assert (np.isinf(snapshot.facts["radius_x"]) == (snapshot.facts["visits_x"] == 0)).all()


def test_visits_are_those_of_the_paths() -> None:
    ssp = crossing()
    runs = gw.simulate(ssp, "uc-ssp", 12, record=gw.Record(snapshots=range(1, 13)))
    visits_x = np.zeros(ssp.num_pairs, int)
    for snapshot in runs.snapshots:
        assert (snapshot.facts["visits_x"] == visits_x).all()
        for s, a in zip(snapshot.states, snapshot.actions, strict=False):
            visits_x[ssp.pair(int(s), int(a))] += 1


def test_snapshots_are_what_was_and_not_what_became_of_it(on_grid: tuple[Runs, Runs]) -> None:
    first, *_, last = (snapshot for snapshot in on_grid[0].snapshots if snapshot.run == 1)
    assert first.facts["visits_x"].sum() == 0 < last.facts["visits_x"].sum()
    assert first.value is not None
    assert last.value is not None
    assert first.value.max() < last.value.max()


def test_giving_up_is_seen() -> None:
    record = gw.Record(snapshots=range(1, 61))
    runs = gw.simulate(trap(), "uc-ssp", 60, penalty=6.0, record=record)
    plain = gw.simulate(trap(), "uc-ssp", 60, penalty=6.0)
    assert bits_of(runs) == bits_of(plain)
    ended = [snapshot.actions[-1] == gw.RESET for snapshot in runs.snapshots]
    assert ended == (runs.resets[0] == 1).tolist()
    assert True in ended
    for snapshot in runs.snapshots:
        assert_possible(snapshot, trap(), runs)
        assert gw.RESET not in snapshot.actions[:-1]
        assert (snapshot.costs[-1] == 6.0) == (snapshot.actions[-1] == gw.RESET)


def test_an_episode_that_used_up_the_steps() -> None:
    ssp = gw.environments.make("two-state")
    with pytest.warns(gw.GoalwardWarning, match="censored"):
        runs = gw.simulate(ssp, Stubborn, 3, max_steps=9, record=gw.Record(snapshots=[1, 2]))
    (snapshot,) = runs.snapshots
    assert (snapshot.episode, snapshot.states.tolist(), snapshot.actions.tolist()) == (1, [0] * 10, [0] * 9)
    assert (snapshot.policy, snapshot.value, snapshot.facts) == (None, None, {})
    assert (runs.open_cost[0], runs.open_steps[0]) == (np.add.accumulate(snapshot.costs)[-1], 9)


def test_steps_used_up_later() -> None:
    plain = gw.simulate(grid(), "uc-ssp", 40, seed=2)
    limit = int(plain.steps[0, :20].sum()) + 1
    with pytest.warns(gw.GoalwardWarning, match="censored"):
        runs = gw.simulate(grid(), "uc-ssp", 40, seed=2, max_steps=limit, record=gw.Record(snapshots=[5, 30]))
    assert [snapshot.episode for snapshot in runs.snapshots] == [5]
    assert runs.cost[0, :20].tobytes() == plain.cost[0, :20].tobytes()


def test_runs_have_the_numbers_that_they_have_in_all() -> None:
    """A record of run 7 is kept by the part that plays it, and asked of no other; without a number it is the first that is played."""
    record = gw.Record(snapshots=[3], runs=[7])
    with pytest.raises(gw.SettingError, match=r"record\.runs = 7: expected a whole number from 5 to 6"):
        gw.simulate(grid(), "uc-ssp", 3, runs=2, first_run=5, record=record)
    assert [found.run for found in gw.simulate(grid(), "uc-ssp", 3, runs=2, first_run=5, record=gw.Record(snapshots=[3])).snapshots] == [5]
    (snapshot,) = gw.simulate(grid(), "uc-ssp", 3, runs=2, first_run=6, record=record).snapshots
    (other,) = gw.simulate(grid(), "uc-ssp", 3, runs=8, record=record).snapshots
    assert (snapshot.run, snapshot.states.tolist()) == (7, other.states.tolist())


def test_probes() -> None:
    """A probe is asked after the first action of each episode is chosen, and becomes a column."""
    plain = gw.simulate(grid(), "uc-ssp", 30, runs=2, penalty=9.0)
    runs = gw.simulate(grid(), "uc-ssp", 30, runs=2, penalty=9.0, record=gw.Record(probes=["gives_up"], snapshots=[4]))
    assert list(runs.columns) == [*plain.columns, "gives_up"]
    assert runs.gives_up.shape == (2, 30)
    assert set(np.unique(runs.gives_up)) <= {0.0, 1.0}
    assert {name: bits for name, bits in bits_of(runs).items() if name != "gives_up"} == bits_of(plain)
    assert [snapshot.episode for snapshot in runs.snapshots] == [4]
