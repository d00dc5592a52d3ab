"""The public surface: names, version, types, errors."""

from __future__ import annotations

import pickle
from importlib.metadata import version
from importlib.resources import files
from types import ModuleType

import numpy as np
import pytest

import goalward as gw
from goalward import _compile, errors

PROBLEMS = [f"problem {i}" for i in range(12)]
EXAMPLES = [
    errors.GoalwardError("something is wrong"),
    errors.ModelError(PROBLEMS),
    errors.ModelError(["state 3 has no action"]),
    errors.ModelError(["one of them"], 7),
    errors.SettingError("beta", 2.0, "a number in (0, 1]"),
    errors.SettingError("policy", np.arange(3), "numbers"),
    errors.unknown_name("environment", "paper-gird", ["paper-grid", "corridor"]),
    errors.FileError("model.npz: no such file"),
    errors.AlgorithmError("Mine: act() chose an action that the state does not have"),
    errors.MissingPackageError("to_pandas: pandas is not installed"),
    errors.BudgetError("max_sweeps = 1 sweeps are used up"),
    _compile.ComponentError("component f: expected a function or a NamedTuple class"),
]


@pytest.mark.parametrize("name", gw.__all__)
def test_public_names_are_there(name: str) -> None:
    thing = getattr(gw, name)
    assert name in dir(gw)
    assert isinstance(thing, ModuleType | int) or thing.__name__ == name


def test_unknown_names_are_not() -> None:
    with pytest.raises(AttributeError, match="module 'goalward' has no attribute 'sovle'"):
        _ = gw.sovle  # type: ignore[attr-defined]  # that is the point


def test_star_import() -> None:
    scope: dict[str, object] = {}
    exec("from goalward import *", scope)
    assert scope.keys() - {"__builtins__"} == set(gw.__all__)


def test_version() -> None:
    assert gw.__version__ == version("goalward")


def test_types_are_announced() -> None:
    assert (files("goalward") / "py.typed").is_file()


def family(error: type[Exception]) -> set[type[Exception]]:
    return {error}.union(*map(family, error.__subclasses__()))


def test_each_error_has_an_example() -> None:
    ours = {error for error in family(errors.GoalwardError) if error.__module__.startswith("goalward.")}
    assert ours == {type(example) for example in EXAMPLES}
    assert {name for name in vars(errors) if name.endswith("Error")} <= set(gw.__all__)


@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_errors_survive_pickling(example: errors.GoalwardError) -> None:
    again = pickle.loads(pickle.dumps(example))
    assert type(again) is type(example)
    assert str(again) == str(example)
    assert again.args == example.args
    assert repr(vars(again)) == repr(vars(example))


def test_a_budget_error_keeps_its_solution() -> None:
    with pytest.raises(gw.BudgetError) as caught:
        gw.solve(gw.environments.make("corridor"), method="value-iteration", max_sweeps=1)
    solution, again = caught.value.solution, pickle.loads(pickle.dumps(caught.value)).solution
    assert solution is not None
    assert again.lower.tolist() == solution.lower.tolist()
