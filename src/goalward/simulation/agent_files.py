"""Agents as .npz files: NumPy arrays, no pickle.

A file says which algorithm it is and with which settings, and keeps every array, record and generator. Loading creates the algorithm anew and writes these
into it; whatever never changes comes from `create`.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from goalward.errors import FileError, GoalwardError, SettingError
from goalward.models.files import check_suffix, read_npz, write_npz
from goalward.models.rows import frozen
from goalward.models.signature import Signature
from goalward.simulation.contract import Recipe
from goalward.simulation.leaves import is_changeable, leaves, restore, with_room_for
from goalward.simulation.settings_text import plain
from goalward.simulation.streams import streams

if TYPE_CHECKING:
    from goalward.simulation.agent import Agent

FORMAT = "goalward-agent-1"


def save(agent: Agent, path: str | PathLike[str]) -> None:
    check_suffix(path, ".npz")
    kept = {place: leaf for place, leaf in leaves(agent.state).items() if is_changeable(leaf)}
    generators = {place: leaf.bit_generator.state for place, leaf in kept.items() if isinstance(leaf, np.random.Generator)}
    arrays: dict[str, Any] = {f"state.{place}": np.asarray(leaf) for place, leaf in kept.items() if place not in generators}
    signature = agent.signature._asdict()
    beside = {
        "format": FORMAT,
        "algorithm": _path_of(agent.recipe),
        "settings": plain(agent.recipe.settings),
        "given": agent.recipe.given,
        "at": agent.at,
        "generators": generators,
        "signature": {name: value for name, value in signature.items() if not isinstance(value, np.ndarray)},
    }
    arrays |= {f"signature.{name}": value for name, value in signature.items() if isinstance(value, np.ndarray)}
    write_npz(path, json.dumps(beside), arrays)


def _path_of(recipe: Recipe) -> str:
    """The name of the catalogue, or module:class."""
    made = recipe.algorithm
    return recipe.name if recipe.name != made.__name__ else f"{made.__module__}:{made.__qualname__}"


def load(path: str | PathLike[str], algorithm: Any) -> Agent:
    from goalward.simulation.agent import Agent

    check_suffix(path, ".npz")
    try:
        arrays, beside = read_npz(path, FORMAT)
        known: dict[str, Any] = {name: frozen(array) for name, array in _under("signature.", arrays).items()}  # as the signature of a model is
        signature = Signature(**beside["signature"], **known)
        recipe = _recipe(beside, algorithm)
        return Agent(recipe, signature, _state(recipe, signature, beside["generators"], _under("state.", arrays)), beside["at"])
    except FileNotFoundError as reason:
        raise FileError(f"{path}: no such file") from reason
    except GoalwardError:
        raise
    except Exception as reason:  # there is no end to what NumPy, zipfile and zlib raise on damaged files
        raise FileError(f"{path}: not an agent that Agent.save wrote, or of another version of its algorithm ({reason})") from reason


def _recipe(beside: dict[str, Any], algorithm: Any) -> Recipe:
    named = _class_at(beside["algorithm"]) if algorithm is None and ":" in beside["algorithm"] else algorithm or beside["algorithm"]
    return Recipe.of(named, beside["settings"], beside["given"].get("episodes"))


def _class_at(path: str) -> Any:
    """The class of this import path."""
    module, _, qualname = path.partition(":")
    try:
        found: Any = sys.modules.get(module) or import_module(module)
        for name in qualname.split("."):
            found = getattr(found, name)
    except (ImportError, AttributeError) as reason:
        raise SettingError("algorithm", path, f"a class that can be imported; hand it over: load_agent(path, {qualname.rpartition('.')[2]})") from reason
    return found


def _state(recipe: Recipe, signature: Signature, generators: dict[str, Any], arrays: dict[str, Any]) -> Any:
    """The algorithm as it was."""
    made = recipe.create(signature, streams(0, 0)[1])
    made = with_room_for(made, {place: len(array) for place, array in arrays.items() if array.ndim})
    content = arrays | generators
    for place, leaf in leaves(made).items():
        if is_changeable(leaf):
            restore(leaf, content[place])
    return made


def _under(prefix: str, arrays: dict[str, Any]) -> dict[str, Any]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
