"""Models as .npz files: NumPy arrays, no pickle."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from goalward.errors import FileError, ModelError, SettingError
from goalward.models.arrays import from_csr
from goalward.models.frame import Frame
from goalward.models.random_costs import RandomCosts

if TYPE_CHECKING:
    from goalward.models.ssp import SSP

FORMAT = "goalward-ssp-1"
ARRAYS = ("first_pair", "row_ptr", "next_state", "probability", "cost", "action", "goals", "start_distribution")


@contextmanager
def written_whole(path: str | PathLike[str]) -> Iterator[IO[bytes]]:
    """A file to write to that appears under its name only when it is complete and on the disk."""
    target = Path(path)
    partial = target.with_name(f".{target.name}.{uuid4().hex}")
    try:
        with open(partial, "xb") as handle:
            yield handle
            handle.flush()
            os.fsync(handle.fileno())
        partial.replace(target)
    except OSError as reason:
        raise FileError(f"{target}: cannot be written ({reason.strerror or reason})") from reason
    finally:
        partial.unlink(missing_ok=True)


def save(ssp: SSP, path: str | PathLike[str]) -> None:
    check_suffix(path, ".npz")
    drawn = ssp.random_costs
    beside = {
        "format": FORMAT,
        "state_names": ssp.state_names,
        "action_names": ssp.action_names,
        "grid": ssp.grid,
        "random_costs": drawn and {"law": drawn.law, "low": drawn.low, "high": drawn.high},
    }
    arrays = {name: getattr(ssp, name) for name in ARRAYS} | ({"spread_x": drawn.spread_x} if drawn else {})
    write_npz(path, json.dumps(beside), arrays)


def load(path: str | PathLike[str]) -> dict[str, Any]:
    """The parts of a model, checked like those of any other: a file may have been damaged, or written by somebody else."""
    check_suffix(path, ".npz")
    try:
        return _checked(*read_npz(path, FORMAT))
    except FileNotFoundError as reason:
        raise FileError(f"{path}: no such file") from reason
    except KeyError as reason:
        raise FileError(f"{path}: not a model that SSP.save wrote (it has no {reason})") from reason
    except (ModelError, SettingError) as reason:
        raise FileError(f"{path}: not a valid model: {reason}") from reason
    except Exception as reason:  # there is no end to what NumPy, zipfile and zlib raise on damaged files
        raise FileError(f"{path}: not a model that SSP.save wrote ({reason})") from reason


def _checked(arrays: dict[str, Any], beside: dict[str, Any]) -> dict[str, Any]:
    frame = Frame.of(arrays["start_distribution"], arrays["goals"], beside["state_names"], beside["action_names"], beside["grid"])
    first_pair, row_ptr, next_state, probability, cost, action = (arrays[name] for name in ARRAYS[:6])
    parts = from_csr(first_pair, row_ptr, next_state, probability, cost, action, frame)
    drawn = beside["random_costs"]
    return parts | {"random_costs": drawn and RandomCosts.checked(drawn["law"], arrays["spread_x"], drawn["low"], drawn["high"], parts["cost"])}


def write_npz(path: str | PathLike[str], beside: str, arrays: dict[str, Any]) -> None:
    """Arrays, and a JSON text beside them."""
    with written_whole(path) as file:
        np.savez_compressed(file, beside=np.frombuffer(beside.encode(), np.uint8), **arrays)


def read_npz(path: str | PathLike[str], form: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """What `write_npz` wrote: the arrays, and what the JSON text says, which has to be of this format. There is no end to what damaged files raise."""
    with open(path, "rb") as handle, np.load(handle, allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    beside = json.loads(arrays["beside"].tobytes())
    if beside["format"] != form:
        raise ValueError(f"format {beside['format']!r}, expected {form!r}")
    return arrays, beside


def check_suffix(path: str | PathLike[str], suffix: str) -> None:
    if Path(path).suffix.lower() != suffix:
        raise FileError(f"{os.fspath(path)}: expected a name that ends in {suffix}")
