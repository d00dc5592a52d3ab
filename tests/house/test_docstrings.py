"""What the docstrings show is what happens, and everything public has one."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from typing import NamedTuple

import pytest

import goalward as gw
from goalward import environments
from tests.house.sources import Module, modules

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def public_things() -> list[object]:
    named = [getattr(home, name) for home in (gw, environments) for name in home.__all__]
    return [thing for thing in named if inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing)]


def described(thing: object) -> bool:
    """Python itself writes a docstring for a dataclass or a NamedTuple that has none: its signature."""
    text = thing.__doc__ or ""
    return bool(text.strip()) and not (inspect.isclass(thing) and text.startswith(f"{thing.__name__}("))


@pytest.mark.parametrize("module", [pytest.param(module, id=module.name) for module in modules() if ">>> " in module.text])
def test_examples_in_docstrings(module: Module) -> None:
    result = doctest.testmod(import_module(module.name), optionflags=FLAGS)
    assert result.attempted > 0
    assert result.failed == 0


def test_every_module_has_a_docstring() -> None:
    assert [module.name for module in modules() if not (import_module(module.name).__doc__ or "").strip()] == []


def test_everything_public_has_a_docstring() -> None:
    assert [thing for thing in public_things() if not described(thing)] == []


class Bare(NamedTuple):
    size: int


def test_a_signature_is_no_docstring() -> None:
    assert Bare.__doc__
    assert not described(Bare)
