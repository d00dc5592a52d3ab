"""Where compiled code is kept between processes: one file a kernel, named by its content, in one folder a user.

The name says all that the code depends on, so a file is never out of date, and processes that write the same one at once do no harm: each writes a file of its
own and renames it. A file begins with a digest of its name and of the rest; one that was cut short, damaged or renamed is removed, and its kernel compiled
again. What changes is compiled under another name, so old files pile up until `prune` removes them: the time of a file says when it was last used.

NUMBA_CACHE_DIR names another folder. It should be one that strangers cannot write to: what is read there is run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import sys
import time
import uuid
from collections.abc import Collection
from pathlib import Path

DIGEST_SIZE = 16
HOUR, DAY = 3600.0, 86400.0
KERNEL = re.compile(r".+-[0-9a-f]{24}")  # anything else in the folder is not ours to remove
DRAFT = re.compile(r"[0-9a-f]{32}\.draft")
USUAL = {"win32": ("LOCALAPPDATA", "~/AppData/Local"), "darwin": ("XDG_CACHE_HOME", "~/Library/Caches")}


def folder() -> Path:
    """The folder of all kernels, which need not exist; RuntimeError where nothing says what the user's own folder is."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen).absolute() / "goalward"
    variable, usual = USUAL.get(sys.platform, ("XDG_CACHE_HOME", "~/.cache"))
    return Path(os.environ.get(variable) or usual).expanduser() / "goalward"


def load(name: str) -> bytes | None:
    """What was kept under this name; None if there is nothing, or nothing whole."""
    try:
        path = folder() / name
        content = path.read_bytes()
    except (OSError, RuntimeError):
        return None
    payload = content[DIGEST_SIZE:]
    if content[:DIGEST_SIZE] == _digest(name, payload):
        _mark_as_used(path)
        return payload
    remove(name)
    return None


def keep(name: str, payload: bytes) -> None:
    """Under this name from now on. OSError or RuntimeError where that cannot be."""
    path = folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{uuid.uuid4().hex}.draft")
    try:
        draft.write_bytes(_digest(name, payload) + payload)
        draft.replace(path)
    except BaseException:  # interrupted, or the disk is full
        draft.unlink(missing_ok=True)
        raise


def remove(name: str) -> None:
    """No longer under this name, if the folder allows it."""
    with contextlib.suppress(OSError):
        (folder() / name).unlink(missing_ok=True)


def prune(keep: Collection[str], days: float) -> list[str]:
    """Remove the package's kernels but those in `keep`, users' that were not used for so many days, and drafts left behind. The names of what was removed."""
    removed = []
    with contextlib.suppress(OSError, RuntimeError):  # no folder: nothing to remove
        for path in sorted(folder().iterdir()):
            with contextlib.suppress(OSError):  # another process removed it first, or the folder does not allow it
                if _is_superfluous(path, keep, days):
                    path.unlink()
                    removed.append(path.name)
    return removed


def _is_superfluous(path: Path, keep: Collection[str], days: float) -> bool:
    unused = time.time() - path.stat().st_mtime
    if DRAFT.fullmatch(path.name):
        return unused > HOUR  # no process writes for so long
    if not KERNEL.fullmatch(path.name) or path.name in keep:
        return False
    return path.name.startswith("goalward.") or unused > days * DAY


def _mark_as_used(path: Path) -> None:
    """Once a day: reading stays cheap."""
    with contextlib.suppress(OSError):  # the folder may be for reading only
        if time.time() - path.stat().st_mtime > DAY:
            os.utime(path)


def _digest(name: str, payload: bytes) -> bytes:
    digest = hashlib.blake2b(f"{name}\n".encode(), digest_size=DIGEST_SIZE)
    digest.update(payload)
    return digest.digest()
