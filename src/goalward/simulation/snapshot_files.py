"""Snapshots as .npz files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from goalward.errors import FileError
from goalward.models.files import read_npz, write_npz
from goalward.simulation.record import Snapshot

FORMAT = "goalward-snapshots-1"
ARRAYS = ("policy", "value", "states", "actions", "costs", "attempts")


def save_snapshots(snapshots: Sequence[Snapshot], path: Path) -> None:
    index = [(snapshot.run, snapshot.episode) for snapshot in snapshots]
    arrays: dict[str, Any] = {}
    for i, snapshot in enumerate(snapshots):
        arrays |= {f"{i}.{name}": part for name in ARRAYS if (part := getattr(snapshot, name)) is not None}
        arrays |= {f"{i}.facts.{name}": fact for name, fact in snapshot.facts.items()}
    write_npz(path, json.dumps({"format": FORMAT, "index": index}), arrays)


def load_snapshots(path: Path) -> tuple[Snapshot, ...]:
    try:
        arrays, beside = read_npz(path, FORMAT)
        return tuple(_snapshot(run, episode, f"{i}.", arrays) for i, (run, episode) in enumerate(beside["index"]))
    except FileNotFoundError as reason:
        raise FileError(f"{path}: no such file; it lay beside the runs") from reason
    except Exception as reason:  # there is no end to what a damaged file may raise
        raise FileError(f"{path}: not snapshots that Runs.save wrote ({reason})") from reason


def _snapshot(run: int, episode: int, prefix: str, arrays: dict[str, Any]) -> Snapshot:
    facts = f"{prefix}facts."
    shown = {name.removeprefix(facts): array for name, array in arrays.items() if name.startswith(facts)}
    parts: dict[str, Any] = {name: arrays.get(prefix + name) for name in ARRAYS}
    return Snapshot(run, episode, facts=shown, **parts)
