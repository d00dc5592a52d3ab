"""One run of an algorithm in a world: played by the compiled loop, as far as one likes, and on from there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled
from goalward.errors import AlgorithmError
from goalward.learning.growth import growing_part, grown
from goalward.learning.records import new_record
from goalward.simulation.loop import EPISODES, STEPS, Log, Session, run_episodes
from goalward.simulation.watch import Watch
from goalward.simulation.world import NO_ACTION, NO_PENALTY, World


class Run:
    """The agent, the noise it meets, what is told of each episode, and how far it is."""

    def __init__(
        self, world: World, agent: Any, noise: np.random.Generator, log: Log, now_k: NDArray[Any] | None, max_steps: int, watch: Watch | None = None
    ) -> None:  # fmt: skip
        self.world, self.agent, self.noise, self.log, self.now_k, self.watch = world, agent, noise, log, now_k, watch
        self.limits, self.growing = np.array([0, max_steps]), growing_part(agent)
        self.session = new_record(Session)

    @property
    def player(self) -> Any:
        """Who acts: the agent, watched if that was asked for."""
        return self.agent if self.watch is None else self.watch.over(self.agent)

    @property
    def finished(self) -> int:
        """Episodes."""
        return int(self.session.k)

    @property
    def out_of_steps(self) -> bool:
        return bool(self.session.steps >= self.limits[STEPS])

    def play(self, episodes: int) -> None:
        """Until so many episodes are finished, or the steps are used up."""
        self.limits[EPISODES] = episodes
        while self.finished < episodes:
            arguments = self._arguments()
            try:
                compiled(run_episodes, *arguments)(*arguments)
            except IndexError as reason:
                if str(reason) not in (NO_ACTION, NO_PENALTY):  # a mistake in the algorithm, found by Python
                    raise
                raise AlgorithmError(f"{type(self.agent).__name__}: {reason}") from reason
            if not self.grow():
                return

    def grow(self) -> bool:
        """Make room for the next step; says whether that was needed."""
        if self.growing is None or not self.growing.is_full():
            return False
        self.agent = grown(self.agent)
        self.growing = growing_part(self.agent)
        return True

    def stop(self) -> None:
        """As soon as the step at hand is made; may be called from another thread."""
        self.limits[STEPS] = 0

    def kernel(self) -> Callable[..., None]:
        """The compiled loop for this world and this agent."""
        return compiled(run_episodes, *self._arguments())

    def _arguments(self) -> tuple[Any, ...]:
        now = None if self.now_k is None else self.agent.now
        return self.world, self.player, now, self.now_k, self.growing, self.log, self.session, self.limits, self.noise
