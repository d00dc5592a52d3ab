"""The naive M_inf against answers worked out by hand."""

from __future__ import annotations

from fractions import Fraction

from goalward import SSP
from tests.naive.average import average_pairs, communicating, diameter_infinity, largest_gain, recurrent_classes, weakly_communicating
from tests.naive.exact import INFINITE, Pair

QUARTER = Fraction(1, 4)
#        0 --a0--> 1 or goal 2, --a1--> goal 3; 1 --a0--> 0
BACK = SSP.from_rows([(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0), (0, 1, 3, 1.0, 9.0), (1, 0, 0, 1.0, 1.0)], start=[0.25, 0.75, 0, 0], goal=[2, 3])
ONE_WAY = SSP.from_rows([(0, 0, 1, 1.0, 1.0), (1, 0, 2, 1.0, 1.0)], start=1, goal=2)
RISK = [(0, 0, 2, 0.5, 1.0), (0, 0, 1, 0.5, 1.0), (1, 0, 1, 1.0, 1.0)]
TRAP = SSP.from_rows(RISK, start=0, goal=2)
DETOUR = SSP.from_rows([*RISK, (0, 1, 3, 1.0, 1.0), (3, 0, 2, 1.0, 1.0)], start=0, goal=2)


def test_the_goals_are_one_state_that_goes_on() -> None:
    cost = Fraction(1)
    assert average_pairs(BACK) == [
        [Pair(0, cost, {1: Fraction(1, 2), 2: Fraction(1, 2)}), Pair(1, 9 * cost, {2: Fraction(1)})],
        [Pair(0, cost, {0: Fraction(1)})],
        [Pair(0, Fraction(0), {0: QUARTER, 1: 3 * QUARTER})],
    ]


def test_a_problem_that_comes_back_everywhere() -> None:
    """From the goal it takes 1, 3/4 of the time 2 steps to be there again. To 1 the way is a0 from 0, half of the time by the goal."""
    assert largest_gain(BACK) == 1 / (1 + 1 + 3 * QUARTER)
    assert (communicating(BACK), weakly_communicating(BACK)) == (True, True)
    assert diameter_infinity(BACK) == 2  # from 1 to the goal. From 0 to 1: x = 1 + y / 2, y = 1 + x / 4, so x = 12 / 7


def test_a_state_that_is_left_for_good() -> None:
    assert largest_gain(ONE_WAY) == Fraction(1, 2)
    assert (communicating(ONE_WAY), weakly_communicating(ONE_WAY), diameter_infinity(ONE_WAY)) == (False, True, INFINITE)


def test_a_trap() -> None:
    """Sooner or later one is in it, and there all policies end."""
    assert largest_gain(TRAP) == 0
    assert (communicating(TRAP), weakly_communicating(TRAP), diameter_infinity(TRAP)) == (False, True, INFINITE)


def test_a_trap_that_can_be_avoided() -> None:
    assert largest_gain(DETOUR) == Fraction(1, 3)
    assert (communicating(DETOUR), weakly_communicating(DETOUR), diameter_infinity(DETOUR)) == (False, False, INFINITE)


def test_recurrent_classes() -> None:
    one = Fraction(1)
    chain = {0: Pair(0, one, {1: one / 2, 2: one / 2}), 1: Pair(0, one, {1: one}), 2: Pair(0, one, {3: one}), 3: Pair(0, one, {2: one})}
    assert set(recurrent_classes(chain)) == {frozenset([1]), frozenset([2, 3])}
