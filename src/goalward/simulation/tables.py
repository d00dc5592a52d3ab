"""Runs as tables: a row an episode, in memory for pandas, on disk as Parquet.

A file holds run, episode, start (where it varies), cost, steps and the algorithm's columns; what holds for a whole run, or for all of them, lies in the file's
metadata as JSON. Floats are split into streams of bytes and counts are 32 bits wide, which zstd likes.
"""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from goalward.errors import FileError, MissingPackageError
from goalward.models.files import check_suffix, written_whole
from goalward.simulation.runs import Runs
from goalward.simulation.settings_text import plain
from goalward.simulation.snapshot_files import load_snapshots, save_snapshots

if TYPE_CHECKING:
    from pandas import DataFrame

FORMAT = "goalward-runs-1"
KEY = b"goalward"
TEXTS = ("algorithm", "settings", "environment", "episodes", "seed", "first_run", "max_steps", "optimal_cost", "optimal_cost_without_reset")
ARRAYS = ("start_states", "start_values", "finished", "open_cost", "open_steps", "seconds")
ON_REQUEST = ("event_held", "event_slack")  # arrays, or None


def to_pandas(runs: Runs) -> DataFrame:
    try:
        import pandas
    except ImportError as reason:
        raise MissingPackageError("to_pandas: pandas is not installed; expected that it is (pip install pandas)") from reason
    return pandas.DataFrame(columns_of(runs))


def columns_of(runs: Runs) -> dict[str, Any]:
    """All columns, flat, and the regret."""
    return _columns(runs) | {"regret": np.ravel(runs.regret)}


def _columns(runs: Runs) -> dict[str, Any]:
    run = np.repeat(np.arange(runs.first_run, runs.first_run + runs.runs, dtype=np.int32), runs.episodes)
    episode = np.tile(np.arange(1, runs.episodes + 1, dtype=np.int32), runs.runs)
    columns: dict[str, Any] = {"run": run, "episode": episode, "start": runs.start, "cost": runs.cost, "steps": runs.steps, **runs.columns}
    return {name: np.ravel(column) for name, column in columns.items()}


def save(runs: Runs, path: str | PathLike[str]) -> None:
    import pyarrow
    from pyarrow import parquet

    check_suffix(path, ".parquet")
    facts = {"format": FORMAT, "columns": [*runs.columns], "snapshots": len(runs.snapshots)} | {name: getattr(runs, name) for name in TEXTS}
    facts |= {"settings": plain(runs.settings)}
    facts |= {name: getattr(runs, name).tolist() for name in (*ARRAYS, *ON_REQUEST) if getattr(runs, name) is not None}
    table = pyarrow.table(_columns(runs)).replace_schema_metadata({KEY: json.dumps(facts)})
    floats = [field.name for field in table.schema if pyarrow.types.is_floating(field.type)]
    with written_whole(path) as file:
        parquet.write_table(table, file, compression="zstd", use_dictionary=False, use_byte_stream_split=floats)
    if runs.snapshots:
        save_snapshots(runs.snapshots, beside(path))


def beside(path: str | PathLike[str]) -> Path:
    """Where the snapshots lie."""
    return Path(path).with_suffix(".snapshots.npz")


def load_runs(path: str | PathLike[str]) -> Runs:
    """The runs in the file that `Runs.save` wrote."""
    from pyarrow import parquet

    check_suffix(path, ".parquet")
    try:
        table = parquet.read_table(path)
        facts = json.loads(table.schema.metadata[KEY])
        if facts["format"] != FORMAT:
            raise ValueError(f"format {facts['format']!r}, expected {FORMAT!r}")
        shape = len(facts["finished"]), facts["episodes"]
        columns = {name: table.column(name).to_numpy().reshape(shape) for name in ("cost", "steps", "start", *facts["columns"])}
        told = {name: columns.pop(name) for name in facts["columns"]}
        arrays = {name: np.array(facts[name]) for name in (*ARRAYS, *ON_REQUEST) if name in facts}
        parts: dict[str, Any] = {name: facts[name] for name in TEXTS} | arrays | columns
        return Runs(**parts, columns=told, snapshots=load_snapshots(beside(path)) if facts["snapshots"] else ())
    except FileNotFoundError as reason:
        raise FileError(f"{reason.filename or path}: no such file") from reason
    except FileError:
        raise
    except Exception as reason:  # there is no end to what a damaged file may raise
        raise FileError(f"{path}: not a table that Runs.save wrote ({reason})") from reason
