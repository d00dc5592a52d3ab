"""An algorithm driven step by step, in a world of one's own.

>>> import goalward as gw
>>> grid = gw.environments.make("paper-grid")
>>> agent = gw.make_agent("uc-ssp", grid.signature, seed=0)
>>> agent.reset(8)
>>> a = agent.act(8)
>>> agent.observe(8, a, cost=1.0, s_next=4)  # what the world answered
"""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goalward._compile import compiled
from goalward.errors import SettingError
from goalward.learning.growth import growing_part, grown
from goalward.models.checks import number
from goalward.models.rows import Longs
from goalward.models.settings import whole
from goalward.models.signature import Signature
from goalward.models.ssp import RESET
from goalward.simulation.contract import Recipe
from goalward.simulation.names import Names
from goalward.simulation.steps import act, interrupt, observe
from goalward.simulation.streams import streams

BETWEEN = -1  # no episode has begun


def make_agent(algorithm: Any, signature: Signature, *, seed: int = 0, episodes: int | None = None, **settings: Any) -> Agent:
    """An agent that knows `ssp.signature` and nothing else of the problem; it acts as in run 0 of `simulate` with this seed.

    `algorithm` is a name of the catalogue or a class of one's own; `episodes` is how many there will be, for algorithms that have to know.
    """
    if not isinstance(signature, Signature):
        raise SettingError("signature", signature, "ssp.signature")
    recipe = Recipe.of(algorithm, settings, None if episodes is None else whole("episodes", episodes, 1))
    return Agent(recipe, signature, recipe.create(signature, streams(whole("seed", seed, 0), 0)[1]))


class Agent:
    """Tell it where an episode starts (`reset`), ask it what to do (`act`), and tell it what came of that (`observe`). States and actions are the caller's.

    `act` may answer `gw.RESET`, if the agent was made with a penalty: give up, pay the penalty, and `observe(s, gw.RESET, penalty, goal)`.
    """

    def __init__(self, recipe: Recipe, signature: Signature, state: Any, at: int = BETWEEN) -> None:
        self.recipe, self.signature, self.state, self.at = recipe, signature, state, at  # `at` is where an episode goes on, in the algorithm's numbers
        self._names = Names(signature)

    def reset(self, s: int) -> None:
        """An episode starts in `s`. If none has reached a goal since the last reset, the same episode goes on there: it was truncated, the attempt ends."""
        state = self._inner("s", s)
        if self.at != BETWEEN and hasattr(self.state, "interrupt"):
            compiled(interrupt, self.state, self.at)(self.state, self.at)
        self.at = state

    def act(self, s: int) -> int:
        """The action that the agent takes in `s`."""
        self._make_room()
        state = self._inner("s", s)
        return self._names.action(state, compiled(act, self.state, state)(self.state, state))

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        """In `s` the agent played `a`, paid `cost` and came to `s_next`."""
        self._make_room()
        state, after = self._inner("s", s), self._names.state("s_next", s_next)
        action, paid = self._names.pair_action(state, a), number("cost", cost, ">= 0", lambda c: c >= 0.0)
        if action == RESET and self.recipe.settings.get("penalty") is None:
            raise SettingError("action", "gw.RESET", "an action of the model: only an agent made with a penalty may give up")
        if action == RESET and after != self.signature.goal:
            raise SettingError("s_next", s_next, "a goal: giving up ends the episode")
        compiled(observe, self.state, state, action, paid, after)(self.state, state, action, paid, after)
        self.at = BETWEEN if after == self.signature.goal else after

    def policy(self) -> Longs:
        """(S',) what the agent would do now in each state by its last plan; -1 in goals."""
        found = self._names.policy(self.state)
        if found is None:
            raise SettingError("algorithm", self.recipe.name, "one that has a policy()")
        return found

    def value(self) -> NDArray[np.float64]:
        """(S',) what the agent thinks that each state will cost."""
        found = self._names.value(self.state)
        if found is None:
            raise SettingError("algorithm", self.recipe.name, "one that has a value()")
        return found

    def save(self, path: str | PathLike[str]) -> None:
        """Write all that the agent remembers to an .npz file, whole or not at all, without pickle. `gw.load_agent(path)` goes on with the same bits."""
        from goalward.simulation.agent_files import save

        save(self, path)

    def _inner(self, name: str, s: int) -> int:
        state = self._names.state(name, s)
        if state == self.signature.goal:
            raise SettingError(name, s, "a state that is no goal: there the episode is over")
        return state

    def _make_room(self) -> None:
        growing = growing_part(self.state)
        if growing is not None and growing.is_full():
            self.state = grown(self.state)

    def __repr__(self) -> str:
        return f"Agent({self.recipe.name}, {self.signature!r})"


def load_agent(path: str | PathLike[str], algorithm: Any = None) -> Agent:
    """The agent in the file that `Agent.save` wrote. A class of one's own is found by its import path, or handed over."""
    from goalward.simulation.agent_files import load

    return load(path, algorithm)
