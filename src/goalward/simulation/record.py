"""What is looked at more closely: on request, and outside the fast loop."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward.errors import SettingError
from goalward.models.rows import Floats, Longs
from goalward.models.settings import flag, whole


class Record(NamedTuple):
    """What `simulate` is to keep besides the columns.

    `snapshots`: episodes, counted from 1, of which the path is kept, and what the agent thinks as it makes its first step. `runs`: those in which; the first if
    not given. `probes`: methods of the algorithm, of one argument, the state; what they return after the first step of each episode becomes a column of that
    name. `event`: whether the confidence sets always contained the true model, in every run, and how far inside it stayed (see `goalward.simulation.watch`).
    """

    snapshots: Sequence[int] = ()
    runs: Sequence[int] | None = None
    probes: Sequence[str] = ()
    event: bool = False

    def checked(self, episodes: int, played: range) -> Record:
        """The same, in order and without repetitions; `played` are the runs that there will be."""
        if not isinstance(self, Record):
            raise SettingError("record", self, "a gw.Record")
        chosen = {whole("record.snapshots", k, 1, episodes) for k in _several("record.snapshots", self.snapshots, "episodes")}
        asked = played[:1] if self.runs is None else _several("record.runs", self.runs, "numbers of runs")
        runs = {whole("record.runs", r, played[0], played[-1]) for r in asked}
        probes = tuple(_several("record.probes", self.probes, "names of methods"))
        return Record(sorted(chosen), sorted(runs), probes, flag("record.event", self.event))


def _several(name: str, given: Any, what: str) -> Sequence[Any]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise SettingError(name, given, f"a sequence of {what}")
    return [*given]


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
