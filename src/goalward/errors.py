"""What can go wrong, in words.

Every exception a user may meet derives from `GoalwardError`; its text names the field, the value and what was expected. The command line prints it as one
paragraph and leaves with exit code 2. All of them can be pickled, so that they come back from another process as what they were.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goalward.planning.solution import Solution

SHOWN = 10  # problems of one model that are listed
LONGEST = 200  # characters of a value that are shown


class GoalwardError(Exception):
    """The family of all errors of this package."""


class ModelError(GoalwardError, ValueError):
    """A model that is none. `problems` lists what is wrong with it, up to ten things of `count` in all."""

    def __init__(self, problems: Sequence[str], count: int | None = None) -> None:
        self.problems = tuple(problems[:SHOWN])
        self.count = len(problems) if count is None else count
        rest = self.count - len(self.problems)
        super().__init__("; ".join(self.problems) + (f" (and {rest} more)" if rest else ""))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems, self.count)


class SettingError(GoalwardError, ValueError):
    """A setting with a value that it cannot have."""

    def __init__(self, name: str, value: Any, expected: str) -> None:
        self.name, self.value, self.expected = name, value, expected
        super().__init__(f"{name} = {shown(value)}: expected {expected}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.name, self.value, self.expected)


class FileError(GoalwardError, OSError):
    """A file that cannot be read or written as asked."""


class GoalwardWarning(UserWarning):
    """Something that a result should not be read without: a run that was cut short, an assumption that fails."""


class AlgorithmError(GoalwardError, RuntimeError):
    """An algorithm that does what it may not do."""


class MissingPackageError(GoalwardError, ImportError):
    """Something that only an optional package can do."""


class BudgetError(GoalwardError, RuntimeError):
    """A computation would take, or took, more than it may. Where planning ran out of sweeps or seconds, `solution` carries the best bounds so far."""

    def __init__(self, message: str, solution: Solution | None = None) -> None:
        self.solution = solution
        super().__init__(message)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.solution)


def shown(value: Any) -> str:
    """The repr of a value, in one line of bearable length. A NumPy number looks like any other."""
    text = " ".join(repr(value.item() if hasattr(value, "item") and getattr(value, "ndim", None) == 0 else value).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def unknown_name(kind: str, name: str, known: Iterable[str]) -> SettingError:
    """The error for a name that is in no catalogue, with the nearest ones that are."""
    names = sorted(known)
    near = get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
    return SettingError(kind, name, f"one of {', '.join(names)}{hint}")
