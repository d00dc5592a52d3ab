"""All that a component remembers: its arrays, records and generators, by their place in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from goalward.learning.growth import Part, grown, is_component


def leaves(part: tuple[Any, ...]) -> dict[str, Any]:
    """Place (counts.visits_x) -> array, record or generator. What several parts share stands under its first place."""
    found: dict[int, tuple[str, Any]] = {}
    for place, leaf in _walk(part, ""):
        found.setdefault(id(leaf), (place, leaf))
    return dict(found.values())


def _walk(part: tuple[Any, ...], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, field in zip(part._fields, part, strict=True):  # type: ignore[attr-defined]  # a component is a NamedTuple
        if is_component(field):
            yield from _walk(field, f"{prefix}{name}.")
        elif isinstance(field, np.ndarray | np.record | np.random.Generator):
            yield f"{prefix}{name}", field


def is_changeable(leaf: Any) -> bool:
    """Whether an algorithm can write to it."""
    return not isinstance(leaf, np.ndarray) or bool(leaf.flags.writeable)


def with_room_for(part: Part, sizes: dict[str, int]) -> Part:
    """The component grown until each of its pools has the size named."""
    while any(len(leaf) < sizes[place] for place, leaf in leaves(part).items() if place in sizes):
        larger = grown(part)
        if all(len(a) == len(b) for a, b in zip(_arrays(part), _arrays(larger), strict=True)):
            break
        part = larger
    return part


def _arrays(part: tuple[Any, ...]) -> list[Any]:
    return [leaf for leaf in leaves(part).values() if isinstance(leaf, np.ndarray)]


def restore(leaf: Any, content: Any) -> None:
    """Write into a leaf what another one remembered; ValueError or KeyError if it cannot have been one like it."""
    if isinstance(leaf, np.random.Generator):
        leaf.bit_generator.state = content
    elif isinstance(leaf, np.record):
        if content.dtype != leaf.dtype:
            raise ValueError(f"fields {content.dtype}, expected {leaf.dtype}")
        for name in leaf.dtype.names or ():
            leaf[name] = content[name]
    else:
        if (content.shape, content.dtype) != (leaf.shape, leaf.dtype):
            raise ValueError(f"{content.dtype} of shape {content.shape}, expected {leaf.dtype} of shape {leaf.shape}")
        leaf[...] = content
