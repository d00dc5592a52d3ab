"""Where compiled code is kept between processes: one file a kernel, named by its content, in one folder a user.

The name says all that the code depends on, so a file is never out of date, and processes that write the same one at once do no harm: each writes a file of its
own and renames it. A file begins with a digest of the rest; one that was cut short or damaged is removed, and its kernel compiled again.

NUMBA_CACHE_DIR names another folder. It should be one that strangers cannot write to: what is read there is run.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import uuid
from pathlib import Path

DIGEST_SIZE = 16
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
        content = (folder() / name).read_bytes()
    except (OSError, RuntimeError):
        return None
    payload = content[DIGEST_SIZE:]
    if content[:DIGEST_SIZE] == _digest(payload):
        return payload
    remove(name)
    return None


def keep(name: str, payload: bytes) -> None:
    """Under this name from now on. OSError or RuntimeError where that cannot be."""
    path = folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{uuid.uuid4().hex}.draft")
    try:
        draft.write_bytes(_digest(payload) + payload)
        draft.replace(path)
    except BaseException:  # interrupted, or the disk is full
        draft.unlink(missing_ok=True)
        raise


def remove(name: str) -> None:
    """No longer under this name, if the folder allows it."""
    with contextlib.suppress(OSError):
        (folder() / name).unlink(missing_ok=True)


def _digest(payload: bytes) -> bytes:
    return hashlib.blake2b(payload, digest_size=DIGEST_SIZE).digest()
