"""The naive twins of optimistic planning against a solver of linear programs, and against answers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from goalward.learning.confidence import BernsteinBox, Confidence, L1Ball
from tests.naive.optimism import Problem, horizon_by_powers, least_by_linear_program, most_hopeful, most_hopeful_of_ball, most_hopeful_of_box
from tests.naive.visits import Visits

BALL, BOX = L1Ball.paper(1, 1, 1, 0.1, 1.0), BernsteinBox.paper(1, 1, 1, 0.1, 1.0)


def test_a_ball_by_hand() -> None:
    """0.1 more for the goal, taken from the worst, and then from the next."""
    p_hat = np.array([0.05, 0.5, 0.07, 0.38])
    assert most_hopeful_of_ball(p_hat, 0.2, np.array([5.0, 1.0, 4.0, 0.0])) == pytest.approx([0.0, 0.5, 0.02, 0.48])
    assert most_hopeful_of_ball(p_hat, 2.0, np.array([5.0, 1.0, 4.0, 0.0])) == pytest.approx([0.0, 0.0, 0.0, 1.0])


def test_a_box_by_hand() -> None:
    """0.5 is left: 0.2 for the goal, which is first among equals, 0.25 for the best, and 0.05 for the next."""
    least, most = np.array([0.1, 0.4, 0.0, 0.0]), np.array([0.4, 0.65, 0.2, 0.2])
    assert most_hopeful_of_box(least, most, np.array([3.0, 0.0, 9.0, 0.0])) == pytest.approx([0.15, 0.65, 0.0, 0.2])


@pytest.mark.parametrize("confidence", [BALL, BOX])
@pytest.mark.parametrize("seed", range(15))
def test_linear_programs_find_no_less(confidence: Confidence, seed: int) -> None:
    rng = np.random.default_rng(seed)
    visits = rng.integers(0, 20, 6) * (rng.random(6) < 0.6)
    value = np.append(rng.choice([0.0, 0.5, 1.0, 4.0], 5), 0.0)
    assert most_hopeful(confidence, visits, value) @ value == pytest.approx(least_by_linear_program(confidence, visits, value), rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("confidence", [BALL, BOX])
def test_what_was_never_tried_leads_to_the_goal(confidence: Confidence) -> None:
    assert most_hopeful(confidence, np.zeros(3, np.int64), np.array([1.0, 2.0, 0.0])).tolist() == [0.0, 0.0, 1.0]


def test_an_optimum_by_hand() -> None:
    """One state, which stays where it is with probability 1 - b / 2: it costs (1 + offset) 2 / b, or giving up."""
    half = BALL.radius(100) / 2
    problem = Problem(BALL, np.array([0, 1]), np.array([[100, 0]]), np.array([1.0]), 0.5, math.inf)
    assert problem.optimum() == pytest.approx([1.5 / half, 0.0])
    assert problem._replace(cap=3.0).optimum().tolist() == [3.0, 0.0]
    assert problem.after(2) == pytest.approx([1.5 + 1.5 * (1 - half), 0.0])


@pytest.mark.parametrize("confidence", [BALL, BOX])
@pytest.mark.parametrize("cap", [math.inf, 3.0])
def test_an_optimum_is_a_fixed_point_from_which_nothing_rises(confidence: Confidence, cap: float) -> None:
    rng = np.random.default_rng(7)
    problem = Problem(confidence, np.array([0, 2, 3, 5]), rng.integers(0, 30, (5, 4)), rng.random(5) + 0.1, 0.1, cap)
    optimum = problem.optimum()
    assert problem.backup(optimum) == pytest.approx(optimum, rel=1e-12)
    assert problem.after(300) == pytest.approx(optimum, rel=1e-9)


def test_a_horizon_by_hand() -> None:
    """The chance to be still on the way is 1/2, 1/4, 1/8 after 1, 2, 3 steps."""
    half = np.array([[0.5]])
    assert [horizon_by_powers(half, threshold) for threshold in (1.0, 0.5, 0.49, 0.25, 0.13)] == [2, 2, 3, 3, 4]


def test_visits_in_a_dictionary() -> None:
    visits = Visits(2, 2)
    for y in (1, 0, 2, 1):
        visits.record(1, y)
    assert visits.successors(1) == [(1, 2), (0, 1)]
    assert (visits.of(0), visits.of(1)) == (0, 4)
    assert visits.dense().tolist() == [[0, 0, 0], [1, 2, 1]]
