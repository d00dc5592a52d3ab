"""Fields of all kinds: the same results and the same bits left behind, interpreted and compiled, and no reference leaked or lost."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from goalward._compile import compiled, component
from tests.compile.test_bits import leaves

Clock = np.dtype([("step", np.int64), ("last", np.float64)])
FIRST_TWO = slice(0, 2)


@component
class Doubling(NamedTuple):
    """No fields: what it does is all that it is."""

    def multiplied(self, x: float) -> float:
        return 2 * x


@component
class Tripling(NamedTuple):
    """Another one."""

    def multiplied(self, x: float) -> float:
        return 3 * x


@component
class Box(NamedTuple):
    """Holds anything."""

    content: Any
    label: Any = 0


def both(function: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> Any:
    """The result, after a comparison of all that is left behind."""
    plain, fast = make(), make()
    expected, found = function(*plain), compiled(function, *fast)(*fast)
    assert found == expected or (np.isnan(found) and np.isnan(expected))
    assert type(found) in (type(expected), *type(expected).__mro__)  # float for np.float64
    assert list(leaves(plain)) == list(leaves(fast))
    return found


def use_empty(method: Any, x: float) -> float:
    return float(method.multiplied(x))


def use_nested_empty(box: Box, x: float) -> float:
    return float(box.content.multiplied(x) + box.label.multiplied(box.content.multiplied(x)))


def test_a_component_without_fields() -> None:
    assert both(use_empty, lambda: (Doubling(), 1.5)) == 3.0
    assert both(use_empty, lambda: (Tripling(), 1.5)) == 4.5
    assert both(use_nested_empty, lambda: (Box(Doubling(), Tripling()), 1.5)) == 12.0


def sum_cube(box: Box) -> float:
    total = 0.0
    for i in range(len(box.content)):
        for row_j in box.content[i]:
            for x in row_j:
                total += x
        total -= box.content[i, 1, 0] * box.content.shape[2]
    return total


@pytest.mark.parametrize(
    "make",
    [
        lambda: np.arange(24.0).reshape(2, 3, 4),
        lambda: np.arange(24.0).reshape(2, 3, 4)[:, ::-1, ::2],
        lambda: np.arange(24.0).reshape(4, 3, 2).T,
        lambda: np.arange(24, dtype=np.uint8).reshape(2, 3, 4),
        lambda: np.broadcast_to(np.arange(3.0)[:, None], (2, 3, 2)),
    ],
)
def test_arrays_with_three_axes(make: Callable[[], NDArray[Any]]) -> None:
    both(sum_cube, lambda: (Box(make()),))


def write_slices(box: Box, i: int) -> float:
    box.content[1, :, i] = 7.0
    box.content[0][1:, 0] += 1
    view_jk = box.content[i, i:]
    for k in range(view_jk.shape[1]):
        view_jk[0, k] -= 0.5
    return float(view_jk[0, 0] + box.content[box.label][0, 0, 0] + box.content.size)


def test_slices_views_and_slices_as_fields() -> None:
    both(write_slices, lambda: (Box(np.arange(24.0).reshape(2, 3, 4), FIRST_TWO), 1))


def flip(box: Box, i: int) -> int:
    box.content[i] = not box.content[i]
    box.label[i] = box.label[i] // 2 + 100
    count = 0
    for flag in box.content:
        if flag:
            count += 1
    for byte in box.label:
        count += int(byte)
    return count


def test_bools_and_bytes() -> None:
    assert both(flip, lambda: (Box(np.array([True, False, True]), np.array([1, 255, 3], np.uint8)), 1)) == 3 + 1 + 227 + 3


def use_tuples(box: Box, i: int) -> float:
    (first, second), inner = box.content
    total = first * second + inner[0][i] + box.content[1][1][0]
    for x in box.label:
        total += x[i]
    box.label[0][i] += box.label[i][i]
    return float(total)


def test_tuples_of_numbers_and_of_arrays() -> None:
    both(use_tuples, lambda: (Box(((2, 3.5), (np.arange(3.0), np.arange(3))), (np.ones(2), np.arange(2.0))), 1))


def use_parts(box: Box, x: float) -> float:
    total = 0.0
    for part in box.content:
        total += part.content[0]
        part.content[0] += x
    return total


def test_a_tuple_of_components() -> None:
    shared = np.zeros(1)
    both(use_parts, lambda: (Box((Box(np.ones(1)), Box(np.full(1, 2.0)))), 0.5))
    compiled(use_parts, Box((Box(shared), Box(shared))), 0.0)(Box((Box(shared), Box(shared))), 0.25)
    assert shared[0] == 0.5


def log(box: Box, k: int) -> float:
    box.label.step += k
    box.label.last = box.label.step / 4
    box.content[k] = box.label
    box.content[k]["step"] += 1
    return float(box.content[k]["last"] + box.content[k]["step"] + box.label.step)


def test_a_record_put_into_an_array_of_records() -> None:
    """As it is then: what the record becomes later is not in the array."""
    assert both(log, lambda: (Box(np.zeros(3, Clock), np.rec.array([(1, 0.0)], Clock)[0]), 2)) == 0.75 + 4 + 3


def scale(box: Box, x: Any) -> Any:
    return box.content * x + box.label


@pytest.mark.parametrize("number", [True, 3, 0.1, np.float64(0.1), np.int64(3), np.bool_(True), np.int32(3), np.uint8(200), 1 + 2j])
def test_numbers_of_python_and_of_numpy(number: Any) -> None:
    """One after the other, where an entry point for one might be mistaken for that of another."""
    both(scale, lambda: (Box(number, 1.0), 2.0))
    both(scale, lambda: (Box(2.0, number), 0.3))


def greet(box: Box) -> int:
    return len(box.content) + (1 if box.label is None else 2)


def test_texts_and_nothing() -> None:
    assert both(greet, lambda: (Box("añb"),)) == 5
    assert both(greet, lambda: (Box("añb", None),)) == 4


def first_or(box: Any, values: Any, x: float) -> float:
    if values is not None:
        x += values[0]
    if box is None:
        return x
    return float(x + box.content)


def test_arguments_that_may_be_none() -> None:
    assert both(first_or, lambda: (None, None, 1.0)) == 1.0
    assert both(first_or, lambda: (None, np.array([2.0]), 1.0)) == 3.0
    assert both(first_or, lambda: (Box(4.0), None, 1.0)) == 5.0
    assert both(first_or, lambda: (Box(4), np.array([2.0]), 1.0)) == 7.0


class Pair(NamedTuple):
    """No component: Numba passes it by value."""

    values: NDArray[np.float64]
    factor: float


def use_pair(box: Box) -> float:
    return float(box.content.values[0] * box.content.factor)


HELD = {
    "a tuple of arrays": (use_tuples, lambda: Box(((2, 3.5), (np.arange(3.0), np.arange(3))), (np.ones(2), np.arange(2.0))), (1,)),
    "a tuple of components": (use_parts, lambda: Box((Box(np.ones(1)), Box(np.full(1, 2.0)))), (0.5,)),
    "records": (log, lambda: Box(np.zeros(3, Clock), np.rec.array([(1, 0.0)], Clock)[0]), (2,)),
    "a text": (greet, lambda: Box(str(2.5)), ()),
    "a tuple with names": (use_pair, lambda: Box(Pair(np.ones(2), 2.0)), ()),
    "an array of three axes": (write_slices, lambda: Box(np.arange(24.0).reshape(2, 3, 4), FIRST_TWO), (1,)),
}


def objects(value: Any) -> list[Any]:
    return [value, *(item for part in value for item in objects(part))] if isinstance(value, tuple) else [value]


@pytest.mark.parametrize("case", HELD.values(), ids=HELD)
def test_references(case: tuple[Callable[..., Any], Callable[[], Box], tuple[Any, ...]]) -> None:
    """Unchanged after many calls; and what was held is freed with the component, without harm to what lies beside it."""
    function, make, arguments = case
    box = make()
    run, held = compiled(function, box, *arguments), objects(box)
    before = [sys.getrefcount(value) for value in held]
    for _ in range(50):
        run(box, *arguments)
    assert [sys.getrefcount(value) for value in held] == before
    for _ in range(50):
        run(make(), *arguments)
    gc.collect()
    assert [np.zeros(n % 50).sum() for n in range(2000)] == [0.0] * 2000
