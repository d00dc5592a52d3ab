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


def test_a_method_whose_name_has_other_parameters_elsewhere() -> None:
    with pytest.raises(ComponentError, match=r"Jar\.take\(self, number\): .*\.Urn has take\(self, i, many=1\); use its parameters or another name"):

        @component
        class Jar(NamedTuple):
            size: int

            def take(self, number: int) -> int:
                return number


def test_a_field_with_the_name_of_a_method() -> None:
    with pytest.raises(ComponentError, match=r"Jar\.take: the name is a field of one component and a method of another, .*\.Urn"):

        @component
        class Jar(NamedTuple):
            take: int


def test_a_method_with_the_name_of_a_field() -> None:
    with pytest.raises(ComponentError, match=r"Jar\.balls_i: the name is a field"):

        @component
        class Jar(NamedTuple):
            size: int

            def balls_i(self) -> int:
                return self.size


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


@pytest.mark.parametrize("function", [calls_what_is_not_there, builds_a_component])
def test_what_numba_cannot_compile(function: FunctionType) -> None:
    with pytest.raises(ComponentError, match=rf"{function.__name__} cannot be compiled; run it with NUMBA_DISABLE_JIT=1") as caught:
        compiled(function, new_urn())
    assert caught.value.__cause__ is not None


def test_the_refusals_are_of_the_family() -> None:
    assert issubclass(ComponentError, GoalwardError)
    assert issubclass(ComponentError, TypeError)
