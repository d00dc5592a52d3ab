"""A run of an algorithm, played three ways, and all that can be compared of it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import goalward as gw
from goalward.simulation.agent import Agent
from goalward.simulation.contract import Recipe
from goalward.simulation.leaves import leaves
from goalward.simulation.loop import Log, run_episodes
from goalward.simulation.names import Names
from goalward.simulation.run import Run
from goalward.simulation.simulate import MOST_STEPS
from goalward.simulation.streams import streams
from goalward.simulation.world import World

from .variants import SEED, Variant

OPENING = 7  # steps that an agent has made when it is looked at in the midst of an episode


class Trace(NamedTuple):
    """What was told of the episodes, and what the algorithm remembers at the end."""

    cost_k: NDArray[np.float64]
    steps_k: NDArray[np.int32]
    columns: dict[str, NDArray[Any]]  # of `now`
    leaves: dict[str, Any]


class Interpreted(Run):
    """The loop as Python runs it."""

    def kernel(self) -> Any:
        return run_episodes


def in_loop(kind: type[Run], variant: Variant) -> Trace:
    """Run 0, interpreted (`Interpreted`) or compiled (`Run`)."""
    ssp, K = variant.problem(), variant.episodes
    noise, own = streams(SEED, 0)
    agent = Recipe.of(variant.algorithm, variant.settings, K).create(ssp.signature, own)
    told = getattr(agent, "now", None)
    log, now_k = Log(np.full(K, np.nan), np.zeros(K, np.int32), np.zeros(K, np.int32)), None if told is None else np.zeros(K, told.dtype)
    run = kind(World.of(ssp, variant.settings.get("penalty")), agent, noise, log, now_k, MOST_STEPS)
    run.play(K)
    return Trace(log.cost_k, log.steps_k, columns_of(now_k), remembered(run.agent))


def by_simulate(variant: Variant) -> Trace:
    """Run 0 as `simulate` shows it, with what is remembered by the same loop."""
    runs = gw.simulate(variant.problem(), variant.algorithm, variant.episodes, seed=SEED, **variant.settings)
    columns = {name: column[0] for name, column in runs.columns.items()}
    return Trace(runs.cost[0], runs.steps[0], columns, in_loop(Run, variant).leaves)


class Walk:
    """An agent driven by hand: the loop that users write, in the numbers of the model."""

    def __init__(self, variant: Variant) -> None:
        ssp = variant.problem()
        self.variant, self.signature = variant, ssp.signature
        self.world, self.names, self.noise = World.of(ssp, variant.settings.get("penalty")), Names(ssp.signature), streams(SEED, 0)[0]
        self.agent = gw.make_agent(variant.algorithm, ssp.signature, seed=SEED, episodes=variant.episodes, **variant.settings)
        self.costs: list[float] = []
        self.steps: list[int] = []
        self.told: list[Any] = []
        self.s = ssp.signature.goal  # no episode yet

    def step(self) -> None:
        """One, and the start of an episode where none is under way."""
        if self.s == self.signature.goal:
            self.s = self.world.begin(self.noise)
            self.costs.append(0.0)
            self.steps.append(0)
            self.agent.reset(int(self.names.state_of[self.s]))
        s = int(self.names.state_of[self.s])
        a = self.agent.act(s)
        inner = self.names.pair_action(self.s, a)
        paid, s_next = self.world.step(self.s, inner, self.noise) if a != gw.RESET else (self.world.penalty, self.signature.goal)
        self.agent.observe(s, a, paid, int(self.names.state_of[s_next]))
        self.costs[-1] += paid
        self.steps[-1] += 1
        self.s = s_next
        if s_next == self.signature.goal and hasattr(self.agent.state, "now"):
            self.told.append(self.agent.state.now.copy())

    def finish(self) -> Trace:
        while len(self.steps) < self.variant.episodes or self.s != self.signature.goal:
            self.step()
        now_k = np.array(self.told, self.told[0].dtype) if self.told else None
        return Trace(np.array(self.costs), np.array(self.steps, np.int32), columns_of(now_k), remembered(self.agent.state))


def by_hand(variant: Variant) -> Trace:
    return Walk(variant).finish()


def columns_of(now_k: Any) -> dict[str, NDArray[Any]]:
    return {} if now_k is None else {name: np.ascontiguousarray(now_k[name]) for name in now_k.dtype.names}


def remembered(state: Any) -> dict[str, Any]:
    """All leaves, as something that `==` compares bit by bit."""
    return {place: bits(leaf) for place, leaf in leaves(state).items()}


def bits(leaf: Any) -> Any:
    return leaf.bit_generator.state if isinstance(leaf, np.random.Generator) else (leaf.dtype, leaf.shape, leaf.tobytes())


def assert_same(first: Trace, second: Trace) -> None:
    assert bits(first.cost_k) == bits(second.cost_k)
    assert bits(first.steps_k) == bits(second.steps_k)
    assert {name: bits(column) for name, column in first.columns.items()} == {name: bits(column) for name, column in second.columns.items()}
    assert list(first.leaves) == list(second.leaves)
    assert [place for place in first.leaves if first.leaves[place] != second.leaves[place]] == []


def pool_sizes(agent: Agent) -> dict[str, int]:
    """What may grow, by its place."""
    return {place: len(leaf) for place, leaf in leaves(agent.state).items() if isinstance(leaf, np.ndarray) and place.endswith("_i")}
