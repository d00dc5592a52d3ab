"""Memory that grows while a model is learnt.

How many successors there will be nobody knows beforehand. So they lie in *pools*: long arrays of which a part is used. The decorator `grows` names the pools
of a component, whose `is_full()` says when the next step might not find room. Whoever drives an algorithm asks that between two steps, and goes on with
`grown(agent)`: the same bits, with twice the room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from goalward._compile import component

Part = TypeVar("Part", bound=tuple[Any, ...])
Cls = TypeVar("Cls", bound=type)


def grows(*pools: str) -> Callable[[Cls], Cls]:
    """Mark a component class whose fields `pools` are pools."""

    def mark(cls: Cls) -> Cls:
        cls._pools = pools  # type: ignore[attr-defined]  # a NamedTuple declares fields only
        return cls

    return mark


class Growing(Protocol):
    """A component with pools."""

    def is_full(self) -> bool: ...


@component
class Both(NamedTuple):
    """Two components with pools."""

    first: Any
    second: Any

    def is_full(self) -> bool:
        return bool(self.first.is_full() or self.second.is_full())


def growing_part(agent: tuple[Any, ...]) -> Growing | None:
    """What says when an algorithm needs more room; None if it never does."""
    parts = [*_growing_parts(agent)]
    return reduce(Both, parts) if parts else None


def _growing_parts(part: tuple[Any, ...]) -> Iterator[Any]:
    if hasattr(part, "is_full"):
        yield part
    for field in part:
        if is_component(field):
            yield from _growing_parts(field)


def is_component(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


def grown(agent: Part) -> Part:
    """The same algorithm with twice the room in every pool. Arrays that its parts share they go on sharing."""
    return _grown(agent, {})


def _grown(part: Part, doubled: dict[int, NDArray[Any]]) -> Part:
    pools = getattr(type(part), "_pools", ())
    fields = []
    for name, field in zip(part._fields, part, strict=True):  # type: ignore[attr-defined]  # a component is a NamedTuple
        if is_component(field):
            fields.append(_grown(field, doubled))
        elif name in pools:
            fields.append(doubled.setdefault(id(field), _doubled(field)))
        else:
            fields.append(field)
    return type(part)(*fields)


def _doubled(pool: NDArray[Any]) -> NDArray[Any]:
    larger = np.zeros(2 * len(pool), pool.dtype)  # pages that are never touched cost nothing
    larger[: len(pool)] = pool
    return larger
