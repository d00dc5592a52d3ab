"""What `solve` is asked and answers: settings, budgets, progress, giving up, and the models that other planners get wrong."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import goalward as gw
from goalward import RESET, SSP
from goalward.planning.methods import METHODS
from tests.naive.certificate import check_certificate, too_wide
from tests.naive.exact import exact_model, optimal_by_iteration

FREE_CYCLE = SSP.from_rows([(0, 0, 1, 1.0, 0.0), (1, 0, 0, 1.0, 0.0), (0, 1, 2, 1.0, 1.0)], start=0, goal=2)


def test_a_free_cycle_is_left() -> None:
    """U = TU holds for U = 0 here, and V* is 1: the trap that value iteration from 0 falls into."""
    for method in METHODS:
        plan = gw.solve(FREE_CYCLE, method=method)
        assert plan.policy.tolist() == [1, 0, -1]
        assert plan.value.tolist() == pytest.approx([1.0, 1.0, 0.0], rel=1e-6)
        assert plan.rank.tolist() == [1, 2, 0]
    assert gw.solve(FREE_CYCLE).improper_cheaper


def test_a_tie_between_a_cycle_and_an_exit() -> None:
    """Every action of every state is greedy for V*; only some choices arrive."""
    ring = [(s, 0, (s + 1) % 3, 1.0, 0.0) for s in range(3)]
    ssp = SSP.from_rows([*ring, (2, 1, 3, 1.0, 0.0)], start=0, goal=3)
    plan = gw.solve(ssp)
    assert plan.value.tolist() == [0.0] * 4
    assert plan.policy.tolist() == [0, 0, 1, -1]
    assert plan.certified


def test_an_improper_policy_that_is_cheaper_outside() -> None:
    """To rest in a dead end for nothing is cheaper than to arrive; the best plan arrives, and it is said."""
    rows = [(0, 0, 1, 1.0, 0.5), (1, 0, 1, 1.0, 0.0), (0, 1, 2, 1.0, 3.0)]
    plan = gw.solve(SSP.from_rows(rows, start=0, goal=2))
    assert plan.value.tolist() == [3.0, math.inf, 0.0]
    assert plan.improper_cheaper
    assert not gw.solve(SSP.from_rows([*rows[:2], (0, 1, 2, 1.0, 0.25)], start=0, goal=2)).improper_cheaper


def test_the_goal_out_of_reach() -> None:
    plan = gw.solve(SSP.from_rows([(0, 0, 0, 1.0, 0.0)], start=0, goal=1))
    assert (plan.value[0], plan.lower[0], plan.upper[0], plan.policy[0]) == (math.inf, math.inf, math.inf, -1)
    assert (plan.certified, plan.proper) == (True, False)


def test_penalty_is_the_fixed_point_and_no_minimum() -> None:
    """Pay 1, then half goal, half dead end, at a penalty of 3: min{3, 1 + 3/2} = 2.5, where min{J, V*} would say 3."""
    ssp = SSP.from_rows([(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0), (1, 0, 1, 1.0, 1.0)], start=0, goal=2)
    plan = gw.solve(ssp, penalty=3.0)
    assert plan.value.tolist() == [2.5, 3.0, 0.0]
    assert plan.policy.tolist() == [0, RESET, -1]
    assert plan.proper
    assert check_certificate(ssp.with_reset(3.0), plan) == []
    assert gw.solve(ssp, penalty=1.5).policy.tolist() == [RESET, RESET, -1]


def test_probabilities_of_several_goals_that_round_when_added() -> None:
    """1/9 and 7/9 have a sum that is no double: a certificate on the merged row would be about another model."""
    rows = [(0, 0, 1, 1 / 9, 1.0), (0, 0, 2, 1 / 9, 1.0), (0, 0, 3, 7 / 9, 1.0), (2, 0, 1, 4 / 9, 1.0), (2, 0, 2, 5 / 9, 1.0)]
    ssp = SSP.from_rows(rows, start=0, goal=[1, 3])
    for tolerance in (1e-6, 1e-15):
        assert check_certificate(ssp, gw.solve(ssp, tolerance)) == []


@pytest.mark.parametrize("method", ["auto", "policy-iteration", "linear-program"])
def test_values_are_right_to_the_last_digits_where_a_policy_is_slow(method: str) -> None:
    """A state that is left with probability 2e-9, beside costs of 1e-12: sparse LU alone loses half of the digits."""
    rows = [(0, 0, 0, 0.5, 1e-12), (0, 0, 1, 0.5, 1e-12), (0, 1, 1, 1.0, 1.0), (1, 0, 0, 0.999999998, 1.0), (1, 0, 2, 1e-9, 1.0), (1, 0, 1, 1e-9, 1.0)]
    ssp = SSP.from_rows(rows, start=0, goal=2)
    plan = gw.solve(ssp, method=method)
    exact, _ = optimal_by_iteration(exact_model(ssp))
    assert plan.value.tolist() == pytest.approx([float(v) for v in exact], rel=1e-11)


@pytest.mark.parametrize("cheap", [1e-9, 1e-13])
def test_costs_that_rounding_would_swallow(cheap: float) -> None:
    """A ring where steps cost next to nothing, left from one state at 1: the share of such a cost is less than the last digit of a value."""
    rows = [(0, 0, 8, 0.5, 1.0), (0, 0, 1, 0.5, 1.0)]
    rows += [(s, 0, t, 0.5, cheap) for s in range(1, 8) for t in ((s + 1) % 8, s - 1)]
    ssp = SSP.from_rows(rows, start=0, goal=8)
    plan = gw.solve(ssp)
    assert plan.certified
    assert check_certificate(ssp, plan) == []
    assert too_wide(ssp, plan, 1e-6, relative=True) == []


def test_several_starts() -> None:
    rows = [(0, 0, 2, 1.0, 1.0), (1, 0, 1, 1.0, 1.0)]
    assert gw.solve(SSP.from_rows(rows, start=[1.0, 0.0, 0.0], goal=2)).proper
    assert not gw.solve(SSP.from_rows(rows, start=[0.5, 0.5, 0.0], goal=2)).proper


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"tolerance": 0.0}, "tolerance = 0.0: expected a finite number > 0"),
        ({"tolerance": math.inf}, "tolerance = inf: expected a finite number > 0"),
        ({"tolerance": math.nan}, "tolerance = nan: expected a finite number > 0"),
        ({"tolerance": "small"}, "tolerance = 'small': expected a finite number > 0"),
        ({"method": "guess"}, "method = 'guess': expected one of 'auto', 'value-iteration', 'policy-iteration', 'linear-program'"),
        ({"method": ["auto"]}, "method = ['auto']: expected one of"),
        ({"penalty": -1.0}, "penalty = -1.0: expected a finite number > 0"),
        ({"penalty": "much"}, "penalty = 'much': expected a finite number > 0"),
        ({"max_sweeps": 0}, "max_sweeps = 0: expected a finite number > 0"),
        ({"max_seconds": -1.0}, "max_seconds = -1.0: expected a finite number > 0"),
        ({"max_seconds": "1 s"}, "max_seconds = '1 s': expected a finite number > 0"),
        ({"relative": "no"}, "relative = 'no': expected True or False"),
        ({"progress": 3}, "progress = 3: expected a function of one argument, or None"),
    ],
)
def test_wrong_settings(setting: dict[str, object], sentence: str) -> None:
    with pytest.raises(gw.SettingError) as caught:
        gw.solve(FREE_CYCLE, **setting)  # type: ignore[arg-type]
    assert str(caught.value).startswith(sentence)


def test_a_model_that_is_none() -> None:
    with pytest.raises(gw.SettingError, match="ssp = 'paper-grid': expected an SSP"):
        gw.solve("paper-grid")  # type: ignore[arg-type]


def test_a_budget_of_sweeps_leaves_bounds() -> None:
    ssp = gw.environments.make("sandy-grid", size=40)
    with pytest.raises(gw.BudgetError, match="max_sweeps = 1 sweeps are used up; the bounds so far are ") as caught:
        gw.solve(ssp, method="value-iteration", max_sweeps=1)
    assert caught.value.solution is not None
    partial, best = caught.value.solution, gw.solve(ssp)
    assert not partial.certified
    assert (partial.lower <= best.upper).all()
    assert (partial.upper >= best.lower).all()
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.solution.width) == (str(caught.value), partial.width)


@pytest.mark.parametrize("method", ["auto", "policy-iteration", "value-iteration"])
def test_a_budget_of_time_is_kept(method: str) -> None:
    ssp = gw.environments.make("sandy-grid", size=250)
    with pytest.raises(gw.BudgetError, match="max_seconds = 1e-09 seconds are over"):
        gw.solve(ssp, method=method, max_seconds=1e-9)


def test_what_is_certified_when_the_budget_ends_is_certified() -> None:
    assert gw.solve(gw.environments.make("paper-grid"), max_seconds=1e-9).certified


def test_progress_is_told() -> None:
    told: list[gw.Progress] = []
    gw.solve(gw.environments.make("sandy-grid", size=60), method="value-iteration", progress=told.append)
    sweeps = [report.sweeps for report in told]
    assert sweeps == sorted(sweeps)
    assert all(report.seconds > 0.0 and report.gap >= 0.0 for report in told)


def test_an_error_in_the_callback_ends_the_plan() -> None:
    def stop(_: gw.Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gw.solve(gw.environments.make("sandy-grid", size=250), tolerance=1e-12, method="value-iteration", progress=stop)


def test_the_same_bits_again() -> None:
    ssp = gw.environments.make("sandy-grid", size=30)
    first, second = gw.solve(ssp), gw.solve(gw.environments.make("sandy-grid", size=30))
    for name in ("value", "lower", "upper", "policy", "rank"):
        assert np.array_equal(getattr(first, name), getattr(second, name))


def test_repr() -> None:
    text = repr(gw.solve(gw.environments.make("dead-end-grid")))
    assert text.startswith("Solution(25 states, 1 infinite; certified, relative width ")
