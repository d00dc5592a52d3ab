"""UC-SSP does what the founding paper says it does: under E its lemmas hold, and it finds the best policy [tarbouriech2020]."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import goalward as gw
from goalward import SSP, Record, Runs, environments
from goalward.learning.theory import Theory, pivot_limit

ABOVE = 1.0 + 1e-9  # V* is known to ten digits
Z = 3.0  # standard errors of an interval
# Two states whose rows are hard to guess, where small sets often lose them.
ROWS = [
    (0, 0, 1, 0.5, 1.0), (0, 0, 0, 0.5, 1.0), (1, 0, 2, 0.5, 1.0), (1, 0, 0, 0.5, 1.0),
    (0, 1, 2, 0.1, 1.0), (0, 1, 0, 0.9, 1.0), (1, 1, 1, 0.7, 1.0), (1, 1, 2, 0.3, 1.0),
]  # fmt: skip
SMALL = SSP.from_rows(ROWS, start=0, goal=2)
PROBLEMS = {
    "paper-grid": environments.make("paper-grid"),
    "sand-pit": environments.make("paper-grid", cost="sand-pit"),
    "corridor": environments.make("corridor"),
    "river-swim": environments.make("river-swim"),
    "random": environments.make("random"),
    "two-state": environments.make("two-state"),
    "small": SMALL,
}
SCALES = (1.0, 0.2)  # of the radii with a proof; with the small ones E may fail, but where it holds, bounds are tried closer to where they bind


@lru_cache
def watched(name: str, scale: float) -> Runs:
    return gw.simulate(PROBLEMS[name], "uc-ssp", episodes=200, runs=50, seed=0, bounds="theory", scale=scale, record=Record(event=True))


def held(runs: Runs) -> NDArray[np.bool_]:
    assert runs.event_held is not None
    return runs.event_held


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_lemma_4_plans_are_optimistic(name: str, scale: float) -> None:
    """At every episode of every run in which E held."""
    runs = watched(name, scale)
    assert held(runs).all() if scale == 1.0 else held(runs).any()
    assert (runs.optimistic_value[held(runs)] <= runs.optimal_cost * ABOVE).all()


def test_without_e_plans_need_not_be_optimistic() -> None:
    runs = watched("small", 0.1)
    assert not held(runs).any()
    assert (runs.optimistic_value > runs.optimal_cost * ABOVE).any()


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", PROBLEMS)
def test_lemma_6_horizons_of_both_phases(name: str, scale: float) -> None:
    """At every episode, as stated, as proved, and as the mean allows at most."""
    runs, theory = watched(name, scale), Theory.of(PROBLEMS[name])
    limits = [min(theory.omega(k), theory.omega_proof(k), pivot_limit(theory.optimistic_hitting_time, k)) for k in range(1, runs.episodes + 1)]
    assert (runs.pivot[held(runs)] <= limits).all()
    attempts = np.cumsum(runs.attempts - 1, axis=1)
    limits_of = np.array([0, *(min(theory.phase2_omega(G), pivot_limit(2.0 * theory.diameter, G)) for G in range(1, int(attempts.max()) + 1))])
    assert (runs.phase2_pivot[held(runs)] <= limits_of[attempts[held(runs)]]).all()


@pytest.mark.parametrize("attempt_steps", ["H+1", "H"])
@pytest.mark.parametrize("name", ["paper-grid", "small"])
def test_lemma_8_steps_of_phase_2(name: str, attempt_steps: str) -> None:
    """At most Omega' in an attempt, E or not: they end in time. Where they last H + 1 actions, one more, and it is needed."""
    runs = gw.simulate(PROBLEMS[name], "uc-ssp", episodes=200, runs=50, seed=0, attempt_steps=attempt_steps)
    extra, attempts = int(attempt_steps == "H+1"), runs.attempts - 1
    assert (runs.phase2_steps <= (runs.phase2_pivot + extra) * attempts).all()
    assert (runs.phase2_steps > runs.phase2_pivot * attempts).any() == bool(extra)
    assert (runs.phase2_steps == (runs.phase2_pivot + extra) * attempts)[attempts > 0].any()


