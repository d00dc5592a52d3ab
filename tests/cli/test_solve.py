"""goalward solve, on problems whose answers are known."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import goalward as gw
from goalward.cli.inputs import parsed
from goalward.cli.solving import METHODS
from goalward.cli.summary import IMPROPER, at_start

from .commands import Ended, run

SCHEMA: dict[str, tuple[type, ...]] = {
    "model": (str,), "settings": (dict,), "value": (float, str), "lower": (float, str), "upper": (float, str), "hitting_time": (float, str),
    "proper": (bool,), "improper_cheaper": (bool,), "certified": (bool,), "method": (str,), "width": (float, str), "tolerance": (float,),
    "relative": (bool,), "sweeps": (int,), "seconds": (float,), "states": (int,), "goals": (int,), "pairs": (int,), "transitions": (int,),
    "penalty": (float, type(None)), "version": (str,),
}  # fmt: skip


def asked(*args: str, code: int = 0) -> dict[str, Any]:
    """What `goalward solve --json` says; it is as documented, and there is nothing else on stdout."""
    ended = run("solve", *args, "--json")
    assert ended.code == code, ended
    found: dict[str, Any] = json.loads(ended.out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))
    assert list(found) == list(SCHEMA)
    assert not {key: found[key] for key, types in SCHEMA.items() if type(found[key]) not in types}
    assert float(found["lower"]) <= float(found["value"]) <= float(found["upper"])
    return found


def told(*args: str, code: int = 0, columns: int = 160) -> str:
    ended = run("solve", *args, columns=columns)
    assert ended.code == code, ended
    return ended.out


def assert_said_on_stderr(ended: Ended, *parts: str) -> None:
    assert ended.err.startswith("goalward: ")
    assert ended.err.count("\n") == 1
    assert not [part for part in parts if part not in ended.err], ended.err


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("paper-grid", 5.3013723866),
        ("paper-grid --set cost=sand-pit --set beta=0.01", 0.0715592045),
        ("paper-grid --set cost=zero-patch", 0.8574969373),
        ("two-state --set c-max=0.75", 0.75),
        ("corridor --set success=0.5 --set length=6", 42.0),
        ("corridor --set success=0.5 --set length=6 --set falls=start", 126.0),
        ("weakly-communicating --set slip=0.5", 2.0),
        ("cost-offset --set eta=2", 6.0),
    ],
)
def test_known_optima(line: str, value: float) -> None:
    found = asked(*line.split(), "--tolerance", "1e-10")
    assert found["value"] == pytest.approx(value, rel=1e-9)
    assert found["upper"] - found["lower"] <= 1e-10 * found["upper"]
    assert (found["certified"], found["proper"], found["penalty"]) == (True, True, None)


def test_all_about_the_papers_grid() -> None:
    found = asked("paper-grid", "--set", "walls=slip", "--tolerance", "1e-8")
    assert found["model"] == "paper-grid"
    assert found["settings"] == {"walls": "slip"}
    assert found["hitting_time"] == pytest.approx(5.3013723866, rel=1e-9)  # every step costs 1
    assert (found["states"], found["goals"], found["pairs"]) == (12, 1, 44)
    assert (found["tolerance"], found["relative"], found["improper_cheaper"]) == (1e-8, True, False)
    assert found["version"] == gw.__version__
    assert asked("paper-grid", "--absolute")["relative"] is False


def test_the_papers_grid_drawn() -> None:
    text = told("paper-grid")
    assert text.startswith("paper-grid: SSP(12 states, goal (0,3), start (2,0);")
    assert "V* at start   5.301372387, certified: in [5.3013" in text
    assert "proper: surely reaches the goal; expected number of steps 5.301372387" in text
    assert IMPROPER not in text
    picture = text[text.index("  ┌") :].split("\n")
    assert picture[0] == "  ┌────────┬────────┬────────┬────────┐"
    assert picture[1] == "  │ → 3.25 │ → 2.18 │ → 1.09 │  goal  │"
    assert picture[5].startswith("  │S")
    assert picture[5].endswith(" 5.30 │ → 4.27 │ → 3.21 │ ↑ 2.16 │")  # from the start, right and up are as good
    assert picture[7:] == ["  S start", ""]


def test_an_improper_policy_that_would_be_cheaper_is_mentioned() -> None:
    assert asked("paper-grid", "--set", "cost=zero-patch")["improper_cheaper"] is True
    assert IMPROPER in told("paper-grid", "--set", "cost=zero-patch")


def test_no_way_to_be_sure() -> None:
    line = ("dead-end-grid", "--set", "slips=anywhere", "--set", "size=3")
    found = asked(*line)
    assert (found["value"], found["lower"], found["upper"], found["hitting_time"]) == ("Infinity",) * 4
    assert (found["certified"], found["proper"]) == (True, False)
    text = told(*line)
    assert "V* at start   ∞, certified: no policy reaches the goal surely from there; with --penalty a plan may give up" in text
    assert "  │S  ∞ │   ∞ │   ∞ │\n" in text
    assert "∞ no plan is sure to reach the goal from here" in text


def test_giving_up() -> None:
    line = ("dead-end-grid", "--set", "slips=anywhere", "--penalty", "12")
    found = asked(*line, "--tolerance", "1e-10")
    model = gw.environments.make("dead-end-grid", slips="anywhere").with_reset(12.0)
    assert found["value"] == pytest.approx(gw.solve(model, tolerance=1e-10).value[20], rel=1e-9)
    assert found["penalty"] == 12.0
    assert found["hitting_time"] < found["value"]  # steps cost 1, giving up is one step
    text = told(*line)
    assert "giving up costs 12, and is best in 1 state\n" in text
    assert "│ ↺ 12.0 │" in text
    assert "↺ give up and pay the penalty" in text


def test_a_start_distribution_is_averaged(tmp_path: Path) -> None:
    rows = [(0, 0, 1, 1.0, 2.0), (1, 0, 2, 1.0, 1.0)]
    gw.SSP.from_rows(rows, start=[0.75, 0.25, 0.0], goal=2).save(tmp_path / "chain.npz")
    found = asked(str(tmp_path / "chain.npz"))
    assert found["value"] == pytest.approx(0.75 * 3 + 0.25 * 1, rel=1e-12)
    assert found["hitting_time"] == pytest.approx(0.75 * 2 + 0.25 * 1, rel=1e-12)


def test_an_average_of_bounds_is_rounded_outwards() -> None:
    ssp = gw.SSP.from_rows([(s, 0, 3, 1.0, 0.1) for s in range(3)], start=[1 / 3, 1 / 3, 1 / 3, 0], goal=3)
    third = np.array([0.1, 0.1, 0.1, 0.0])
    assert at_start(ssp, third, -1) < 0.1 < at_start(ssp, third, 1)
    certain = gw.SSP.from_rows([(s, 0, 3, 1.0, 0.1) for s in range(3)], start=1, goal=3)
    assert at_start(certain, np.array([np.inf, 0.1, np.inf, 0.0]), -1) == 0.1


def test_a_model_file_and_the_environment_it_came_from(tmp_path: Path) -> None:
    path = tmp_path / "garnet.npz"
    gw.environments.make("garnet", states=30, seed=5).save(path)
    of_file, of_name = asked(str(path)), asked("garnet", "--set", "states=30", "--set", "seed=5")
    assert of_file.pop("model") == str(path)
    differing = ("model", "settings", "seconds")
    assert {key: of_file[key] for key in of_file if key not in differing} == {key: of_name[key] for key in of_name if key not in differing}


def test_states_that_are_no_grid_are_tabled() -> None:
    lines = told("cost-offset").split("\n")
    table = [line.split() for line in lines[lines.index("  state  value  action") + 1 : -1]]
    assert table == [["s0", "3", "detour"], ["s1", "2", "detour"], ["s2", "1", "detour"], ["goal", "0", "(goal)"]]
    assert "and 9 more states; -o plan.csv writes them all" in told("garnet")


@pytest.mark.parametrize("columns", [45, 60, 80])
@pytest.mark.parametrize("line", ["paper-grid --set cost=zero-patch", "dead-end-grid --penalty 5", "garnet", "dead-end-grid --set slips=anywhere"])
def test_nothing_is_wider_than_the_terminal(line: str, columns: int) -> None:
    assert max(map(len, told(*line.split(), columns=columns).split("\n"))) <= columns


@pytest.mark.parametrize("columns", [20, 40, 60])
def test_long_names_fit_the_terminal(columns: int, tmp_path: Path) -> None:
    names = ["the state in which everything begins and nothing\nis known", "end\x1b[2J"]
    gw.SSP.from_rows([(0, 0, 1, 1.0, 1.0)], start=0, goal=1, state_names=names, action_names=["go" * 30]).save(tmp_path / "m.npz")
    text = told(str(tmp_path / "m.npz"), columns=columns)
    table = text.split("\n")[-4:]
    assert max(map(len, table)) <= max(columns, 34)
    assert "\x1b" not in text


@pytest.mark.parametrize("method", METHODS)
def test_every_method(method: str) -> None:
    found = asked("paper-grid", "--method", method)
    assert found["value"] == pytest.approx(5.3013723866, rel=1e-6)
    assert method in ("auto", found["method"])


def test_the_methods_offered_are_those_there_are() -> None:
    with pytest.raises(gw.SettingError) as told_names:
        gw.solve(gw.environments.make("two-state"), method="?")
    assert not [method for method in METHODS if method not in str(told_names.value)]


def test_out_of_time() -> None:
    """The clock is looked at now and then; this grid is not solved before."""
    line = ("sandy-grid", "--set", "size=250", "--max-seconds", "1e-9")
    found = asked(*line, code=1)
    assert found["certified"] is False
    ended = run("solve", *line)
    assert ended.code == 1
    assert "NOT certified" in ended.out
    assert_said_on_stderr(ended, "second")


def test_a_tolerance_that_numbers_cannot_meet() -> None:
    line = ("corridor", "--tolerance", "1e-30")
    assert asked(*line, code=1)["certified"] is False
    ended = run("solve", *line)
    assert_said_on_stderr(ended, "width = ", "tolerance, 1e-30")


def test_the_plan_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    told("dead-end-grid", "--set", "slips=anywhere", "--penalty", "12", "-o", str(path))
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    ssp = gw.environments.make("dead-end-grid", slips="anywhere")
    solution = gw.solve(ssp, penalty=12.0)
    for column in ("value", "lower", "upper", "action", "rank"):
        values = getattr(solution, "policy" if column == "action" else column)
        assert [float(row[column]) for row in rows] == values.tolist()  # to the last bit
    assert [row["name"] for row in rows] == [ssp.state_name(s) for s in range(25)]
    assert (rows[4]["action_name"], rows[12]["action_name"], rows[3]["action_name"]) == ("", "reset", "right")


def test_values_of_settings() -> None:
    assert [parsed(text) for text in ("3", "-2", "0.5", "1e-3", "true", "False", "sand-pit", "", "1e999")] == [
        3, -2, 0.5, 1e-3, True, False, "sand-pit", "", float("inf"),
    ]  # fmt: skip
    assert type(parsed("3")) is int
