"""Is this a model? Every question that can be asked of the arrays, asked of all of them at once.

Each function adds to `problems` a sentence for whatever it finds: the row, the value, and what was expected.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, isfinite, nan
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import SHOWN, ModelError, SettingError

ROW_SUM_TOLERANCE = 1e-9
MOST = 2**31 - 2  # states, or pairs: what 32-bit indices can tell apart
MOST_ACTION = 2**31 - 3  # one more is the number of the reset action that may be added


class Problems:
    """Sentences on what is wrong with a model, kind by kind."""

    def __init__(self, state_name: Callable[[int], str], action_name: Callable[[int], str]) -> None:
        self.state_name, self.action_name = state_name, action_name
        self.kinds: list[tuple[list[str], int]] = []  # the first sentences of each kind, and how many there would be

    def add(self, sentence: str) -> None:
        self.kinds.append(([sentence], 1))

    def add_each(self, where: NDArray[np.integer], sentence: Callable[[int], str], count: int | None = None) -> None:
        """A sentence for each place, of which there are `count`, all of one kind."""
        if len(where):
            self.kinds.append(([sentence(int(i)) for i in where[:SHOWN]], len(where) if count is None else count))

    def pair(self, s: int, a: int) -> str:
        return f"state {self.state_name(s)}, action {self.action_name(a)}"

    def raise_if_any(self) -> None:
        """The first of each kind are told before the second of any."""
        turns = sorted((turn, kind) for kind, (sentences, _) in enumerate(self.kinds) for turn in range(len(sentences)))
        told = sorted((kind, turn) for turn, kind in turns[:SHOWN])
        if told:
            raise ModelError([self.kinds[kind][0][turn] for kind, turn in told], sum(count for _, count in self.kinds))


def check_size(states: int, pairs: int, problems: Problems) -> None:
    for count, what in ((states, "states"), (pairs, "state-action pairs")):
        if count > MOST:
            problems.add(f"{count} {what}: expected at most {MOST}, for their numbers have 32 bits")


def check_costs(cost: NDArray[np.float64], name: Callable[[int], str], problems: Problems) -> None:
    """`name(i)` says whose cost cost[i] is."""
    wrong = np.flatnonzero(~(np.isfinite(cost) & (cost >= 0.0)))
    problems.add_each(wrong, lambda i: f"{name(i)}: cost {cost[i]}, expected a finite number that is not negative")


def check_entries(
    next_state: NDArray[np.integer], probability: NDArray[np.float64], states: int, name: Callable[[int], str], problems: Problems
) -> NDArray[np.bool_]:
    """Which entries have a wrong probability; `name(i)` says whose entry i is. What rounding adds to a 1 is left to the check of the sum."""
    outside = np.flatnonzero((next_state < 0) | (next_state >= states))
    problems.add_each(outside, lambda i: f"{name(i)}: leads to state {next_state[i]}, expected one from 0 to {states - 1}")
    wrong = ~((probability >= 0.0) & (probability <= 1.0 + ROW_SUM_TOLERANCE))
    problems.add_each(
        np.flatnonzero(wrong), lambda i: f"{name(i)}: probability {probability[i]} of state {problems.state_name(next_state[i])}, expected one in [0, 1]"
    )
    return wrong


def check_sums(row_ptr: NDArray[np.int64], probability: NDArray[np.float64], wrong: NDArray[np.bool_], name: Callable[[int], str], problems: Problems) -> None:
    """`name(x)` says which pair x is; rows with a wrong entry have been complained of."""
    total = row_sums(row_ptr, np.where(wrong, 0.0, probability) if wrong.any() else probability)
    off = abs(total - 1.0) > ROW_SUM_TOLERANCE
    off[np.searchsorted(row_ptr, np.flatnonzero(wrong), side="right") - 1] = False
    problems.add_each(np.flatnonzero(off), lambda x: f"{name(x)}: the probabilities sum to {total[x]:.12g}, expected 1")


def row_sums(row_ptr: NDArray[np.int64], probability: NDArray[np.float64]) -> NDArray[np.float64]:
    totals = np.zeros(len(row_ptr) - 1)
    filled = np.diff(row_ptr) > 0
    if filled.any():
        totals[filled] = np.add.reduceat(probability, row_ptr[:-1][filled])
    return totals


def normalised(probability: NDArray[np.float64], row_ptr: NDArray[np.int64]) -> NDArray[np.float64]:
    """Rows whose sum is off by more than rounding are divided by it; doing that again would change nothing. No entry stays above 1."""
    total = row_sums(row_ptr, probability)
    size = np.diff(row_ptr)
    off = abs(total - 1.0) > size * np.finfo(float).eps
    divided = probability / np.repeat(np.where(off, total, 1.0), size) if off.any() else probability
    return np.minimum(divided, 1.0) if divided.max(initial=0.0) > 1.0 else divided


def floats(name: str, given: ArrayLike) -> NDArray[np.float64]:
    """A copy of `given` as an array of numbers."""
    try:
        array = np.asarray(given)
        if array.dtype.kind in "biufO":
            return np.array(array, dtype=float)
    except (TypeError, ValueError, OverflowError) as reason:
        raise ModelError([f"{name}: expected numbers, all rows of one length ({reason})"]) from reason
    raise ModelError([f"{name}: expected numbers, not {array.dtype}"])


def integers(name: str, given: ArrayLike) -> NDArray[np.integer]:
    """`given` as a one-dimensional array of whole numbers; not a copy."""
    try:
        array = np.asarray(given)
    except ValueError as reason:
        raise ModelError([f"{name}: expected whole numbers in one dimension ({reason})"]) from reason
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise ModelError([f"{name}: expected whole numbers in one dimension, not {array.dtype} of shape {array.shape}"])
    return array if array.size else array.astype(np.int64)


def number(name: str, value: Any, expected: str, holds: Callable[[float], bool]) -> float:
    """`value` as a finite number for which `holds`; `expected` says that in words."""
    try:
        given = float(value) if isinstance(value, Real) and not isinstance(value, bool) else nan
    except OverflowError:
        given = inf
    if not (isfinite(given) and holds(given)):
        raise SettingError(name, value, f"a finite number {expected}")
    return given
