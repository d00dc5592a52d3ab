"""Random policies of a model, as a caller writes them and as exact chains."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from goalward import SSP
from tests.naive.chains import mixed
from tests.naive.exact import ExactModel, Pair, exact_model
from tests.strategies import Recipe

WEIGHTS = st.integers(0, 4)


class Case(NamedTuple):
    """A model and a policy."""

    recipe: Recipe
    policy: NDArray[np.generic]

    @property
    def ssp(self) -> SSP:
        return self.recipe.ssp()

    def exact(self) -> tuple[ExactModel, dict[int, Pair]]:
        model = exact_model(self.ssp)
        return model, mixed(model, exact_weights(self.ssp, self.policy))


def exact_weights(ssp: SSP, policy: NDArray[np.generic]) -> dict[int, dict[int, Fraction]]:
    """weights[s][a], of the states in which the policy is defined."""
    inner = [s for s in range(ssp.num_states) if s not in ssp.goals]
    if policy.ndim == 1:
        return {s: {int(policy[s].item()): Fraction(1)} for s in inner if policy[s] != -1}
    return {s: {a: Fraction(w) for a, w in enumerate(policy[s].tolist()) if w > 0.0} for s in inner}


@st.composite
def cases(draw: st.DrawFn, models: st.SearchStrategy[Recipe]) -> Case:
    """Deterministic or stochastic; what a goal's entry says does not matter."""
    recipe = draw(models)
    ssp = recipe.ssp()
    return Case(recipe, draw(deterministic(ssp) if draw(st.booleans()) else stochastic(ssp)))


@st.composite
def deterministic(draw: st.DrawFn, ssp: SSP) -> NDArray[np.generic]:
    """Now and then undefined in a state; sometimes as floating-point numbers."""
    own = [[-1, *ssp.action[ssp.first_pair[s] : ssp.first_pair[s + 1]].tolist()] for s in range(ssp.num_states)]
    sparse = draw(st.booleans())
    policy = [draw(st.sampled_from(actions if sparse or len(actions) == 1 else actions[1:])) for actions in own]
    return np.array(policy, dtype=draw(st.sampled_from([np.int64, np.int8, np.float64])))


@st.composite
def stochastic(draw: st.DrawFn, ssp: SSP) -> NDArray[np.generic]:
    policy = np.zeros((ssp.num_states, ssp.num_actions))
    policy[ssp.goals] = draw(st.sampled_from([0.0, 7.0]))
    for s in range(ssp.num_states):
        own = ssp.action[ssp.first_pair[s] : ssp.first_pair[s + 1]]
        if len(own):
            weights = np.array(draw(st.lists(WEIGHTS, min_size=len(own), max_size=len(own)).filter(any)))
            policy[s, own] = weights / weights.sum()
    return policy
