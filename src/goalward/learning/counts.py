"""Visits: how often each pair was tried, and where it led."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goalward._compile import component
from goalward.learning.growth import grows
from goalward.models.rows import Longs

ROOM = 4  # slots of a list when it is made; the last of a list stays empty. So do the first of the pool: they are the list of the pairs that have none
SPACIOUS = 16  # slots a pair for which room is reserved: enough for grids


@component
@grows("state_i", "visits_i")
class Counts(NamedTuple):
    """N(s, a), N(s, a, goal), and N(s, a, s') where it is not 0.

    The successors seen of pair x, without the goal, are a list: slots first_x[x] <= i < end_x[x] of a pool that all pairs share. A full list moves to the end
    of the pool and doubles its room, so that time and memory follow what was seen, whatever the number of states. A journal of the last X visits tells whoever
    works with counts what is new.
    """

    first_pair: Longs  # (S + 1,) x = first_pair[s] + a
    visits_x: Longs  # (X,) N(s, a)
    arrivals_x: Longs  # (X,) N(s, a, goal)
    first_x: Longs  # (X,)
    end_x: Longs  # (X,)
    limit_x: Longs  # (X,) where the room of the list ends
    journal: Longs  # (X,) visit number t was of pair journal[t % X]
    now: Longs  # (2,) visits so far; the slot of the journal for the next
    state_i: Longs
    visits_i: Longs  # N(s, a, s')
    used: Longs  # (2,) slots of the pool that belong to a list, and how many more the next list that moves may ask for

    @classmethod
    def empty(cls, first_pair: Longs, pool: int | None = None) -> Counts:
        """No visits yet; `pool` slots to begin with."""
        pairs = int(first_pair[-1])
        size = ROOM + (SPACIOUS * pairs if pool is None else pool)
        visits_x, arrivals_x, first_x, end_x, limit_x, journal = np.zeros((6, pairs), np.int64)
        state_i, visits_i = np.zeros(size, np.int64), np.zeros(size, np.int64)
        return cls(first_pair, visits_x, arrivals_x, first_x, end_x, limit_x, journal, np.zeros(2, np.int64), state_i, visits_i, np.array([ROOM, ROOM]))

    def is_full(self) -> bool:
        return bool(self.used[0] + self.used[1] > self.state_i.size)

    def record(self, x: int, s_next: int) -> None:
        self.visits_x[x] += 1
        if s_next == self.first_pair.size - 1:
            self.arrivals_x[x] += 1
        else:
            self.visits_i[self.slot(x, s_next)] += 1
        slot = self.now[1]
        self.journal[slot] = x
        self.now[0] += 1
        self.now[1] = slot + 1 if slot + 1 < self.journal.size else 0

    def has_doubled(self, x: int, before_x: Longs) -> bool:
        """Whether the pair has been tried as often again as before."""
        return bool(self.visits_x[x] >= before_x[x] + max(1, before_x[x]))

    def slot(self, x: int, y: int) -> int:
        """Where the visits of y are counted. A successor not seen before joins the list."""
        for i in range(self.first_x[x], self.end_x[x]):
            if self.state_i[i] == y:
                return i
        if self.end_x[x] + 1 >= self.limit_x[x]:
            self.move(x)
        end = self.end_x[x]
        self.state_i[end] = y
        self.end_x[x] += 1
        return int(end)

    def move(self, x: int) -> None:
        """To the end of the pool, with twice the room."""
        first, size, target = self.first_x[x], self.end_x[x] - self.first_x[x], self.used[0]
        room = max(ROOM, 2 * (size + 1))
        if target + room > self.state_i.size:
            raise MemoryError("counts: the pool is full; whoever drives an algorithm asks is_full() before each step, and goes on with grown(agent)")
        for i in range(size):
            self.state_i[target + i] = self.state_i[first + i]
            self.visits_i[target + i] = self.visits_i[first + i]
        self.first_x[x], self.end_x[x], self.limit_x[x] = target, target + size, target + room
        self.used[0] += room
        self.used[1] = max(self.used[1], 2 * room)
