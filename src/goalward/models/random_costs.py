"""Costs that are drawn at every step, with mean c(s, a) and support in [low, high]."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goalward._compile import component
from goalward.errors import SettingError

LAWS = ("bernoulli", "uniform", "beta")


class RandomCosts(NamedTuple):
    """How costs are drawn. With room = [low, high] and the mean c inside it:

    bernoulli: one of the two values c - spread (c - low) and c + spread (high - c);
    uniform: within spread * min(c - low, high - c) of c;
    beta: on [low, high], with spread times the variance of two values at its ends. At spread = 1 that is the law bernoulli.
    """

    law: str
    spread: float
    low: float
    high: float

    @classmethod
    def checked(cls, law: str, spread: float, low: float, high: float, least: float, most: float) -> RandomCosts:
        if law not in LAWS:
            raise SettingError("law", law, f"one of {', '.join(LAWS)}")
        if not 0.0 < spread <= 1.0:
            raise SettingError("spread", spread, "a number in (0, 1]")
        if not (np.isfinite(low) and 0.0 <= low <= least):
            raise SettingError("low", low, f"a number from 0 to the smallest mean cost, {least:g}")
        if not (np.isfinite(high) and high >= most):
            raise SettingError("high", high, f"a finite number not below the largest mean cost, {most:g}")
        if low == high:
            raise SettingError("law", law, f"costs with room to vary: low = high = {low:g}; give low= and high=")
        return cls(law, float(spread), float(low), float(high))

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
    """One cost; `law` is `RandomCosts.code`."""
    if law == 0:
        return draw_bernoulli(mean, spread, low, high, rng)
    if law == 1:
        return draw_uniform(mean, spread, low, high, rng)
    return draw_beta(mean, spread, low, high, rng)
