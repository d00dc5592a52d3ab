"""Old kernels are removed on demand: the package's when they are not wanted, users' when they were not used for long."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from goalward import _cache
from tests.compile.conftest import Workshop

OURS, OURS_OLD, THEIRS, THEIRS_OLD = (f"{name}-{'0' * 24}" for name in ("goalward.new", "goalward.old", "script.new", "script.old"))
DRAFT, DRAFT_OLD = f"{'0' * 32}.draft", f"{'1' * 32}.draft"
HOUR, DAY = 3600, 86400


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    return tmp_path / "goalward"


def grow_old(path: Path, seconds: float) -> None:
    os.utime(path, (time.time() - seconds,) * 2)


def test_what_is_removed_and_what_stays(folder: Path) -> None:
    for name in (OURS, OURS_OLD, THEIRS, THEIRS_OLD, DRAFT, DRAFT_OLD, "goalward.txt", "notes"):
        _cache.keep(name, b"content")
        grow_old(folder / name, {DRAFT: 0.9 * HOUR, DRAFT_OLD: 1.1 * HOUR, THEIRS: 29 * DAY, OURS_OLD: 0}.get(name, 31 * DAY))
    (folder / f"goalward.folder-{'0' * 24}").mkdir()
    assert sorted(_cache.prune({OURS}, days=30)) == sorted([OURS_OLD, THEIRS_OLD, DRAFT_OLD])
    assert {path.name for path in folder.iterdir()} == {OURS, THEIRS, DRAFT, "goalward.txt", "notes", f"goalward.folder-{'0' * 24}"}
    assert _cache.prune({OURS}, days=30) == []


def test_kernels_to_keep_are_kept_whoever_they_belong_to(folder: Path) -> None:
    _cache.keep(THEIRS_OLD, b"content")
    grow_old(folder / THEIRS_OLD, 31 * DAY)
    assert _cache.prune([THEIRS_OLD], days=30) == []
    assert _cache.load(THEIRS_OLD) == b"content"


def test_reading_marks_a_kernel_as_used_once_a_day(folder: Path) -> None:
    _cache.keep(THEIRS, b"content")
    path = folder / THEIRS
    grow_old(path, 31 * DAY)
    assert _cache.load(THEIRS) == b"content"
    assert _cache.prune((), days=30) == []
    grow_old(path, 0.9 * DAY)
    before = path.stat().st_mtime_ns
    assert _cache.load(THEIRS) == b"content"
    assert path.stat().st_mtime_ns == before


def test_a_kernel_that_cannot_be_marked_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> None:
        raise PermissionError

    _cache.keep(THEIRS, b"content")
    grow_old(folder / THEIRS, 2 * DAY)
    monkeypatch.setattr(os, "utime", refused)
    assert _cache.load(THEIRS) == b"content"


def test_a_kernel_that_cannot_be_removed_is_not_said_to_be(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path) -> None:
        raise PermissionError

    _cache.keep(OURS_OLD, b"content")
    monkeypatch.setattr(Path, "unlink", refused)
    assert _cache.prune((), days=30) == []
    assert (folder / OURS_OLD).exists()


@pytest.mark.usefixtures("folder")
def test_without_a_folder_there_is_nothing_to_remove() -> None:
    assert _cache.prune((), days=30) == []


def test_a_process_knows_what_it_used(workshop: Workshop) -> None:
    """Made or loaded; and it can remove the rest."""
    workshop.write(rooms="""
        import sys
        from goalward import _cache, _numba
        from goalward._compile import run
        def first(x):
            return x + 1
        def second(x):
            return x + 2
        for name in sys.argv[1:]:
            run(globals()[name], 1)
        removed = _cache.prune(_numba.used, 0)
        print(*sorted(name.partition("-")[0] for name in _numba.used), "/", *(name.partition("-")[0] for name in removed))
    """)  # fmt: skip
    assert workshop.says("rooms.py", "first", "second") == "__main__.first __main__.second /"
    assert workshop.says("rooms.py", "first") == "__main__.first / __main__.second"
    assert [name.partition("-")[0] for name in workshop.kernels()] == ["__main__.first"]


def test_the_kernel_of_a_users_component_is_the_users(workshop: Workshop) -> None:
    """Though the entry point is the package's: the file bears the user's name first."""
    workshop.write(model="""
        from typing import NamedTuple
        from goalward import _numba
        from goalward._compile import component, run
        @component
        class Part(NamedTuple):
            inner: tuple
        def entry(part, x):
            return x
        entry.__module__ = "goalward.somewhere"
        run(entry, Part((Part(()),)), 1), run(entry, 1, 1)
        print(*sorted(name.partition("-")[0] for name in _numba.used))
    """)  # fmt: skip
    assert workshop.says("model.py") == "__main__.goalward.somewhere.entry goalward.somewhere.entry"
