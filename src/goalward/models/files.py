"""Models as .npz files: NumPy arrays, no pickle."""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from goalward.errors import FileError
from goalward.models.random_costs import RandomCosts
from goalward.models.rows import frozen

if TYPE_CHECKING:
    from goalward.models.ssp import SSP

FORMAT = "goalward-ssp-1"
ARRAYS = ("first_pair", "row_ptr", "next_state", "probability", "cost", "action", "goals", "start_distribution")


@contextmanager
def written_whole(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to that appears under its name only when it is complete and on the disk."""
    target = Path(path)
    try:
        handle = tempfile.NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False)  # noqa: SIM115 - closed below, then renamed
    except OSError as reason:
        raise FileError(f"{target}: cannot write in {target.parent} ({reason.strerror})") from reason
    try:
        with handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        os.chmod(handle.name, 0o666 & ~_umask())
        os.replace(handle.name, target)
    except BaseException as reason:
        Path(handle.name).unlink(missing_ok=True)
        if isinstance(reason, OSError):
            raise FileError(f"{target}: cannot be written ({reason.strerror or reason})") from reason
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def save(ssp: SSP, path: str | PathLike[str]) -> None:
    beside = {
        "format": FORMAT,
        "state_names": ssp.state_names,
        "action_names": ssp.action_names,
        "grid": ssp.grid,
        "random_costs": ssp.random_costs and ssp.random_costs._asdict(),
    }
    arrays = {name: getattr(ssp, name) for name in ARRAYS}
    with written_whole(path) as file:
        np.savez_compressed(file, beside=np.frombuffer(json.dumps(beside).encode(), np.uint8), **arrays)


def load(path: str | PathLike[str]) -> dict[str, Any]:
    try:
        with np.load(path, allow_pickle=False) as file:
            beside = json.loads(file["beside"].tobytes())
            arrays = {name: frozen(file[name]) for name in ARRAYS}
    except FileNotFoundError as reason:
        raise FileError(f"{path}: no such file") from reason
    except (OSError, ValueError, KeyError, AttributeError, TypeError, zipfile.BadZipFile) as reason:
        raise FileError(f"{path}: not a model that SSP.save wrote ({reason})") from reason
    if beside.get("format") != FORMAT:
        raise FileError(f"{path}: format {beside.get('format')!r}, expected {FORMAT!r}")
    drawn, grid = beside["random_costs"], beside["grid"]
    names = {name: beside[name] and tuple(beside[name]) for name in ("state_names", "action_names")}
    return arrays | names | {"grid": grid and tuple(grid), "random_costs": drawn and RandomCosts(**drawn)}
