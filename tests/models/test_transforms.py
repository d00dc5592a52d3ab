"""Models made from models: other costs, a reset action, an offset."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goalward import SSP, ModelError, SettingError
from goalward.models import transforms
from goalward.models.checks import MOST_ACTION
from tests.models.test_constructors import ARRAYS, differing_parts, small_recipes
from tests.naive.exact import INFINITE, exact_model, optimal_by_iteration
from tests.strategies import Recipe, infinite_cost, many_models, recipes

#               0 --a0--> 1 or goal 3, --a4--> goal 2;  1 --a1--> 0
SSP_4 = SSP.from_rows([(0, 0, 1, 0.5, 1.0), (0, 0, 3, 0.5, 1.0), (0, 4, 2, 1.0, 8.0), (1, 1, 0, 1.0, 0.5)], start=0, goal=[2, 3])
CHAIN = SSP.from_rows([(0, 0, 1, 1.0, 1.0), (1, 0, 2, 1.0, 1.0), (1, 1, 0, 1.0, 3.0)], start=0, goal=2)  # S' = X = 3


@pytest.mark.parametrize(
    ("costs", "expected"),
    [
        (2, [2, 2, 2]), ([5, 6, 7], [5, 6, 7]), ([5, 6, math.nan, math.nan], [5, 5, 6]), (lambda s, a: 10 * s + a, [0, 4, 11]),
        (np.arange(20).reshape(4, 5), [0, 4, 6]), (np.arange(28).reshape(4, 7), [0, 4, 8]), (Fraction(1, 2), [0.5] * 3),
    ],
)  # fmt: skip
def test_with_costs(costs: Any, expected: list[float]) -> None:
    ssp = SSP_4.with_costs(costs)
    assert ssp.cost.tolist() == expected
    assert set(differing_parts(ssp, SSP_4)) <= {"cost"}


def test_with_costs_gives_known_costs() -> None:
    assert SSP_4.with_random_costs("uniform").with_costs(SSP_4.cost).random_costs is None


@pytest.mark.parametrize(
    ("costs", "sentence"),
    [
        (-1.0, r"state 0, action 0: cost -1\.0, expected a finite number that is not negative"),
        ([1.0, math.inf, 1.0], r"state 0, action 4: cost inf"),
        (lambda s, a: math.nan if s else 1.0, r"state 1, action 1: cost nan"),
        (lambda s, a: "dear", r"costs: expected numbers, not <U4"),
        (lambda s, a: None, r"state 0, action 0: cost nan"),
        (np.ones((4, 4)), r"costs: shape \(4, 4\), expected \(4, 5\), \(4,\), or one number"),
        (np.ones(5), r"costs: shape \(5,\), expected \(4, 5\), \(4,\), or one number"),
        (1 + 2j, "costs: expected numbers, not complex128"),
    ],
)
def test_with_wrong_costs(costs: Any, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        SSP_4.with_costs(costs)


def test_costs_that_may_be_read_in_two_ways_are_refused() -> None:
    with pytest.raises(ModelError, match=r"shape \(3,\) may mean one a state or one a pair"):
        CHAIN.with_costs(2 * CHAIN.cost)
    assert CHAIN.with_costs([4, 4, 4]).cost.tolist() == [4, 4, 4]
    assert CHAIN.with_costs([4, 5, 5]).cost.tolist() == [4, 5, 5]
    assert CHAIN.with_costs(lambda s, a: 2 * CHAIN.cost[CHAIN.pair(s, a)]).cost.tolist() == [2, 2, 6]


def test_with_reset_adds_one_action_to_every_state_but_the_goals() -> None:
    ssp = SSP_4.with_reset(3)
    assert ssp.first_pair.tolist() == [0, 3, 5, 5, 5]
    assert ssp.action.tolist() == [0, 4, 5, 1, 5]
    assert ssp.cost.tolist() == [1, 8, 3, 0.5, 3]
    assert ssp.next_state.tolist() == [1, 3, 2, 2, 0, 2]
    assert [getattr(ssp, name).dtype for name in ARRAYS] == [getattr(SSP_4, name).dtype for name in ARRAYS]
    assert not any(getattr(ssp, name).flags.writeable for name in ARRAYS)
    assert ssp.action_name(5) == "5"
    rebuilt = [getattr(ssp, name) for name in ARRAYS[:5]]
    assert differing_parts(ssp, SSP.from_csr(*rebuilt, action=ssp.action, start=0, goal=[2, 3])) == []


@pytest.mark.parametrize("names", [["a", "b"], ["a", "b", "an action that no state has"]])
def test_reset_action_has_its_name(names: list[str]) -> None:
    ssp = SSP.from_rows([(0, 0, 1, 1.0, 1.0), (0, 1, 1, 1.0, 1.0)], start=0, goal=1, action_names=names).with_reset(1.0)
    assert [ssp.action_name(int(a)) for a in ssp.action] == ["a", "b", "reset"]
    twice = ssp.with_reset(2.0)
    assert [twice.action_name(int(a)) for a in twice.action] == ["a", "b", "reset", "reset"]


@many_models
@given(recipes(infinite_cost), st.sampled_from([0.5, 1.0, 3.0]))
def test_with_reset_has_the_fixed_point_of_the_penalised_operator(recipe: Recipe, penalty: float) -> None:
    """V = min{J, min over a of c + P V} in every state [tarbouriech2020, App. I.2]."""
    model = exact_model(recipe.ssp())
    value = optimal_by_iteration(exact_model(recipe.ssp().with_reset(penalty)))[0]
    for s in set(model.states) - model.goals:
        backups = [pair.cost + sum(p * value[t] for t, p in pair.to.items()) for pair in model.pairs_s[s]]
        assert value[s] == min([Fraction(penalty), *backups])


def test_with_reset_is_not_the_minimum_of_penalty_and_value() -> None:
    ssp = SSP.from_rows([(0, 0, 2, 0.5, 1.0), (0, 0, 1, 0.5, 1.0), (1, 0, 1, 1.0, 1.0)], start=0, goal=2)
    assert optimal_by_iteration(exact_model(ssp))[0] == [INFINITE, INFINITE, 0]
    assert optimal_by_iteration(exact_model(ssp.with_reset(3.0)))[0] == [2.5, 3, 0]


@pytest.mark.parametrize("penalty", [0.0, -1, math.nan, math.inf, "3", None, True, 10**400])
def test_wrong_penalty(penalty: Any) -> None:
    with pytest.raises(SettingError, match=r"^penalty = .*: expected a finite number > 0$"):
        SSP_4.with_reset(penalty)


def test_no_room_for_a_reset_action(monkeypatch: pytest.MonkeyPatch) -> None:
    last = SSP.from_rows([(0, MOST_ACTION, 1, 1.0, 1.0)], start=0, goal=1)
    assert last.with_reset(1.0).action.tolist() == [MOST_ACTION, MOST_ACTION + 1]
    with pytest.raises(ModelError, match=f"action {MOST_ACTION + 2} would be the reset action"):
        last.with_reset(1.0).with_reset(1.0)
    monkeypatch.setattr("goalward.models.checks.MOST", 4)
    with pytest.raises(ModelError, match="5 state-action pairs: expected at most 4"):
        SSP_4.with_reset(1.0)


def test_with_offset_adds_to_every_cost() -> None:
    ssp = SSP_4.with_offset(0.25)
    assert ssp.cost.tolist() == [1.25, 8.25, 0.75]
    assert differing_parts(ssp, SSP_4) == ["cost"]
    assert differing_parts(SSP_4.with_offset(0), SSP_4) == []
    drawn = SSP_4.with_random_costs("beta", low=0.25, high=9.0).with_offset(1.0)
    assert drawn.random_costs is not None
    assert (drawn.c_min, drawn.c_max, drawn.random_costs.low, drawn.random_costs.high) == (1.25, 10.0, 1.25, 10.0)


@pytest.mark.parametrize("eta", [-1e-300, math.nan, math.inf, "1", None])
def test_wrong_offset(eta: Any) -> None:
    with pytest.raises(SettingError, match=r"^eta = .*: expected a finite number that is not negative and leaves all costs finite$"):
        SSP_4.with_offset(eta)


def test_offset_that_overflows() -> None:
    huge = SSP_4.with_costs(1.7e308)
    assert math.isfinite(huge.with_offset(1e306).c_max)
    with pytest.raises(SettingError, match="leaves all costs finite"):
        huge.with_offset(1e308)


@many_models
@given(small_recipes())
def test_all_parts_but_the_new_ones_are_shared(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    for other, changed in ((ssp.with_costs(1.0), {"cost"}), (ssp.with_offset(1.0), {"cost"}), (ssp.with_random_costs("beta", high=1e6), set[str]())):
        assert [name for name in transforms.PARTS[:11] if getattr(other, name) is not getattr(ssp, name)] == sorted(changed)
