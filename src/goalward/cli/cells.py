"""What there is to see in each cell of a grid: where the plan goes, and what part the cell plays in it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from goalward.models.rows import owners
from goalward.planning.regions import reachable

if TYPE_CHECKING:
    from goalward.models.rows import Longs
    from goalward.models.ssp import SSP


# Of each state one: it is a goal; nothing can be said of it and no play gets there; no plan is sure to reach a goal from it; it lies on the likeliest way from
# the start; the plan may come by; the plan never does; no play does.
GOAL, WALL, INFINITE, ON_THE_WAY, VISITED, PASSED_BY, OUT_OF_REACH = range(7)

Step = tuple[int, int]  # rows down, columns to the right
DIRECTIONS: dict[str, Step] = {
    "right": (0, 1), "east": (0, 1), "down": (1, 0), "south": (1, 0), "left": (0, -1), "west": (0, -1), "up": (-1, 0), "north": (-1, 0),
    "stay": (0, 0), "wait": (0, 0),
}  # fmt: skip
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def kinds_of_states(ssp: SSP, value: NDArray[np.float64], pair: Longs) -> Longs:
    """(S',) one of the constants above for each state; `pair` is what `planned_pairs` returns."""
    in_reach = reachable(ssp)
    kind = np.where(in_reach, PASSED_BY, OUT_OF_REACH)
    kind[reachable(ssp, ssp.row_ptr[pair], np.where(pair < 0, 0, ssp.row_ptr[pair + 1]))] = VISITED
    kind[likeliest_way(ssp, pair)] = ON_THE_WAY
    kind[np.isinf(value)] = INFINITE
    kind[np.isinf(value) & ~in_reach] = WALL
    kind[ssp.goals] = GOAL
    return kind


def planned_pairs(ssp: SSP, policy: Longs) -> Longs:
    """(S',) the pair that the plan plays in each state; -1 where it plays none, or gives up."""
    state = owners(ssp.first_pair)
    played = np.flatnonzero(ssp.action == policy[state])
    pair = np.full(ssp.num_states, -1)
    pair[state[played]] = played
    return pair


def likeliest_way(ssp: SSP, pair: Longs) -> list[int]:
    """The states from the likeliest start on, each the likeliest successor of the one before, until a goal or a state seen before."""
    way: dict[int, None] = {}  # in order
    s = int(ssp.start_distribution.argmax())
    while s not in way and pair[s] >= 0:
        way[s] = None
        s = _likeliest_move(ssp, s, int(pair[s]))
    return list(way)


def _likeliest_move(ssp: SSP, s: int, pair: int) -> int:
    """The likeliest successor other than s itself, if there is one."""
    row = slice(ssp.row_ptr[pair], ssp.row_ptr[pair + 1])
    successors = ssp.next_state[row]
    return int(successors[np.where(successors == s, -1.0, ssp.probability[row]).argmax()])


def direction(ssp: SSP, columns: int, s: int, pair: int) -> Step | None:
    """Where the plan moves from s: by the action's name if that says it, or else to its likeliest successor. None if that is no neighbour."""
    named = DIRECTIONS.get(ssp.action_name(int(ssp.action[pair])).lower())
    if named is not None:
        return named
    (row, column), (next_row, next_column) = (divmod(state, columns) for state in (s, _likeliest_move(ssp, s, pair)))
    step = next_row - row, next_column - column
    return step if max(map(abs, step)) <= 1 else None


def letters(names: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """A letter for each name, one of its own if there is one left, and none of those taken; "?" when there are no more."""
    free = [letter for letter in LETTERS if letter not in set(taken)]
    found: dict[str, str] = {}
    for name in names:
        letter = next((c for c in (*name, *free) if c in free), "?")
        found[name] = letter
        free = [c for c in free if c != letter]
    return found
