"""The one loop: an agent, a world, episodes. It knows no algorithm."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward._compile import component
from goalward.models.rows import Floats, Longs
from goalward.models.ssp import RESET
from goalward.simulation.world import World

# Where a run is: episodes finished, state, steps; and of the episode at hand whether there is one, the step it began with and what it has cost so far.
Session = np.dtype([(name, np.int64) for name in ("k", "s", "steps", "open", "first")] + [("cost", np.float64)])
EPISODES, STEPS = 0, 1  # what `limits` holds


@component
class Log(NamedTuple):
    """What is told of each episode, whatever the algorithm."""

    cost_k: Floats
    steps_k: NDArray[np.int32]
    start_k: NDArray[np.int32]


def run_episodes(
    world: World, agent: Any, now: Any, now_k: Any, growing: Any, log: Log, session: Any, limits: Longs, noise: np.random.Generator
) -> None:  # fmt: skip
    """Play on from where `session` is, until the episodes or the steps of `limits` are reached, or the agent needs more room.

    `limits` is read before each step, so that another thread can stop this one. `now` is the agent's record of the episode, which `now_k` keeps as it ends;
    both are None if it has none. `growing` says when there is no more room; None if that cannot be.
    """
    s, steps, cost, going = session.s, session.steps, session.cost, True
    while going and session.k < limits[EPISODES]:
        if not session.open:
            s, cost = world.begin(noise), 0.0
            log.start_k[session.k], session.first, session.open = s, steps, 1
        while s != world.goal:
            if steps >= limits[STEPS] or (growing is not None and growing.is_full()):
                going = False
                break
            a = agent.act(s)
            paid, s_next = world.step(s, a, noise) if a != RESET else world.give_up()
            agent.observe(s, a, paid, s_next)
            cost += paid
            steps += 1
            s = s_next
        if going:
            log.cost_k[session.k], log.steps_k[session.k] = cost, steps - session.first
            if now_k is not None:
                now_k[session.k] = now
            session.k, session.open = session.k + 1, 0
    session.s, session.steps, session.cost = s, steps, cost
