"""Cells of a notebook: code without a file, defined again and again in one process. What runs, and what is kept, is what the cells say now."""

from __future__ import annotations

import json

import pytest

from tests.compile.conftest import Workshop

RUNNER = """
    import json, linecache, sys

    first, *cells = json.loads(sys.argv[1])
    for number, cell in enumerate(cells, first):  # numbered as they are run, so otherwise each time
        name = f"<cell {number}>"
        linecache.cache[name] = len(cell), None, cell.splitlines(True), name
        exec(compile(cell, name, "exec"))
"""
START = """
from typing import NamedTuple
from goalward._compile import component, run
def first(x): return middle(x)
def second(x): return middle(x) + 0
def of_part(part, x): return part.stretched(x)
def of_part_again(part, x): return part.stretched(x) + 0
"""
RATE = "RATE = {}\n"
HELPER = "@component\ndef helper(x): return RATE * x\n"
MIDDLE = "@component\ndef middle(x): return helper(x) + 1\n"
PART = "@component\nclass Part(NamedTuple):\n    size: float\n    def stretched(self, x): return self.size * middle(x)\n"
USE = "part = Part(1.0); print(run(first, 2), run(of_part, part, 2))\n"
USE_ALL = "print(run(first, 2), run(second, 2), run(of_part, part, 2), run(of_part_again, part, 2))\n"
DEFINITIONS = START, RATE.format(3), HELPER, MIDDLE, PART


@pytest.fixture
def notebook(workshop: Workshop) -> Workshop:
    workshop.write(runner=RUNNER)
    return workshop


def said(notebook: Workshop, *cells: str, first: int = 1) -> list[str]:
    return notebook.says("runner.py", json.dumps([first, *cells])).splitlines()


def test_cells_are_kept(notebook: Workshop) -> None:
    assert said(notebook, *DEFINITIONS, USE) == ["7 7.0"]
    kernels = notebook.kernels()
    assert said(notebook, *DEFINITIONS, USE, first=7) == ["7 7.0"]
    assert notebook.kernels() == kernels


EDITS = {
    "a function": (RATE.format(5), HELPER),
    "a function between others": (RATE.format(5), MIDDLE),
    "a class": (RATE.format(5), PART, "part = Part(1.0)\n"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_a_cell_run_again_is_obeyed_by_all_that_reach_it(notebook: Workshop, edit: tuple[str, ...]) -> None:
    """What earlier calls have compiled is not in the way, nor what they have kept in the way of a process that knows the new text only."""
    assert said(notebook, *DEFINITIONS, USE, *edit, USE_ALL) == ["7 7.0", "11 11 11.0 11.0"]
    assert said(notebook, START, RATE.format(5), *DEFINITIONS[2:], USE, USE_ALL) == ["11 11.0", "11 11 11.0 11.0"]


def test_a_constant_alone_is_obeyed_by_what_is_first_run_afterwards(notebook: Workshop) -> None:
    """Nothing says that it has changed: what has run goes on as it was. But what is kept is what its name says."""
    assert said(notebook, *DEFINITIONS, USE, RATE.format(5), USE_ALL) == ["7 7.0", "7 11 7.0 11.0"]
    assert said(notebook, START, RATE.format(5), *DEFINITIONS[2:], USE, USE_ALL) == ["11 11.0", "11 11 11.0 11.0"]
    assert said(notebook, *DEFINITIONS, USE, USE_ALL) == ["7 7.0", "7 7 7.0 7.0"]


def test_lambdas(notebook: Workshop) -> None:
    """Two in one cell have one name; an edit of either is noticed."""
    cell = START + "double, triple = component(lambda x: 2 * x), component(lambda x: 3 * x)\ndef entry(x): return double(x) + triple(x)\n"
    use = "print(run(entry, 1), run(lambda x: double(x) + 7, 1), run(lambda x: triple(x) + 7, 1))"
    assert said(notebook, cell + use) == ["5 9 10"]
    kernels = notebook.kernels()
    assert len(kernels) == 3
    assert said(notebook, cell + use) == ["5 9 10"]
    assert notebook.kernels() == kernels
    assert said(notebook, cell.replace("3 * x", "4 * x") + use) == ["6 9 11"]
    assert len(notebook.kernels()) == 5
