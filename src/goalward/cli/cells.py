"""What there is to see in each cell of a grid: where the plan goes, and what part the cell plays in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

import goalward as gw

if TYPE_CHECKING:
    from goalward.models.ssp import SSP

# Of each state one: it is a goal; nothing can be said of it and no play gets there; no plan is sure to reach a goal from it; it lies on the likeliest way from
# the start; the plan may come by; the plan never does; no play does.
GOAL, WALL, INFINITE, ON_THE_WAY, VISITED, PASSED_BY, OUT_OF_REACH = range(7)

DIRECTIONS = {
    "right": (0, 1), "east": (0, 1), "down": (1, 0), "south": (1, 0), "left": (0, -1), "west": (0, -1), "up": (-1, 0), "north": (-1, 0),
    "stay": (0, 0), "wait": (0, 0),
}  # fmt: skip


def kinds_of_states(ssp: SSP, value: NDArray[np.float64], policy: NDArray[np.int64]) -> NDArray[np.int64]:
    """(S',) one of the constants above for each state."""
    pair = planned_pairs(ssp, policy)
    in_reach = reached(ssp, np.arange(ssp.num_pairs))
    kind = np.where(in_reach, PASSED_BY, OUT_OF_REACH)
    kind[reached(ssp, pair[pair >= 0])] = VISITED
    kind[likeliest_way(ssp, pair)] = ON_THE_WAY
    kind[np.isinf(value)] = INFINITE
    kind[np.isinf(value) & ~in_reach] = WALL
    kind[ssp.goals] = GOAL
    return kind


def planned_pairs(ssp: SSP, policy: NDArray[np.int64]) -> NDArray[np.int64]:
    """(S',) the pair that the plan plays in each state; -1 where it plays none, or gives up."""
    state = np.repeat(np.arange(ssp.num_states), np.diff(ssp.first_pair))
    played = np.flatnonzero(ssp.action == policy[state])
    pair = np.full(ssp.num_states, -1)
    pair[state[played]] = played
    return pair


def reached(ssp: SSP, pairs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """(S',) the states that can be reached from the start by these pairs."""
    length = np.diff(ssp.row_ptr)[pairs]
    source = np.repeat((np.searchsorted(ssp.first_pair, pairs, side="right") - 1), length)
    entry = np.repeat(ssp.row_ptr[pairs] - np.cumsum(length) + length, length) + np.arange(length.sum())
    target = ssp.next_state[entry]
    begin = np.searchsorted(source, np.arange(ssp.num_states + 1))  # pairs are in the order of their states
    seen = ssp.start_distribution > 0
    fresh = np.flatnonzero(seen)
    while fresh.size:
        count = begin[fresh + 1] - begin[fresh]
        edges = np.repeat(begin[fresh] - np.cumsum(count) + count, count) + np.arange(count.sum())
        found = np.unique(target[edges])
        fresh = found[~seen[found]]
        seen[fresh] = True
    return seen


def likeliest_way(ssp: SSP, pair: NDArray[np.int64]) -> list[int]:
    """The states from the likeliest start on, each the likeliest successor of the one before, until a goal or a state seen before."""
    way: list[int] = []
    met = set()
    s = int(ssp.start_distribution.argmax())
    while s not in met and pair[s] >= 0:
        way.append(s)
        met.add(s)
        s = _likeliest_move(ssp, s, int(pair[s]))
    return way


def _likeliest_move(ssp: SSP, s: int, pair: int) -> int:
    """The likeliest successor other than s itself, if there is one."""
    row = slice(ssp.row_ptr[pair], ssp.row_ptr[pair + 1])
    successors = ssp.next_state[row]
    return int(successors[np.where(successors == s, -1.0, ssp.probability[row]).argmax()])


def direction(ssp: SSP, s: int, pair: int) -> tuple[int, int] | None:
    """The (rows, columns) by which the plan moves: by the action's name if that says it, or else to its likeliest successor. None if that is no neighbour."""
    named = DIRECTIONS.get(ssp.action_name(int(ssp.action[pair])).lower())
    if named is not None or ssp.grid is None:
        return named
    (row, column), (next_row, next_column) = (divmod(state, ssp.grid[1]) for state in (s, _likeliest_move(ssp, s, pair)))
    step = next_row - row, next_column - column
    return step if max(map(abs, step)) <= 1 else None


def sign_of_action(ssp: SSP, a: int) -> str:
    """One letter for an action that is no direction."""
    name = ssp.action_name(a)
    return name[0] if not name.isdigit() else "0123456789abcdefghijklmnopqrstuvwxyz"[a % 36]


def gives_up(policy: NDArray[np.int64]) -> NDArray[np.bool_]:
    return policy == gw.RESET
