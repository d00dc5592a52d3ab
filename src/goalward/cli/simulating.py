"""goalward simulate."""

from __future__ import annotations

import csv
import io
import math
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from goalward.cli.exits import CHECK_FAILED, DONE
from goalward.cli.inputs import NewFile, Positive, Setting, Whole, once_each, read_model
from goalward.cli.printing import as_json, complain, duration, has_signs, number, plural, printable, say, table, width
from goalward.cli.progress import Bar

if TYPE_CHECKING:
    from goalward.models.ssp import SSP
    from goalward.simulation.runs import Runs

CHECKPOINTS = 8  # lines of the table
LABEL = 14  # columns before what is said


@click.command()
@click.argument("model")
@click.argument("algorithm")
@click.option("--episodes", type=Whole(1), default=1000, show_default=True, help="Episodes of each run.")
@click.option("--runs", type=Whole(1), default=10, show_default=True, help="How often the algorithm learns from nothing.")
@click.option("--seed", type=Whole(0), default=0, show_default=True, help="The same seed, the same result.")
@click.option("--set", "settings", type=Setting(), multiple=True, help="A setting of the algorithm or of the environment; may be given several times.")
@click.option("--penalty", type=Positive(), metavar="J", help="Allow the agent to give up, anywhere, at this cost.")
@click.option("--max-steps", type=Whole(1), help="Steps after which a run is cut short.")
@click.option("--workers", type=Whole(1), help="Threads; one a core if not given.")
@click.option("--csv", "csv_path", type=NewFile(".csv"), metavar="RUNS.csv", help="Write a row an episode to this file.")
@click.option("-o", "--output", type=NewFile(".parquet"), metavar="RUNS.parquet", help="Write all columns of all runs to this file (gw.load_runs).")
@click.option("--json", "as_object", is_flag=True, help="Print the result as JSON.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def simulate(
    model: str, algorithm: str, settings: tuple[tuple[str, Any], ...], csv_path: Path | None, output: Path | None, as_object: bool, quiet: bool, **asked: Any
) -> int:  # fmt: skip
    """Let an algorithm learn, and say how much more that cost than knowing would have.

    MODEL is the name of an environment (goalward list environments) or the path of an .npz file that SSP.save wrote; ALGORITHM a name of the catalogue
    (goalward list algorithms).

    \b
      goalward simulate paper-grid uc-ssp --episodes 3000 --runs 200 --seed 2020
      goalward simulate paper-grid uc-ssp --set cost=sand-pit --set beta=0.01 --set confidence=bernstein
      goalward simulate dead-end-grid uc-ssp --penalty 20 --json

    Exit code 0: all runs finished. 1: some used up their steps; what they did has been printed. 2: the input is wrong. 130: interrupted.

    The keys of --json: model, algorithm, settings (all of the algorithm), environment_settings, episodes, runs, seed, optimal_cost, regret (of the runs that
    finished: mean, standard_error, minimum, maximum), checkpoints (episode, and the same of the regret by then), columns (the mean of each over all episodes),
    steps, censored, seconds (of CPU time, a run), wall_seconds, version.

    The columns of RUNS.csv: run, episode, start, cost, steps, what the algorithm tells, regret.
    """
    import time

    begun = time.perf_counter()
    with Bar(quiet) as bar:
        bar.stage(f"reading {model}")
        ssp, of_environment, of_algorithm = _problem(model, algorithm, once_each(settings))
        bar.stage(f"{algorithm} on {model}")
        runs, complaints = _simulated(ssp, algorithm, of_algorithm, asked, bar)
    seconds = time.perf_counter() - begun
    facts = _facts(runs, model, of_environment, seconds)
    say(as_json(facts) if as_object else _as_text(runs, facts))
    if csv_path is not None:
        _write_csv(runs, csv_path)
    if output is not None:
        runs.save(output)
    for complaint in complaints:
        complain(f"goalward: {complaint}")
    return CHECK_FAILED if runs.censored.any() else DONE


def _problem(model: str, algorithm: str, settings: dict[str, Any]) -> tuple[SSP, dict[str, Any], dict[str, Any]]:
    """The problem, and which settings are its own and which are the algorithm's."""
    from goalward.errors import SettingError, unknown_name
    from goalward.learning.algorithms import entry

    known = entry(algorithm).settings
    of_algorithm = {name: value for name, value in settings.items() if name in known}
    of_environment = {name: value for name, value in settings.items() if name not in known}
    try:
        return read_model(model, of_environment), of_environment, of_algorithm
    except SettingError as reason:
        if not of_environment or not reason.name.startswith("setting of"):
            raise
        raise unknown_name(f"setting of {algorithm} or of {model}", next(iter(of_environment)), [*known, *_settings_of(model)]) from reason


def _settings_of(model: str) -> list[str]:
    from goalward import environments

    return [name for entry in environments.catalogue() if entry.name == model for name in entry.settings]


