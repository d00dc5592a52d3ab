"""The planners that the benchmark compares, one module each.

A module has `METHODS`, its methods by name, and `prepare(model, method, scratch)`, which does what stays outside the timing (building the tool's own model from
the arrays) and returns a `Problem`. What is timed is `Problem.solve`, nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol, cast

import numpy as np
from models import Model
from numpy.typing import NDArray

TOLERANCE = 1e-6  # relative, of every tool that takes one
TOOLS = {"goalward": "peers.goalward_solve", "storm": "peers.storm", "quantecon": "peers.quantecon_iteration", "scipy": "peers.scipy_iteration"}


class Answer(NamedTuple):
    """What a planner says of a model: a number for each state, bounds where it gives any, and a remark for the table."""

    value: NDArray[np.float64]  # (S',)
    lower: NDArray[np.float64] | None = None  # (S',)
    upper: NDArray[np.float64] | None = None  # (S',)
    remark: str = ""


@dataclass(frozen=True)
class Method:
    """One way to solve a model."""

    options: str  # as the tool takes them
    sound: bool  # the tool itself claims that its answer is within the tolerance
    about: str = ""  # for the reader of the table


def nothing() -> None:
    """What `Problem.fresh` is where the tool keeps nothing between two calls."""


@dataclass(frozen=True)
class Problem:
    """A model in a tool's hands."""

    solve: Callable[[Any], Any]  # timed; takes what `fresh` made
    read: Callable[[Any], Answer]  # the result of `solve`, as arrays
    fresh: Callable[[], Any] = nothing  # before every call: an object that remembers nothing of the calls before


class Peer(Protocol):
    """What a module of this package has."""

    METHODS: Mapping[str, Method]

    def prepare(self, model: Model, method: str, scratch: Path) -> Problem: ...


def peer(tool: str) -> Peer:
    """The module of a tool. It is imported when it is used: a benchmark of two tools does not need the other two."""
    return cast(Peer, import_module(TOOLS[tool]))
