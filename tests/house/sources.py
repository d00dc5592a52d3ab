"""The sources of the package, as texts and as trees."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "goalward"


class Module(NamedTuple):
    name: str  # goalward.models.ssp; a folder's name is that of its __init__
    is_folder: bool
    text: str

    @property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)


def modules() -> list[Module]:
    """All modules of the package, by name."""
    return sorted(Module(name_of(path), path.name == "__init__.py", path.read_text(encoding="utf-8")) for path in PACKAGE.rglob("*.py"))


def name_of(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def is_module(name: str) -> bool:
    """Whether there is a module of this name in the package."""
    place = PACKAGE.parent.joinpath(*name.split("."))
    return place.with_suffix(".py").is_file() or (place / "__init__.py").is_file()


def texts(*patterns: str) -> Iterator[tuple[Path, str]]:
    """The files that match, with their texts; patterns are relative to the root of the project."""
    for pattern in patterns:
        for path in sorted(ROOT.glob(pattern)):
            yield path, path.read_text(encoding="utf-8")
