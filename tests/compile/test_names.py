"""Components need not agree on names: a method of one may have other parameters in another, or be a field there."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from goalward._compile import ComponentError, compiled, component


@component
class Jar(NamedTuple):
    marbles: NDArray[np.float64]

    def take(self, i: int, many: float = 1.0) -> float:
        return float(many * self.marbles[i])

    def weight(self) -> float:
        return float(self.marbles[0] + self.marbles[1])


@component
class Shelf(NamedTuple):
    jar: Jar
    weight: float  # a method of a jar

    def take(self, first: int, second: int) -> float:
        return self.jar.take(first) + self.jar.take(second, many=2.0) + self.weight

    def marbles(self) -> float:  # a field of a jar
        return float(self.jar.weight() - self.jar.marbles[0])


def look(shelf: Shelf, i: int) -> float:
    return shelf.take(i, 1) * shelf.marbles() + shelf.jar.weight()


def new_shelf() -> Shelf:
    return Shelf(Jar(np.array([0.1, 0.7])), 0.3)


@pytest.mark.parametrize("i", [0, 1])
def test_one_name_in_two_components(i: int) -> None:
    shelf = new_shelf()
    assert compiled(look, shelf, 0)(shelf, i) == look(shelf, i)


def too_many(jar: Jar) -> float:
    return jar.take(0, 1.0, 2.0)  # type: ignore[call-arg]  # that is the point


def unknown_name(jar: Jar) -> float:
    return jar.take(0, much=2.0)  # type: ignore[call-arg]  # that is the point


@pytest.mark.parametrize("function", [too_many, unknown_name])
def test_each_has_its_own_parameters(function: object) -> None:
    with pytest.raises(ComponentError, match="cannot be compiled"):
        compiled(function, Jar(np.zeros(2)))  # type: ignore[arg-type]
