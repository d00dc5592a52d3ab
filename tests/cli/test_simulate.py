"""goalward simulate: the same runs as from Python, told to people and to programs."""

from __future__ import annotations

import csv
import json
import math
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import goalward as gw
from goalward.cli import main, simulating
from goalward.cli.progress import Bar
from goalward.simulation.runs import Runs
from tests.simulation.players import bits_of, fork

from .commands import run, run_alone
from .test_terminal import PLAIN, terminal
from .test_wrong_input import assert_one_paragraph

SMALL = ("--episodes", "60", "--runs", "3", "--seed", "5")
SPREAD = ("mean", "standard_error", "minimum", "maximum")


def asked(*args: str, code: int = 0) -> dict[str, Any]:
    """What --json says, and nothing else on stdout."""
    ended = run("simulate", *args, "--json")
    assert ended.code == code, ended
    found: dict[str, Any] = json.loads(ended.out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    return found


def told(*args: str, code: int = 0, columns: int = 80) -> str:
    ended = run("simulate", *args, columns=columns)
    assert ended.code == code, ended
    return ended.out


def of_python(environment: str = "paper-grid", environment_settings: dict[str, Any] | None = None, **settings: Any) -> Runs:
    return gw.simulate(gw.environments.make(environment, **environment_settings or {}), "uc-ssp", 60, runs=3, seed=5, **settings)


def test_json() -> None:
    found, runs = asked("paper-grid", "uc-ssp", *SMALL), of_python()
    last = runs.regret[:, -1]
    spread = dict(zip(SPREAD, (last.mean(), last.std(ddof=1) / math.sqrt(3), last.min(), last.max()), strict=True))
    assert found.pop("seconds") > 0.0
    assert found.pop("wall_seconds") > 0.0
    columns = found.pop("columns")
    assert list(columns) == ["cost", "steps", *runs.columns]
    assert columns == pytest.approx({name: getattr(runs, name).mean() for name in columns}, rel=1e-12)
    checkpoints = found.pop("checkpoints")
    assert [point["episode"] for point in checkpoints] == [1, 3, 10, 30, 60]
    assert [point["mean"] for point in checkpoints] == [runs.regret[:, point["episode"] - 1].mean() for point in checkpoints]
    assert checkpoints[-1] == {"episode": 60} | spread
    assert found == {
        "model": "paper-grid", "algorithm": "uc-ssp", "settings": runs.settings, "environment_settings": {}, "episodes": 60, "runs": 3, "seed": 5,
        "optimal_cost": runs.optimal_cost, "regret": spread, "steps": int(runs.steps.sum()), "censored": 0, "version": gw.__version__,
    }  # fmt: skip


def test_the_keys_are_documented() -> None:
    text = " ".join((simulating.simulate.help or "").split())
    documented = re.sub(r" \([^)]*\)", "", text.partition("The keys of --json: ")[2].partition(". ")[0]).split(", ")
    assert documented == list(asked("two-state", "uc-ssp", *SMALL))
    columns = text.partition("The columns of RUNS.csv: ")[2].rstrip(".").split(", ")
    assert columns == ["run", "episode", "start", "cost", "steps", "what the algorithm tells", "regret"]


def test_settings_find_their_owner() -> None:
    line = ("--set", "cost=sand-pit", "--set", "beta=0.01", "--set", "confidence=bernstein", "--set", "warm-start=false", "--set", "scale=2")
    found = asked("paper-grid", "uc-ssp", *SMALL, *line)
    runs = of_python(environment_settings={"cost": "sand-pit", "beta": 0.01}, confidence="bernstein", warm_start=False, scale=2)
    assert found["environment_settings"] == {"cost": "sand-pit", "beta": 0.01}
    assert found["settings"] == runs.settings
    assert found["regret"]["mean"] == runs.regret[:, -1].mean()


def test_penalty() -> None:
    line = ("dead-end-grid", "uc-ssp", "--set", "size=3", "--set", "slips=anywhere", "--penalty", "9", *SMALL)
    found, runs = asked(*line), of_python("dead-end-grid", {"size": 3, "slips": "anywhere"}, penalty=9.0)
    assert (found["settings"]["penalty"], found["regret"]["mean"]) == (9.0, runs.regret[:, -1].mean())
    assert found["optimal_cost"] == runs.optimal_cost
    assert found["columns"]["resets"] == runs.resets.mean()
    assert re.search(r"V\* at start +[\d.]+ if one may give up, ∞ if not\n", told(*line))


def test_a_model_file(tmp_path: Path) -> None:
    fork([0.5, 0, 0, 0.5]).save(tmp_path / "fork.npz")
    found = asked(str(tmp_path / "fork.npz"), "uc-ssp", *SMALL)
    assert found["optimal_cost"] == 1.5
    assert found["model"].endswith("fork.npz")


def test_text() -> None:
    runs = of_python()
    lines = told("paper-grid", "uc-ssp", *SMALL, columns=250).splitlines()
    assert lines[:2] == [f"uc-ssp on paper-grid: {runs.environment}", ""]
    assert lines[2].startswith(
        "settings      confidence l1, bounds paper, scale 1, delta 0.1, perturbation auto, costs known, tie_breaking order, warm_start true,"
    )
    assert re.fullmatch(rf"played        3 runs of 60 episodes, {runs.steps.sum():,} steps; [\d.]+ m?s a run, [\d.]+ m?s in all", lines[3])
    assert lines[4:6] == ["V* at start   5.301372387", ""]
    assert lines[6].split() == ["episodes", "regret", "±", "s.e.", "least", "most"]
    rows = [line.replace(",", "").split() for line in lines[7:]]
    assert [row[0] for row in rows] == ["1", "3", "10", "30", "60"]
    last = runs.regret[:, -1]
    assert [float(x) for x in rows[-1][1:]] == pytest.approx([last.mean(), last.std(ddof=1) / math.sqrt(3), last.min(), last.max()], rel=0.05)


def test_one_run_has_no_standard_error() -> None:
    assert told("two-state", "uc-ssp", "--episodes", "1", "--runs", "1").splitlines()[-2:] == [
        "episodes  regret  ± s.e.  least  most", "       1    0.30           0.30  0.30",
    ]  # fmt: skip
    assert asked("two-state", "uc-ssp", "--episodes", "1", "--runs", "1")["regret"]["standard_error"] == "NaN"


@pytest.mark.parametrize("columns", [50, 64, 80])
def test_nothing_is_wider_than_the_terminal(columns: int) -> None:
    text = told("dead-end-grid", "uc-ssp", "--penalty", "9", "--set", "size=3", *SMALL, columns=columns)
    assert max(map(len, text.splitlines())) <= columns


def test_long_runs_are_told_in_few_lines() -> None:
    points = [point["episode"] for point in asked("two-state", "uc-ssp", "--episodes", "12345", "--runs", "1")["checkpoints"]]
    assert points == [10, 30, 100, 300, 1000, 3000, 10000, 12345]


def test_censored() -> None:
    line = ("paper-grid", "uc-ssp", "--episodes", "60", "--runs", "4")
    steps = gw.simulate(gw.environments.make("paper-grid"), "uc-ssp", 60, runs=4).steps.sum(axis=1)
    limit = ("--max-steps", str(int(np.median(steps))))
    found, ended = asked(*line, *limit, code=1), run("simulate", *line, *limit)
    assert ended.code == 1
    assert found["censored"] == (steps > np.median(steps)).sum() == 2
    assert found["steps"] == np.minimum(steps, int(np.median(steps))).sum()
    assert "censored      2 of 4 runs used up " in ended.out
    assert "they are left out below\n" in ended.out
    assert ended.err.startswith("goalward: 2 of 4 runs are censored: max_steps = ")
    assert ended.err.count("\n") == 1


def test_all_are_censored() -> None:
    line = ("two-state", "uc-ssp", "--episodes", "500", "--runs", "2", "--max-steps", "50")
    found = asked(*line, code=1)
    assert (found["regret"], found["checkpoints"], found["censored"], found["steps"]) == (None, [], 2, 100)
    assert told(*line, code=1).endswith("censored      2 of 2 runs used up 50 steps; --max-steps allows more\n")


def test_dead_ends_are_warned_of() -> None:
    ended = run("simulate", "dead-end-grid", "uc-ssp", "--episodes", "300", "--runs", "1", "--max-steps", "2000")
    assert ended.code == 1
    first, second = ended.err.splitlines()
    assert first.startswith("goalward: from state (2,2) the goal cannot be reached")
    assert second.startswith("goalward: 1 of 1 runs are censored")


def test_csv(tmp_path: Path) -> None:
    path, runs = tmp_path / "runs.csv", of_python()
    told("paper-grid", "uc-ssp", *SMALL, "--csv", str(path))
    with path.open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header == ["run", "episode", "start", "cost", "steps", *runs.columns, "regret"]
    assert len(rows) == 180
    assert [float(row[-1]) for row in rows] == runs.regret.ravel().tolist()  # to the last bit
    pd.testing.assert_frame_equal(pd.read_csv(path), runs.to_pandas(), check_dtype=False, check_exact=True)


def test_output(tmp_path: Path) -> None:
    told("paper-grid", "uc-ssp", *SMALL, "-o", str(tmp_path / "runs.parquet"), "--workers", "2")
    assert bits_of(gw.load_runs(tmp_path / "runs.parquet")) == bits_of(of_python())


WRONG: list[tuple[str, tuple[str, ...]]] = [
    ("", ("MODEL is missing", "expected goalward simulate [OPTIONS] MODEL ALGORITHM")),
    ("two-state", ("ALGORITHM is missing", "expected goalward simulate [OPTIONS] MODEL ALGORITHM")),
    ("twostate uc-ssp", ("environment", "'twostate'", "did you mean 'two-state'")),
    ("two-state ucssp", ("algorithm", "'ucssp'", "expected one of uc-ssp; did you mean 'uc-ssp'?")),
    ("gone.npz uc-ssp", ("MODEL", "'gone.npz'", "no such file")),
    ("two-state uc-ssp --episodes 0", ("--episodes", "0", "expected a whole number >= 1")),
    ("two-state uc-ssp --episodes many", ("--episodes", "'many'", "expected a whole number >= 1")),
    ("two-state uc-ssp --runs 1.5", ("--runs", "1.5", "expected a whole number >= 1")),
    ("two-state uc-ssp --seed -1", ("--seed", "-1", "expected a whole number >= 0")),
    ("two-state uc-ssp --workers 0", ("--workers", "0", "expected a whole number >= 1")),
    ("two-state uc-ssp --max-steps 0", ("--max-steps", "0", "expected a whole number >= 1")),
    ("two-state uc-ssp --max-steps 9999999999", ("max_steps", "9999999999", "expected a whole number from 1 to 2147483647")),
    ("two-state uc-ssp --penalty 0", ("--penalty", "0.0", "expected a finite number > 0")),
    ("two-state uc-ssp --penalty 0.01", ("penalty", "0.01", "expected a finite number", "c_min = 0.1")),
    ("two-state uc-ssp --set penalty=3 --penalty 3", ("--set penalty", "3.0", "expected each setting once")),
    ("two-state uc-ssp --set confidense=l1", ("setting of uc-ssp or of two-state", "'confidense'", "c_max, c_min,", "did you mean 'confidence'")),
    ("two-state uc-ssp --set c_mn=1", ("setting of uc-ssp or of two-state", "'c_mn'", "did you mean 'c_min'")),
    ("two-state uc-ssp --set confidence=l2", ("confidence", "'l2'", "expected one of 'l1', 'bernstein'")),
    ("two-state uc-ssp --set c_max=0.1", ("c_max", "0.1", "expected a finite number > 2 c_min = 0.2")),
    ("two-state uc-ssp --set scale=1 --set scale=2", ("--set scale", "2", "expected each setting once", "1 already")),
    ("two-state uc-ssp --set scale", ("--set", "'scale'", "expected key=value")),
    ("two-state uc-ssp --csv runs.txt", ("--csv", "'runs.txt'", "expected a file name that ends in .csv")),
    ("two-state uc-ssp -o runs.csv", ("--output", "'runs.csv'", "expected a file name that ends in .parquet")),
    ("two-state uc-ssp -o nowhere/runs.parquet", ("--output", "'nowhere/runs.parquet'", "expected a file in a folder that is there")),
    ("two-state uc-ssp --episode 4", ("option", "'--episode'", "--episodes")),
    ("two-state uc-ssp extra", ("unexpected extra argument", "extra", "expected goalward simulate [OPTIONS] MODEL ALGORITHM")),
    ("dead-end-grid uc-ssp --set slips=anywhere", ("ssp", "expected a goal that can be reached surely from the start", "penalty=J")),
]


@pytest.mark.parametrize(("line", "parts"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_command_line(line: str, parts: tuple[str, ...]) -> None:
    assert_one_paragraph(run("simulate", *line.split()), parts)


def test_as_a_program() -> None:
    ended = run_alone("simulate", "two-state", "uc-ssp", *SMALL)
    assert (ended.code, ended.err) == (0, "")
    assert "V* at start   1\n" in ended.out
    plain = run_alone("simulate", "two-state", "uc-ssp", *SMALL, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert plain.code == 0
    assert "?" not in plain.out


def test_help_loads_nothing_heavy() -> None:
    code = f"import sys, atexit; atexit.register(lambda: {PLAIN}); from goalward.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "simulate", "--help"], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.startswith("Usage: goalward simulate [OPTIONS] MODEL ALGORITHM\n")
    assert done.stdout.endswith("[]\n")
    for param in simulating.simulate.params:
        assert max(param.opts, key=len) in done.stdout or param.human_readable_name in done.stdout


class Seen(Bar):
    """A bar that is there at once, and is looked at whenever it is told something."""

    def __init__(self, quiet: bool = False) -> None:
        super().__init__(quiet, patience=0.0)

    def show(self, share: float, detail: str) -> None:
        end = time.monotonic() + 60.0
        while self.wanted and self.drawn is None and time.monotonic() < end:
            time.sleep(0.01)
        super().show(share, detail)
        if self.drawn is not None:
            self.drawn.refresh()


@pytest.mark.parametrize("quiet", [False, True])
def test_a_bar_on_a_terminal(quiet: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    stderr = terminal(monkeypatch)
    monkeypatch.setattr(simulating, "Bar", Seen)
    with pytest.raises(SystemExit) as ended:
        main(["simulate", "paper-grid", "uc-ssp", *SMALL, *(["--quiet"] if quiet else [])])
    assert ended.value.code == 0
    assert "V* at start" in capsys.readouterr().out
    if quiet:
        assert stderr.getvalue() == ""
    else:
        assert "uc-ssp on paper-grid" in stderr.getvalue()
        assert re.search(r"3/3 runs, [\d,]+ episodes/s, regret", stderr.getvalue())
        assert stderr.getvalue().endswith("\x1b[2K")  # and it is gone in the end
