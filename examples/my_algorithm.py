"""Write your own algorithm: Q-learning that is curious about what it has tried least.

Everything the learner remembers is a field, and `act` and `observe` are its whole life. Numbers that change live in arrays or in a record, because a NamedTuple
cannot change. Stick to loops, `math` and the generator handed to `create`, and it runs interpreted, compiled and step by step with the same bits.

States are 0 ... S - 1, and the goal is S. The actions of state s are the pairs first_pair[s] <= x < first_pair[s + 1].
"""

import math
from typing import NamedTuple

import numpy as np

import goalward as gw

Episode = np.dtype([("novelty", np.float64)])


@gw.component
class CuriousQ(NamedTuple):
    """Plays the action that looks cheapest, where an action tried n times looks cheaper by curiosity / sqrt(n + 1)."""

    first_pair: np.ndarray  # (S + 1,)
    value_x: np.ndarray  # (X,) what a pair and all that follows seems to cost
    visits_x: np.ndarray  # (X,)
    now: np.record  # its fields become columns of the result, as they are when an episode ends
    curiosity: float

    @classmethod
    def create(cls, signature, rng, *, curiosity=1.0):
        """The keyword arguments are the settings of the algorithm."""
        pairs, now = len(signature.cost_x), np.rec.array(np.zeros(1, Episode))[0]
        return cls(signature.first_pair, np.zeros(pairs), np.zeros(pairs, np.int64), now, float(curiosity))

    def act(self, s: int) -> int:
        least, choice = math.inf, 0
        for x in range(self.first_pair[s], self.first_pair[s + 1]):
            hope = self.value_x[x] - self.novelty(x)
            if hope < least:
                least, choice = hope, x - self.first_pair[s]
        return choice

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        x = self.first_pair[s] + a
        self.visits_x[x] += 1
        self.now.novelty = self.novelty(x)
        self.value_x[x] += (cost + self.cheapest(s_next) - self.value_x[x]) / math.sqrt(self.visits_x[x])

    def novelty(self, x: int) -> float:
        return self.curiosity / math.sqrt(self.visits_x[x] + 1.0)

    def cheapest(self, s: int) -> float:
        """The least value of the actions in s; 0 at the goal."""
        if s == self.first_pair.size - 1:
            return 0.0
        least = math.inf
        for x in range(self.first_pair[s], self.first_pair[s + 1]):
            least = min(least, self.value_x[x])
        return least


if __name__ == "__main__":
    grid = gw.environments.make("paper-grid")

    # A class stands wherever the name of an algorithm can. It is compiled when it is first run, and kept on disk.
    for curiosity in (0.0, 1.0, 5.0):
        runs = gw.simulate(grid, CuriousQ, episodes=1000, runs=20, seed=0, curiosity=curiosity)
        regret, novelty = runs.regret[:, -1], runs.novelty[:, -1]
        print(f"curiosity {curiosity:g}: regret {regret.mean():.0f}, {regret.min():.0f} to {regret.max():.0f}; novelty in the end {novelty.mean():.3f}")

    # Step by step, in a world of one's own: a corridor that somebody blocks now and then.
    agent = gw.make_agent(CuriousQ, gw.environments.make("corridor", length=4).signature)
    steps, blocked = 0, np.random.default_rng(1)
    for _ in range(50):
        s = 0
        agent.reset(s)
        while s != 4:
            a = agent.act(s)
            s_next = s if blocked.random() < 0.2 else s + 1 if a == 0 else max(0, s - 1)
            agent.observe(s, a, cost=1.0, s_next=s_next)
            s, steps = s_next, steps + 1
    print(f"corridor: {steps / 50:g} steps an episode")