@pytest.mark.parametrize("name", [name for name, ssp in PROBLEMS.items() if ssp is not SMALL])
def test_every_bound_is_kept(name: str) -> None:
    """The table of `Runs.against`, with the radii that the bounds are proved for."""
    comparison = watched(name, 1.0).against(Theory.of(PROBLEMS[name]))
    assert [line.lemma for line in comparison] == ["Lem. 4", "Lem. 6", "Lem. 6, proof", "App. G", "App. G", "Lem. 5", "Lem. 7"]
    assert all(line.inside.all() for line in comparison), str(comparison)


def coverage(**settings: Any) -> float:
    return float(held(gw.simulate(SMALL, "uc-ssp", episodes=50, runs=2000, seed=0, record=Record(event=True), **settings)).mean())


@pytest.mark.parametrize("confidence", ["l1", "bernstein"])
def test_lemma_3_coverage(confidence: str) -> None:
    """E holds with probability at least 1 - delta / 3; the union over all counts makes that very safe, at delta = 0.9 too."""
    assert coverage(confidence=confidence, bounds="theory") >= 1.0 - 0.1 / 3.0
    assert coverage(confidence=confidence, bounds="theory", delta=0.9) >= 1.0 - 0.9 / 3.0


@pytest.mark.parametrize(("confidence", "scale"), [("l1", 0.2), ("bernstein", 0.1)])
def test_small_sets_do_not_cover(confidence: str, scale: float) -> None:
    assert coverage(confidence=confidence, bounds="theory", scale=scale) < 1.0 - 0.1 / 3.0


@pytest.mark.parametrize("c_min", [0.1, 0.4])
def test_figure_1_the_paying_action_is_found(c_min: float) -> None:
    """The least average cost would be that of a1, for ever."""
    runs = gw.simulate(environments.make("two-state", c_min=c_min), "uc-ssp", episodes=1000, runs=20, seed=0, record=Record(snapshots=[1000], runs=range(20)))
    assert not runs.censored.any()
    assert (runs.cost[:, 500:] == 1.0).all()
    assert (runs.steps[:, 500:] == 1).all()
    assert {int(snapshot.actions[0]) for snapshot in runs.snapshots} == {1}


def exponent(runs: Runs) -> tuple[float, float]:
    """The slope of log regret over log k in the second half of the episodes: its interval, from run to run."""
    k = np.arange(runs.episodes // 2, runs.episodes)
    slopes = np.array([np.polyfit(np.log(k + 1), np.log(regret[k]), 1)[0] for regret in runs.regret])
    error = Z * slopes.std(ddof=1) / math.sqrt(len(slopes))
    print(f"{runs}: exponent {slopes.mean():.3f} ± {error:.3f}")
    return float(slopes.mean() - error), float(slopes.mean() + error)


@pytest.mark.parametrize("settings", [{}, {"cost": "sand-pit"}])
def test_theorem_2_regret_grows_less_than_the_episodes(settings: dict[str, Any]) -> None:
    least, most = exponent(gw.simulate(environments.make("paper-grid", **settings), "uc-ssp", episodes=3000, runs=50, seed=0))
    assert least > 0.0
    assert most < 0.5


@pytest.mark.parametrize(("slips", "episodes"), [("sideways", 4000), ("anywhere", 4000)])
def test_with_dead_ends_regret_grows_less_than_the_episodes(slips: str, episodes: int) -> None:
    """And no run hangs: each attempt ends, and then the agent gives up."""
    ssp = environments.make("dead-end-grid", slips=slips)
    runs = gw.simulate(ssp, "uc-ssp", episodes=episodes, runs=20, seed=0, penalty=20.0)
    assert not runs.censored.any()
    assert (runs.steps <= Theory.of(ssp, penalty=20.0).reset_omega(episodes) + 1).all()
    assert runs.resets.any()
    assert exponent(runs)[1] < 0.5


@pytest.mark.parametrize("law", ["bernoulli", "uniform"])
def test_unknown_costs_cost_little(law: str) -> None:
    """Random ones, which may be twice as large as the mean and more; regret is counted on what was paid."""
    ssp = environments.make("paper-grid", cost="sand-pit").with_random_costs(law, low=0.05, high=1.5)
    known, unknown = (gw.simulate(ssp, "uc-ssp", episodes=3000, runs=50, seed=0, costs=costs).regret[:, -1] for costs in ("known", "unknown"))
    print(f"{law}: known {known.mean():.1f}, unknown {unknown.mean():.1f}, over known {unknown.mean() / known.mean():.3f}")
    assert unknown.mean() == pytest.approx(known.mean(), rel=0.25)
    assert not np.array_equal(known, unknown)
