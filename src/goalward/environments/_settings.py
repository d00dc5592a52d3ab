"""Settings of environments: what they may be, in words, and what a drawn one is drawn from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from goalward.errors import SettingError
from goalward.models.checks import MOST, number
from goalward.models.settings import whole


def check_pairs(pairs: int, **settings: int) -> None:
    """The size of a model is bounded by the numbers of its pairs; `settings` are those it comes from."""
    if pairs > MOST:
        names, values = ", ".join(settings), tuple(settings.values())
        raise SettingError(names, values if len(values) > 1 else values[0], f"a model of at most {MOST} state-action pairs, not {pairs}")


def probability(name: str, value: Any) -> float:
    """`value` as a probability of failure: below 1, so that what may fail may also succeed."""
    return number(name, value, "in [0, 1)", lambda p: 0.0 <= p < 1.0)


def generator(seed: Any) -> np.random.Generator:
    """What all draws of an environment come from."""
    return np.random.default_rng(whole("seed", seed, 0))


def drawn_costs(rng: np.random.Generator, c_min: Any, c_max: Any, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Costs uniform in [c_min, c_max]."""
    least = number("c_min", c_min, ">= 0", lambda c: c >= 0.0)
    most = number("c_max", c_max, f">= c_min = {least:g}", lambda c: c >= least)
    return rng.uniform(least, most, shape)


def drawn_rows(rng: np.random.Generator, rows: int, successors: int, concentration: float = 1.0) -> NDArray[np.float64]:
    """(rows, successors) probabilities from a symmetric Dirichlet law, which at concentration 1 is uniform over all distributions."""
    weights = rng.standard_gamma(concentration, (rows, successors))
    normalised: NDArray[np.float64] = weights / weights.sum(axis=1, keepdims=True)
    return normalised
