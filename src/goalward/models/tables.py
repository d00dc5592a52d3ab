"""Models from tables: one row (s, a, s', p, c) a transition."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goalward.errors import SHOWN, ModelError, SettingError
from goalward.models.building import Pairs, assemble, check_idle, split
from goalward.models.checks import MOST, MOST_ACTION, Problems, check_costs, check_entries, floats
from goalward.models.frame import Frame
from goalward.models.rows import owners


def from_rows(rows: tuple[Any, ...], states: int | None, frame: Frame) -> dict[str, Any]:
    problems = frame.problems()
    if not (states is None or (isinstance(states, int | np.integer) and not isinstance(states, bool) and 0 < states <= MOST)):
        raise SettingError("states", states, f"a whole number from 1 to {MOST}, or None")
    columns = _columns(rows)
    most_state = MOST - 1 if states is None else int(states) - 1
    s, a, s_next = (
        _whole(column, name, most, problems)
        for column, name, most in zip(columns, ("state", "action", "next state"), (most_state, MOST_ACTION, most_state), strict=False)
    )
    p, c = columns[3:]
    S = 1 + max(frame.most_goal(), *(int(column.max(initial=-1)) for column in (s, s_next))) if states is None else int(states)
    goals = frame.goals(S, problems)
    if problems.kinds:  # then there is no model to put together, and the rows are looked at one by one
        check_costs(c, lambda i: f"row {i}", problems)
        check_entries(s_next, p, MOST, lambda i: f"row {i}", problems)
        problems.raise_if_any()
    if len(s) + len(goals) < S:  # hopeless, and possibly too large for the memory
        named = np.union1d(s, goals)
        check_idle(np.setdiff1d(np.arange(min(S, len(named) + SHOWN)), named), problems, S - len(named))
        problems.raise_if_any()
    keep = np.flatnonzero(~np.isin(s, goals))
    order = keep[np.lexsort((s_next[keep], a[keep], s[keep]))]
    s, a, s_next, p, c = s[order], a[order], s_next[order], p[order], c[order]
    state, action, row_ptr = split(s, a)
    _check_same_cost(c, state, action, row_ptr, problems)
    pairs = Pairs(state, action, c[row_ptr[:-1]], row_ptr, s_next, p)
    return assemble(pairs, S, goals, frame, problems, lambda i: f"row {order[i]} ({problems.pair(s[i], a[i])})")


def _columns(rows: tuple[Any, ...]) -> list[NDArray[np.float64]]:
    """s, a, s', p, c as arrays, from five columns or from one table."""
    if len(rows) == 1:
        rows = _table(rows[0])
    if len(rows) != 5:
        raise ModelError([f"rows: {len(rows)} columns, expected 5 (s, a, s', p, c)"])
    columns = [np.atleast_1d(floats(name, column)) for name, column in zip(("s", "a", "s'", "p", "c"), rows, strict=True)]
    if len({column.shape for column in columns}) != 1 or columns[0].ndim != 1:
        raise ModelError([f"rows: columns of shapes {[column.shape for column in columns]}, expected one dimension and one length"])
    return columns


def _table(table: Any) -> tuple[Any, ...]:
    if hasattr(table, "__array__"):
        return tuple(np.atleast_2d(floats("rows", table)).T)
    try:
        rows = [tuple(row) for row in table]
    except TypeError as reason:
        raise ModelError([f"rows: expected a sequence of (s, a, s', p, c) ({reason})"]) from reason
    if wrong := [f"row {i}: {len(row)} values, expected 5 (s, a, s', p, c)" for i, row in enumerate(rows) if len(row) != 5]:
        raise ModelError(wrong)
    return tuple(zip(*rows, strict=True)) if rows else ((),) * 5


def _whole(column: NDArray[np.float64], name: str, most: int, problems: Problems) -> NDArray[np.int64]:
    """`column` as whole numbers; 0 for what is none, or out of range."""
    right = (column >= 0) & (column <= most) & (column == np.floor(column))
    problems.add_each(np.flatnonzero(~right), lambda i: f"row {i}: {name} {column[i]:.17g}, expected a whole number from 0 to {most}")
    return np.where(right, column, 0.0).astype(np.int64)


def _check_same_cost(c: NDArray[np.float64], state: NDArray[np.int64], action: NDArray[np.int64], row_ptr: NDArray[np.int64], problems: Problems) -> None:
    pair = owners(row_ptr)
    first = c[row_ptr[:-1]][pair]
    differing = np.flatnonzero((c != first) & ~(np.isnan(c) & np.isnan(first)))
    differing = differing[np.unique(pair[differing], return_index=True)[1]]
    problems.add_each(differing, lambda i: f"{problems.pair(state[pair[i]], action[pair[i]])}: costs {first[i]} and {c[i]}, expected the same in all its rows")
