"""What a fingerprint hears of besides functions and their constants: whatever else Numba builds into the code."""

from __future__ import annotations

from textwrap import dedent
from typing import Any, NamedTuple

import pytest

from goalward._compile import compiled, component, fingerprint
from tests.compile.conftest import Workshop

TEXT = """
    import enum, functools
    from typing import NamedTuple
    import numba
    import numpy as np

    class Mode(enum.IntEnum):
        SLOW = 1
        FAST = 2

    def deep(x): return x + 1
    deep_fast = numba.njit(deep)

    @numba.njit(error_model="python")
    def own(x): return deep_fast(x) * 3

    @numba.vectorize
    def each(x): return x + 10

    @numba.njit
    def left(x): return x - 20
    PAIR = own, (left, each)

    def borrowed(self, x): return x + 30
    borrowed.__module__ = "elsewhere"

    class Base(NamedTuple):
        size: float
        def inherited(self, x): return x + 40

    class Part(Base):
        def direct(self, x): return x + 50
        taken = borrowed
        @staticmethod
        def aside(x): return x + 60

    def of_mode(x): return x == Mode.FAST
    def of_own(x): return own(x)
    def of_each(x): return each(x)
    def of_pair(x): return PAIR[1][0](x)
"""
EDITS = {
    "a member of an enumeration": ("of_mode", "FAST = 2", "FAST = 3"),
    "a helper of one's own njit": ("of_own", "x) * 3", "x) * 4"),
    "what that calls": ("of_own", "return x + 1\n", "return x + 2\n"),
    "its options": ("of_own", 'error_model="python"', 'error_model="numpy"'),
    "one's own ufunc": ("of_each", "x + 10", "x + 11"),
    "a function in a tuple": ("of_pair", "x - 20", "x - 21"),
    "a function used as a method": ("Part", "x + 30", "x + 31"),
    "a method inherited": ("Part", "x + 40", "x + 41"),
    "a method": ("Part", "x + 50", "x + 51"),
    "the name of a method": ("Part", "taken =", "found ="),
}


def print_of(name: str, text: str) -> str:
    scope: dict[str, Any] = {"__name__": "scope"}
    exec(dedent(text), scope)
    return fingerprint(scope[name])


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_an_edit_is_noticed(edit: tuple[str, str, str]) -> None:
    name, old, new = edit
    assert TEXT.count(old) == 1
    assert print_of(name, TEXT.replace(old, new)) != print_of(name, TEXT)


@pytest.mark.parametrize("edit", [("Part", "x + 60", "x + 61"), ("of_own", "x - 20", "x - 21"), ("of_mode", "x + 1\n", "x + 2\n")])
def test_what_is_out_of_reach_is_not_noticed(edit: tuple[str, str, str]) -> None:
    name, old, new = edit
    assert print_of(name, TEXT.replace(old, new)) == print_of(name, TEXT)


def test_edits_of_ones_own_njit_are_compiled(workshop: Workshop) -> None:
    """In another file, and two calls deep."""
    helpers = """
        import numba
        @numba.njit
        def deep(x):
            return x + 1
        @numba.njit
        def own(x):
            return deep(x) * 3
    """
    workshop.write(helpers=helpers)
    workshop.write(user="""
        import helpers
        from goalward._compile import run
        from helpers import own
        def direct(x):
            return own(x)
        def through_module(x):
            return helpers.own(x)
        print(run(direct, 1), run(through_module, 1))
    """)  # fmt: skip
    assert workshop.says("user.py") == "6 6"
    workshop.write(helpers=helpers.replace("x + 1", "x + 2"))
    assert workshop.says("user.py") == "9 9"
    kernels = workshop.kernels()
    assert len(kernels) == 4
    workshop.write(helpers=helpers)
    assert workshop.says("user.py") == "6 6"
    assert workshop.kernels() == kernels


@component
class Tree(NamedTuple):
    height: float

    def grown_by(self, x: float) -> float:
        return self.height + x


@component
class Oak(Tree):
    """Has a method of its own besides."""

    def grown_twice(self, x: float) -> float:
        return self.grown_by(x) + x


class Palm(Tree):
    """Is not marked, and does it otherwise."""

    def grown_by(self, x: float) -> float:
        return self.height * x


def grow(tree: Tree, x: float) -> float:
    return tree.grown_by(x)


def grow_twice(oak: Oak, x: float) -> float:
    return oak.grown_twice(x)


@pytest.mark.parametrize("tree", [Tree(2.0), Oak(2.0), Palm(2.0)])
def test_a_class_made_of_another(tree: Tree) -> None:
    """Runs the methods that Python would run."""
    assert compiled(grow, tree, 0.0)(tree, 5.0) == grow(tree, 5.0)


def test_a_method_of_its_own_that_calls_an_inherited_one() -> None:
    oak = Oak(2.0)
    assert compiled(grow_twice, oak, 0.0)(oak, 5.0) == grow_twice(oak, 5.0)
