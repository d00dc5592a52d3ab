"""The checker of certificates: it accepts what is right, and each way to be wrong is found."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

from goalward import RESET, SSP
from tests.naive.certificate import check_certificate, exact_numbers, too_wide, width_ok
from tests.naive.exact import INFINITE, exact_model, optimal_by_iteration, states_that_reach, sure_states
from tests.strategies import DYADIC_COSTS, FEATURES, Feature, Recipe, many_models, recipes, small_beside_large


@dataclass
class Claimed:
    """A solution by hand."""

    value: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    policy: NDArray[np.int64]
    rank: NDArray[np.int64]

    def but(self, name: str, s: int, number: float) -> Claimed:
        """The same, with one number replaced."""
        array = getattr(self, name).copy()
        array[s] = number
        return replace(self, **{name: array})


def naive_solution(ssp: SSP) -> Claimed:
    """The exact values rounded to floats, the best policy, and rankings by layers and stages."""
    model = exact_model(ssp)
    value, best = optimal_by_iteration(model)
    rounded = np.array([float(v) for v in value])
    policy = np.array([best[s].action if s in best else -1 for s in model.states])
    rank = sure_states(model).stage | dict.fromkeys(model.goals, 0)
    while missing := [s for s in best if s not in rank]:
        layer = {s for s in missing if any(rank.get(t, INFINITE) < INFINITE and t not in sure_states(model).stage for t in best[s].to)}
        rank |= dict.fromkeys(layer, 1 + max(rank.values()))
    return Claimed(rounded, rounded.copy(), rounded.copy(), policy, np.array([rank[s] for s in model.states]))


EXAMPLE = SSP.from_rows(
    [
        (0, 0, 1, 1.0, 0.0), (1, 0, 0, 1.0, 0.0),  # a free cycle,
        (0, 1, 3, 1.0, 1.0), (1, 1, 3, 1.0, 2.0),  # its exits,
        (2, 0, 2, 0.5, 1.0), (2, 0, 3, 0.5, 1.0),  # a state that falls back on itself,
        (4, 0, 5, 0.5, 1.0), (4, 0, 3, 0.5, 1.0),  # and one that arrives, or falls where no way leads out
        (5, 0, 5, 1.0, 0.0), (5, 1, 6, 1.0, 0.0), (6, 0, 5, 1.0, 0.0),
    ],
    start=0, goal=3,
)  # fmt: skip
RIGHT = naive_solution(EXAMPLE)


def test_example_is_accepted_as_it_is() -> None:
    assert RIGHT.value.tolist() == [1, 1, 2, 0, math.inf, math.inf, math.inf]
    assert check_certificate(EXAMPLE, RIGHT) == []


@pytest.mark.parametrize(
    ("tampered", "statement"),
    [
        (RIGHT.but("lower", 2, math.nextafter(2, 3)), "state 2, action 0: lower"),
        (RIGHT.but("lower", 0, 1.5).but("lower", 1, 1.5), "state 0, action 1: lower 1.5 is more than c + P lower"),
        (RIGHT.but("lower", 0, 0.5), "state 1, action 0: lower 1.0 is more than c + P lower"),
        (RIGHT.but("lower", 2, -math.inf), "state 2: lower is -inf"),
        (RIGHT.but("lower", 3, 0.1), "goal 3: lower 0.1"),
        (RIGHT.but("upper", 2, math.nextafter(2, 1)), "state 2: upper 1.9999999999999998 is less than c + P upper under policy 0"),
        (RIGHT.but("upper", 0, 0.0).but("upper", 1, 0.0), "state 0: upper 0.0 is less than c + P upper under policy 1"),
        (RIGHT.but("upper", 2, math.inf), "state 2: value 2.0 and upper inf, of which only one is infinite"),
        (RIGHT.but("upper", 4, 7.0).but("value", 4, 7.0).but("policy", 4, 0), "state 4: policy 0 may lead to state 5, where upper is infinite"),
        (RIGHT.but("policy", 0, 0), "state 0: no successor under policy 0 has a smaller rank"),
        (RIGHT.but("policy", 0, 2), "state 0: policy 2 is no action of it"),
        (RIGHT.but("policy", 0, -1), "state 0: policy -1 is no action of it"),
        (RIGHT.but("policy", 0, RESET), "state 0: policy -2 is no action of it"),
        (RIGHT.but("policy", 3, 0), "goal 3: policy 0, not -1"),
        (RIGHT.but("policy", 4, 0), "state 4: policy 0 where the value is infinite"),
        (RIGHT.but("rank", 2, 0), "state 2: no successor under policy 0 has a smaller rank than 0"),
        (RIGHT.but("rank", 3, 1), "goal 3: rank 1, not 0"),
        (RIGHT.but("rank", 4, int(RIGHT.rank[5])), "state 4, action 0: the second ranking"),
        (RIGHT.but("rank", 5, int(RIGHT.rank[6]) - 1), "state 5, action 1: the second ranking"),
        (RIGHT.but("value", 2, 2.5), "state 2: value 2.5 is not between"),
        (RIGHT.but("value", 4, 2.5), "state 4: value 2.5 and upper inf"),
        (RIGHT.but("upper", 0, math.nan), "upper is not a number in state 0"),
        (replace(RIGHT, rank=RIGHT.rank[:-1]), "rank has the shape (6,)"),
        (replace(RIGHT, policy=RIGHT.policy.astype(float)), "policy has the type float64"),
    ],
    ids=lambda part: part if isinstance(part, str) else "",
)  # fmt: skip
def test_each_way_to_be_wrong_is_said(tampered: Claimed, statement: str) -> None:
    assert any(found.startswith(statement) for found in check_certificate(EXAMPLE, tampered)), check_certificate(EXAMPLE, tampered)


def test_free_cycle_does_not_pass_for_free() -> None:
    """U = 0 satisfies U = TU on 0 <-> 1, but only under a policy that circles, for which there is no ranking."""
    circling = RIGHT
    for s in (0, 1):
        circling = circling.but("upper", s, 0.0).but("lower", s, 0.0).but("value", s, 0.0).but("policy", s, 0)
    for ranks in ((1, 2), (2, 1), (1, 1)):
        ranked = circling.but("rank", 0, ranks[0]).but("rank", 1, ranks[1])
        assert any("has a smaller rank" in statement for statement in check_certificate(EXAMPLE, ranked))


def test_reset_is_the_last_action_of_a_model_with_reset() -> None:
    ssp = EXAMPLE.with_reset(1.5)
    claim = naive_solution(ssp)
    assert claim.policy[2] == claim.policy[5] == ssp.num_actions - 1
    assert check_certificate(ssp, replace(claim, policy=np.where(claim.policy == ssp.num_actions - 1, RESET, claim.policy))) == []


def test_width_is_relative_to_the_bound_or_to_the_smallest_cost() -> None:
    wide = RIGHT.but("upper", 2, 2.5)
    assert width_ok(EXAMPLE, wide, 0.2, relative=True)
    assert not width_ok(EXAMPLE, wide, 0.1999999, relative=True)
    assert width_ok(EXAMPLE, wide, 0.5, relative=False)
    assert too_wide(EXAMPLE, wide, 0.4999999, relative=False) == ["state 2: upper - lower is 0.5, with upper 2.5"]
    near_zero = RIGHT.but("lower", 1, -0.5).but("upper", 1, 0.25)
    assert width_ok(EXAMPLE, near_zero, 0.75, relative=True)
    assert not width_ok(EXAMPLE, near_zero, 0.7499999, relative=True)


@pytest.mark.parametrize("feature", [feature for feature in FEATURES if feature is not small_beside_large])  # whose values are no floats
def test_right_answers_are_accepted_and_one_unit_off_is_not(feature: Feature) -> None:
    """Where all values are floats, they are both bounds; a lower bound above them, or an upper bound below, can have no proof."""

    @many_models
    @given(recipes(feature, costs=DYADIC_COSTS), st.integers(0, 1000))
    def accepted(recipe: Recipe, which: int) -> None:
        ssp = recipe.ssp()
        value = optimal_by_iteration(exact_model(ssp))[0]
        right = naive_solution(ssp)
        assume(value == exact_numbers(right.value))
        assert check_certificate(ssp, right) == []
        s = which % ssp.num_states
        if right.value[s] < math.inf:
            assert check_certificate(ssp, right.but("lower", s, math.nextafter(right.value[s], math.inf)))
            assert check_certificate(ssp, right.but("upper", s, math.nextafter(right.value[s], -math.inf)))
            assert check_certificate(ssp, right.but("upper", s, math.inf).but("value", s, math.inf).but("policy", s, -1))

    accepted()


NUMBERS = st.sampled_from([0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 8.0, math.inf])


@st.composite
def tampered_solutions(draw: st.DrawFn) -> tuple[SSP, Claimed]:
    """A naive solution with some of its numbers replaced by others."""
    ssp = draw(recipes(draw(st.sampled_from(FEATURES)), max_states=4, costs=DYADIC_COSTS, dyadic=True)).ssp()
    claim = naive_solution(ssp)
    for name in draw(st.lists(st.sampled_from(["lower", "upper", "value", "policy", "rank"]), max_size=4)):
        s = draw(st.integers(0, ssp.num_states - 1))
        claim = claim.but(name, s, draw(NUMBERS) if name in ("lower", "upper", "value") else draw(st.integers(-1, 4)))
    return ssp, claim


@many_models
@given(tampered_solutions())
def test_whatever_is_accepted_is_true(tampered: tuple[SSP, Claimed]) -> None:
    ssp, claim = tampered
    assume(check_certificate(ssp, claim) == [])
    model = exact_model(ssp)
    value, _ = optimal_by_iteration(model)
    for s, exact in enumerate(value):
        assert (claim.upper[s] == math.inf) == (exact == math.inf)
        if exact < math.inf:
            assert exact_numbers(claim.lower)[s] <= exact <= exact_numbers(claim.upper)[s]
    chosen = {s: next(pair for pair in model.pairs_s[s] if pair.action == claim.policy[s]) for s in model.states if claim.policy[s] >= 0}
    assert set(np.flatnonzero(np.isfinite(claim.value)).tolist()) <= states_that_reach(model.goals, {s: pair.to for s, pair in chosen.items()})
