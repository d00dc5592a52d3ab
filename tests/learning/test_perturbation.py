"""Perturbations and the accuracy of plans, by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

import goalward as gw
from goalward.errors import SettingError
from goalward.learning.perturbation import Perturbation, Perturbed, Unperturbed, perturbation_of
from goalward.models.signature import Signature
from tests.kernels import result_of

COSTLY = gw.environments.make("paper-grid", cost="sand-pit", beta=0.1).signature
FREE = gw.environments.make("paper-grid", cost="zero-patch").signature


def numbers(perturbation: Perturbation, k: int, t: int) -> tuple[float, float]:
    return perturbation.eta(k), perturbation.accuracy(k, t)


def test_the_ranges_are_what_these_tests_are_about() -> None:
    assert (COSTLY.c_min, COSTLY.c_max) == (0.1, 1.0)
    assert FREE.c_min == 0.0 < FREE.c_max


@pytest.mark.parametrize("given", ["auto", "none", None])
def test_positive_costs_are_left_alone(given: Any) -> None:
    """eta = 0, epsilon = c_min / (2 t)."""
    made = perturbation_of(COSTLY, given)
    assert made == Unperturbed(0.1)
    for k, t in ((1, 1), (7, 100), (3000, 10**6)):
        assert result_of(numbers, made, k, t) == (0.0, pytest.approx(0.1 / (2 * t), rel=1e-15))


def test_where_steps_are_free_auto_is_the_cube_root() -> None:
    """eta = k^(-1/3), epsilon = min{c_max / t, eta / 2}: at first the second, later the first."""
    made, c_max = perturbation_of(FREE, "auto"), FREE.c_max
    assert isinstance(made, Perturbed)
    for k, t in ((1, 1), (8, 9), (1000, 1), (1000, 4000), (3000, 10**6)):
        assert result_of(numbers, made, k, t) == pytest.approx((k ** (-1 / 3), min(c_max / t, k ** (-1 / 3) / 2)), rel=1e-14)
    assert result_of(numbers, made, 1, 1)[1] == min(c_max, 0.5)


@pytest.mark.parametrize("signature", [COSTLY, FREE])
def test_a_number_is_added_always(signature: Signature) -> None:
    made = perturbation_of(signature, 0.25)
    for k, t in ((1, 1), (50, 3), (3000, 10**6)):
        expected = 0.25, min(signature.c_max / t, (signature.c_min + 0.25) / 2)
        assert result_of(numbers, made, k, t) == pytest.approx(expected, rel=1e-15)


def test_compiled_powers_are_those_of_python() -> None:
    made = perturbation_of(FREE, "auto")
    for k in range(1, 3000, 7):
        result_of(numbers, made, k, k)


@pytest.mark.parametrize("given", ["none", None])
def test_plans_have_to_be_accurate(given: Any) -> None:
    with pytest.raises(SettingError) as error:
        perturbation_of(FREE, given)
    words = "'auto' or a number > 0: some steps may be free (c_min = 0), and no plan would be accurate enough"
    assert str(error.value) == f"perturbation = {given!r}: expected {words}"


@pytest.mark.parametrize("signature", [COSTLY, FREE])
@pytest.mark.parametrize("given", [0.0, -1.0, math.inf, math.nan, True, "Auto", [0.1]])
def test_what_is_no_perturbation_is_named(signature: Signature, given: Any) -> None:
    with pytest.raises(SettingError) as error:
        perturbation_of(signature, given)
    assert str(error.value) == f"perturbation = {given!r}: expected a finite number > 0, or 'auto', or 'none'"
