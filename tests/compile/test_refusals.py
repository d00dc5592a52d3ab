"""What compiled code cannot use is refused, in words, as soon as it can be seen."""

from __future__ import annotations

from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from goalward import GoalwardError
from goalward._compile import ComponentError, compiled, component


@component
class Urn(NamedTuple):
    """A component as it should be."""

    balls_i: NDArray[np.float64]
    size: int

    def take(self, i: int, many: int = 1) -> float:
        return float(self.balls_i[i] * many)


def new_urn() -> Urn:
    return Urn(np.arange(3.0), 3)


def test_a_function_inside_a_function() -> None:
    def inner(x: int) -> int:
        return x

    with pytest.raises(ComponentError, match=r"component test_a_function_inside_a_function\.<locals>\.inner: define it at module level"):
        component(inner)


@pytest.mark.parametrize("thing", [3, [], len])
def test_what_is_neither_a_function_nor_a_class(thing: Any) -> None:
    with pytest.raises(ComponentError, match="expected a function or a NamedTuple class"):
        component(thing)


def test_a_class_that_is_no_named_tuple() -> None:
    class Plain:
        pass

    with pytest.raises(ComponentError, match=r"Plain: expected a NamedTuple class"):
        component(Plain)


def measured(box: Any, x: float) -> float:
    return float(box.measure_here(x))


def test_a_class_that_is_written_anew_replaces_itself() -> None:
    """As in a notebook, where a cell is run again: other parameters, other code."""

    def cell(text: str) -> Any:
        scope: dict[str, Any] = {"__name__": "notebook", "NamedTuple": NamedTuple, "component": component}
        exec("@component\nclass Box(NamedTuple):\n    size: float\n" + text, scope)
        return scope["Box"]

    first = cell("    def measure_here(self, x): return self.size + x\n")(2.0)
    assert compiled(measured, first, 0.0)(first, 5.0) == 7.0
    second = cell("    def measure_here(self, x, more=1.0): return self.size * x + more\n")(2.0)
    assert compiled(measured, second, 0.0)(second, 5.0) == 11.0


def returns_component(urn: Urn) -> Urn:
    return urn


def returns_field(urn: Urn) -> NDArray[np.float64]:
    return urn.balls_i


def returns_field_in_tuple(urn: Urn) -> tuple[int, NDArray[np.float64]]:
    return urn.size, urn.balls_i


@pytest.mark.parametrize("function", [returns_component, returns_field, returns_field_in_tuple])
def test_an_entry_point_that_returns_what_is_the_callers(function: FunctionType) -> None:
    with pytest.raises(ComponentError, match=r"may not return .* it belongs to the caller; return a copy"):
        compiled(function, new_urn())


def returns_copy(urn: Urn) -> NDArray[np.float64]:
    return urn.balls_i.copy()


def test_a_copy_may_be_returned() -> None:
    urn = new_urn()
    assert compiled(returns_copy, urn)(urn).tolist() == [0.0, 1.0, 2.0]


def calls_what_is_not_there(urn: Any) -> Any:
    return urn.nothing_of_the_kind()


def builds_a_component(urn: Urn) -> float:
    return Urn(urn.balls_i, 2).take(0)


URN = new_urn()


def takes_a_global_component(urn: Urn) -> float:
    return urn.take(0) + URN.take(1)


def changes_a_field(urn: Any) -> float:
    urn.size = 3
    return float(urn.size)


def keeps_a_component(urn: Any) -> float:
    urn.balls_i[0] = urn
    return float(urn.balls_i[0])


@pytest.mark.parametrize("function", [calls_what_is_not_there, builds_a_component, takes_a_global_component, changes_a_field, keeps_a_component])
def test_what_numba_cannot_compile(function: FunctionType) -> None:
    with pytest.raises(ComponentError, match=rf"{function.__name__} cannot be compiled; run it with NUMBA_DISABLE_JIT=1") as caught:
        compiled(function, new_urn())
    assert caught.value.__cause__ is not None


@component
def factorial(n: int) -> int:
    return n * factorial(n - 1) if n > 1 else 1


@component
def is_even(n: int) -> bool:
    return n == 0 or is_odd(n - 1)


@component
def is_odd(n: int) -> bool:
    return n != 0 and is_even(n - 1)


def calls_itself(n: int) -> int:
    return factorial(n)


def calls_each_other(n: int) -> bool:
    return is_even(n)


@pytest.mark.parametrize(("function", "name"), [(calls_itself, "factorial"), (calls_each_other, "is_even")])
def test_functions_that_call_themselves(function: FunctionType, name: str) -> None:
    with pytest.raises(ComponentError, match=rf"{name} calls itself, directly or through others; write a loop"):
        compiled(function, 3)


@component
class Bag(NamedTuple):
    """Holds anything."""

    inside: Any


def look_into(bag: Bag) -> int:
    return 1


@pytest.mark.parametrize("thing", [[1, 2], {1, 2}, {1: 2}, object(), factorial], ids=lambda thing: type(thing).__name__)
def test_fields_that_compiled_code_cannot_use(thing: Any) -> None:
    """A list could be read, but what is added to it would be lost; a function would be known by its address."""
    for argument in (Bag(thing), Bag((1, thing)), Bag(Bag(thing))):
        with pytest.raises(ComponentError, match=rf"cannot use a {type(thing).__name__}"):
            compiled(look_into, argument)


def test_the_refusals_are_of_the_family() -> None:
    assert issubclass(ComponentError, GoalwardError)
    assert issubclass(ComponentError, TypeError)
