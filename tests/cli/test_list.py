"""goalward list, and the words about the command line itself."""

from __future__ import annotations

import json

import pytest

import goalward as gw

from .commands import run

KEYS = ["name", "summary", "settings", "states", "goals", "actions", "diameter", "value", "lower", "upper", "certified"]
NAMES = [entry.name for entry in gw.environments.catalogue()]


def test_all_environments_for_programs() -> None:
    ended = run("list", "environments", "--json")
    found = json.loads(ended.out)
    assert ended.code == 0
    assert [entry["name"] for entry in found] == NAMES
    assert all(list(entry) == KEYS and entry["certified"] for entry in found)
    known = {entry["name"]: entry for entry in found}
    assert known["paper-grid"]["value"] == pytest.approx(5.3013723866, rel=1e-6)
    assert known["paper-grid"]["settings"] == {"cost": "uniform", "beta": None, "walls": "stay"}
    assert known["weakly-communicating"]["diameter"] == pytest.approx(2.0)
    assert known["dead-end-grid"]["diameter"] == "Infinity"
    assert all(entry["lower"] <= entry["value"] <= entry["upper"] for entry in found)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_all_environments_for_people(columns: int) -> None:
    ended = run("list", columns=columns)
    lines = ended.out.rstrip("\n").split("\n")
    assert ended.code == 0
    assert lines[0].split() == ["environment", "S", "A", "D", "V*", "certified"]
    assert max(map(len, lines)) <= columns
    assert [line.split()[0] for line in lines if line.split() and line.split()[0] in NAMES] == NAMES
    row = next(line for line in lines if line.startswith("weakly-communicating"))
    assert row.split() == ["weakly-communicating", "2", "2", "2", "1", "yes"]
    assert "  length=10  success=0.9  falls=step" in lines
    assert run("list", "environments", columns=columns).out == ended.out


def test_one_environment() -> None:
    ended = run("list", "environments", "two-state")
    lines = ended.out.split("\n")
    assert ended.code == 0
    assert lines[1].split() == ["two-state", "1", "2", "1", "1", "yes"]
    assert "     +--+" in lines  # the drawing
    assert "V*(s0) = c_max, by a2. With c_min = 0 an improper policy pays less." in lines
    assert "Settings: c_min=0.1  c_max=1.0" in lines
    found = json.loads(run("list", "environments", "two-state", "--json").out)
    assert (found["name"], found["value"], list(found)) == ("two-state", pytest.approx(1.0), KEYS)


def test_each_command_has_an_example_that_works() -> None:
    for command in ("list", "solve"):
        text = run(command, "--help").out
        examples = [line.split()[1:] for line in text.split("\n") if line.startswith("    goalward ")]
        assert len(examples) >= 3
        for example in examples:
            if "model.npz" not in example:
                assert run(*example).code == 0


def test_help_and_version() -> None:
    assert run("--version").out == f"goalward {gw.__version__}\n"
    assert run("--help") == run()
    assert "goalward solve paper-grid" in run().out
