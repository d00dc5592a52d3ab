"""What the founding paper proves about UC-SSP, beside what runs of it did [tarbouriech2020].

The bounds are of the worst case, with the radii of Sect. 4, and hold under the event E, those on W_K and F_K with probability 1 - delta. With other radii
(`bounds="paper"`, `scale`) nothing is promised, and the comparison says how much room there would be. Constants are as printed: those of W_K and F_K leave
out what late counts add (`Theory.late_counts`), so that whoever is inside is inside the larger bound, too. K is the number of episodes that a run finished.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from goalward.errors import SettingError
from goalward.learning.theory import Theory
from goalward.models.rows import Bools, Floats

if TYPE_CHECKING:
    from goalward.simulation.runs import Runs

ROUNDING = 1e-9  # of values: V* itself is known to ten digits


class Line(NamedTuple):
    """A bound, and what it bounds, in each run."""

    lemma: str
    what: str
    observed: Floats  # (runs,)
    bound: Floats  # (runs,)

    @property
    def inside(self) -> Bools:
        """(runs,)"""
        return np.asarray(self.observed <= self.bound)

    @property
    def worst(self) -> int:
        """The run that is closest to its bound, or farthest beyond."""
        return int(np.argmax(self.observed - self.bound))


class Comparison(tuple[Line, ...]):
    """Lines that print as a table: of each the run that is closest to its bound, and how many are inside."""

    def __str__(self) -> str:
        table = [("", "", "observed", "bound", "runs inside"), *(_cells(line) for line in self)]
        width = [max(len(row[column]) for row in table) for column in range(5)]
        return "\n".join("  ".join(f"{cell:{'<' if i < 2 else '>'}{width[i]}}" for i, cell in enumerate(row)).rstrip() for row in table)

    __repr__ = __str__


def _cells(line: Line) -> tuple[str, ...]:
    run = line.worst
    return line.lemma, line.what, _short(line.observed[run]), _short(line.bound[run]), f"{int(line.inside.sum()):,} of {len(line.bound):,}"


def _short(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 1000 or number == int(number) else f"{number:,.4g}"


def compare(runs: Runs, theory: Theory) -> Comparison:
    """A line for each bound that the columns of these runs can be held against."""
    if not isinstance(theory, Theory):
        raise SettingError("theory", theory, "a Theory, such as Theory.of(ssp)")
    if runs.settings.get("penalty") != theory.penalty:
        raise SettingError("theory.penalty", theory.penalty, f"that of the runs, {runs.settings.get('penalty')}: Theory.of(ssp, penalty=...)")
    if not runs.finished.all():
        raise SettingError("runs", runs, "runs that have finished an episode")
    return Comparison(line for part in (optimism, horizons, second_phase, regret) for line in part(runs, theory))


def optimism(runs: Runs, theory: Theory) -> Iterator[Line]:
    """Optimistic values, one an episode, against the optimal value where it started. What is added to costs is not in V*."""
    if "optimistic_value" in runs.columns and _perturbation(runs, theory) == 0.0:
        largest = _largest(runs.optimistic_value / runs.optimum)
        yield Line("Lem. 4", "largest optimistic value at the start, over V*", largest, np.full(runs.runs, 1.0 + ROUNDING))


def horizons(runs: Runs, theory: Theory) -> Iterator[Line]:
    """Pivot horizons of phase 1."""
    if "pivot" not in runs.columns:
        return
    eta, longest = _perturbation(runs, theory), _largest(runs.pivot)
    if theory.penalty is not None:
        yield Line("App. I.2", "length of the longest attempt", longest, _by_run(runs.finished, lambda K: theory.reset_omega(K, _eta(eta, K))))
    elif eta != 0.0:
        yield Line("App. I.3", "Omega_K, longest horizon", longest, _by_run(runs.finished, lambda K: theory.perturbed_omega(K, _eta(eta, K))))
    else:
        yield Line("Lem. 6", "Omega_K, longest horizon", longest, _by_run(runs.finished, theory.omega))
        yield Line("Lem. 6, proof", "Omega_K, longest horizon", longest, _by_run(runs.finished, theory.omega_proof))


def second_phase(runs: Runs, theory: Theory) -> Iterator[Line]:
    """Horizons and steps of phase 2, whose G_K attempts are those that were not the first of an episode."""
    if not {"attempts", "phase2_pivot", "phase2_steps"} <= {*runs.columns}:
        return
    attempts, extra = np.nansum(runs.attempts - 1, axis=1), int(runs.settings.get("attempt_steps") == "H+1")
    longest = _by_run(attempts, lambda G: theory.phase2_omega(G) if G else 0)
    steps = _by_run(attempts, lambda G: theory.phase2_steps(G, extra))
    yield Line("App. G", "Omega'_K, longest horizon of phase 2", _largest(runs.phase2_pivot), longest)
    yield Line("App. G", f"T_K,2, steps of phase 2, of G_K (Omega'_K{' + 1' * extra})", _phase2_steps(runs), steps)


def regret(runs: Runs, theory: Theory) -> Iterator[Line]:
    """Episodes that failed in phase 1, and the regret of its steps, of which the paper has constants where costs are known, positive, and to be paid.

    W_K is the cost of the first H steps of each episode, less V*. What else is paid are T_{K,2} steps, and the step H + 1 of phase 1 where there was one. So
    W_K is at most the regret less c_min for each of these, which is what is shown; it is W_K itself if all steps cost the same.
    """
    known = runs.settings.get("costs") == "known" and _perturbation(runs, theory) == 0.0
    if not (known and theory.penalty is None and "phase2_steps" in runs.columns):
        return
    failures = np.nansum(runs.phase2_steps > 0, axis=1)
    beyond = _phase2_steps(runs) + np.nansum(np.maximum(0, runs.phase1_steps - runs.pivot), axis=1)
    total = np.array([regret[K - 1] for regret, K in zip(runs.regret, runs.finished, strict=True)])
    what = "W_K, regret of the first H steps" + ("" if theory.c_min == theory.c_max else ", at most")
    yield Line("Lem. 5", what, total - theory.c_min * beyond, _by_run(runs.finished, theory.truncated_regret))
    yield Line("Lem. 7", "F_K, episodes with a phase 2", failures.astype(float), _by_run(runs.finished, theory.failures))


def _largest(column: Any) -> Floats:
    """(runs,) of finished episodes."""
    return np.asarray(np.nanmax(column, axis=1), float)


def _by_run(count: Any, bound: Callable[[int], float]) -> Floats:
    """(runs,) a bound that depends on a number that each run has."""
    different, place = np.unique(np.asarray(count, np.int64), return_inverse=True)
    return np.array([bound(int(n)) for n in different], float)[place]


def _phase2_steps(runs: Runs) -> Floats:
    return np.asarray(np.nansum(runs.phase2_steps, axis=1), float)


def _perturbation(runs: Runs, theory: Theory) -> float | None:
    """What was added to all costs; None if it was k^(-1/3)."""
    given = runs.settings.get("perturbation")
    if given == "auto":
        return None if theory.c_min == 0.0 else 0.0
    return 0.0 if given in (None, "none") else float(given)


def _eta(perturbation: float | None, episodes: int) -> float:
    """What is added in the last episode, the least."""
    return float(episodes) ** (-1.0 / 3.0) if perturbation is None else perturbation
