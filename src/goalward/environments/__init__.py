"""The catalogue of environments.

Each public module of this folder is an environment: its name with dashes is the environment's, its function of the same name returns the `SSP`, the function's
keyword arguments are the settings, and the docstring draws it and states its known optimum. To add one, add a file.

>>> import goalward as gw
>>> gw.environments.make("paper-grid", cost="sand-pit", beta=0.1)
SSP(12 states, goal (0,3), start (2,0); 44 state-action pairs, 134 transitions; costs 0.1 to 1)
"""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from goalward.errors import unknown_name
from goalward.models.ssp import SSP

__all__ = ["Entry", "catalogue", "make"]


class Entry(NamedTuple):
    """An environment that `make` can make."""

    name: str
    summary: str  # the first line of the docstring
    settings: dict[str, Any]  # name -> default
    function: Callable[..., SSP]


def make(name: str, /, **settings: Any) -> SSP:
    """The environment `name` with `settings`; those not given have their defaults."""
    function = _function(name)
    known = inspect.signature(function).parameters
    for setting in settings:
        if setting not in known:
            raise unknown_name(f"setting of {name}", setting, known)
    return function(**settings)


def catalogue() -> tuple[Entry, ...]:
    """All environments, by name."""
    return tuple(_entry(name) for name in sorted(_modules()))


def _entry(name: str) -> Entry:
    function = _function(name)
    settings = {setting: parameter.default for setting, parameter in inspect.signature(function).parameters.items()}
    return Entry(name, (inspect.getdoc(function) or "").partition("\n")[0], settings, function)


def _function(name: str) -> Callable[..., SSP]:
    modules = _modules()
    if name not in modules:
        raise unknown_name("environment", str(name), modules)
    function: Callable[..., SSP] = getattr(import_module(f"{__name__}.{modules[name]}"), modules[name])
    return function


def _modules() -> dict[str, str]:
    """Name of the environment -> name of the module; nothing is imported before it is asked for."""
    return {module.name.replace("_", "-"): module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_")}
