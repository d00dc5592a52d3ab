"""What planning may cost, and how it tells how far it is."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import NamedTuple

MOST_SWEEPS = 1_000_000  # unless the caller says otherwise: nothing goes on for ever
INTERVAL = 0.1  # seconds between two reports


class Progress(NamedTuple):
    """What a progress callback is told about ten times a second."""

    sweeps: int
    seconds: float
    gap: float  # how far from settled the states at hand are: 1 is done; nan while that is not known


class OutOfBudgetError(Exception):
    """Raised between two sweeps; `solve` turns it into a `BudgetError` with the best bounds so far."""


class Budget:
    """Counts sweeps and seconds, and calls the caller back."""

    def __init__(self, max_sweeps: int | None = None, max_seconds: float | None = None, report: Callable[[Progress], object] | None = None) -> None:
        self.max_sweeps = MOST_SWEEPS if max_sweeps is None else max_sweeps
        self.max_seconds = max_seconds
        self.report = report
        self.sweeps = 0.0
        self.started = self.reported = perf_counter()

    @property
    def seconds(self) -> float:
        return perf_counter() - self.started

    @property
    def seconds_left(self) -> float | None:
        """Never none at all: what is asked for with too little of it ends soon, and says so."""
        return None if self.max_seconds is None else max(0.01, self.max_seconds - self.seconds)

    def spend(self, sweeps: float, gap: float) -> None:
        """Note that some sweeps were made; raise `OutOfBudgetError` if they were the last that may be."""
        self.sweeps += sweeps
        now = perf_counter()
        if self.report is not None and now - self.reported >= INTERVAL:
            self.reported = now
            self.report(Progress(round(self.sweeps), now - self.started, gap))
        if self.sweeps >= self.max_sweeps:
            raise OutOfBudgetError(f"max_sweeps = {self.max_sweeps:,} sweeps are used up")
        if self.max_seconds is not None and now - self.started >= self.max_seconds:
            raise OutOfBudgetError(f"max_seconds = {self.max_seconds:g} seconds are over")
