"""Settings of environments and algorithms: what they may be, in words."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from goalward.errors import SettingError


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """`value` as a whole number from `least` to `most`."""
    given = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if given is None or given < least or (most is not None and given > most):
        raise SettingError(name, value, f"a whole number >= {least}" if most is None else f"a whole number from {least} to {most}")
    return given


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool | np.bool_):
        raise SettingError(name, value, "True or False")
    return bool(value)


def choice(name: str, value: Any, options: Iterable[str]) -> str:
    """`value`, if it is among the options."""
    if not isinstance(value, str) or value not in options:
        raise SettingError(name, value, f"one of {', '.join(map(repr, options))}")
    return value
