"""A plan on a grid, drawn in the terminal: where it goes from each cell, and what that will cost.

    ┌────────┬────────┬────────┐
    │ → 2.11 │ → 1.05 │  goal  │
    ├────────┼────────┼────────┤
    │S↑ 3.16 │ ↑ 2.11 │ ↑ 1.05 │
    └────────┴────────┴────────┘

A grid too large for boxes is drawn one sign a cell; if that is still too large, the part of it about the start.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

from goalward.cli import cells
from goalward.cli.printing import has_signs, printable
from goalward.models.ssp import RESET

if TYPE_CHECKING:
    from goalward.models.ssp import SSP

BOXED_ROWS = 20  # a grid of more rows is drawn one sign a cell
MAP_ROWS = 40  # of a grid of more rows a part is drawn
INDENT = "  "


class Signs(NamedTuple):
    """What a drawing is made of."""

    arrows: dict[cells.Step, str]
    start: str
    reset: str
    goal: str
    infinite: str  # as a number
    trap: str  # as a cell of a map
    wall: str
    line: str
    side: str
    corners: tuple[str, str, str]  # left, crossing, right; each of the top, an inner and the bottom line


UNICODE = Signs(
    {(0, 1): "→", (1, 0): "↓", (0, -1): "←", (-1, 0): "↑", (-1, 1): "↗", (1, 1): "↘", (1, -1): "↙", (-1, -1): "↖", (0, 0): "○"},
    "S", "↺", "★", "∞", "∞", "░", "─", "│", ("┌├└", "┬┼┴", "┐┤┘"),
)  # fmt: skip
ASCII = Signs(
    {(0, 1): ">", (1, 0): "v", (0, -1): "<", (-1, 0): "^", (-1, 1): "/", (1, 1): "\\", (1, -1): "/", (-1, -1): "\\", (0, 0): "o"},
    "S", "R", "G", "inf", "x", "#", "-", "|", ("+++", "+++", "+++"),
)  # fmt: skip

STYLES: dict[int, dict[str, Any]] = {
    cells.GOAL: {"fg": "green", "bold": True},
    cells.WALL: {"dim": True},
    cells.INFINITE: {"fg": "red"},
    cells.ON_THE_WAY: {"fg": "cyan", "bold": True},
    cells.VISITED: {},
    cells.PASSED_BY: {"dim": True},
    cells.OUT_OF_REACH: {"dim": True},
}
START: dict[str, Any] = {"fg": "yellow", "bold": True}


class View(NamedTuple):
    """The part of a grid that is drawn."""

    rows: range
    columns: range
    of: tuple[int, int]  # rows and columns of the whole grid

    def lines(self) -> list[list[int]]:
        """The states, row by row."""
        return [[row * self.of[1] + column for column in self.columns] for row in self.rows]


class Picture(NamedTuple):
    """What is drawn, of the states of a view."""

    kinds: dict[int, int]
    starts: set[int]
    arrows: dict[int, str]  # " " where the plan plays nothing
    letters: dict[str, str]  # action -> its arrow, of actions that are no direction
    signs: Signs


def signs_of_terminal() -> Signs:
    """The finest signs that stdout can print."""
    return UNICODE if has_signs("".join([*UNICODE.arrows.values(), *UNICODE[1:-1], *UNICODE.corners])) else ASCII


def draw_grid(ssp: SSP, value: NDArray[np.float64], policy: NDArray[np.int64], width: int, signs: Signs = UNICODE) -> str:
    """The grid in lines of at most `width`, and what its signs mean. `value` and `policy` are those of a solution of `ssp`, which has a grid."""
    assert ssp.grid is not None
    room = max(1, width - len(INDENT))
    rows, columns = ssp.grid
    numbers = _fitting(value, (room - 1) // columns - len("|S> ") - len(" "), signs) if rows <= BOXED_ROWS else None
    view = View(range(rows), range(columns), ssp.grid) if numbers else _part(ssp, room)
    picture = _picture(ssp, value, policy, view, signs)
    lines = _boxes(picture, view, numbers) if numbers else _map(picture, view, room)
    return "\n".join(INDENT + line for line in [*lines, *_legend(picture, numbers is None, room)])


def _picture(ssp: SSP, value: NDArray[np.float64], policy: NDArray[np.int64], view: View, signs: Signs) -> Picture:
    pair = cells.planned_pairs(ssp, policy)
    kinds = cells.kinds_of_states(ssp, value, pair)
    shown = [s for line in view.lines() for s in line]
    steps = {s: cells.direction(ssp, view.of[1], s, int(pair[s])) for s in shown if pair[s] >= 0}
    names = dict.fromkeys(ssp.action_name(int(policy[s])) for s, step in steps.items() if step is None)
    letters = cells.letters(names, {*signs.arrows.values(), *signs[1:-1]})

    def arrow(s: int) -> str:
        if s not in steps:
            return signs.reset if policy[s] == RESET else " "
        step = steps[s]
        return letters[ssp.action_name(int(policy[s]))] if step is None else signs.arrows[step]

    starts = {s for s in shown if ssp.start_distribution[s] > 0}
    return Picture({s: int(kinds[s]) for s in shown}, starts, {s: arrow(s) for s in shown}, letters, signs)


def _boxes(picture: Picture, view: View, numbers: Sequence[str]) -> list[str]:
    inner = max(map(len, numbers)) + len("S>  ")
    side = picture.signs.side
    lines = [side + side.join(_box(picture, s, numbers[s], inner) for s in line) + side for line in view.lines()]
    top, between, bottom = (_rule(picture.signs, level, inner, len(view.columns)) for level in range(3))
    rules = [between] * (len(lines) - 1) + [bottom]
    return [top, *(text for pair in zip(lines, rules, strict=True) for text in pair)]


def _rule(signs: Signs, level: int, inner: int, columns: int) -> str:
    left, crossing, right = (corner[level] for corner in signs.corners)
    return left + crossing.join([signs.line * inner] * columns) + right


def _box(picture: Picture, s: int, number: str, inner: int) -> str:
    kind, signs = picture.kinds[s], picture.signs
    if kind == cells.GOAL:
        return click.style("goal".center(inner), **STYLES[kind])
    if kind == cells.WALL:
        return click.style(signs.wall * inner, **STYLES[kind])
    mark = click.style(signs.start, **START) if s in picture.starts else signs.wall if kind == cells.OUT_OF_REACH else " "
    return mark + click.style(f"{picture.arrows[s]} {number.rjust(inner - 4)} ", **STYLES[kind])


def _fitting(value: NDArray[np.float64], room: int, signs: Signs) -> list[str] | None:
    """The values with as many figures as there is room for; None if there is no room."""
    return next((texts for texts in _numbers(value, signs.infinite) if max(map(len, texts)) <= room), None)


def _numbers(value: NDArray[np.float64], infinite: str) -> Iterator[list[str]]:
    """The values to three figures of the largest, or more where small ones would vanish; then to fewer and fewer."""
    positive = value[np.isfinite(value) & (value > 0)]
    top, bottom = (math.floor(math.log10(x)) for x in ((positive.max(), positive.min()) if positive.size else (1.0, 1.0)))
    most = max(0, 2 - top, min(-bottom, 4 - top))
    formats = [".3g", ".1g"] if top > 6 or top < -4 else [f".{places}f" for places in range(most, max(0, -top) - 1, -1)]
    for form in formats:
        yield ["0" if x == 0 else infinite if math.isinf(x) else format(x, form) for x in value.tolist()]


def _part(ssp: SSP, room: int) -> View:
    """As much of the grid as has room, one sign a cell, with the start in the middle."""
    assert ssp.grid is not None
    rows, columns = ssp.grid
    row, column = divmod(int(ssp.start_distribution.argmax()), columns)
    return View(_window(rows, MAP_ROWS, row), _window(columns, room, column), ssp.grid)


def _window(count: int, most: int, centre: int) -> range:
    """The `most` of `count` lines about `centre`."""
    first = min(max(0, centre - most // 2), max(0, count - most))
    return range(first, min(count, first + most))


def _map(picture: Picture, view: View, room: int) -> list[str]:
    """One sign a cell, with space between them if there is room."""
    gap = " " if 2 * len(view.columns) - 1 <= room else ""
    lines = [gap.join(_sign(picture, s) for s in line) for line in view.lines()]
    if (len(view.rows), len(view.columns)) != view.of:
        parts = (f"{name} {part[0]} to {part[-1]} of {count}" for name, part, count in zip(("rows", "columns"), view[:2], view.of, strict=True))
        lines += _wrapped([*parts, "(counted from 0)"], room)
    return lines


def _sign(picture: Picture, s: int) -> str:
    signs, kind = picture.signs, picture.kinds[s]
    if s in picture.starts:
        return click.style(signs.start, **START)
    return click.style({cells.GOAL: signs.goal, cells.WALL: signs.wall, cells.INFINITE: signs.trap}.get(kind, picture.arrows[s]), **STYLES[kind])


def _legend(picture: Picture, is_map: bool, room: int) -> list[str]:
    """What the signs mean, of those that appear."""
    signs, kinds = picture.signs, set(picture.kinds.values())
    entries = [
        (bool(picture.starts), signs.start, "start"),
        (is_map and cells.GOAL in kinds, signs.goal, "goal"),
        (signs.reset in picture.arrows.values(), signs.reset, "give up and pay the penalty"),
        (cells.INFINITE in kinds, signs.trap if is_map else signs.infinite, "no plan is sure to reach the goal from here"),
        (cells.WALL in kinds or (cells.OUT_OF_REACH in kinds and not is_map), signs.wall, "never reached from the start"),
        *((True, letter, printable(name)) for name, letter in picture.letters.items()),
    ]
    return _wrapped([f"{sign} {meaning}" for shown, sign, meaning in entries if shown], room)


def _wrapped(entries: Iterable[str], room: int) -> list[str]:
    """The entries in lines of at most `room`, side by side where they fit."""
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + 3 + len(entry) <= room:
            lines[-1] += "   " + entry
        else:
            lines += textwrap.wrap(entry, room)
    return lines
