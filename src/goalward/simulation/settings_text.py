"""Settings as they are written to files."""

from __future__ import annotations

from typing import Any

import numpy as np

from goalward.errors import SettingError

PLAIN = bool, int, float, str


def plain(settings: dict[str, Any]) -> dict[str, Any]:
    """The same for JSON, which gives back what it was given only if that is plain."""
    return {name: _plain(name, value) for name, value in settings.items()}


def _plain(name: str, value: Any) -> Any:
    found = value.item() if isinstance(value, np.generic) else value
    if not (found is None or isinstance(found, PLAIN)):
        raise SettingError(name, value, "a number, a string, True, False or None, where it is to be saved")
    return found
