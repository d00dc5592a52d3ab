"""Numbers at the ends of double precision: huge, tiny, subnormal. Whatever is claimed holds; nothing is raised but what is meant to be."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import goalward as gw
from goalward import SSP
from goalward.planning.methods import METHODS
from tests.naive.certificate import check_certificate, exact_numbers
from tests.naive.exact import exact_model, optimal_by_iteration

MODELS = {
    "a value beyond all numbers": [(0, 0, 1, 1.0, 1e308), (1, 0, 2, 1.0, 1e308)],
    "a value near the largest": [(0, 0, 1, 1.0, 1e307), (1, 0, 2, 1.0, 1e307), (0, 1, 2, 1.0, 3e307)],
    "the smallest cost": [(0, 0, 1, 0.5, 5e-324), (0, 0, 0, 0.5, 5e-324), (1, 0, 2, 1.0, 5e-324)],
    "a self-loop hardly left": [(0, 0, 2, 1e-300, 1.0), (0, 0, 0, 1.0, 1.0), (1, 0, 2, 1.0, 1.0)],
    "a cycle hardly left": [(0, 0, 2, 1e-300, 1.0), (0, 0, 1, 1.0, 1.0), (1, 0, 0, 1.0, 1.0)],
    "a cycle left with the smallest probability": [(0, 0, 2, 5e-324, 1.0), (0, 0, 1, 1.0, 1.0), (1, 0, 0, 1.0, 1.0)],
    "costs a world apart": [(0, 0, 1, 1.0, 1e-300), (0, 1, 2, 1.0, 1e300), (1, 0, 0, 0.999, 0.0), (1, 0, 2, 0.001, 0.0)],
}


@pytest.mark.parametrize("relative", [True, False])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rows", MODELS.values(), ids=MODELS)
def test_claims_hold(rows: list[tuple[int, int, int, float, float]], method: str, relative: bool) -> None:
    ssp = SSP.from_rows(rows, start=0, goal=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            plan = gw.solve(ssp, relative=relative, method=method, max_sweeps=1000)
        except gw.BudgetError as stopped:
            plan = stopped.solution or pytest.fail("without bounds")
    exact, _ = optimal_by_iteration(exact_model(ssp))
    lower, upper = exact_numbers(plan.lower), exact_numbers(plan.upper)
    assert all(lower[s] <= v <= upper[s] for s, v in enumerate(exact))
    assert np.isfinite(plan.value).all()
    assert plan.proper
    if plan.certified:
        assert check_certificate(ssp, plan) == []


def test_costs_that_overflow_once_divided_are_no_error() -> None:
    """The self-loop's cost divided by what leaves it is beyond all numbers."""
    ssp = SSP.from_rows([(0, 0, 0, 1.0, 1e300), (0, 0, 1, 1e-300, 1e300)], start=0, goal=1)
    plan = gw.solve(ssp)
    assert not plan.certified
    assert plan.value[0] > 1e300
