"""No algorithm reads or writes outside its arrays: compiled code that is made to ask before each access never has to say no."""

from __future__ import annotations

from tests.compile.conftest import Workshop
from tests.house.sources import ROOT

from .variants import VARIANTS

LOOKED_AT = ("bernstein, pools that grow", "penalty, perturbed, bernstein, a start distribution")

SCRIPT = """
import sys
from typing import NamedTuple

import numpy as np
from goalward._compile import component, run
from tests.contracts.three_ways import Interpreted, assert_same, in_loop, Run
from tests.contracts.variants import VARIANTS

@component
class Shelf(NamedTuple):
    books_i: np.ndarray
    def take(self, i):
        return self.books_i[i]

def take(shelf, i):
    return shelf.take(i)

for i in (3, -1):
    try:
        run(take, Shelf(np.zeros(3)), i)
    except IndexError:
        print("looked after", i)
for variant in VARIANTS:
    if variant.name in sys.argv:
        assert_same(in_loop(Interpreted, variant), in_loop(Run, variant))
        print(variant.name)
"""


def test_within_bounds(workshop: Workshop) -> None:
    assert {variant.name for variant in VARIANTS} >= set(LOOKED_AT)
    workshop.write(script=SCRIPT)
    said = workshop.says("script.py", *LOOKED_AT, PYTHONPATH=str(ROOT), NUMBA_BOUNDSCHECK="1")
    assert said.split("\n") == ["looked after 3", "looked after -1", *LOOKED_AT]
