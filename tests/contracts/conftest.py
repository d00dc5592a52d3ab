"""Scripts in processes of their own."""

from __future__ import annotations

import shutil

import pytest

from goalward import _cache
from tests.compile.conftest import Workshop, workshop

__all__ = ["workshop"]


@pytest.fixture
def furnished(workshop: Workshop) -> Workshop:
    """A workshop whose cache holds what the planner was compiled to here, if anything: to compile that takes longest, and is tested elsewhere."""
    place = workshop.cache / "goalward"
    place.mkdir(parents=True)
    for kernel in _cache.folder().glob("goalward.planning.*"):
        shutil.copy(kernel, place)
    return workshop
