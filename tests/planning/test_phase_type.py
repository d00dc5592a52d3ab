"""The distribution of the number of steps: survival and quantiles, by steps and by powers, against exact chains and closed forms."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import nbinom

import goalward as gw
from goalward import SSP, BudgetError, SettingError
from goalward.planning import phase_type
from goalward.planning.evaluate import Evaluation
from goalward.planning.phase_type import LAST_DIGIT, TIE, stirling_numbers
from tests.kernels import both_ways, dense, random_rows
from tests.naive.chains import arrival, distribution_far, survival
from tests.planning.drawn_policies import Case, cases
from tests.strategies import free_component, infinite_cost, many_models, recipes, slow_self_loop, tempting_trap

MODELS = recipes(infinite_cost, tempting_trap, max_states=5)
SLOW_MODELS = recipes(slow_self_loop, infinite_cost, max_states=4)


def followed(name: str, action: int = 0, **settings: object) -> Evaluation:
    """A catalogue model in which one action is played everywhere."""
    ssp = gw.environments.make(name, **settings)
    return gw.evaluate(ssp, np.full(ssp.num_states, action))


def geometric(leave: float) -> Evaluation:
    return gw.evaluate(SSP.from_rows([(0, 0, 1, leave, 1.0), (0, 0, 0, 1.0 - leave, 1.0)], start=0, goal=1), [0, -1])


@many_models
@given(cases(recipes(free_component)), st.integers(0, 12))
def test_survival_step_by_step(case: Case, n: int) -> None:
    exact = survival(*case.exact(), n)
    assert gw.evaluate(case.ssp, case.policy).survival(n) == pytest.approx([float(p) for p in exact], rel=1e-13, abs=0.0)


@many_models
@given(cases(MODELS | SLOW_MODELS), st.sampled_from([100, 10**4, 10**7, 10**9, 2**41 + 12345]))
def test_survival_after_many_steps(case: Case, n: int) -> None:
    alive, _ = distribution_far(*case.exact(), n)
    found = gw.evaluate(case.ssp, case.policy).survival(n)
    assert all(abs(Decimal(p) - q) <= Decimal("1e-9") * q + Decimal("1e-290") for p, q in zip(found.tolist(), alive, strict=True))


@many_models
@given(cases(MODELS), st.integers(0, 40))
def test_powers_and_steps_agree(case: Case, n: int) -> None:
    found = gw.evaluate(case.ssp, case.policy)
    with pytest.MonkeyPatch.context() as patch:
        by_powers = found.survival(20_000 + n)
        patch.setattr(phase_type, "LARGEST_DENSE", 0)
        assert found.survival(20_000 + n) == pytest.approx(by_powers, rel=1e-10, abs=1e-300)


def test_survival_of_a_geometric_time() -> None:
    for leave in (0.5, 0.1, 1e-3, 1e-9, 2.0**-40):
        stay = Fraction(1.0 - leave) / (Fraction(1.0 - leave) + Fraction(leave))
        for n in (0, 1, 2, 1000, round(1 / leave), round(50 / leave)):
            exact = math.exp(n * math.log1p(-float(1 - stay)))
            assert geometric(leave).survival(n).tolist() == [pytest.approx(exact, rel=1e-12), 0.0]


def test_a_model_that_takes_two_to_the_41_steps() -> None:
    """Its time is nearly exponential: to come so far takes 2^41 steps in the mean, of which no more than 40 matter."""
    found = followed("corridor", length=40, success=0.5, falls="start")
    mean = 2.0**41 - 2
    for n in (2**39, 2**41, 2**44):
        assert found.survival(n)[0] == pytest.approx(math.exp(-n / mean), rel=1e-9)
    for q in (0.1, 0.5, 0.99):
        assert found.quantile(q)[0] == pytest.approx(-math.log(1 - q) * mean, rel=1e-9)
        assert found.survival(int(found.quantile(q)[0]))[0] <= (1 - q) * (1 + 1e-11)


@pytest.mark.parametrize(("length", "p"), [(1, 0.3), (5, 0.9), (30, 0.5)])
def test_a_negative_binomial_time(length: int, p: float) -> None:
    found = followed("corridor", length=length, success=p, falls="stay")
    for n in (0, 1, length - 1, length, length + 3, 4 * length):
        assert found.survival(n)[0] == pytest.approx(float(nbinom.sf(n - length, length, p)), rel=1e-12)
    for q in (0.05, 0.5, 0.95, 1 - 1e-9):
        assert found.quantile(q)[0] == length + float(nbinom.ppf(q, length, p))


def test_a_time_that_is_certain() -> None:
    found = followed("corridor", length=20, success=1.0)
    steps = np.arange(20.0, -1.0, -1.0)
    for q in (1e-12, 0.5, 1 - 1e-12):
        assert found.quantile(q).tolist() == steps.tolist()
    assert found.survival(7).tolist() == [1.0] * 13 + [0.0] * 8


@many_models
@given(cases(MODELS), st.sampled_from([0.0, 1e-9, 0.1, 0.5, 0.9, 0.999, 1 - 1e-9]))
def test_quantiles(case: Case, q: float) -> None:
    check_quantiles(case, q)


@many_models
@given(cases(SLOW_MODELS), st.sampled_from([1e-9, 0.1, 0.5, 0.9, 1 - 1e-9]))
def test_quantiles_of_slow_models(case: Case, q: float) -> None:
    check_quantiles(case, q)


def check_quantiles(case: Case, q: float) -> None:
    """After so many steps the chance to have arrived is q, not before; but for what is taken for a tie, and rounding."""
    slack = Decimal(3 * TIE) * Decimal(min(q, 1 - q)) + Decimal(2 * LAST_DIGIT if q > 0.5 else 0.0)
    enough, less = Decimal(q) - slack, Decimal(q) + slack
    found, ever = gw.evaluate(case.ssp, case.policy).quantile(q), arrival(*case.exact())
    for s, n in enumerate(found.tolist()):
        if n == math.inf:
            assert Decimal(float(ever[s])) < less
        else:
            assert distribution_far(*case.exact(), int(n))[1][s] >= enough
            assert n == 0.0 or distribution_far(*case.exact(), int(n) - 1)[1][s] < less


@many_models
@given(cases(recipes(infinite_cost, max_states=5)), st.integers(1, 6), st.integers(0, 100))
def test_a_probability_that_is_met_exactly(case: Case, n: int, state: int) -> None:
    """If q is P(tau <= n) as nearly as a floating-point number can say, n steps are enough."""
    s = state % case.ssp.num_states
    q = float(1 - survival(*case.exact(), n)[s])
    if q < 1.0:
        assert gw.evaluate(case.ssp, case.policy).quantile(q)[s] <= n


def test_ties() -> None:
    found = gw.evaluate(SSP.from_rows([(0, 0, 1, 0.9, 1.0), (0, 0, 0, 0.1, 1.0)], start=0, goal=1), [0, -1])
    assert [found.quantile(q)[0] for q in (0.9, 0.99, 0.999, 0.9999)] == [1.0, 2.0, 3.0, 4.0]
    assert [found.quantile(q)[0] for q in (0.9 + 1e-9, 0.99 - 1e-9)] == [2.0, 2.0]


def test_a_probability_that_is_never_met() -> None:
    """Half of the time the goal is next, half of the time it is lost; from 3 one comes to either, sooner or later."""
    rows = [(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0), (2, 0, 2, 1.0, 1.0), (3, 0, 3, 0.5, 1.0), (3, 0, 1, 0.25, 1.0), (3, 0, 2, 0.25, 1.0)]
    found = gw.evaluate(SSP.from_rows(rows, start=0, goal=1), [0, -1, 0, 0])
    assert found.quantile(0.0).tolist() == [0.0, 0.0, 0.0, 0.0]
    assert found.quantile(0.5)[:3].tolist() == [1.0, 0.0, math.inf]
    assert found.quantile(0.49)[3] == 6.0
    assert found.quantile(0.51).tolist() == [math.inf, 0.0, math.inf, math.inf]


def test_small_probabilities_count_steps_exactly() -> None:
    found = geometric(2.0**-40)
    assert [found.quantile(n * 2.0**-40 * (1 - 1e-9))[0] for n in (1, 2, 1000)] == [1.0, 2.0, 1000.0]
    assert found.quantile(1e-30)[0] == 1.0


def test_what_hardly_ever_happens_takes_long() -> None:
    assert geometric(1e-18).quantile(0.5)[0] == pytest.approx(math.log(2) * 1e18, rel=1e-11)
    assert geometric(1e-30).quantile(0.5).tolist() == [math.inf, 0.0]
    assert geometric(1e-30).quantile(1e-12)[0] == pytest.approx(1e18, rel=1e-11)
    assert geometric(1e-30).survival(10**30)[0] == pytest.approx(math.exp(-1), rel=1e-12)
    assert geometric(1e-30).survival(10**400)[0] == 0.0


def test_more_steps_than_can_be_made() -> None:
    found = followed("corridor", length=phase_type.LARGEST_DENSE + 1, success=0.5)
    with pytest.raises(BudgetError, match=r"survival\(10{12}\): would take 2e\+15 multiplications, more than the 3e\+10 that are allowed"):
        found.survival(10**12)
    with pytest.raises(BudgetError, match=r"survival\(10{400}\): would take 2e\+103 multiplications"):
        found.survival(10**400)
    assert (found.survival(1000)[:900] > 0.1).all()


def test_a_policy_too_slow_for_a_large_model(monkeypatch: pytest.MonkeyPatch) -> None:
    found = followed("corridor", length=phase_type.LARGEST_DENSE + 1, success=0.5)
    monkeypatch.setattr(phase_type, "MOST_WORK", 1e6)
    with pytest.raises(BudgetError, match=r"quantile\(0\.5\): not reached within 499 steps; the policy takes too long for a model with so many states"):
        found.quantile(0.5)


def test_long_walks_are_made_in_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    found = followed("corridor", length=300, success=0.7, falls="stay")
    survival_200, quantile = found.survival(400), found.quantile(0.9)
    monkeypatch.setattr(phase_type, "SLICE", 6000.0)
    assert phase_type._steps_at_once(found.chain.rows) == 10
    assert (found.survival(400) == survival_200).all()
    assert (found.quantile(0.9) == quantile).all()


@pytest.mark.parametrize("q", [-0.1, 1.0, 2, math.nan, math.inf, "0.5", None, True])
def test_wrong_probabilities(q: object) -> None:
    with pytest.raises(SettingError, match=r"^q = .*: expected a finite number from 0 to below 1$"):
        geometric(0.5).quantile(q)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [-1, 0.5, 3.0, math.inf, "3", None, True])
def test_wrong_numbers_of_steps(n: object) -> None:
    with pytest.raises(SettingError, match=r"^n = .*: expected a whole number, at least 0$"):
        geometric(0.5).survival(n)  # type: ignore[arg-type]


def test_numbers_of_other_types() -> None:
    found = geometric(0.5)
    assert found.survival(np.int32(2))[0] == 0.25  # type: ignore[arg-type]
    for half in (np.float32(0.5), np.float64(0.5), Fraction(1, 2)):
        assert found.quantile(half)[0] == 1.0  # type: ignore[arg-type]


def test_steps_compiled_and_not() -> None:
    rows = random_rows(np.random.default_rng(0), 6, 1, 3)
    alive = np.append(np.ones(6), 0.0)
    changing, (_, _, after) = both_ways(phase_type.walk, rows, 8, alive)
    assert changing
    assert after[:-1] == pytest.approx(np.linalg.matrix_power(dense(rows)[:, :-1], 8) @ np.ones(6), rel=1e-14)
    for rising, level in ((False, 0.2), (True, 0.8)):
        going, (*_, met) = both_ways(phase_type.walk_until, rows, 0, 100, rising, level, 1.0 - alive if rising else alive, np.append(np.full(6, np.inf), 0.0))
        assert not going
        assert np.isfinite(met).all()
        going, (*_, some) = both_ways(phase_type.walk_until, rows, 0, 2, rising, level, 1.0 - alive if rising else alive, np.append(np.full(6, np.inf), 0.0))
        assert going
        assert (some == np.where(met <= 2, met, np.inf)).all()


def test_steps_end_when_nothing_changes() -> None:
    rows = followed("corridor", length=5, success=1.0).chain.rows
    changing, (_, _, after) = both_ways(phase_type.walk, rows, 100, np.append(np.ones(5), 0.0))
    assert not changing
    assert after.tolist() == [0.0] * 6


def test_stirling_numbers() -> None:
    assert stirling_numbers(0) == [1]
    assert stirling_numbers(5) == [0, 1, 15, 25, 10, 1]
    assert sum(stirling_numbers(10)) == 115_975  # a Bell number
