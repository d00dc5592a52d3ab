"""Runs tell whether their confidence sets ever lost the true model, and play no differently for that."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import goalward as gw
from goalward import SSP, Record, Runs, SettingError, Snapshot, environments
from goalward.learning.confidence import BernsteinBox, L1Ball, confidence_set
from goalward.learning.counts import Counts
from goalward.models.signature import Signature
from goalward.simulation.watch import Watch, parts_to_watch

EPISODES, RUNS = 40, 6
GRID = environments.make("paper-grid")
CASES: list[dict[str, Any]] = [{"confidence": kind, "scale": scale} for kind in ("l1", "bernstein") for scale in (1.0, 0.3, 0.1)]


def play(ssp: SSP, record: Record | None, **settings: Any) -> Runs:
    return gw.simulate(ssp, "uc-ssp", episodes=EPISODES, runs=RUNS, seed=3, record=record, **settings)


def dense(ssp: SSP) -> NDArray[np.float64]:
    """(S', A, S') in the caller's numbers."""
    true = np.zeros((ssp.num_states, ssp.num_actions, ssp.num_states))
    for s in range(ssp.num_states):
        for x in range(ssp.first_pair[s], ssp.first_pair[s + 1]):
            row = slice(ssp.row_ptr[x], ssp.row_ptr[x + 1])
            true[s, ssp.action[x], ssp.next_state[row]] = ssp.probability[row]
    return true


def least_slack(ssp: SSP, path: list[Snapshot], confidence: L1Ball | BernsteinBox) -> float:
    """From the path alone, with dense rows: the least relative distance to the end of a set."""
    true, least = dense(ssp), math.inf
    seen = np.zeros_like(true)
    for episode in path:
        for s, a, s_next in zip(episode.states, episode.actions, episode.states[1:], strict=False):
            seen[s, a, s_next] += 1
            n = int(seen[s, a].sum())
            p, radius = seen[s, a] / n, confidence.radius(n)
            if isinstance(confidence, L1Ball):
                deviation, most = np.array([np.abs(p - true[s, a]).sum()]), np.array([radius])
            else:
                deviation, most = np.abs(p - true[s, a]), confidence.deviation * np.sqrt(p * (1 - p) * radius) + confidence.range * radius
            least = min(least, float(((most - deviation) / most).min()))
    return least


@pytest.mark.parametrize("settings", CASES)
def test_slack_is_what_the_paths_say(settings: dict[str, Any]) -> None:
    runs = play(GRID, Record(event=True, snapshots=range(1, EPISODES + 1), runs=range(RUNS)), **settings)
    sets = {"bounds": "paper", "delta": 0.1, "states_in_root": "S+1", "states_in_log": "S"}
    confidence = confidence_set(GRID.signature, settings["confidence"], scale=settings["scale"], **sets)  # type: ignore[arg-type]
    slack = [least_slack(GRID, [snapshot for snapshot in runs.snapshots if snapshot.run == run], confidence) for run in range(RUNS)]
    assert runs.event_slack == pytest.approx(slack, abs=1e-12)
    assert runs.event_held is not None
    assert runs.event_held.tolist() == [least >= 0.0 for least in slack]
    assert runs.event_held.all() if settings["scale"] == 1.0 else settings["scale"] == 0.3 or not runs.event_held.any()


@pytest.mark.parametrize("settings", CASES[::3])
def test_watched_runs_are_the_same(settings: dict[str, Any]) -> None:
    """In the loop alone, and with a closer look."""
    plain = play(GRID, None, **settings)
    looked = Record(event=True, snapshots=[2, 5])
    for record in (Record(event=True), looked):
        watched = play(GRID, record, **settings)
        assert [*watched.columns] == [*plain.columns]
        for name in ("cost", "steps", "start", *plain.columns):
            assert getattr(watched, name).tolist() == getattr(plain, name).tolist()
    alone = play(GRID, looked._replace(event=False), **settings)
    assert [snapshot.states.tolist() for snapshot in alone.snapshots] == [snapshot.states.tolist() for snapshot in watched.snapshots]
    assert plain.event_held is None
    assert plain.event_slack is None


