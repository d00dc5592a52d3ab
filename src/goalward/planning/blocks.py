"""The recipe: solve a reduced model block by block, each by whichever of two ways is cheaper.

Policy iteration in every block, from a policy that surely arrives. The value of a policy is either computed exactly, by elimination, or approached in sweeps.
Elimination costs size * below * above for a band matrix; how many sweeps it takes is known to nobody beforehand. So a block is swept until it has cost as
much as one elimination would have, and then eliminated: without knowing which way is better, little more is paid than for that one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from goalward._compile import component
from goalward.models.rows import Floats, Ints, Rows
from goalward.planning.elimination import LARGEST_BAND, band_of, band_room, band_work, eliminate
from goalward.planning.reduction import Blocks
from goalward.planning.sweeps import CYCLE, extrapolate, sweep_all, sweep_policy

LEAST_SLACK = 1e-300  # nothing is divided by 0
SETTLED = 0.25  # the imbalance at which a block is left, in units of what the certificate can bear
CHEAP = 20  # elimination that costs no more than so many sweeps over all pairs is done at once
AT_ONCE = 1e6  # ... or no more than so many operations, in all blocks together
CHUNK = 1024  # states that are swept again and again before going on; more if the band is wider
REPEATS = 16  # sweeps over a chunk, at most
REPEATS_ALL = 8  # ... if it is the whole block
GAIN = 0.1  # ... until its imbalance is so much smaller than at first
SLOW = 0.3  # a pass that leaves more of the imbalance than that is to be hurried
CYCLES = 5  # of extrapolation under one policy
FIRST_CYCLES = 30  # ... under the first one: it pays to begin above the optimum
FEW = 0.02  # share of the states that choose anew at which a policy is worth following to its end
PATIENCE = 40  # rounds without progress
ROUNDS = 400  # of policy iteration by elimination

Place = np.dtype(
    (
        np.record,
        [(name, np.int64) for name in ("block", "begun", "exact", "stuck", "below", "above", "careful", "rounds", "switched", "stale")]
        + [(name, np.float64) for name in ("spent", "entries", "worst", "best")],
    )
)
# Of the block at hand: begun, exact (by elimination), stuck (in need of LU), its band, careful (no extrapolation: it has led astray), rounds of policy
# iteration, states that switched in the last, rounds that are stale (no better than the best before), transitions spent on it, the worst imbalance of the last
# round and the best of these. Of all: entries, transitions looked at.


@component
class Work(NamedTuple):
    """Where the solver stands. It can stop between any two rounds, and be taken up again."""

    value: Floats  # (n + 1,) 0 at the goal
    choice: Ints  # (n,) pairs of the reduced model
    slack_x: Floats  # (X',) the imbalance that the certificate can bear
    history: Floats  # (CYCLE + 1, size of the largest block) the last values
    place: Any  # a record of Place


@component
def settle(blocks: Blocks, work: Work, budget: float) -> bool:
    """Go on with the blocks until all are settled (True); or about `budget` transitions have been looked at, or sweeps no longer help in a block (`stuck`)."""
    rows, place = blocks.rows, work.place
    limit = place.entries + budget
    while place.block < len(blocks.block_ptr) - 1:
        first, end = blocks.block_ptr[place.block], blocks.block_ptr[place.block + 1]
        settled = end - first == 1
        if settled:
            sweep_all(rows, work.slack_x, work.choice, work.value, first, end)
            place.entries += transitions(rows, first, end)
        elif place.begun == 0:
            open_block(rows, place, first, end)
        while not settled:
            settled = improve(blocks, work, first, end)
            if place.stuck == 1 or (not settled and place.entries > limit):
                return False
        place.block += 1
        place.begun = 0
        if place.entries > limit:
            break
    return bool(place.block == len(blocks.block_ptr) - 1)


@component
def transitions(rows: Rows, first: int, end: int) -> int:
    """How many the states first ... end - 1 have."""
    return int(rows.row_ptr[rows.first_pair[end]] - rows.row_ptr[rows.first_pair[first]])


@component
def open_block(rows: Rows, place: Any, first: int, end: int) -> None:
    """Nothing is known of the block but its band."""
    below, above = band_of(rows, first, end)
    place.begun, place.exact, place.careful, place.stuck, place.rounds, place.stale = 1, 0, 0, 0, 0, 0
    place.switched = 0
    place.below, place.above, place.spent, place.best = below, above, 0.0, np.inf


@component
def improve(blocks: Blocks, work: Work, first: int, end: int) -> bool:
    """One round of policy iteration in a block: the value of the policy, more or less; then a better policy. True if the block is settled."""
    rows, place = blocks.rows, work.place
    place.rounds += 1
    if place.exact == 1 or worth_eliminating(rows, place, first, end, len(blocks.block_ptr)):
        return improve_exactly(blocks, work, first, end)
    before = place.worst
    if place.rounds == 1 and place.careful == 0:
        follow(rows, work, first, end, FIRST_CYCLES)
        before = np.inf
    place.worst, place.switched = sweep_chunks(rows, work, first, end, True)
    if place.worst > SLOW * before and place.switched <= FEW * (end - first) and place.careful == 0:
        follow(rows, work, first, end, CYCLES)
    if place.worst < 0.5 * place.best:
        place.best, place.stale = place.worst, 0
    else:
        place.stale += 1
    if place.stale > PATIENCE and place.careful == 0:
        start_again(blocks, work, first, end)
        place.careful, place.stale, place.best = 1, 0, np.inf
    place.stuck = place.worst > SETTLED and place.stale > PATIENCE
    return bool(place.worst <= SETTLED)


@component
def improve_exactly(blocks: Blocks, work: Work, first: int, end: int) -> bool:
    """The same by elimination. Sweeps, if there were any, may have led to a policy that circles."""
    rows, place = blocks.rows, work.place
    known = eliminate(rows, work.choice, work.value, first, end, place.below, place.above)
    if not known and place.exact == 0:
        start_again(blocks, work, first, end)
        known = eliminate(rows, work.choice, work.value, first, end, place.below, place.above)
    place.exact, place.stuck = 1, not known or place.rounds > ROUNDS
    return look_around(rows, work, first, end) == 0 or place.stuck == 1


@component
def start_again(blocks: Blocks, work: Work, first: int, end: int) -> None:
    for s in range(first, end):
        work.value[s], work.choice[s] = blocks.guess[s], blocks.first_choice[s]


@component
def worth_eliminating(rows: Rows, place: Any, first: int, end: int, blocks: int) -> bool:
    entries = transitions(rows, first, end)
    price = band_work(end - first, place.below, place.above)
    return bool(price <= max(AT_ONCE / blocks, CHEAP * entries, place.spent) and band_room(end - first, place.below, place.above) <= LARGEST_BAND)


@component
def look_around(rows: Rows, work: Work, first: int, end: int) -> int:
    """A sweep over all pairs; returns how many states chose anew."""
    work.place.worst, work.place.switched = sweep_all(rows, work.slack_x, work.choice, work.value, first, end)
    count(work.place, transitions(rows, first, end))
    return int(work.place.switched)


@component
def count(place: Any, entries: float) -> None:
    place.entries += entries
    place.spent += entries


@component
def sweep_chunks(rows: Rows, work: Work, first: int, end: int, choose: bool) -> tuple[float, int]:
    """A pass over the block, chunk by chunk: over all pairs if `choose`, then under the policy until the chunk is at rest.

    Chunks overlap, so that what is learnt in one is carried on into the next, from the goal outwards. Returns the largest imbalance met before it was smoothed,
    and how many states chose anew.
    """
    worst, switched, begin, size = 0.0, 0, first, 2 * max(CHUNK // 2, work.place.below, work.place.above)
    most = REPEATS if size < end - first else REPEATS_ALL if choose else 0
    while begin < end:
        last = min(end, begin + size)
        if choose:
            met, anew = sweep_all(rows, work.slack_x, work.choice, work.value, begin, last)
            switched += anew
            count(work.place, transitions(rows, begin, last))
        else:
            met = sweep_policy(rows, work.slack_x, work.choice, work.value, begin, last)
        worst = max(worst, met)
        rest, repeat = met, 0
        while rest > max(SETTLED / 4.0, GAIN * met) and repeat < most:
            rest = sweep_policy(rows, work.slack_x, work.choice, work.value, begin, last)
            repeat += 1
        pairs = rows.first_pair[last] - rows.first_pair[begin]
        count(work.place, transitions(rows, begin, last) * repeat * (last - begin) / pairs)
        begin = end if last == end else begin + size // 2
    return worst, switched


@component
def follow(rows: Rows, work: Work, first: int, end: int, cycles: int) -> None:
    """Passes under the policy, with extrapolation, until its imbalance is GAIN times what it was or SETTLED / 4, or that helps no more."""
    worst, _ = sweep_chunks(rows, work, first, end, False)
    target, cycle = max(SETTLED / 4.0, GAIN * worst), 0
    while worst > target and cycle < cycles:
        before, worst = worst, hurry(rows, work, first, end, target)
        cycle = cycle + 1 if worst < before else cycles


@component
def hurry(rows: Rows, work: Work, first: int, end: int, target: float) -> float:
    """A cycle of passes and an extrapolation, which is taken back if the next pass finds it worse. Returns the imbalance."""
    remember(work, 0, first, end)
    worst = np.inf
    for j in range(1, CYCLE + 1):
        worst, _ = sweep_chunks(rows, work, first, end, False)
        if worst <= target:
            return worst
        remember(work, j, first, end)
    if not extrapolate(work.history, work.value, first, end):
        return worst
    better, _ = sweep_chunks(rows, work, first, end, False)
    if better < worst:
        return better
    for k in range(end - first):
        work.value[first + k] = work.history[CYCLE, k]
    return worst


@component
def remember(work: Work, j: int, first: int, end: int) -> None:
    for k in range(end - first):
        work.history[j, k] = work.value[first + k]
