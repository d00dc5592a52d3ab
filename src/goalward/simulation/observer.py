"""A closer look at a run: single steps from Python, with the same bits as the loop."""

from __future__ import annotations

from typing import Any

import numpy as np

from goalward._compile import compiled
from goalward.models.rows import Floats
from goalward.models.ssp import RESET
from goalward.simulation.names import Names
from goalward.simulation.record import Record, Snapshot
from goalward.simulation.run import Run
from goalward.simulation.steps import act, observe


class Observer:
    """Plays a run, and looks at it where the record asks for it."""

    def __init__(self, run: Run, names: Names, number: int, record: Record, probed: dict[str, Floats]) -> None:
        self.run, self.names, self.number, self.probed = run, names, number, probed
        self.chosen = sorted(record.snapshots) if number in (record.runs or ()) else []
        self.path: list[tuple[int, int, float]] = []  # state, action, cost; of the episode at hand
        self.attempts: list[int] = []  # the steps at which a new attempt began
        self.attempt = 0

    def play(self, episodes: int) -> list[Snapshot]:
        """All episodes; returns what was asked for of those chosen."""
        found = []
        for k in range(1, episodes + 1) if self.probed else self.chosen:
            self.run.play(k - 1)
            if self.run.out_of_steps:
                break
            thoughts = self._first_step(k in self.chosen)
            if k in self.chosen:
                while self.run.session.s != self.run.world.goal and not self.run.out_of_steps:
                    self._observe(self._act())
                found.append(self._snapshot(k, thoughts))
        self.run.play(episodes)
        return found

    def _first_step(self, looked_at: bool) -> dict[str, Any]:
        """Begin an episode; returns what the agent thinks when it has chosen its first action."""
        run, session = self.run, self.run.session
        s = run.world.begin(run.noise)
        run.log.start_k[session.k], session.s, session.cost, session.first, session.open = s, s, 0.0, session.steps, 1
        self.path, self.attempts, self.attempt = [], [], 0
        a = self._act()
        for name, column in self.probed.items():
            probe = getattr(type(run.agent), name)
            column[session.k] = compiled(probe, run.agent, s)(run.agent, s)
        thoughts = self.names.thoughts(run.agent) if looked_at else {}
        self._observe(a)
        return thoughts

    def _act(self) -> int:
        self.run.grow()
        agent, s = self.run.agent, int(self.run.session.s)
        a = compiled(act, agent, s)(agent, s)
        attempt = int(getattr(getattr(agent, "now", None), "attempts", 1))
        if attempt != self.attempt:
            self.attempt = attempt
            self.attempts.append(len(self.path))
        return a

    def _observe(self, a: int) -> None:
        """What becomes of the action, as in `run_episodes`, which closes the episode when it is called again."""
        run, session = self.run, self.run.session
        s = int(session.s)
        self.names.action(s, a)  # which says what is wrong with it
        paid, s_next = run.world.step(s, a, run.noise) if a != RESET else run.world.give_up()
        compiled(observe, run.player, s, a, paid, s_next)(run.player, s, a, paid, s_next)
        self.path.append((s, a, paid))
        session.cost += paid
        session.steps += 1
        session.s = s_next

    def _snapshot(self, k: int, thoughts: dict[str, Any]) -> Snapshot:
        visited = self.names.state_of[[*(s for s, _, _ in self.path), self.run.session.s]]
        played = np.array([self.names.action(s, a) for s, a, _ in self.path])
        costs = np.array([paid for _, _, paid in self.path])
        return Snapshot(self.number, k, states=visited, actions=played, costs=costs, attempts=np.array(self.attempts), **thoughts)
