"""The default method, driven from Python: `blocks.settle` in slices, so that it can be watched and interrupted; sparse LU where sweeps get nowhere."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled
from goalward.planning.blocks import SETTLED, Place, Work, settle
from goalward.planning.budget import Budget
from goalward.planning.lu import iterate_policies
from goalward.planning.reduction import Blocks
from goalward.planning.sweeps import CYCLE

SLICE = 2e7  # transitions looked at between two looks at the clock: some 50 ms


def fresh(blocks: Blocks, slack_x: NDArray[np.float64]) -> Work:
    """Nothing done yet: guessed values, and a policy that surely arrives."""
    largest = int(np.diff(blocks.block_ptr).max(initial=0))
    return Work(blocks.guess.copy(), blocks.first_choice.copy(), slack_x, np.empty((CYCLE + 1, largest)), np.zeros((), Place)[()])


def settle_all(blocks: Blocks, work: Work, budget: Budget) -> None:
    """Bring all states of the model into balance, up to SETTLED times their slack or as near as rounding permits."""
    run = compiled(settle, blocks, work, SLICE)
    work.place.block = work.place.begun = 0
    total = max(1, len(blocks.rows.next_state))
    finished = False
    while not finished:
        before = work.place.entries
        finished = run(blocks, work, SLICE)
        budget.spend((work.place.entries - before) / total, work.place.worst / SETTLED)
        if work.place.stuck:
            iterate_policies(blocks, work, int(work.place.block), budget)
            work.place.block += 1
            work.place.begun = work.place.stuck = 0
