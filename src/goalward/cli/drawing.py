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
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np
from numpy.typing import NDArray

import goalward as gw
from goalward.cli import cells

if TYPE_CHECKING:
    from goalward.models.ssp import SSP

BOXED_ROWS = 20  # a grid of more rows is drawn one sign a cell
MAP_ROWS = 40  # of a grid of more rows a part is drawn
INDENT = "  "


class Signs(NamedTuple):
    """What a drawing is made of. The corners and crossings are those of the top, the inner and the bottom line."""

    arrows: dict[tuple[int, int], str]
    reset: str
    goal: str
    infinite: str  # as a number, and as a sign
    trap: str
    wall: str
    line: str
    side: str
    corners: tuple[str, str, str]  # left, crossing, right


UNICODE = Signs(
    {(0, 1): "→", (1, 0): "↓", (0, -1): "←", (-1, 0): "↑", (-1, 1): "↗", (1, 1): "↘", (1, -1): "↙", (-1, -1): "↖", (0, 0): "○"},
    "↺", "★", "∞", "∞", "░", "─", "│", ("┌├└", "┬┼┴", "┐┤┘"),
)  # fmt: skip
ASCII = Signs(
    {(0, 1): ">", (1, 0): "v", (0, -1): "<", (-1, 0): "^", (-1, 1): "/", (1, 1): "\\", (1, -1): "/", (-1, -1): "\\", (0, 0): "o"},
    "R", "G", "inf", "x", "#", "-", "|", ("+++", "+++", "+++"),
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


class Picture(NamedTuple):
    """A solved grid, ready to be drawn; lists with one entry a state."""

    grid: tuple[int, int]
    kinds: list[int]
    starts: list[bool]
    arrows: list[str]  # empty where the plan plays nothing
    others: dict[str, str]  # arrows that are none -> the names of the actions they stand for
    signs: Signs


def draw_grid(ssp: SSP, value: NDArray[np.float64], policy: NDArray[np.int64], width: int, signs: Signs = UNICODE) -> str:
    """The grid in lines of at most `width`, and what its signs mean. `value` and `policy` are those of a solution of `ssp`."""
    if ssp.grid is None:
        raise gw.SettingError("grid", None, "a model whose states are the cells of a grid")
    picture = _picture(ssp, value, policy, signs)
    boxes = ssp.grid[0] <= BOXED_ROWS and _boxes(picture, value, width)
    lines = boxes or _map(picture, width)
    return "\n".join(INDENT + line for line in [*lines, *_legend(picture, not boxes, width)])


def _picture(ssp: SSP, value: NDArray[np.float64], policy: NDArray[np.int64], signs: Signs) -> Picture:
    others: dict[str, str] = {}
    pair = cells.planned_pairs(ssp, policy)

    def arrow(s: int) -> str:
        if policy[s] == gw.RESET:
            return signs.reset
        if pair[s] < 0:
            return ""
        step = cells.direction(ssp, s, int(pair[s]))
        if step is not None:
            return signs.arrows[step]
        sign = cells.sign_of_action(ssp, int(policy[s]))
        others[sign] = ssp.action_name(int(policy[s]))
        return sign

    assert ssp.grid is not None
    kinds = cells.kinds_of_states(ssp, value, policy).tolist()
    starts = (ssp.start_distribution > 0).tolist()
    return Picture(ssp.grid, kinds, starts, [arrow(s) for s in range(ssp.num_states)], others, signs)


def _boxes(picture: Picture, value: NDArray[np.float64], width: int) -> list[str]:
    """The grid in boxes, with as many figures as there is room for; nothing if there is no room."""
    rows, columns = picture.grid
    room = (width - len(INDENT) - 1) // columns - len("|S> ") - len(" ")
    numbers = next((texts for texts in _numbers(value, picture.signs.infinite) if max(map(len, texts)) <= room), None)
    if numbers is None:
        return []
    inner = max(map(len, numbers)) + len("S>  ")
    texts = [_box(picture, s, numbers[s], inner) for s in range(rows * columns)]
    side = picture.signs.side
    lines = [side + side.join(texts[row * columns : (row + 1) * columns]) + side for row in range(rows)]
    rules = [_rule(picture.signs, level, inner, columns) for level in range(3)]
    return [rules[0], *(line for pair in zip(lines, [rules[1]] * (rows - 1) + [rules[2]], strict=True) for line in pair)]


def _rule(signs: Signs, level: int, inner: int, columns: int) -> str:
    left, crossing, right = (corner[level] for corner in signs.corners)
    return left + crossing.join([signs.line * inner] * columns) + right


def _box(picture: Picture, s: int, number: str, inner: int) -> str:
    kind, style = picture.kinds[s], STYLES[picture.kinds[s]]
    if kind == cells.GOAL:
        return click.style("goal".center(inner), **style)
    if kind == cells.WALL:
        return click.style(picture.signs.wall * inner, **style)
    mark = click.style("S", fg="yellow", bold=True) if picture.starts[s] else picture.signs.wall if kind == cells.OUT_OF_REACH else " "
    return mark + click.style(f"{picture.arrows[s]:1} {number.rjust(inner - 4)} ", **style)


def _numbers(value: NDArray[np.float64], infinite: str) -> Iterator[list[str]]:
    """The values to three figures of the largest, or more where small ones would vanish; then to fewer and fewer."""
    positive = value[np.isfinite(value) & (value > 0)]
    top, bottom = (math.floor(math.log10(x)) for x in ((positive.max(), positive.min()) if positive.size else (1.0, 1.0)))
    if top > 6 or top < -4:
        formats: list[Callable[[float], str]] = [lambda x: f"{x:.3g}", lambda x: f"{x:.1g}"]
    else:
        most = max(0, 2 - top, min(-bottom, 4 - top))
        formats = [lambda x, places=places: f"{x:.{places}f}" for places in range(most, max(0, -top) - 1, -1)]  # type: ignore[misc]
    for written in formats:
        yield ["0" if x == 0 else infinite if math.isinf(x) else written(x) for x in value.tolist()]


def _map(picture: Picture, width: int) -> list[str]:
    """The grid one sign a cell, with space between them if there is room."""
    rows, columns = picture.grid
    room = width - len(INDENT)
    gap = " " if 2 * columns - 1 <= room else ""
    row, column = divmod(picture.starts.index(True), columns)
    first_row, last_row = _window(rows, MAP_ROWS, row)
    first, last = _window(columns, room, column)
    lines = [gap.join(_sign(picture, r * columns + c) for c in range(first, last)) for r in range(first_row, last_row)]
    if (last_row - first_row, last - first) != (rows, columns):
        lines.append(f"rows {first_row} to {last_row - 1} of {rows}, columns {first} to {last - 1} of {columns}; the first is 0")
    return lines


def _window(count: int, most: int, centre: int) -> tuple[int, int]:
    """The `most` of `count` lines about `centre`."""
    first = min(max(0, centre - most // 2), max(0, count - most))
    return first, min(count, first + most)


def _sign(picture: Picture, s: int) -> str:
    signs, kind = picture.signs, picture.kinds[s]
    if picture.starts[s]:
        return click.style("S", fg="yellow", bold=True)
    return click.style({cells.GOAL: signs.goal, cells.WALL: signs.wall, cells.INFINITE: signs.trap}.get(kind, picture.arrows[s]), **STYLES[kind])


def _legend(picture: Picture, is_map: bool, width: int) -> list[str]:
    """What the signs mean, of those that appear."""
    signs, kinds = picture.signs, set(picture.kinds)
    entries = [
        (True, "S", "start"),
        (is_map, signs.goal, "goal"),
        (signs.reset in picture.arrows, signs.reset, "give up and pay the penalty"),
        (cells.INFINITE in kinds, signs.trap if is_map else signs.infinite, "no plan is sure to reach the goal from here"),
        (bool(kinds & {cells.WALL, cells.OUT_OF_REACH}), signs.wall, "never reached from the start"),
        *((True, sign, name) for sign, name in picture.others.items()),
    ]
    return _wrapped([f"{sign} {meaning}" for shown, sign, meaning in entries if shown], width - len(INDENT))


def _wrapped(entries: Sequence[str], width: int) -> list[str]:
    lines = [""]
    for entry in entries:
        longer = f"{lines[-1]}   {entry}" if lines[-1] else entry
        if len(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(entry)
    return lines
