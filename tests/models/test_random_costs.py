"""Costs drawn at every step: of the right mean, within their bounds, and the same interpreted and compiled."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goalward import SSP, SettingError
from goalward._compile import compiled, component
from goalward.models.random_costs import LAWS, RandomCosts, draw_cost
from tests.strategies import many_models

SSP_3 = SSP.from_rows([(0, 0, 1, 1.0, 0.5), (0, 1, 2, 1.0, 2.0), (1, 0, 2, 1.0, 1.0)], start=0, goal=2)
DRAWS = 20_000


@component
def draw_many(law: int, mean: float, spread: float, low: float, high: float, rng: np.random.Generator, costs: Any) -> None:
    for i in range(len(costs)):
        costs[i] = draw_cost(law, mean, spread, low, high, rng)


def drawn(law: str, mean: float, spread: float, low: float, high: float, *, count: int = DRAWS, interpreted: bool = False) -> Any:
    costs = np.empty(count)
    arguments = LAWS.index(law), mean, spread, low, high, np.random.default_rng(5), costs
    (draw_many if interpreted else compiled(draw_many, *arguments))(*arguments)
    return costs


def deviation(law: str, mean: float, spread: float, low: float, high: float) -> float:
    """The standard deviation that the class promises."""
    if law == "bernoulli":
        return spread * math.sqrt((mean - low) * (high - mean))
    if law == "uniform":
        return spread * min(mean - low, high - mean) / math.sqrt(3.0)
    return math.sqrt(spread * (mean - low) * (high - mean))


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("spread", [1.0, 0.6, 0.01, 1e-9])
@pytest.mark.parametrize(("mean", "low", "high"), [(1.0, 0.5, 2.0), (0.1, 0.0, 1.0), (3.0, 3.0, 4.0), (4.0, 3.0, 4.0), (1e-3, 0.0, 1e3)])
def test_mean_deviation_and_support(law: str, spread: float, mean: float, low: float, high: float) -> None:
    costs = drawn(law, mean, spread, low, high)
    expected = deviation(law, mean, spread, low, high)
    assert low <= costs.min() <= costs.max() <= high
    assert abs(costs.mean() - mean) <= 5.0 * expected / math.sqrt(DRAWS) + 1e-12 * high
    if expected > 1e-3 * (high - low) and mean > 0.01 * high:
        assert costs.std() == pytest.approx(expected, rel=0.05)


@pytest.mark.parametrize("law", LAWS)
def test_same_bits_interpreted_and_compiled(law: str) -> None:
    for spread in (1.0, 0.3):
        two = [drawn(law, 1.25, spread, 0.5, 3.0, count=2_000, interpreted=interpreted) for interpreted in (False, True)]
        assert two[0].tobytes() == two[1].tobytes()


class Scripted:
    """A generator that says what it is told to, and asks back."""

    def __init__(self, uniform: float) -> None:
        self.uniform = uniform

    def random(self) -> float:
        return self.uniform


def bernoulli_values(mean: float, spread: float, low: float, high: float) -> Iterator[float]:
    for uniform in (0.0, math.nextafter(1.0, 0.0)):
        yield draw_cost(0, mean, spread, low, high, Scripted(uniform))  # type: ignore[arg-type]


PLACES = st.tuples(st.floats(0.01, 0.99), st.floats(1e-3, 1.0), st.floats(0.0, 5.0), st.floats(0.1, 10.0))


@many_models
@given(PLACES)
def test_mean_of_two_values_is_exact(place: tuple[float, float, float, float]) -> None:
    """The values, weighted by how often the rule draws them, have the mean c; so the law is right and not only its samples."""
    share, spread, low, room = place
    high = low + room
    mean = low + share * room
    above, below = bernoulli_values(mean, spread, low, high)
    chance = (mean - low) / (high - low)  # spread cancels
    assert chance * above + (1.0 - chance) * below == pytest.approx(mean, rel=1e-12)
    assert above == pytest.approx(mean + spread * (high - mean))
    assert below == pytest.approx(mean - spread * (mean - low))


@many_models
@given(PLACES)
def test_ends_of_the_interval(place: tuple[float, float, float, float]) -> None:
    share, spread, low, room = place
    mean = low + share * room
    reach = spread * min(mean - low, low + room - mean)
    ends = [draw_cost(1, mean, spread, low, low + room, Scripted(uniform)) for uniform in (0.0, 0.5, 1.0)]  # type: ignore[arg-type]
    assert ends == pytest.approx([mean - reach, mean, mean + reach])


def test_beta_with_the_smallest_shapes_sits_at_its_ends() -> None:
    costs = drawn("beta", 0.25, 1.0 - 1e-12, 0.0, 1.0)
    assert set(np.round(costs, 6)) == {0.0, 1.0}
    assert costs.mean() == pytest.approx(0.25, abs=0.02)


def test_model_keeps_its_means_and_knows_its_bounds() -> None:
    ssp = SSP_3.with_random_costs("uniform", 0.5)
    assert ssp.cost is SSP_3.cost
    assert ssp.random_costs is not None
    assert (ssp.random_costs.law, ssp.random_costs.code, ssp.random_costs.low, ssp.random_costs.high) == ("uniform", 1, 0.5, 2.0)
    assert ssp.random_costs.spread_x.tolist() == [0.5, 0.5, 0.5]
    wide = SSP_3.with_random_costs("beta", low=0, high=4)
    assert (wide.c_min, wide.c_max) == (0.0, 4.0)


@pytest.mark.parametrize(("penalty", "c_min", "c_max"), [(1.0, 0.5, 2.0), (0.125, 0.125, 2.0), (7.0, 0.5, 7.0)])
def test_reset_always_costs_the_penalty_and_leaves_the_other_laws_alone(penalty: float, c_min: float, c_max: float) -> None:
    ssp = SSP_3.with_random_costs("bernoulli").with_reset(penalty)
    laws = ssp.random_costs
    assert laws is not None
    assert (laws.low, laws.high, ssp.c_min, ssp.c_max) == (0.5, 2.0, c_min, c_max)
    assert laws.spread_x.tolist() == [1, 1, 0, 1, 0]
    for law in LAWS:
        assert set(drawn(law, penalty, 0.0, laws.low, laws.high, count=100)) == {penalty}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"law": "normal"}, r"law = 'normal': expected one of bernoulli, uniform, beta"),
        ({"law": 3}, r"law = 3: expected one of"),
        ({"spread": 0.0}, r"spread = 0\.0: expected a finite number from 1e-09 to 1"),
        ({"spread": 1.5}, r"spread = 1\.5: expected"),
        ({"spread": "much"}, r"spread = 'much': expected"),
        ({"low": 0.75}, r"low = 0\.75: expected a finite number from 0 to the smallest mean cost, 0\.5"),
        ({"low": -0.1}, r"low = -0\.1: expected"),
        ({"high": 1.0}, r"high = 1\.0: expected a finite number not below the largest mean cost, 2"),
        ({"high": math.inf}, r"high = inf: expected a finite number"),
        ({"high": math.nan}, r"high = nan: expected a finite number"),
    ],
)
def test_wrong_settings(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        SSP_3.with_random_costs(**{"law": "uniform"} | options)


def test_equal_costs_leave_no_room() -> None:
    with pytest.raises(SettingError, match="costs with room to vary: low = high = 1; give low= and high="):
        SSP_3.with_costs(1.0).with_random_costs("uniform")
    assert SSP_3.with_costs(1.0).with_random_costs("uniform", low=0.5, high=1.5).c_max == 1.5


@pytest.mark.parametrize("spread", [[0.5, 0.5], [0.5, 0.5, 2.0], [0.5, math.nan, 0.0], [-1.0, 0.0, 0.0]])
def test_wrong_spread_of_pairs(spread: list[float]) -> None:
    with pytest.raises(SettingError, match=r"expected 0 or a number from 1e-09 to 1 for each pair"):
        RandomCosts.checked("beta", np.array(spread), 0.0, 9.0, SSP_3.cost)
