"""What can go wrong, in words.

Every exception a user may meet derives from `GoalwardError`; its text names the field, the value and what was expected. The command line prints it as one
paragraph and leaves with exit code 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goalward.planning.solution import Solution

SHOWN = 10  # problems of one model that are listed


class GoalwardError(Exception):
    """The family of all errors of this package."""


class ModelError(GoalwardError, ValueError):
    """A model that is none. `problems` lists what is wrong with it, the first ten of it in full."""

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        shown = self.problems[:SHOWN]
        more = f" (and {len(self.problems) - SHOWN} more)" if len(self.problems) > SHOWN else ""
        super().__init__("; ".join(shown) + more if shown else "the model is not valid")


class SettingError(GoalwardError, ValueError):
    """A setting with a value that it cannot have."""

    def __init__(self, name: str, value: Any, expected: str) -> None:
        self.name, self.value, self.expected = name, value, expected
        super().__init__(f"{name} = {value!r}: expected {expected}")


class FileError(GoalwardError, OSError):
    """A file that cannot be read or written as asked."""


class BudgetError(GoalwardError, RuntimeError):
    """Planning ran out of sweeps or seconds. `solution` carries the best bounds so far; it is not certified."""

    def __init__(self, message: str, solution: Solution) -> None:
        self.solution = solution
        super().__init__(message)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> SettingError:
    """The error for a name that is in no catalogue, with the nearest ones that are."""
    names = sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return SettingError(kind, name, f"one of {', '.join(names)}{hint}")
