"""What the founding paper proves, held against what is computed [tarbouriech2020]."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from numpy.typing import NDArray
from scipy import optimize

import goalward as gw
from goalward import SSP, environments
from tests.strategies import FEATURES, Feature, Recipe, falling_chain, infinite_cost, many_models, plain, recipes, slow_self_loop, tempting_trap

ABOVE = 1.0 + 1e-8  # what rounding may add
PAPER_GRIDS = [{}, {"cost": "sand-pit"}, {"cost": "zero-patch"}]


@pytest.mark.parametrize("feature", FEATURES)
def test_lemma_2_values_are_at_most_the_largest_cost_times_the_diameter(feature: Feature) -> None:
    """And so it is state by state, with the fewest expected steps from each in place of the diameter."""

    @many_models
    @given(recipes(feature))
    def bounded(recipe: Recipe) -> None:
        facts = gw.analyze(recipe.ssp())
        finite = np.isfinite(facts.fastest.value)
        assert (np.isfinite(facts.plan.value) == finite).all()
        assert (facts.plan.value[finite] <= facts.c_max * facts.fastest.value[finite] * ABOVE).all()
        assert facts.diameter == math.inf or facts.max_value <= facts.c_max * facts.diameter * ABOVE

    bounded()


@pytest.mark.parametrize("entry", environments.catalogue(), ids=lambda entry: str(entry.name))
def test_lemma_2_on_the_environments(entry: environments.Entry) -> None:
    facts = gw.analyze(entry.function())
    assert facts.max_value <= facts.c_max * facts.diameter * ABOVE


def long_run(ssp: SSP, reward_x: NDArray[np.float64], reward_goal: float) -> float:
    """The most that M_inf can earn a step in the long run: a linear program over all stationary distributions on pairs, the goal's step the last of them."""
    rows, index = ssp.rows, ssp.index_s
    states, pairs = len(rows.first_pair) - 1, len(rows.cost_x)
    flow = np.zeros((states + 2, pairs + 1))  # what leaves a state, less what comes; and the sum, which is 1
    for s in range(states):
        flow[s, rows.first_pair[s] : rows.first_pair[s + 1]] = 1.0
    flow[states, pairs] = 1.0
    for x in range(pairs):
        for i in range(rows.row_ptr[x], rows.row_ptr[x + 1]):
            flow[rows.next_state[i], x] -= rows.probability[i]
    for start in np.flatnonzero(ssp.start_distribution):
        flow[index[start], pairs] -= ssp.start_distribution[start]
    flow[states + 1] = 1.0
    found = optimize.linprog(-np.append(reward_x, reward_goal), A_eq=flow, b_eq=np.append(np.zeros(states + 1), 1.0))
    return float(-found.fun)


def goal_rate(ssp: SSP) -> float:
    return long_run(ssp, np.zeros(ssp.num_pairs), 1.0)


@pytest.mark.parametrize("features", [(plain,), (tempting_trap,), (infinite_cost, plain)])
def test_gain_of_the_problem_that_never_ends(features: tuple[Feature, ...]) -> None:
    """rho* = 1 / (V*(s0) + 1), where V* counts steps; 0 if no policy surely arrives [Sect. 3]."""

    @many_models
    @given(recipes(*features))
    def agrees(recipe: Recipe) -> None:
        ssp = recipe.ssp().with_costs(1.0)
        facts = gw.analyze(ssp)
        assert facts.gain == pytest.approx(1.0 / (facts.optimal_cost + 1.0), rel=1e-12)
        assert facts.gain == pytest.approx(goal_rate(ssp), abs=1e-7)

    agrees()


@pytest.mark.parametrize("settings", PAPER_GRIDS)
def test_gain_of_the_papers_grid(settings: dict[str, str]) -> None:
    """It does not look at costs."""
    ssp = environments.make("paper-grid", **settings)
    assert gw.analyze(ssp).gain == pytest.approx(1.0 / 6.3013723866, abs=1e-11)
    assert goal_rate(ssp) == pytest.approx(1.0 / 6.3013723866, abs=1e-9)


@pytest.mark.parametrize(("c_min", "c_max"), [(0.1, 1.0), (0.25, 0.75), (0.0, 1.0)])
def test_figure_1_least_average_cost_never_arrives(c_min: float, c_max: float) -> None:
    """Least cost to the goal and most goals a step both play a2. The least average cost is that of a1, c_min; a2 has c_max / 2."""
    ssp = environments.make("two-state", c_min=c_min, c_max=c_max)
    for plan in (gw.solve(ssp), gw.analyze(ssp).fastest):
        assert ssp.action_name(int(plan.policy[0])) == "a2"
    assert gw.analyze(ssp).gain == pytest.approx(0.5)
    assert -long_run(ssp, -ssp.cost, 0.0) == pytest.approx(c_min, abs=1e-9)
    only_a2 = SSP.from_rows([(0, 1, 1, 1.0, c_max)], start=0, goal=1)
    assert -long_run(only_a2, -only_a2.cost, 0.0) == pytest.approx(c_max / 2, abs=1e-9)


