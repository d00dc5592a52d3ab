"""Single steps of an algorithm, called from Python: entry points of compiled code."""

from __future__ import annotations

from typing import Any


def act(agent: Any, s: int) -> int:
    return int(agent.act(s))


def observe(agent: Any, s: int, a: int, cost: float, s_next: int) -> None:
    agent.observe(s, a, cost, s_next)


def interrupt(agent: Any, s: int) -> None:
    agent.interrupt(s)
