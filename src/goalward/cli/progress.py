"""A bar on the terminal for whatever takes more than a second.

Planners report how far they are; reading a model, compiling and the like do not, and show as a bar without an end. Where stderr is no terminal nothing is
drawn.
"""

from __future__ import annotations

import math
import os
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from goalward.planning.budget import Progress

PATIENCE = 1.0  # seconds before a bar appears


class Bar:
    """A context: within it, say what is being done with `stage`, and hand `report` to a planner."""

    def __init__(self, quiet: bool = False, patience: float = PATIENCE) -> None:
        self.wanted = not quiet and sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self.timer = threading.Timer(patience, self._appear)
        self.timer.daemon = True
        self.lock = threading.Lock()  # the bar appears in the timer's thread
        self.drawn: Any = None  # rich.progress.Progress, once a second has passed
        self.text, self.detail, self.share = "", "", math.nan
        self.widest = math.nan  # of the gaps told so far

    def __enter__(self) -> Self:
        if self.wanted:
            self.timer.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.timer.cancel()
        with self.lock:
            self.wanted = False  # a timer that has just gone off comes too late
            if self.drawn is not None:
                self.drawn.stop()

    def stage(self, text: str) -> None:
        """What is being done from now on."""
        self.text, self.detail, self.share, self.widest = text, "", math.nan, math.nan
        self._draw()

    def report(self, progress: Progress) -> None:
        """How far a planner is with the states at hand; it may turn to others, and the bar goes back then."""
        self.widest = max(progress.gap, self.widest) if self.widest >= 0.0 else progress.gap
        self.share = _share(self.widest, progress.gap)
        gap = "" if math.isnan(progress.gap) else f", gap {progress.gap:.2g}"
        self.detail = f"{progress.sweeps:,} sweeps{gap}"
        self._draw()

    def show(self, share: float, detail: str) -> None:
        """How much is done, from 0 to 1, and what to say of it."""
        self.share, self.detail = share, detail
        self._draw()

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TextColumn("{task.fields[detail]}")
        with self.lock:
            if not self.wanted:
                return
            self.drawn = Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)
            self.drawn.add_task(self.text, total=None, detail=self.detail)
            self.drawn.start()
        self._draw()

    def _draw(self) -> None:
        with self.lock:
            if self.drawn is not None:
                total = None if math.isnan(self.share) else 1.0
                self.drawn.update(0, description=self.text, total=total, completed=self.share if total else 0.0, detail=self.detail)


def _share(widest: float, gap: float) -> float:
    """How much of the way from the widest gap to 1 is done, where every halving counts the same; nan where that cannot be said."""
    if not (1.0 < widest < math.inf and gap > 0.0):
        return math.nan
    return min(1.0, 1.0 - math.log(gap) / math.log(widest))