def _simulated(ssp: SSP, algorithm: str, settings: dict[str, Any], asked: dict[str, Any], bar: Bar) -> tuple[Runs, list[str]]:
    """The runs, and what is to be said of them besides."""
    import warnings

    import goalward as gw

    total = asked["runs"] * asked["episodes"]

    def report(progress: Any) -> None:
        rate = progress.episodes / max(progress.seconds, 1e-9)
        detail = f"{progress.runs:,}/{asked['runs']:,} runs, {rate:,.0f} episodes/s, regret {progress.regret:,.1f}"
        bar.show(progress.episodes / total, detail)

    if asked["penalty"] is not None:
        settings = once_each([*settings.items(), ("penalty", asked["penalty"])])
    options = {name: asked[name] for name in ("episodes", "runs", "seed", "workers", "max_steps")}
    complaints: list[str] = []

    def hear(message: Warning | str, *_: Any, **__: Any) -> None:
        """Doubts come before anything is played, and are said at once; what is said under a bar would be lost."""
        if bar.drawn is None:
            complain(f"goalward: {message}")
        else:
            complaints.append(str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", gw.GoalwardWarning)
        warnings.showwarning = hear
        runs = gw.simulate(ssp, algorithm, **options, progress=report, **settings)
    return runs, complaints


def _facts(runs: Runs, model: str, of_environment: dict[str, Any], seconds: float) -> dict[str, Any]:
    import numpy as np

    from goalward import __version__

    done = runs.regret[~runs.censored]
    return {
        "model": model,
        "algorithm": runs.algorithm,
        "settings": runs.settings,
        "environment_settings": of_environment,
        "episodes": runs.episodes,
        "runs": runs.runs,
        "seed": runs.seed,
        "optimal_cost": runs.optimal_cost,
        "regret": _spread(done[:, -1]) if len(done) else None,
        "checkpoints": [{"episode": k} | _spread(done[:, k - 1]) for k in _checkpoints(runs.episodes)] if len(done) else [],
        "columns": {
            name: float(np.nanmean(column)) for name, column in {"cost": runs.cost, "steps": runs.steps, **runs.columns}.items() if runs.finished.any()
        },
        "steps": int(np.nansum(runs.steps)) + int(runs.open_steps.sum()),
        "censored": int(runs.censored.sum()),
        "seconds": float(runs.seconds.mean()),
        "wall_seconds": seconds,
        "version": __version__,
    }


def _spread(values: Any) -> dict[str, float]:
    error = float(values.std(ddof=1) / math.sqrt(len(values))) if len(values) > 1 else math.nan
    return {"mean": float(values.mean()), "standard_error": error, "minimum": float(values.min()), "maximum": float(values.max())}


def _checkpoints(episodes: int) -> list[int]:
    """1, 3, 10, 30, ... and the last."""
    steps = {min(episodes, round(m * 10**e)) for e in range(10) for m in (1, 3) if m * 10**e <= episodes} | {episodes}
    return sorted(steps)[-CHECKPOINTS:]


def _as_text(runs: Runs, facts: dict[str, Any]) -> str:
    model = ", ".join([printable(facts["model"]), *_told(facts["environment_settings"])])
    played = f"{plural(runs.runs, 'run')} of {plural(runs.episodes, 'episode')}, {plural(facts['steps'], 'step')}; "
    optimum = number(runs.optimal_cost)
    if runs.optimal_cost_without_reset != runs.optimal_cost:
        optimum += f" if one may give up, {number(runs.optimal_cost_without_reset)} if not"
    lines = [
        *wrap(f"{printable(runs.algorithm)} on {model}: {runs.environment}", width(), subsequent_indent="  "),
        "",
        *_labelled("settings", ", ".join(_told(runs.settings))),
        *_labelled("played", f"{played}{duration(facts['seconds'])} a run, {duration(facts['wall_seconds'])} in all"),
        *_labelled("V* at start", optimum),
    ]
    if facts["censored"]:
        rest = "they are left out below" if facts["checkpoints"] else "--max-steps allows more"
        lines += _labelled("censored", f"{facts['censored']} of {plural(runs.runs, 'run')} used up {runs.max_steps:,} steps; {rest}")
    return "\n".join([*lines, *_curve(facts["checkpoints"])])


def _told(settings: dict[str, Any]) -> list[str]:
    """Those that are set, as they are typed."""
    return [f"{name} {number(value) if isinstance(value, float) else str(value).lower() if isinstance(value, bool) else printable(str(value))}"
            for name, value in settings.items() if value is not None]  # fmt: skip


def _curve(checkpoints: list[dict[str, Any]]) -> list[str]:
    rows = [
        [f"{p['episode']:,}", f"{p['mean']:,.2f}", "" if math.isnan(p["standard_error"]) else f"{p['standard_error']:.2g}",
         f"{p['minimum']:,.2f}", f"{p['maximum']:,.2f}"] for p in checkpoints
    ]  # fmt: skip
    return ["", *table(("episodes", "regret", "± s.e." if has_signs("±") else "s.e.", "least", "most"), rows, right=range(5))] if rows else []


def _labelled(label: str, text: str) -> list[str]:
    return wrap(text, max(40, width()), initial_indent=label.ljust(LABEL), subsequent_indent=" " * LABEL)


def _write_csv(runs: Runs, path: Path) -> None:
    from goalward.models.files import written_whole
    from goalward.simulation.tables import columns_of

    columns = columns_of(runs)
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(columns)
    rows.writerows(zip(*(column.tolist() for column in columns.values()), strict=True))
    with written_whole(path) as file:
        file.write(text.getvalue().encode())