@pytest.mark.parametrize("slip", [0.0, 0.3])
def test_figure_2_is_only_weakly_communicating(slip: float) -> None:
    """From the goal the problem goes on in s0, and never sees s1 again: its diameter is infinite, though that of the SSP is 2."""
    facts = gw.analyze(environments.make("weakly-communicating", slip=slip))
    assert facts.diameter == pytest.approx(2.0 / (1.0 - slip))
    assert (facts.communicating, facts.weakly_communicating, facts.diameter_infinity) == (False, True, math.inf)
    assert facts.gain == pytest.approx(1.0 / (1.0 / (1.0 - slip) + 1.0))
    assert goal_rate(facts.ssp) == pytest.approx(facts.gain, abs=1e-9)


def test_figure_3_an_offset_changes_the_optimal_policy() -> None:
    """Lem. 17: the best policy at c + eta may not be the best at c, and costs more there."""
    ssp = environments.make("cost-offset", eta=1.0)
    before, after = gw.solve(ssp), gw.solve(ssp.with_offset(1.0))
    assert [ssp.action_name(int(plan.policy[0])) for plan in (before, after)] == ["detour", "direct"]
    assert [gw.evaluate(ssp, plan.policy).value[0] for plan in (before, after)] == pytest.approx([3.0, 4.0])


@many_models
@given(recipes(plain, infinite_cost))
def test_an_offset_costs_at_most_its_share_of_each_step(recipe: Recipe) -> None:
    """V* <= V* at c + eta <= V* + eta E[tau of the best policy at c]: what Lem. 18 rests on."""
    facts = gw.analyze(recipe.ssp())
    for eta in (0.125, 2.0):
        value = gw.solve(facts.ssp.with_offset(eta), 1e-9).value
        finite = np.isfinite(value)
        assert (np.isfinite(facts.plan.value) == finite).all()
        assert (facts.plan.value[finite] <= value[finite] * ABOVE).all()
        assert (value[finite] <= (facts.plan.value + eta * facts.steps)[finite] * ABOVE).all()


SMOOTH = [feature for feature in FEATURES if feature not in (falling_chain, slow_self_loop, infinite_cost, tempting_trap)]


@pytest.mark.parametrize("feature", SMOOTH)
def test_lemma_15_moments_of_the_time_to_the_goal(feature: Feature) -> None:
    """E[tau^r] <= 2 (r lambda)^r, if lambda >= 2 bounds the mean from every state; and P(tau > j m) <= (lambda / m)^j, which proves it."""

    @many_models
    @given(recipes(feature))
    def bounded(recipe: Recipe) -> None:
        check_tails(gw.evaluate(recipe.ssp(), gw.solve(recipe.ssp()).policy))

    bounded()


def check_tails(found: gw.Evaluation) -> None:
    """Of a policy followed from where it surely arrives: nothing else is visited from there."""
    inside = found.proper_from
    mean = max(2.0, float(found.hitting_time[inside].max()))
    for r in range(1, 9):
        assert (found.moment(r)[inside] <= 2.0 * (r * mean) ** r * ABOVE).all()
    for j in range(1, 5):
        for m in (math.ceil(mean), math.ceil(math.e * mean)):
            assert (found.survival(j * m)[inside] <= (mean / m) ** j * ABOVE).all()


@pytest.mark.parametrize("name", ["paper-grid", "corridor", "river-swim", "sandy-grid", "random", "two-state", "weakly-communicating", "dead-end-grid"])
def test_lemma_15_on_the_environments(name: str) -> None:
    ssp = environments.make(name)
    check_tails(gw.evaluate(ssp, gw.solve(ssp).policy))


def test_lemma_15_is_no_bound_from_one_start_alone() -> None:
    """Two steps from the start on the average, but with probability 1/100 a hundred: the mean from *every* state is what counts."""
    rows = [(0, 0, 2, 0.99, 1.0), (0, 0, 1, 0.01, 1.0), (1, 0, 1, 0.99, 1.0), (1, 0, 2, 0.01, 1.0)]
    found = gw.evaluate(SSP.from_rows(rows, start=0, goal=2), [0, 0, -1])
    assert found.hitting_time == pytest.approx([2.0, 100.0, 0.0])
    assert found.moment(4)[0] > 2.0 * (4 * 2.0) ** 4
    check_tails(found)


def test_a_penalty_is_not_the_smaller_of_it_and_the_value() -> None:
    """0 arrives or is lost, with equal chances, at cost 1: with J = 3 the fixed point of L_J is 1 + 3/2, where V* is infinite [App. I.2]."""
    ssp = SSP.from_rows([(0, 0, 2, 0.5, 1.0), (0, 0, 1, 0.5, 1.0), (1, 0, 1, 1.0, 1.0)], start=0, goal=2)
    assert gw.solve(ssp).value.tolist() == [math.inf, math.inf, 0.0]
    plan = gw.solve(ssp, 1e-10, penalty=3.0)
    assert plan.value == pytest.approx([2.5, 3.0, 0.0])
    assert plan.policy.tolist() == [0, gw.RESET, -1]


@pytest.mark.parametrize("penalty", [5.4, 8.0, 100.0])
def test_a_penalty_above_all_values_changes_nothing(penalty: float) -> None:
    ssp = environments.make("paper-grid")
    assert gw.solve(ssp, 1e-10, penalty=penalty).value == pytest.approx(gw.solve(ssp, 1e-10).value, rel=1e-9)
