"""Drawings, compared with what they should look like. The plans are made up: what is tested is that they are drawn as they are."""

from __future__ import annotations

import inspect

import click
import numpy as np
import pytest

from goalward import RESET, SSP, environments
from goalward.cli.cells import letters
from goalward.cli.drawing import ASCII, UNICODE, Signs, draw_grid

RIGHT, DOWN, LEFT, UP = range(4)
INF = np.inf


def grid(picture: str, named: bool = True, start: list[float] | None = None) -> SSP:
    """A deterministic grid: "S" the start, "G" a goal, "#" a cell that no move enters and none leaves, "." any other."""
    lines = picture.split()
    rows, columns = len(lines), len(lines[0])
    cells = "".join(lines)
    triples = []
    for s, cell in enumerate(cells):
        for a, (down, right) in enumerate([(0, 1), (1, 0), (0, -1), (-1, 0)]):
            row, column = s // columns + down, s % columns + right
            open_way = 0 <= row < rows and 0 <= column < columns and "#" not in cell + cells[row * columns + column]
            triples.append((s, a, row * columns + column if open_way else s, 1.0, 1.0))
    goals = [s for s, cell in enumerate(cells) if cell == "G"]
    names = ("right", "down", "left", "up") if named else None
    return SSP.from_rows(triples, start=start or cells.index("S"), goal=goals, grid=(rows, columns), action_names=names)


def drawn(ssp: SSP, value: list[float], policy: list[int], width: int = 80, signs: Signs = UNICODE) -> str:
    return click.unstyle(draw_grid(ssp, np.array(value), np.array(policy), width, signs))


def picture(text: str) -> str:
    """A literal as it is written, without its own indentation, with the two columns that a drawing is indented by."""
    return "\n".join("  " + line for line in inspect.cleandoc(text).split("\n"))


TWO_ROWS = grid("..G S..")
TRAP = environments.make("dead-end-grid", size=3)
TRAP_VALUE, TRAP_PLAN = [2, 1, 0, 3, INF, 1, 4, 3, 2], [RIGHT, RIGHT, -1, UP, -1, UP, UP, RIGHT, UP]
VALUE, PLAN = [2.1099, 1.0499, 0, 3.16, 2.11, 1.05], [RIGHT, RIGHT, -1, UP, UP, UP]


def test_boxes_hold_an_arrow_and_a_value() -> None:
    assert drawn(TWO_ROWS, VALUE, PLAN) == picture("""
        ┌────────┬────────┬────────┐
        │ → 2.11 │ → 1.05 │  goal  │
        ├────────┼────────┼────────┤
        │S↑ 3.16 │ ↑ 2.11 │ ↑ 1.05 │
        └────────┴────────┴────────┘
        S start
    """)


def test_ascii_says_the_same() -> None:
    assert drawn(TWO_ROWS, VALUE, PLAN, signs=ASCII) == picture("""
        +--------+--------+--------+
        | > 2.11 | > 1.05 |  goal  |
        +--------+--------+--------+
        |S^ 3.16 | ^ 2.11 | ^ 1.05 |
        +--------+--------+--------+
        S start
    """)


def test_narrow_terminals_get_fewer_figures() -> None:
    assert drawn(TWO_ROWS, VALUE, PLAN, width=29) == picture("""
        ┌───────┬───────┬───────┐
        │ → 2.1 │ → 1.0 │  goal │
        ├───────┼───────┼───────┤
        │S↑ 3.2 │ ↑ 2.1 │ ↑ 1.1 │
        └───────┴───────┴───────┘
        S start
    """)


def test_then_a_map() -> None:
    assert drawn(TWO_ROWS, VALUE, PLAN, width=17) == picture("""
        → → ★
        S ↑ ↑
        S start
        ★ goal
    """)


def test_then_a_map_without_gaps_and_a_part_of_it() -> None:
    assert drawn(TWO_ROWS, VALUE, PLAN, width=6, signs=ASCII).split("\n")[:2] == ["  >>G", "  S^^"]
    assert drawn(TWO_ROWS, VALUE, PLAN, width=4, signs=ASCII).split("\n")[:2] == ["  >>", "  S^"]


@pytest.mark.parametrize("width", range(1, 90))
@pytest.mark.parametrize("signs", [UNICODE, ASCII])
def test_the_picture_is_never_wider_than_the_terminal(width: int, signs: Signs) -> None:
    assert max(map(len, drawn(TRAP, TRAP_VALUE, TRAP_PLAN, width, signs).split("\n"))) <= max(width, 3)


def test_walls_and_traps_are_told_apart() -> None:
    walled = grid("S#G ...")
    assert drawn(walled, [4, INF, 0, 3, 2, 1], [DOWN, -1, -1, RIGHT, RIGHT, UP]) == picture("""
        ┌────────┬────────┬────────┐
        │S↓ 4.00 │░░░░░░░░│  goal  │
        ├────────┼────────┼────────┤
        │ → 3.00 │ → 2.00 │ ↑ 1.00 │
        └────────┴────────┴────────┘
        S start   ░ never reached from the start
    """)
    assert drawn(TRAP, TRAP_VALUE, TRAP_PLAN) == picture("""
        ┌────────┬────────┬────────┐
        │ → 2.00 │ → 1.00 │  goal  │
        ├────────┼────────┼────────┤
        │ ↑ 3.00 │      ∞ │ ↑ 1.00 │
        ├────────┼────────┼────────┤
        │S↑ 4.00 │ → 3.00 │ ↑ 2.00 │
        └────────┴────────┴────────┘
        S start   ∞ no plan is sure to reach the goal from here
    """)
    assert drawn(TRAP, TRAP_VALUE, TRAP_PLAN, width=18, signs=ASCII) == picture("""
        > > G
        ^ x ^
        S > ^
        S start   G goal
        x no plan is
        sure to reach
        the goal from
        here
    """)


