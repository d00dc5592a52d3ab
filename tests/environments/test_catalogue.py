"""The catalogue: complete, made by name, and with words for names that are in none."""

from __future__ import annotations

import inspect
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from goalward import SSP, SettingError, environments
from tests.models.test_constructors import differing_parts

NAMES = [
    "corridor", "cost-offset", "dead-end-grid", "garnet", "layered", "paper-grid", "random", "river-swim", "sandy-grid", "two-state", "weakly-communicating",
]  # fmt: skip
DRAWN = [entry.name for entry in environments.catalogue() if "seed" in entry.settings]


def test_all_environments_are_in_it() -> None:
    files = Path(inspect.getfile(environments)).parent.glob("[!_]*.py")
    assert [entry.name for entry in environments.catalogue()] == NAMES == sorted(path.stem.replace("_", "-") for path in files)


@pytest.mark.parametrize("entry", environments.catalogue(), ids=NAMES)
def test_each_says_what_it_is(entry: environments.Entry) -> None:
    """A drawing, the optimum, and all of its settings by name; as it is by default, it can be made without any."""
    text = inspect.getdoc(entry.function) or ""
    assert entry.summary == text.split("\n")[0]
    assert entry.summary.endswith((".", "]."))
    assert "\n::\n" in text
    assert "V*" in text
    parameters = inspect.signature(entry.function).parameters
    assert entry.settings == {name: parameter.default for name, parameter in parameters.items()}
    assert [name for name in entry.settings if name != "seed" and name not in text] == []
    assert differing_parts(environments.make(entry.name), environments.make(entry.name, **entry.settings)) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_module_is_named_like_its_function_and_its_environment(name: str) -> None:
    module = import_module(f"goalward.environments.{name.replace('-', '_')}")
    assert module.__doc__
    assert isinstance(getattr(module, name.replace("-", "_"))(), SSP)


@pytest.mark.parametrize(
    ("wrong", "hint"),
    [
        ("papergrid", "; did you mean 'paper-grid' or 'sandy-grid' or 'layered'?"),
        ("river_swim", "; did you mean 'river-swim'?"),
        ("two-states", "; did you mean 'two-state'?"),
        ("deadend", "; did you mean 'dead-end-grid'?"),
        ("_grid", "; did you mean 'sandy-grid' or 'paper-grid'?"),
        ("__init__", ""),
        ("chess", ""),
        ("", ""),
    ],
)
def test_names_that_are_in_no_catalogue(wrong: str, hint: str) -> None:
    with pytest.raises(SettingError) as caught:
        environments.make(wrong)
    assert (caught.value.name, caught.value.value) == ("environment", wrong)
    assert caught.value.expected == f"one of {', '.join(NAMES)}{hint}"


@pytest.mark.parametrize(
    ("name", "wrong", "expected"),
    [
        ("paper-grid", "costs", "one of beta, cost, walls; did you mean 'cost'?"),
        ("corridor", "lenght", "one of falls, length, success; did you mean 'length'?"),
        ("garnet", "n", "one of actions, branching, c_max, c_min, reachable, seed, states"),
        ("cost-offset", "seed", "one of eta"),
    ],
)
def test_settings_that_are_in_no_catalogue(name: str, wrong: str, expected: str) -> None:
    with pytest.raises(SettingError) as caught:
        environments.make(name, **{wrong: 1})
    assert (caught.value.name, caught.value.value, caught.value.expected) == (f"setting of {name}", wrong, expected)


def test_all_that_are_drawn_have_a_seed() -> None:
    assert DRAWN == ["garnet", "layered", "random", "sandy-grid"]


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("seed", [0, 7, 2**63, np.int64(7)])
def test_a_seed_gives_the_same_bits(name: str, seed: int) -> None:
    """Whatever is drawn in between, and however the global generator stands."""
    first = environments.make(name, seed=seed)
    np.random.default_rng(seed).random(10)
    environments.make(name, seed=seed + 1)
    assert differing_parts(first, environments.make(name, seed=int(seed))) == []
    assert differing_parts(first, environments.make(name, seed=int(seed) + 1)) != []