def test_watched_while_the_agent_grows() -> None:
    """The counts of a grown agent are in other places."""
    ssp = environments.make("garnet", states=60, actions=2, branching=30, seed=1)
    runs = gw.simulate(ssp, "uc-ssp", episodes=150, runs=2, seed=0, scale=0.2, record=Record(event=True, snapshots=range(1, 151), runs=[0, 1]))
    confidence = confidence_set(ssp.signature, "l1", bounds="paper", scale=0.2, delta=0.1, states_in_root="S+1", states_in_log="S")
    successors = {(s, a, y) for episode in runs.snapshots for s, a, y in zip(episode.states, episode.actions, episode.states[1:], strict=False)}
    assert len(successors) > 16 * ssp.num_pairs / 2  # of lists that double their room, so that the pool was too small
    for run in (0, 1):
        path = [snapshot for snapshot in runs.snapshots if snapshot.run == run]
        assert runs.event_slack is not None
        assert runs.event_slack[run] == pytest.approx(least_slack(ssp, path, confidence), abs=1e-12)


def test_giving_up_is_no_observation() -> None:
    """It is no pair of the model, and has no row."""
    watch = Watch(GRID.rows)
    watched = watch.over(gw.make_agent("uc-ssp", GRID.signature, seed=0, penalty=6.0).state)
    start, goal = int(GRID.index_s[8]), GRID.signature.goal
    watched.observe(start, watched.act(start), 1.0, start)
    slack = float(watch.found.slack)
    watched.observe(start, gw.RESET, 6.0, goal)
    assert watch.found.slack == slack < math.inf
    assert watched.agent.now.resets == 1


def test_stored_with_the_runs(tmp_path: Path) -> None:
    for record in (Record(event=True), None):
        runs = play(GRID, record, scale=0.3)
        runs.save(tmp_path / "runs.parquet")
        loaded = gw.load_runs(tmp_path / "runs.parquet")
        for name in ("event_held", "event_slack"):
            stored, kept = getattr(loaded, name), getattr(runs, name)
            assert (stored is None and kept is None) if record is None else (stored.dtype == kept.dtype and stored.tolist() == kept.tolist())


@gw.component
class Idle(NamedTuple):
    """Plays the first action and learns nothing."""

    counts: Any

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator) -> Idle:
        return cls(Counts.empty(signature.first_pair))

    def act(self, s: int) -> int:
        return 0

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


def test_an_algorithm_without_a_confidence_set_cannot_be_watched() -> None:
    with pytest.raises(SettingError, match=r"record.event = True: expected an algorithm with .* one confidence set .*; Idle has 1 and 0"):
        gw.simulate(GRID, Idle, episodes=1, record=Record(event=True))


def test_event_is_true_or_false() -> None:
    with pytest.raises(SettingError, match=r"record\.event = 'yes'"):
        gw.simulate(GRID, "uc-ssp", episodes=1, record=Record(event="yes"))  # type: ignore[arg-type]


def test_interpreted() -> None:
    """The same text, step by step, with an attempt that is interrupted."""
    watch = Watch(GRID.rows)
    agent = gw.make_agent("uc-ssp", GRID.signature, seed=0).state
    watched = watch.over(agent)
    start = int(GRID.index_s[8])
    for _ in range(3):
        watched.observe(start, watched.act(start), 1.0, start)
    watched.interrupt(start)
    assert (agent.clock.t, agent.clock.j) == (4, 1)
    assert watch.found.held
    assert 0.0 < watch.found.slack < 1.0
    assert watch.true_s.tolist() == [0.0] * 12
    counts, confidence = parts_to_watch(agent)
    assert counts is agent.counts
    assert confidence is agent.cheap.model.confidence