def test_a_plan_may_give_up() -> None:
    assert drawn(TWO_ROWS, [2, 1, 0, 2.5, 2, 1], [RIGHT, RIGHT, -1, RESET, UP, UP]) == picture("""
        ┌────────┬────────┬────────┐
        │ → 2.00 │ → 1.00 │  goal  │
        ├────────┼────────┼────────┤
        │S↺ 2.50 │ ↑ 2.00 │ ↑ 1.00 │
        └────────┴────────┴────────┘
        S start   ↺ give up and pay the penalty
    """)


def test_a_start_without_a_plan() -> None:
    assert drawn(grid("S#G"), [INF, INF, 0], [-1, -1, -1]) == picture("""
        ┌─────┬─────┬─────┐
        │S  ∞ │░░░░░│ goal│
        └─────┴─────┴─────┘
        S start   ∞ no plan is sure to reach the goal from here
        ░ never reached from the start
    """)


def test_several_starts_and_goals() -> None:
    assert drawn(grid("G..G", start=[0, 0.5, 0.5, 0]), [0, 1, 1, 0], [-1, LEFT, RIGHT, -1], signs=ASCII) == picture("""
        +--------+--------+--------+--------+
        |  goal  |S< 1.00 |S> 1.00 |  goal  |
        +--------+--------+--------+--------+
        S start
    """)


def test_actions_without_a_telling_name_are_drawn_where_they_lead() -> None:
    nameless = grid("..G S..", named=False)
    assert drawn(nameless, VALUE, PLAN) == drawn(TWO_ROWS, VALUE, PLAN)


def test_a_jump_is_a_letter_and_explained() -> None:
    rows = [(0, 0, 3, 1.0, 1.0), (0, 1, 1, 1.0, 1.0), (1, 2, 3, 1.0, 1.0), (2, 0, 3, 1.0, 1.0)]
    ssp = SSP.from_rows(rows, start=0, goal=3, grid=(1, 4), action_names=["jump", "wait", "jolt"])
    assert drawn(ssp, [1, 1, 1, 0], [0, 2, 0, -1]) == picture("""
        ┌────────┬────────┬────────┬────────┐
        │Sj 1.00 │ o 1.00 │░→ 1.00 │  goal  │
        └────────┴────────┴────────┴────────┘
        S start   ░ never reached from the start   j jump   o jolt
    """)


def test_letters_are_distinct_and_never_one_of_the_signs() -> None:
    assert letters(["push", "pull", "p", ""], taken="aul") == {"push": "p", "pull": "b", "p": "c", "": "d"}
    many = letters([f"p{i}" for i in range(100)], taken="")
    assert len(set(many.values()) - {"?"}) == 62


def test_numbers_keep_three_figures_of_the_largest_and_do_not_lose_the_small() -> None:
    row = grid("S...G")
    plan = [RIGHT] * 4 + [-1]

    def figures(*value: float, width: int = 90) -> list[str]:
        return [box.split()[-1] for box in drawn(row, [*value, 0], plan, width).split("\n")[1].split("│")[1:5]]

    assert figures(400, 300, 200, 100) == ["400", "300", "200", "100"]
    assert figures(0.4, 0.003, 0.02, 0.01) == ["0.400", "0.003", "0.020", "0.010"]
    assert figures(4.5e9, 1, 2, 0) == ["4.5e+09", "1", "2", "0"]
    assert figures(4e-7, 3e-7, 2e-7, 1e-7) == ["4e-07", "3e-07", "2e-07", "1e-07"]
    assert figures(12345, 0.5, 1, 2, width=55) == ["12345", "0", "1", "2"]


def test_a_large_grid_is_a_map_about_the_start() -> None:
    rows, columns = 60, 100
    cells = [["."] * columns for _ in range(rows)]
    cells[50][90], cells[0][0] = "S", "G"
    ssp = grid(" ".join("".join(line) for line in cells))
    value = [float(s // columns + s % columns) for s in range(rows * columns)]
    plan = [-1] + [LEFT if s % columns else UP for s in range(1, rows * columns)]
    lines = drawn(ssp, value, plan, width=42).split("\n")
    assert lines[:40] == ["  " + "←" * 40] * 30 + ["  " + "←" * 30 + "S" + "←" * 9] + ["  " + "←" * 40] * 9
    assert lines[40:] == ["  rows 20 to 59 of 60", "  columns 60 to 99 of 100", "  (counted from 0)", "  S start"]


def test_colours_tell_the_likeliest_way_from_the_rest() -> None:
    text = draw_grid(TWO_ROWS, np.array(VALUE), np.array(PLAN), 80)
    way, other = click.style("→ 2.11 ", fg="cyan", bold=True), click.style("↑ 2.11 ", dim=True)
    assert way in text
    assert other in text
    assert click.style("  goal  ", fg="green", bold=True) in text
