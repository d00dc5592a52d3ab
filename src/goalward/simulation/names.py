"""States and actions have two numbers: the caller's, and those that algorithms know. Here they meet."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goalward.errors import AlgorithmError, SettingError
from goalward.models.rows import Longs
from goalward.models.signature import Signature
from goalward.models.ssp import RESET


class Names:
    """Algorithms count states 0 ... S - 1 without the goals, which are all S, and the actions of each state from 0."""

    def __init__(self, signature: Signature) -> None:
        self.signature = signature

    @cached_property
    def state_of(self) -> Longs:
        """(S + 1,) the caller's state; for the goal the first of them."""
        index_s = self.signature.index_s
        first = np.unique(index_s, return_index=True)[1]
        return first.astype(np.int64)

    def state(self, name: str, given: Any) -> int:
        """The algorithm's number of a caller's state."""
        states = len(self.signature.index_s)
        if not (isinstance(given, int | np.integer) and not isinstance(given, bool) and 0 <= given < states):
            raise SettingError(name, given, f"a state from 0 to {states - 1}")
        return int(self.signature.index_s[given])

    def action(self, s: int, a: int) -> int:
        """The caller's number of the algorithm's action `a` in its state `s`."""
        if a == RESET:
            return RESET
        first, end = self.signature.first_pair[s : s + 2]
        if not 0 <= a < end - first:
            raise AlgorithmError(f"act() chose action {a} in state {self.state_of[s]}: expected one from 0 to {end - first - 1}, or gw.RESET")
        return int(self.signature.action_x[first + a])

    def pair_action(self, s: int, given: Any) -> int:
        """The algorithm's number of a caller's action in the algorithm's state `s`."""
        if given == RESET:
            return RESET
        actions = self.signature.action_x[self.signature.first_pair[s] : self.signature.first_pair[s + 1]]
        found = np.flatnonzero(actions == given)
        if not found.size:
            raise SettingError("action", given, f"one of {actions.tolist()}, the actions of state {self.state_of[s]}")
        return int(found[0])

    def policy(self, agent: Any) -> Longs | None:
        """(S',) the action that the agent would take in each state, -1 in goals; None if it cannot say."""
        if not hasattr(agent, "policy"):
            return None
        chosen = np.append(agent.policy(), 0)
        pairs = np.append(self.signature.first_pair[:-1], 0) + np.maximum(chosen, 0)
        named = np.where(chosen == RESET, RESET, self.signature.action_x[pairs])
        named[-1] = -1
        return named[self.signature.index_s].astype(np.int64)

    def value(self, agent: Any) -> NDArray[np.float64] | None:
        """(S',) what the agent thinks each state will cost; None if it cannot say."""
        if not hasattr(agent, "value"):
            return None
        return np.asarray(agent.value(), float)[self.signature.index_s]

    def thoughts(self, agent: Any) -> dict[str, Any]:
        """All that the agent shows. What has an entry a pair keeps its order, which is the caller's."""
        facts = {name: np.array(fact) for name, fact in agent.snapshot().items()} if hasattr(agent, "snapshot") else {}
        return {"policy": self.policy(agent), "value": self.value(agent), "facts": facts}
