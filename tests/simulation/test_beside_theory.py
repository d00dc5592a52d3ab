"""What was seen in runs, held against what is proved: the same numbers as from the paths alone."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import goalward as gw
from goalward import SSP, Record, Runs, SettingError, Snapshot, environments
from goalward.learning.theory import Theory
from goalward.simulation.beside_theory import Comparison, Line

EPISODES, RUNS = 30, 2
UNIFORM, SAND_PIT = environments.make("paper-grid"), environments.make("paper-grid", cost="sand-pit")


def play(ssp: SSP, record: Record | None = None, **settings: Any) -> Runs:
    return gw.simulate(ssp, "uc-ssp", episodes=EPISODES, runs=RUNS, seed=1, record=record, **settings)


def line(runs: Runs, theory: Theory, start: str) -> Line:
    (found,) = [line for line in runs.against(theory) if line.what.startswith(start)]
    return found


@pytest.fixture(scope="module", params=["H+1", "H"])
def looked_at(request: pytest.FixtureRequest) -> Runs:
    return play(UNIFORM, Record(snapshots=range(1, EPISODES + 1), runs=range(RUNS)), attempt_steps=request.param)


def of_run(runs: Runs, run: int) -> list[Snapshot]:
    return [snapshot for snapshot in runs.snapshots if snapshot.run == run]


def test_observed_is_what_the_paths_say(looked_at: Runs) -> None:
    theory = Theory.of(UNIFORM)
    extra = int(looked_at.settings["attempt_steps"] == "H+1")
    for run in range(RUNS):
        path = of_run(looked_at, run)
        truncated = [snapshot.costs[: int(looked_at.pivot[run, snapshot.episode - 1])].sum() for snapshot in path]
        second = [len(snapshot.costs) - int(snapshot.attempts[1]) for snapshot in path if len(snapshot.attempts) > 1]
        attempts = sum(len(snapshot.attempts) - 1 for snapshot in path)
        assert line(looked_at, theory, "W_K").observed[run] == pytest.approx(sum(truncated) - EPISODES * looked_at.optimal_cost)
        assert line(looked_at, theory, "F_K").observed[run] == len(second)
        assert line(looked_at, theory, "T_K,2").observed[run] == sum(second)
        assert line(looked_at, theory, "T_K,2").bound[run] == theory.phase2_steps(attempts, extra)
        assert line(looked_at, theory, "Omega'_K").bound[run] == theory.phase2_omega(attempts)


def test_bounds_of_all_episodes(looked_at: Runs) -> None:
    theory = Theory.of(UNIFORM)
    bounds = [theory.omega(EPISODES), theory.omega_proof(EPISODES), theory.truncated_regret(EPISODES), theory.failures(EPISODES)]
    lines = {line.lemma: line for line in looked_at.against(theory)}
    assert [lines[lemma].bound.tolist() for lemma in ("Lem. 6", "Lem. 6, proof", "Lem. 5", "Lem. 7")] == [[bound] * RUNS for bound in bounds]
    assert lines["Lem. 6"].observed.tolist() == looked_at.pivot.max(axis=1).tolist()
    assert lines["Lem. 4"].observed == pytest.approx(looked_at.optimistic_value.max(axis=1) / looked_at.optimal_cost)


def test_where_costs_differ_the_regret_of_phase_1_is_bounded_from_above() -> None:
    runs = play(SAND_PIT, Record(snapshots=range(1, EPISODES + 1), runs=range(RUNS)))
    found = line(runs, Theory.of(SAND_PIT), "W_K")
    assert found.what.endswith("at most")
    for run in range(RUNS):
        truncated = [snapshot.costs[: int(runs.pivot[run, snapshot.episode - 1])].sum() for snapshot in of_run(runs, run)]
        assert sum(truncated) - EPISODES * runs.optimal_cost < found.observed[run] < runs.regret[run, -1]


LEMMAS: list[tuple[SSP, dict[str, Any], list[str]]] = [
    (SAND_PIT, {"perturbation": 0.5}, ["App. I.3", "App. G", "App. G"]),
    (environments.make("paper-grid", cost="zero-patch"), {}, ["App. I.3", "App. G", "App. G"]),
    (UNIFORM, {"penalty": 20.0}, ["Lem. 4", "App. I.2"]),
]


@pytest.mark.parametrize(("ssp", "settings", "lemmas"), LEMMAS)
def test_variants_have_bounds_of_their_own(ssp: SSP, settings: dict[str, Any], lemmas: list[str]) -> None:
    theory = Theory.of(ssp, penalty=settings.get("penalty"))
    comparison = play(ssp, **settings).against(theory)
    assert [line.lemma for line in comparison] == lemmas
    assert all(line.inside.all() for line in comparison)
    longest = next(line.bound[0] for line in comparison if line.lemma in ("App. I.2", "App. I.3"))
    assert longest == (theory.reset_omega(EPISODES) if theory.penalty else theory.perturbed_omega(EPISODES, settings.get("perturbation")))


def test_an_algorithm_that_tells_nothing_has_no_lines(looked_at: Runs) -> None:
    assert replace(looked_at, columns={}).against(Theory.of(UNIFORM)) == ()


def test_a_run_without_phase_2_has_nothing_to_bound() -> None:
    ssp = SSP.from_rows([(0, 0, 1, 1.0, 1.0)], start=0, goal=1)
    comparison = play(ssp).against(Theory.of(ssp))
    assert [(line.observed.tolist(), line.bound.tolist()) for line in comparison if line.lemma == "App. G"] == [([0.0] * RUNS, [0.0] * RUNS)] * 2


def test_censored_runs_count_what_they_finished() -> None:
    with pytest.warns(gw.GoalwardWarning, match="censored"):
        runs = play(UNIFORM, max_steps=300)
    theory, K = Theory.of(UNIFORM), runs.finished
    assert (K > 0).all()
    assert (K < EPISODES).all()
    assert line(runs, theory, "F_K").bound.tolist() == [theory.failures(int(k)) for k in K]
    assert line(runs, theory, "F_K").observed.tolist() == np.nansum(runs.phase2_steps > 0, axis=1).tolist()
    assert not np.isnan([line.observed for line in runs.against(theory)]).any()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        none = play(UNIFORM, max_steps=2)
    with pytest.raises(SettingError, match="runs that have finished an episode"):
        none.against(theory)


def test_a_theory_is_needed(looked_at: Runs) -> None:
    with pytest.raises(SettingError, match="theory = 3: expected a Theory"):
        looked_at.against(3)  # type: ignore[arg-type]


def test_printed_as_a_table() -> None:
    """The run that is closest to its bound, or farthest beyond it."""
    lines = [Line("Lem. 6", "longest", np.array([5.0, 7.0]), np.array([10.0, 11.0])), Line("App. G", "steps", np.array([2.5, 1e6]), np.array([3.0, 9.9e5]))]
    assert str(Comparison(lines)).splitlines() == [
        "                  observed    bound  runs inside",
        "Lem. 6  longest          7       11       2 of 2",
        "App. G  steps    1,000,000  990,000       1 of 2",
    ]
    assert repr(Comparison(lines)) == str(Comparison(lines))
