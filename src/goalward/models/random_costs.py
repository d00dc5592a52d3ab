"""Costs that are drawn at every step, with mean c(s, a) and support in [low, high]."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward._compile import component
from goalward.errors import SettingError
from goalward.models.checks import floats, number
from goalward.models.rows import frozen

LAWS = ("bernoulli", "uniform", "beta")
LEAST_SPREAD = 1e-9  # below that, a beta law is its mean to the last digits


class RandomCosts(NamedTuple):
    """How costs are drawn. With room = [low, high], the mean c inside it and the spread of a pair:

    bernoulli: one of the two values c - spread (c - low) and c + spread (high - c);
    uniform: within spread * min(c - low, high - c) of c;
    beta: on [low, high], with spread times the variance of two values at its ends. At spread = 1 that is the law bernoulli.

    At spread = 0 the cost is c, which then need not lie in the room: so it is with the reset action.
    """

    law: str
    spread_x: NDArray[np.float64]  # (X,)
    low: float
    high: float

    @classmethod
    def checked(cls, law: Any, spread: Any, low: Any, high: Any, cost: NDArray[np.float64]) -> RandomCosts:
        """For pairs of mean `cost`; `spread` is one number, or one a pair."""
        if not isinstance(law, str) or law not in LAWS:
            raise SettingError("law", law, f"one of {', '.join(LAWS)}")
        if np.ndim(spread) == 0:
            spread = number("spread", spread, f"from {LEAST_SPREAD:g} to 1", lambda r: LEAST_SPREAD <= r <= 1.0)
            spread_x = np.full(len(cost), spread)
        else:
            spread_x = floats("spread", spread)
            if spread_x.shape != cost.shape or not ((spread_x == 0.0) | (spread_x >= LEAST_SPREAD) & (spread_x <= 1.0)).all():
                raise SettingError("spread", spread, f"0 or a number from {LEAST_SPREAD:g} to 1 for each pair")
        drawn = cost[spread_x > 0.0]
        least, most = float(drawn.min(initial=np.inf)), float(drawn.max(initial=0.0))
        low = number("low", low, f"from 0 to the smallest mean cost, {least:g}", lambda c: 0.0 <= c <= least)
        high = number("high", high, f"not below the largest mean cost, {most:g}", lambda c: c >= most)
        if low == high:
            raise SettingError("law", law, f"costs with room to vary: low = high = {low:g}; give low= and high=")
        return cls(law, frozen(spread_x), low, high)

    @property
    def code(self) -> int:
        """The law as a number, for compiled code."""
        return LAWS.index(self.law)


@component
def draw_bernoulli(mean: float, spread: float, low: float, high: float, rng: np.random.Generator) -> float:
    below, above = spread * (mean - low), spread * (high - mean)
    if rng.random() * (below + above) < below:
        return mean + above
    return mean - below


@component
def draw_uniform(mean: float, spread: float, low: float, high: float, rng: np.random.Generator) -> float:
    reach = spread * min(mean - low, high - mean)
    return mean + reach * (2.0 * rng.random() - 1.0)


@component
def draw_beta(mean: float, spread: float, low: float, high: float, rng: np.random.Generator) -> float:
    place = (mean - low) / (high - low)
    if place <= 0.0 or place >= 1.0 or spread >= 1.0:
        return draw_bernoulli(mean, spread, low, high, rng)
    weight = 1.0 / spread - 1.0  # a beta variable has variance place (1 - place) / (weight + 1)
    first = rng.standard_gamma(place * weight)
    second = rng.standard_gamma((1.0 - place) * weight)
    if first + second == 0.0:  # both underflowed: the law sits at its ends
        return draw_bernoulli(mean, 1.0, low, high, rng)
    return low + (high - low) * first / (first + second)


@component
def draw_cost(law: int, mean: float, spread: float, low: float, high: float, rng: np.random.Generator) -> float:
    """One cost; `law` is `RandomCosts.code`, `spread` that of the pair."""
    if spread == 0.0:
        return mean
    if law == 0:
        drawn = draw_bernoulli(mean, spread, low, high, rng)
    elif law == 1:
        drawn = draw_uniform(mean, spread, low, high, rng)
    else:
        drawn = draw_beta(mean, spread, low, high, rng)
    return min(high, max(low, drawn))  # rounding may lead out by one digit
