"""How many free steps there can be before one that costs: what stands in for the cost of a free step where a proof needs slack.

Without free end components that number has a finite expectation whatever is chosen. Y >= 1 + P Y for every free pair that is about as good as the best; the
others are worse by more than they could gain by Y, and have slack enough. States without such a pair count 0. To find Y is a planning problem itself, with
the most steps instead of the least cost: costs of -1, and these pairs only.
"""

from __future__ import annotations

import numpy as np

from goalward._compile import component, run
from goalward.models.rows import Floats, Ints, Rows, stretches
from goalward.planning.reduction import Blocks
from goalward.planning.sweeps import advantage


def free_part(blocks: Blocks, value: Floats, margin: float) -> tuple[Blocks, Ints]:
    """The problem of the most free steps by pairs that lose no more than `margin`, and where each of its states stands in `blocks`."""
    rows, block_ptr, state, first_choice = run(free_rows, blocks, value, margin)
    return Blocks(Rows(*rows), block_ptr, np.zeros(len(state) + 1), first_choice), state


@component
def free_rows(blocks: Blocks, value: Floats, margin: float):  # type: ignore[no-untyped-def]
    """Its rows, each step at cost -1 (what leads out of it leads to its goal); where its blocks begin; its states; the first pair of each."""
    rows, n = blocks.rows, len(blocks.first_choice)
    index, pairs, entries, states = np.full(n + 1, -1, np.int32), 0, 0, 0
    counts = np.zeros(len(rows.cost_x), np.bool_)
    for s in range(n):
        for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
            counts[x] = rows.cost_x[x] == 0.0 and advantage(rows, value, value[s], x) <= margin
            if counts[x]:
                if index[s] < 0:
                    index[s] = states
                    states += 1
                pairs += 1
                entries += rows.row_ptr[x + 1] - rows.row_ptr[x]
    first_pair, row_ptr = np.zeros(states + 1, np.int64), np.zeros(pairs + 1, np.int64)
    next_state, probability, state = np.empty(entries, np.int32), np.empty(entries), np.empty(states, np.int32)
    block_ptr, found = np.zeros(len(blocks.block_ptr), np.int64), 0
    y, j = 0, 0
    for b in range(len(blocks.block_ptr) - 1):
        for s in range(blocks.block_ptr[b], blocks.block_ptr[b + 1]):
            if index[s] < 0:
                continue
            state[index[s]], first_pair[index[s]] = s, y
            for x in range(rows.first_pair[s], rows.first_pair[s + 1]):
                if counts[x]:
                    for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
                        t = index[rows.next_state[i]]
                        next_state[j], probability[j] = t if t >= 0 else states, rows.probability[i]
                        j += 1
                    y += 1
                    row_ptr[y] = j
            block_ptr[found + 1] = index[s] + 1
        if block_ptr[found + 1] > block_ptr[found]:
            found += 1
    first_pair[states] = y
    return (first_pair, row_ptr, next_state, probability, np.full(pairs, -1.0)), block_ptr[: found + 1].copy(), state, first_pair[:-1].astype(np.int32)


def whole_policy(blocks: Blocks, choice: Ints) -> Blocks:
    """The problem in which only the policy is left, and each of its steps costs 1."""
    rows, states = blocks.rows, np.arange(len(choice))
    length = np.diff(rows.row_ptr)[choice]
    entries = stretches(rows.row_ptr[choice], length)
    row_ptr = np.concatenate((np.zeros(1, np.int64), np.cumsum(length)))
    followed = Rows(np.arange(len(choice) + 1), row_ptr, rows.next_state[entries], rows.probability[entries], np.ones(len(choice)))
    return Blocks(followed, blocks.block_ptr, np.zeros(len(choice) + 1), states.astype(np.int32))


def spread(steps: Floats, state: Ints, n: int) -> Floats:
    """(n + 1,) Y with room to spare: twice what satisfies Y >= 1/2 + P Y."""
    result = np.zeros(n + 1)
    result[state] = -2.0 * steps[:-1]
    return result
