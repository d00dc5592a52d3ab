"""Wrong settings: each error names the field, the value and what was expected."""

from __future__ import annotations

import math
from typing import Any

import pytest

from goalward import SettingError, environments

PAIRS = "a model of at most 2147483646 state-action pairs, not"

# (environment, its settings, the field, what was expected); the value told is that of the field
WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("corridor", {"length": 0}, "length", "a whole number >= 1"),
    ("corridor", {"length": 2.5}, "length", "a whole number >= 1"),
    ("corridor", {"length": True}, "length", "a whole number >= 1"),
    ("corridor", {"length": None}, "length", "a whole number >= 1"),
    ("corridor", {"length": 2**30}, "length", f"{PAIRS} 2147483648"),
    ("corridor", {"success": 0.0}, "success", "a finite number in (0, 1]"),
    ("corridor", {"success": 1.0000001}, "success", "a finite number in (0, 1]"),
    ("corridor", {"success": "often"}, "success", "a finite number in (0, 1]"),
    ("corridor", {"success": math.nan}, "success", "a finite number in (0, 1]"),
    ("corridor", {"falls": "down"}, "falls", "one of 'step', 'start', 'stay'"),
    ("corridor", {"falls": 1}, "falls", "one of 'step', 'start', 'stay'"),
    ("cost-offset", {"eta": 0}, "eta", "a finite number > 0"),
    ("cost-offset", {"eta": math.inf}, "eta", "a finite number > 0"),
    ("dead-end-grid", {"size": 2}, "size", "a whole number >= 3"),
    ("dead-end-grid", {"size": 23171}, "size", f"{PAIRS} 2147580964"),
    ("dead-end-grid", {"slip": 1.0}, "slip", "a finite number in [0, 1)"),
    ("dead-end-grid", {"slip": -0.1}, "slip", "a finite number in [0, 1)"),
    ("dead-end-grid", {"slips": "back"}, "slips", "one of 'anywhere', 'sideways'"),
    ("garnet", {"states": 0}, "states", "a whole number >= 1"),
    ("garnet", {"actions": 0}, "actions", "a whole number >= 1"),
    ("garnet", {"branching": 0}, "branching", "a whole number from 1 to 21"),
    ("garnet", {"states": 4, "branching": 6}, "branching", "a whole number from 1 to 5"),
    ("garnet", {"reachable": 1}, "reachable", "True or False"),
    ("garnet", {"c_min": -0.5}, "c_min", "a finite number >= 0"),
    ("garnet", {"c_min": 2.0}, "c_max", "a finite number >= c_min = 2"),
    ("garnet", {"seed": -1}, "seed", "a whole number >= 0"),
    ("garnet", {"seed": None}, "seed", "a whole number >= 0"),
    ("layered", {"depth": 0}, "depth", "a whole number >= 1"),
    ("layered", {"width": -3}, "width", "a whole number >= 1"),
    ("layered", {"actions": 1.0}, "actions", "a whole number >= 1"),
    ("layered", {"c_min": math.nan}, "c_min", "a finite number >= 0"),
    ("layered", {"c_max": 0.05}, "c_max", "a finite number >= c_min = 0.1"),
    ("layered", {"seed": 0.5}, "seed", "a whole number >= 0"),
    ("paper-grid", {"cost": "sand"}, "cost", "one of 'uniform', 'sand-pit', 'zero-patch'"),
    ("paper-grid", {"cost": None}, "cost", "one of 'uniform', 'sand-pit', 'zero-patch'"),
    ("paper-grid", {"beta": 1}, "beta", "nothing with cost = 'uniform', where every step costs 1"),
    ("paper-grid", {"cost": "sand-pit", "beta": 0.0}, "beta", "a finite number in (0, 1]"),
    ("paper-grid", {"cost": "zero-patch", "beta": 1.5}, "beta", "a finite number in (0, 1]"),
    ("paper-grid", {"walls": "bounce"}, "walls", "one of 'stay', 'slip'"),
    ("random", {"states": "8"}, "states", "a whole number >= 1"),
    ("random", {"actions": 0}, "actions", "a whole number >= 1"),
    ("random", {"concentration": 0.05}, "concentration", "a finite number >= 0.1"),
    ("random", {"c_min": -1}, "c_min", "a finite number >= 0"),
    ("random", {"c_max": math.inf}, "c_max", "a finite number >= c_min = 0.1"),
    ("random", {"seed": True}, "seed", "a whole number >= 0"),
    ("river-swim", {"length": 1}, "length", "a whole number >= 2"),
    ("river-swim", {"drift_cost": 1.5}, "drift_cost", "a finite number in [0, 1]"),
    ("river-swim", {"drift_cost": -1e-9}, "drift_cost", "a finite number in [0, 1]"),
    ("sandy-grid", {"size": 1}, "size", "a whole number >= 2"),
    ("sandy-grid", {"slip": 1}, "slip", "a finite number in [0, 1)"),
    ("sandy-grid", {"sand": 1.1}, "sand", "a finite number in [0, 1]"),
    ("sandy-grid", {"sand_cost": -5}, "sand_cost", "a finite number >= 0"),
    ("sandy-grid", {"seed": -1}, "seed", "a whole number >= 0"),
    ("two-state", {"c_min": -1}, "c_min", "a finite number >= 0"),
    ("two-state", {"c_max": 0.2}, "c_max", "a finite number > 2 c_min = 0.2"),
    ("two-state", {"c_min": 0, "c_max": 0}, "c_max", "a finite number > 2 c_min = 0"),
    ("weakly-communicating", {"slip": 1.0}, "slip", "a finite number in [0, 1)"),
    ("weakly-communicating", {"slip": False}, "slip", "a finite number in [0, 1)"),
]


@pytest.mark.parametrize(("name", "settings", "field", "expected"), WRONG)
def test_field_value_and_expectation_are_named(name: str, settings: dict[str, Any], field: str, expected: str) -> None:
    with pytest.raises(SettingError) as caught:
        environments.make(name, **settings)
    known = next(entry.settings for entry in environments.catalogue() if entry.name == name)
    value = (known | settings)[field]
    assert (caught.value.name, caught.value.expected) == (field, expected)
    assert caught.value.value is value or caught.value.value == value
    assert str(caught.value).startswith(f"{field} = {value!r}: expected ")


def test_sizes_that_only_together_are_too_much() -> None:
    with pytest.raises(SettingError) as caught:
        environments.make("layered", depth=100_000, width=100_000, actions=2)
    assert str(caught.value) == f"depth, width, actions = (100000, 100000, 2): expected {PAIRS} 19999800002"


def test_every_setting_can_be_wrong() -> None:
    tried = {(name, field) for name, _, field, _ in WRONG}
    every = {(entry.name, setting) for entry in environments.catalogue() for setting in entry.settings}
    assert every - tried == set()
