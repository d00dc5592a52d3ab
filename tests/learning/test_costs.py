"""Known and learnt costs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import goalward as gw
from goalward.errors import SettingError
from goalward.learning.costs import Costs, KnownCosts, costs_of
from goalward.learning.counts import Counts
from goalward.models.rows import Floats, Longs
from goalward.models.signature import Signature
from tests.kernels import both_ways

GRID = gw.environments.make("paper-grid", cost="sand-pit", beta=0.1).signature  # 11 states, 4 actions, costs from 0.1 to 1
WIDE = GRID._replace(c_min=0.5, c_max=4.5)


def pay_all(costs: Costs, counts: Counts, x_n: Longs, cost_n: Floats) -> None:
    for n in range(x_n.size):
        counts.record(x_n[n], counts.first_pair.size - 1)
        costs.pay(x_n[n], cost_n[n])
    costs.revise(counts)


def paid(costs: Costs, counts: Counts, x: int, cost_n: list[float]) -> tuple[Costs, Counts]:
    _, (after, counts, *_) = both_ways(pay_all, costs, counts, np.full(len(cost_n), x), np.array(cost_n))
    return after, counts


def test_known_costs_are_what_the_agent_was_told() -> None:
    made = costs_of(GRID, "known", "paper", 1.0, 0.1)
    assert isinstance(made, KnownCosts)
    assert made.cost_x.tolist() == GRID.cost_x.tolist()
    assert made.cost_x is not GRID.cost_x
    after, _ = paid(made, Counts.empty(GRID.first_pair), 3, [9.0, 9.0])
    assert after.cost_x.tolist() == GRID.cost_x.tolist()


def test_costs_that_were_never_paid_are_the_least() -> None:
    made = costs_of(WIDE, "unknown", "paper", 1.0, 0.1)
    after, _ = paid(made, Counts.empty(GRID.first_pair), 3, [2.0])
    assert np.delete(after.cost_x, 3).tolist() == [0.5] * (len(GRID.cost_x) - 1)


@pytest.mark.parametrize(
    ("signature", "bounds", "scale", "delta", "width", "pairs"),
    [
        (GRID, "paper", 1.0, 0.1, 1.0, 44),
        (GRID, "theory", 1.0, 0.1, 2.0, 264),
        (GRID, "theory", 0.1, 0.01, 0.2, 264),
        (GRID, "paper", 0.02, 0.1, 0.02, 44),
        (WIDE, "paper", 0.05, 0.1, 0.2, 44),
        (WIDE, "theory", 0.05, 0.2, 0.4, 264),
    ],
)
def test_lower_ends_by_hand(signature: Signature, bounds: str, scale: float, delta: float, width: float, pairs: int) -> None:
    """The mean less sqrt(ln(S A n / delta) / n), or 2 sqrt(ln(6 S A n / delta) / n), times a range above 1; and no less than c_min."""
    costs, counts = costs_of(signature, "unknown", bounds, scale, delta), Counts.empty(signature.first_pair)
    given = np.random.default_rng(0).uniform(signature.c_min, signature.c_max, 600)
    n = 0
    for size in (1, 2, 30, 567):
        costs, counts = paid(costs, counts, 7, given[n : n + size].tolist())
        n += size
        lower = given[:n].mean() - width * math.sqrt(math.log(pairs * n / delta) / n)
        assert costs.cost_x[7] == pytest.approx(max(signature.c_min, lower), rel=1e-12)


def test_lower_ends_rise_to_the_mean_and_lie_in_the_range() -> None:
    costs, counts, lower = costs_of(WIDE, "unknown", "paper", 0.1, 0.1), Counts.empty(WIDE.first_pair), list[float]()
    for _ in range(8):
        costs, counts = paid(costs, counts, 0, [1.0, 4.0] * 5 ** min(len(lower), 5))
        lower.append(float(costs.cost_x[0]))
    assert lower == sorted(lower)
    assert lower[0] >= WIDE.c_min
    assert 2.4 < lower[-1] < 2.5


def test_only_what_was_tried_again_is_worked_out_anew() -> None:
    """The lower end is a function of the payments, whenever it is asked for."""
    one = paid(costs_of(WIDE, "unknown", "paper", 0.1, 0.1), Counts.empty(WIDE.first_pair), 5, [3.0, 4.0, 2.0])[0]
    costs, counts = costs_of(WIDE, "unknown", "paper", 0.1, 0.1), Counts.empty(WIDE.first_pair)
    for cost in (3.0, 4.0, 2.0):
        costs, counts = paid(costs, counts, 5, [cost])
        costs, counts = paid(costs, counts, 5, [])
    assert costs.cost_x.tolist() == one.cost_x.tolist()


@pytest.mark.parametrize("given", ["Known", "", None, 1.0])
def test_what_is_no_kind_of_costs_is_named(given: str) -> None:
    with pytest.raises(SettingError) as error:
        costs_of(GRID, given, "paper", 1.0, 0.1)
    assert str(error.value) == f"costs = {given!r}: expected one of 'known', 'unknown'"
