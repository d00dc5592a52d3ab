"""What is looked at more closely: on request, and outside the fast loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward.errors import SettingError
from goalward.models.rows import Floats, Longs
from goalward.models.settings import whole


class Record(NamedTuple):
    """What `simulate` is to keep besides the columns.

    `snapshots`: episodes, counted from 1, of which the path is kept, and what the agent thinks as it makes its first step. `runs`: those in which. `probes`:
    methods of the algorithm, of one argument, the state; what they return after the first step of each episode becomes a column of that name.
    """

    snapshots: Sequence[int] = ()
    runs: Sequence[int] = (0,)
    probes: Sequence[str] = ()

    def checked(self, episodes: int) -> Record:
        """The same, in order and without repetitions."""
        if not isinstance(self, Record):
            raise SettingError("record", self, "a gw.Record")
        chosen = sorted({whole("record.snapshots", k, 1, episodes) for k in self.snapshots})
        return Record(chosen, sorted({whole("record.runs", r, 0) for r in self.runs}), tuple(self.probes))


class Snapshot(NamedTuple):
    """An episode: what the agent thought as it began, and where it went. States, pairs and actions are the caller's."""

    run: int
    episode: int  # from 1
    policy: Longs | None  # (S',) -1 in goals; what was followed first
    value: Floats | None  # (S',)
    facts: dict[str, NDArray[Any]]  # whatever else the algorithm shows: visits_x, radius_x, ... one entry a pair
    states: Longs  # (n + 1,) from the start to a goal, or to where the steps were used up
    actions: Longs  # (n,) RESET where it gave up
    costs: Floats  # (n,)
    attempts: NDArray[np.int64]  # steps at which a new attempt began, 0 the first
