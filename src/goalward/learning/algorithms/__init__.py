"""The algorithms by name.

Each lies in a file of its own, which bears its name; nothing has to be registered. The algorithm of a file is the class in it that has `create`, `act` and
`observe`, and the first line of the file's docstring says what it is.
"""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from typing import Any, NamedTuple

from goalward.errors import unknown_name

SUPPLIED = ("signature", "rng", "episodes")  # parameters of `create` that are no settings


class Entry(NamedTuple):
    """An algorithm of the catalogue."""

    name: str
    summary: str  # the first line of the docstring
    settings: dict[str, Any]  # name -> default
    algorithm: Any  # the class
    document: str  # all of the docstring


def algorithms() -> tuple[Entry, ...]:
    """The catalogue, by name."""
    return tuple(entry(name) for name in sorted(_modules()))


def entry(name: str) -> Entry:
    """The algorithm called `name`."""
    modules = _modules()
    if name not in modules:
        raise unknown_name("algorithm", name, modules)
    module = import_module(f"{__name__}.{modules[name]}")
    algorithm = next(thing for thing in vars(module).values() if is_algorithm(thing) and hasattr(thing, "create") and thing.__module__ == module.__name__)
    return Entry(name, (module.__doc__ or "").partition("\n")[0], settings_of(algorithm), algorithm, module.__doc__ or "")


def is_algorithm(thing: Any) -> bool:
    """Whether it can act and learn."""
    return isinstance(thing, type) and all(callable(getattr(thing, method, None)) for method in ("act", "observe"))


def settings_of(algorithm: Any) -> dict[str, Any]:
    """What `create` can be told, with defaults."""
    parameters = inspect.signature(algorithm.create).parameters
    return {name: parameter.default for name, parameter in parameters.items() if name not in SUPPLIED}


def _modules() -> dict[str, str]:
    """Name of the algorithm -> name of the module; nothing is imported before it is asked for."""
    return {module.name.replace("_", "-"): module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")}
