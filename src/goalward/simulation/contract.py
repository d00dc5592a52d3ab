"""What an algorithm has to be, said in words where it is not; and how one is made.

An algorithm is a component (`gw.component`): a NamedTuple class with a class method `create(signature, rng, **settings)` and the methods `act(s)` and
`observe(s, a, cost, s_next)`. It may have `interrupt(s)`, which says that the attempt ended in s without the goal; a record field `now`, whose fields become
columns of the result, one value an episode; and, called from Python only, `policy()`, `value()` and `snapshot()`. If `create` has a parameter `episodes`, it
is told how many there will be.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from goalward._compile import is_marked
from goalward.errors import SettingError, unknown_name
from goalward.learning.algorithms import entry, is_algorithm, settings_of
from goalward.learning.growth import is_component
from goalward.models.signature import Signature
from goalward.simulation.runs import Runs

TAKEN = ("run", "episode", *(name for name in (*Runs.__dataclass_fields__, *dir(Runs)) if not name.startswith("_")))  # what a result has in any case


class Recipe(NamedTuple):
    """An algorithm and its settings, all of them."""

    name: str
    algorithm: Any
    settings: dict[str, Any]
    given: dict[str, Any]  # parameters of `create` that are no settings

    @classmethod
    def of(cls, algorithm: Any, settings: dict[str, Any], episodes: int | None) -> Recipe:
        """`algorithm` is a name of the catalogue, or a class."""
        name, made = (algorithm, entry(algorithm).algorithm) if isinstance(algorithm, str) else (getattr(algorithm, "__name__", ""), algorithm)
        if not (is_algorithm(made) and is_marked(made) and hasattr(made, "create")):
            expected = "a name (goalward list algorithms), or a NamedTuple class marked @gw.component with create, act and observe"
            raise SettingError("algorithm", algorithm, expected)
        if any(parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) for parameter in inspect.signature(made.create).parameters.values()):
            raise SettingError(f"{name}.create", made.create, "its settings one by one, by name and with defaults, not *args or **settings")
        known = settings_of(made)
        for setting in settings:
            if setting not in known:
                raise unknown_name(f"setting of {name}", setting, known)
        missing = [setting for setting, default in (known | settings).items() if default is inspect.Parameter.empty]
        if missing:
            raise SettingError(f"{missing[0]} of {name}", None, "a value: the setting has no default")
        return cls(name, made, known | settings, _supplied(name, made, episodes))

    def create(self, signature: Signature, rng: np.random.Generator) -> Any:
        """The algorithm before its first step."""
        made = self.algorithm.create(signature, rng, **self.given, **self.settings)
        if not (is_component(made) and is_algorithm(type(made))):
            raise SettingError(f"{self.name}.create(...)", made, "an instance of a component with act and observe")
        _check_told(self.name, getattr(made, "now", None))
        return made


def _supplied(name: str, algorithm: Any, episodes: int | None) -> dict[str, Any]:
    if "episodes" not in inspect.signature(algorithm.create).parameters:
        return {}
    if episodes is None:
        raise SettingError("episodes", None, f"the number of episodes there will be: {name} has to know it")
    return {"episodes": episodes}


def _check_told(name: str, now: Any) -> None:
    """The record of an episode holds numbers, under names that are free."""
    if now is None:
        return
    names = names_of(now) if isinstance(now, np.record) else ()
    if not (names and all(now.dtype[part].kind in "biuf" for part in names)):  # an array within a record is of kind V
        raise SettingError(f"now of {name}", now, "a record of numbers: np.rec.array(np.zeros(1, dtype))[0]")
    _check_free(f"now of {name}", names, TAKEN)


def names_of(now: Any) -> tuple[str, ...]:
    """The columns that a record becomes."""
    return now.dtype.names or ()


def check_probes(made: Any, probes: Iterable[str]) -> None:
    """Probes name methods, and their columns hide no others."""
    for probe in probes:
        method = getattr(type(made), probe, None) if isinstance(probe, str) else None
        if not (inspect.isfunction(method) and len(inspect.signature(method).parameters) == 2):
            raise SettingError("record.probes", probe, f"a method of {type(made).__name__}, of one argument, the state")
    _check_free("record.probes", probes, (*TAKEN, *(names_of(made.now) if hasattr(made, "now") else ())))


def _check_free(kind: str, names: Iterable[str], taken: Iterable[str]) -> None:
    for name in names:
        if name in taken:
            raise SettingError(kind, name, "a name that no other column has")
