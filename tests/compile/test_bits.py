"""The same text, interpreted and compiled: the same bits."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from goalward._compile import compiled, component

STEPS = 300
Clock = np.dtype([("step", np.int64), ("last", np.float64)])


@component
class Table(NamedTuple):
    """A part."""

    visits_sa: NDArray[np.int64]
    mean_sa: NDArray[np.float64]
    weights: tuple[float, float]

    def tally_up(self, s: int, a: int, x: float) -> None:
        self.visits_sa[s, a] += 1
        self.mean_sa[s, a] += (x - self.mean_sa[s, a]) / self.visits_sa[s, a]

    def blend_both(self, s: int, a: int = 0) -> float:
        return float(self.weights[0] * self.mean_sa[s, a] + self.weights[1] * smallest(self.mean_sa[s]))


@component
class Walk(NamedTuple):
    """Two parts of one kind, numbers that change, and a generator."""

    near: Table
    far: Table
    now: np.record  # Clock
    busy: bool
    rng: np.random.Generator

    def walk_once(self) -> float:
        s, a = int(self.rng.integers(0, 3)), int(self.rng.integers(0, 2))
        table = self.near if self.now.step % 3 == 0 else self.far
        table.tally_up(s, a, self.rng.standard_gamma(2.5) + self.rng.random())
        self.now.step += 1
        self.now.last = table.blend_both(s, a) if self.busy else table.blend_both(s)
        return float(self.now.last)


@component
def smallest(values: NDArray[np.float64]) -> float:
    best = values[0]
    for value in values:
        best = min(best, value)
    return float(best)


def walk_on(walk: Walk, steps: int) -> float:
    total = 0.0
    for _ in range(steps):
        total += walk.walk_once()
    return total


def new_walk(busy: bool = True) -> Walk:
    def table() -> Table:
        return Table(np.zeros((3, 2), np.int64), np.zeros((3, 2)), (0.1, 0.9))

    return Walk(table(), table(), np.rec.array([(0, 0.0)], Clock)[0], busy, np.random.default_rng(7))


def leaves(value: Any) -> Iterator[object]:
    """All that a component remembers."""
    if isinstance(value, tuple):
        for field in value:
            yield from leaves(field)
    elif isinstance(value, np.random.Generator):
        yield value.bit_generator.state
    else:
        yield np.asarray(value).tobytes()


@pytest.mark.parametrize("busy", [True, False])
def test_interpreted_and_compiled_agree_to_the_bit(busy: bool) -> None:
    plain, fast = new_walk(busy), new_walk(busy)
    assert walk_on(plain, STEPS) == compiled(walk_on, fast, 1)(fast, STEPS)
    assert list(leaves(plain)) == list(leaves(fast))
    assert plain.now.step == STEPS


def test_parts_are_held_by_reference() -> None:
    """What compiled code writes into a part is there afterwards, wherever else the part is held."""
    walk = new_walk()
    shared = walk._replace(far=walk.near)
    compiled(walk_on, shared, 1)(shared, STEPS)
    assert walk.near.visits_sa.sum() == STEPS
    assert walk.now.step == STEPS
    assert walk.far.visits_sa.sum() == 0


def note(table: Table, s: int, a: int, x: float) -> float:
    table.tally_up(s, a, x)
    return table.blend_both(s, a)


def test_arrays_of_other_layouts() -> None:
    """Views, transposes and columns are other types, with kernels of their own."""
    base = np.arange(24.0).reshape(6, 4)
    for mean in (base[::2, ::2], base[:2, :3].T, np.asfortranarray(base[:3, :2])):
        plain, fast = (Table(np.zeros((3, 2), np.int64), mean.copy(order="K"), (0.5, 0.5)) for _ in range(2))
        assert note(plain, 1, 1, 0.3) == compiled(note, fast, 0, 0, 0.0)(fast, 1, 1, 0.3)
        assert list(leaves(plain)) == list(leaves(fast))


def read(table: Table, s: int) -> float:
    return table.blend_both(s)


def test_read_only_fields_can_be_read() -> None:
    mean = np.arange(6.0).reshape(3, 2)
    mean.flags.writeable = False
    table = Table(np.zeros((3, 2), np.int64), mean, (0.25, 0.75))
    assert compiled(read, table, 0)(table, 1) == read(table, 1)


def test_no_reference_is_leaked_or_lost() -> None:
    walk = new_walk()
    held = walk.near.mean_sa, walk.near, walk.now, walk.rng
    step = compiled(walk_on, walk, 1)
    before = [sys.getrefcount(value) for value in held]
    for _ in range(50):
        step(walk, 1)
    assert [sys.getrefcount(value) for value in held] == before


def test_threads_that_compile_at_once() -> None:
    """All get the same kernel to the same result; Numba's own lock holds the compiler."""
    results: list[float] = []

    def work() -> None:
        walk = new_walk()
        results.append(compiled(walk_on, walk, 1)(walk, STEPS))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [walk_on(new_walk(), STEPS)] * 4
