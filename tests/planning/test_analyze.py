"""`analyze`: every fact against what can be computed without the package, and against closed forms."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given

import goalward as gw
from goalward import SSP
from goalward.planning.analyze import NAMES, Analysis
from tests.naive.average import average_pairs, communicating, diameter_infinity, largest_gain, weakly_communicating
from tests.naive.exact import Value, exact_model, optimal_by_iteration, sure_states
from tests.naive.graph import Part, fewest_steps, graph_of, longest_way, staying_parts
from tests.strategies import FEATURES, Feature, Recipe, infinite_cost, many_models, recipes, tempting_trap

INF = math.inf


def close(found: float, exact: Value, accuracy: float = 1e-9) -> bool:
    return found == exact or (math.isfinite(found) and math.isfinite(exact) and abs(Fraction(found) - Fraction(exact)) <= accuracy * Fraction(exact))


def mean_at_start(ssp: SSP, value: list[Value]) -> Value:
    return sum(Fraction(p) * v if v < INF else INF for p, v in zip(ssp.start_distribution.tolist(), value, strict=True) if p > 0.0)


@pytest.mark.parametrize("feature", FEATURES)
def test_values_and_steps(feature: Feature) -> None:
    @many_models
    @given(recipes(feature))
    def agree(recipe: Recipe) -> None:
        ssp = recipe.ssp()
        facts = gw.analyze(ssp)
        value, _ = optimal_by_iteration(exact_model(ssp))
        fewest, _ = optimal_by_iteration(exact_model(ssp.with_costs(1.0)))
        assert close(facts.optimal_cost, mean_at_start(ssp, value))
        assert close(facts.max_value, max(value))
        assert close(facts.diameter, max(fewest))
        assert close(facts.gain, 1 / (1 + mean_at_start(ssp, fewest)))
        assert all(steps >= least * (1 - 1e-9) for steps, least in zip(facts.steps.tolist(), fewest, strict=True))
        assert facts.max_value <= facts.c_max * facts.diameter * (1 + 1e-9) or facts.c_max == 0.0  # [tarbouriech2020, Lem. 2]
        assert (facts.c_min, facts.c_max) == (min(ssp.cost), max(ssp.cost))

    agree()


@pytest.mark.parametrize("feature", FEATURES)
def test_what_the_graph_says(feature: Feature) -> None:
    @many_models
    @given(recipes(feature))
    def agree(recipe: Recipe) -> None:
        ssp = recipe.ssp()
        facts, graph = gw.analyze(ssp), graph_of(ssp.rows)
        number = ssp.index_s.tolist()
        assert facts.unsafe.tolist() == sorted(sure_states(exact_model(ssp)).stage)
        assert facts.dead_ends.tolist() == [s for s in range(ssp.num_states) if fewest_steps(graph)[number[s]] < 0]
        depth = longest_way(graph)
        assert facts.loop_free_depth == (None if depth < 0 else depth)
        assert facts.loop_free == (depth >= 0)
        assert parts(ssp, facts.end_component) == staying_parts(graph, range(ssp.num_pairs))
        free = staying_parts(graph, np.flatnonzero(ssp.cost == 0.0).tolist())
        assert parts(ssp, facts.zero_cost_end_component) == free
        assert facts.has_zero_cost_cycle == bool(free)

    agree()


def parts(ssp: SSP, component: np.ndarray) -> set[Part]:
    """The sets of states of `rows` that have a number in common."""
    assert (component[ssp.goals] == -1).all()
    assert sorted({*component.tolist()} - {-1}) == list(range(component.max() + 1))
    return {frozenset(ssp.index_s[component == number].tolist()) for number in range(component.max() + 1)}


@pytest.mark.parametrize("features", [(), (tempting_trap,), (infinite_cost,)], ids=["plain", "trap", "dead end"])
def test_average_reward(features: tuple[Feature, ...]) -> None:
    @many_models
    @given(recipes(*features, max_states=3 if features else 4, max_actions=2))
    def agree(recipe: Recipe) -> None:
        check_average(recipe)

    agree()


def check_average(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    assume(math.prod(len(pairs) for pairs in average_pairs(ssp)) <= 100)
    facts = gw.analyze(ssp)
    assert facts.communicating == communicating(ssp)
    assert facts.weakly_communicating == weakly_communicating(ssp)
    assert close(facts.gain, largest_gain(ssp))
    assert close(facts.diameter_infinity, diameter_infinity(ssp))
    assert facts.diameter_infinity < INF or not facts.communicating
    assert facts.diameter <= facts.diameter_infinity * (1 + 1e-9)


def test_the_facts_of_the_papers_figures() -> None:
    """[tarbouriech2020, Fig. 1 and Fig. 2]."""
    two_state = gw.analyze(gw.environments.make("two-state", c_min=0.1, c_max=1.0))
    assert (two_state.optimal_cost, two_state.max_value, two_state.diameter, two_state.hitting_time, two_state.gain) == (1.0, 1.0, 1.0, 1.0, 0.5)
    assert (two_state.c_min, two_state.c_max, two_state.communicating, two_state.diameter_infinity) == (0.1, 1.0, True, 1.0)
    for slip in (0.0, 0.25):
        figure_2 = gw.analyze(gw.environments.make("weakly-communicating", slip=slip))
        assert [figure_2.diameter, figure_2.optimal_cost] == pytest.approx([2 / (1 - slip), 1 / (1 - slip)], rel=1e-12)
        assert (figure_2.communicating, figure_2.weakly_communicating, figure_2.diameter_infinity) == (False, True, INF)


def test_the_papers_grid() -> None:
    facts = gw.analyze(gw.environments.make("paper-grid"))
    numbers = [facts.optimal_cost, facts.diameter, facts.max_value, facts.hitting_time, facts.max_hitting_time]
    assert numbers == pytest.approx([5.3013723866] * 5, rel=1e-10)
    assert facts.gain == pytest.approx(1 / 6.3013723866, rel=1e-10)
    assert (facts.communicating, facts.loop_free_depth, facts.dead_ends.tolist(), facts.unsafe.tolist()) == (True, None, [], [])


def test_a_free_cycle() -> None:
    """0 <-> 1 for nothing; out of it to 2, from which the goal is half a chance a step."""
    rows = [(0, 0, 1, 1.0, 0.0), (1, 0, 0, 1.0, 0.0), (1, 1, 2, 1.0, 1.0), (2, 0, 3, 0.5, 0.0), (2, 0, 2, 0.5, 0.0)]
    facts = gw.analyze(SSP.from_rows(rows, start=0, goal=3))
    assert facts.has_zero_cost_cycle
    assert facts.zero_cost_end_component.tolist() == [0, 0, -1, -1]
    assert facts.end_component.tolist() == [0, 0, -1, -1]
    assert (facts.optimal_cost, facts.hitting_time, facts.diameter) == (1.0, 4.0, 4.0)


def test_a_grid_with_a_patch_where_nothing_costs() -> None:
    facts = gw.analyze(gw.environments.make("paper-grid").with_costs(lambda s, a: float(s in (1, 2))))
    assert facts.has_zero_cost_cycle
    assert facts.c_min == 0.0
    assert not gw.analyze(gw.environments.make("paper-grid", cost="sand-pit", beta=0.1)).has_zero_cost_cycle


def test_dead_ends_are_unsafe_and_so_is_what_cannot_avoid_them() -> None:
    """0 can go safely to the goal 4, 1 cannot avoid the risk of 2, from 2 and 3 there is no way."""
    rows = [(0, 0, 4, 1.0, 1.0), (0, 1, 1, 1.0, 1.0), (1, 0, 4, 0.9, 1.0), (1, 0, 2, 0.1, 1.0), (2, 0, 3, 1.0, 1.0), (3, 0, 2, 1.0, 1.0)]
    facts = gw.analyze(SSP.from_rows(rows, start=0, goal=4))
    assert (facts.dead_ends.tolist(), facts.unsafe.tolist()) == ([2, 3], [1, 2, 3])
    assert (facts.optimal_cost, facts.hitting_time, facts.gain) == (1.0, 1.0, 0.5)
    assert [facts.diameter, facts.max_value, facts.max_hitting_time, facts.diameter_infinity] == [INF] * 4
    assert (facts.communicating, facts.weakly_communicating) == (False, False)
    at_risk = gw.analyze(SSP.from_rows(rows, start=[0.5, 0.5, 0, 0, 0], goal=4))
    assert (at_risk.optimal_cost, at_risk.hitting_time, at_risk.gain) == (INF, INF, 0.0)


def test_several_goals_and_starts() -> None:
    rows = [(0, 0, 2, 1.0, 1.0), (1, 0, 0, 0.5, 2.0), (1, 0, 3, 0.5, 2.0), (1, 1, 1, 1.0, 0.0)]
    facts = gw.analyze(SSP.from_rows(rows, start=[0.25, 0.75, 0, 0], goal=[2, 3]))
    assert (facts.optimal_cost, facts.max_value, facts.hitting_time, facts.max_hitting_time) == (0.25 + 0.75 * 2.5, 2.5, 0.25 + 0.75 * 1.5, 1.5)
    assert (facts.gain, facts.communicating) == (1 / 2.375, True)
    assert facts.end_component.tolist() == facts.zero_cost_end_component.tolist() == [-1, 0, -1, -1]


@pytest.mark.parametrize("depth", [1, 5])
def test_loop_free(depth: int) -> None:
    facts = gw.analyze(gw.environments.make("layered", depth=depth))
    assert (facts.loop_free, facts.loop_free_depth, facts.hitting_time) == (True, depth, depth)
    assert (facts.end_component == -1).all()


def test_the_steps_of_the_best_plan_are_not_the_fewest() -> None:
    """A detour of 10 steps at 0.1 each against one step at 2."""
    rows = [(s, 0, s + 1, 1.0, 0.1) for s in range(10)] + [(0, 1, 10, 1.0, 2.0)]
    facts = gw.analyze(SSP.from_rows(rows, start=0, goal=10))
    assert facts.optimal_cost == pytest.approx(1.0)
    assert (facts.hitting_time, facts.max_hitting_time, facts.diameter, facts.gain) == (10.0, 10.0, 9.0, 0.5)


def test_random_costs_are_counted_with_their_range() -> None:
    facts = gw.analyze(gw.environments.make("two-state", c_min=0.5, c_max=2.0).with_random_costs("uniform", low=0.25, high=3.0))
    assert (facts.c_min, facts.c_max, facts.optimal_cost) == (0.25, 3.0, 2.0)


def test_as_dict() -> None:
    found = gw.analyze(gw.environments.make("weakly-communicating")).as_dict()
    assert tuple(found) == NAMES
    assert found == {
        "diameter": 2.0, "optimal_cost": 1.0, "max_value": 2.0, "hitting_time": 1.0, "max_hitting_time": 2.0, "c_min": 1.0, "c_max": 1.0,
        "has_zero_cost_cycle": False, "loop_free_depth": None, "gain": 0.5, "communicating": False, "weakly_communicating": True,
        "dead_ends": [], "unsafe": [],
    }  # fmt: skip
    assert all(type(number) in (float, int, bool, list, type(None)) for number in found.values())


def test_every_fact_has_a_docstring() -> None:
    assert all(getattr(Analysis, name).__doc__ for name in vars(Analysis) if not name.startswith("_"))


def test_repr() -> None:
    assert repr(gw.analyze(gw.environments.make("weakly-communicating", slip=0.3))) == (
        "Analysis(diameter=2.85714, optimal_cost=1.42857, max_value=2.85714, hitting_time=1.42857, max_hitting_time=2.85714, c_min=1, c_max=1, "
        "has_zero_cost_cycle=False, loop_free_depth=None, gain=0.411765, communicating=False, weakly_communicating=True, dead_ends=[], unsafe=[])"
    )
    lost = SSP.from_rows([(0, 0, 1, 1.0, 1.0), *[(s, 0, s, 1.0, 1.0) for s in range(2, 14)]], start=0, goal=1)
    assert repr(gw.analyze(lost)).endswith("weakly_communicating=False, dead_ends=<12 states>, unsafe=<12 states>)")


def test_the_repr_of_a_large_problem_computes_nothing() -> None:
    facts = gw.analyze(gw.environments.make("corridor", length=10_000))
    assert repr(facts) == "Analysis(10,001 states; each fact is computed when it is asked for, all of them by as_dict())"
    assert vars(facts).keys() == {"ssp"}
