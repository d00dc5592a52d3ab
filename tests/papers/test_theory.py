"""The founding paper's bounds: their numbers, and the lemmas they stand on as facts to be tried [tarbouriech2020]."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import goalward as gw
from goalward import SSP, SettingError, environments
from goalward.learning.rates import RATES
from goalward.learning.theory import Theory, kazerouni, moment_bound, pivot_limit, proved_limit, shrinking, stated_limit
from goalward.planning.average import average_rows
from tests.naive.theory import Chain, chains, largest_mean, pivot_horizon, slowest_chain, stopped_plan, sum_of_radii
from tests.planning.drawn_policies import Case, cases
from tests.strategies import free_cycle, greedy_is_improper, infinite_cost, many_models, plain, recipes

ABOVE = 1.0 + 1e-8  # what rounding may add
EPISODES = st.integers(1, 10**4) | st.integers(1, 10**12)
POSITIVE = st.floats(1e-6, 1e6)
ANY = Theory(states=4, actions=2, c_min=0.5, c_max=1.0, diameter=20.0, optimal_cost=5.0, max_hitting_time=30.0)
DEAD_ENDS = Theory(4, 2, 0.5, 1.0, math.inf, math.inf, math.inf, penalty=6.0)
FREE = Theory(4, 2, 0.0, 1.0, 20.0, 5.0, 30.0, penalty=6.0)
POSITIVE_COSTS = [
    environments.make("paper-grid"), environments.make("paper-grid", cost="sand-pit", beta=0.01), environments.make("river-swim"),
    environments.make("random"), environments.make("garnet"),
]  # fmt: skip


@pytest.fixture(scope="module")
def grid() -> Theory:
    return Theory.of(environments.make("paper-grid"))


def test_numbers_of_the_papers_grid(grid: Theory) -> None:
    """At K = 3000, by hand. D = V*(s0) = Upsilon* = 5.3013723866, S = 11, A = 4, delta = 0.1."""
    assert (grid.states, grid.actions, grid.c_min, grid.c_max, grid.delta, grid.penalty) == (11, 4, 1.0, 1.0, 0.1, None)
    assert [grid.diameter, grid.optimal_cost, grid.max_hitting_time] == pytest.approx([5.3013723866] * 3, abs=1e-9)
    assert grid.omega(3000) == 150  # 31.808234 x 4.696331 = 149.382
    assert grid.omega_proof(3000) == 145  # 28.821248 x 5 = 144.106
    assert grid.failures(3000) == pytest.approx(109.545 + 2 * 5147.07 + 44 * 15828.60, rel=1e-5)  # 1.44e7 x 17.39902 = 15828.60^2; 9e5 x 29.43587 = 5147.07^2
    assert grid.truncated_regret(3000) == pytest.approx(4 * 58.315096 * 15828.60 + 2 * 5.301372 * 5147.07 + 75 * (1 + 13.017003), rel=1e-5)
    assert grid.truncated_regret(3000, 21_000) == pytest.approx(4 * 58.315096 * 3103.65 + 2 * 5.301372 * 989.36 + 75 * (1 + 13.017003), rel=1e-5)
    assert grid.late_counts(3000) == pytest.approx(6600 * math.sqrt(88 * 17.39902), rel=1e-6)  # 44 pairs x 150
    assert grid.phase2_omega(100) == 96  # 31.808234 x 2.995732 = 95.289
    assert [grid.phase2_steps(n, extra) for n, extra in [(0, 0), (100, 0), (100, 1)]] == [0, 9600, 9700]
    assert grid.event_probability == pytest.approx(0.9666667)
    assert [grid.radius(n) for n in (0, 1, 100)] == pytest.approx([math.sqrt(88 * 4.382027)] * 2 + [math.sqrt(0.88 * 8.987197)], rel=1e-6)
    assert grid.ucrl2_regret(10**5) == pytest.approx(34 * 6.3013724 * 58.315096 * math.sqrt(4e5 * 13.815511), rel=1e-6)
    assert grid.ucrl2_steps(3000) == pytest.approx(37808.234 + 16 / 9 * 49975.4**2 * 13.663725**2, rel=1e-5)


def test_numbers_of_the_variants() -> None:
    assert FREE.perturbed_hitting_time(0.1) == pytest.approx(230.0)
    assert FREE.perturbed_omega(1000) == FREE.perturbed_omega(1000, 0.1) == 5723  # 6 x 230 x 4.147025
    assert DEAD_ENDS.reset_omega(1000) == 299  # 6 x 12 x 4.147025 = 298.586
    assert FREE.reset_omega(1000, eta=0.1) == 1493  # 6 x 60 x 4.147025 = 1492.929
    assert ANY.optimistic_hitting_time == 80.0
    assert ANY.span == 20.0
    assert (ANY.omega(1), ANY.omega_proof(1)) == (167, 218)  # 240 ln 2 = 166.355; 80 e = 217.463


@pytest.mark.parametrize("entry", environments.catalogue(), ids=lambda entry: str(entry.name))
def test_numbers_of_the_environments(entry: environments.Entry) -> None:
    """And Lem. 2 of them: V* <= c_max D, wherever one starts."""
    ssp = entry.function()
    facts, theory = gw.analyze(ssp), Theory.of(ssp, delta=0.2, penalty=100.0)
    assert (theory.states, theory.actions) == (ssp.num_states - len(ssp.goals), ssp.num_actions)
    assert (theory.c_min, theory.c_max, theory.optimal_cost) == (facts.c_min, facts.c_max, facts.optimal_cost)
    assert [theory.diameter, theory.max_hitting_time] == pytest.approx([facts.diameter, facts.max_hitting_time], rel=1e-8)
    assert (theory.delta, theory.penalty) == (0.2, 100.0)
    assert facts.max_value <= theory.c_max * theory.diameter * ABOVE


WRONG: list[tuple[str, Callable[[], Any]]] = [
    ("states", lambda: Theory(0, 2, 1.0, 1.0, 2.0, 2.0, 2.0)),
    ("actions", lambda: Theory(4, 2.5, 1.0, 1.0, 2.0, 2.0, 2.0)),  # type: ignore[arg-type]
    ("c_min", lambda: Theory(4, 2, -1.0, 1.0, 2.0, 2.0, 2.0)),
    ("c_max", lambda: Theory(4, 2, 1.0, 0.5, 2.0, 2.0, 2.0)),
    ("diameter", lambda: Theory(4, 2, 1.0, 1.0, 0.5, 2.0, 2.0)),
    ("optimal_cost", lambda: Theory(4, 2, 1.0, 1.0, 2.0, math.nan, 2.0)),
    ("max_hitting_time", lambda: Theory(4, 2, 1.0, 1.0, 2.0, 2.0, 0.0)),
    ("delta", lambda: Theory(4, 2, 1.0, 1.0, 2.0, 2.0, 2.0, delta=1.0)),
    ("penalty", lambda: Theory(4, 2, 1.0, 1.0, 2.0, 2.0, 2.0, penalty=0.5)),
    ("c_min", lambda: FREE.omega(10)),
    ("c_min", lambda: FREE.truncated_regret(10)),
    ("c_min", lambda: FREE.failures(10)),
    ("diameter", lambda: DEAD_ENDS.omega_proof(10)),
    ("diameter", lambda: DEAD_ENDS.phase2_omega(10)),
    ("diameter", lambda: DEAD_ENDS.perturbed_hitting_time(1.0)),
    ("diameter", lambda: DEAD_ENDS.span),
    ("episodes", lambda: ANY.omega(0)),
    ("episodes", lambda: ANY.failures(1.5)),  # type: ignore[arg-type]
    ("episodes", lambda: FREE.perturbed_omega(0)),
    ("eta", lambda: FREE.perturbed_omega(5, 0.0)),
    ("eta", lambda: FREE.reset_omega(5, -0.1)),
    ("c_min + eta", lambda: FREE.reset_omega(5)),
    ("penalty", lambda: ANY.reset_omega(5)),
    ("attempts", lambda: ANY.phase2_omega(0)),
    ("attempts", lambda: ANY.phase2_steps(-1)),
    ("extra_steps", lambda: ANY.phase2_steps(3, 2)),
    ("phase1_steps", lambda: ANY.truncated_regret(10, 9)),
    ("visits", lambda: ANY.radius(-1)),
    ("c_min, c_max", lambda: ANY.ucrl2_regret(10)),
    ("steps", lambda: Theory(4, 2, 1.0, 1.0, 2.0, 2.0, 2.0).ucrl2_regret(1)),
    ("mean", lambda: moment_bound(1.9, 2)),
    ("r", lambda: moment_bound(2.0, 0)),
    ("mean", lambda: pivot_limit(0.5, 2)),
    ("k", lambda: stated_limit(2.0, 0)),
    ("a3", lambda: kazerouni(1.0, 1.0, 0.0)),
    ("c", lambda: shrinking(3.0, 1.0)),
    ("x", lambda: shrinking(4.0, 0.5)),
    ("D", lambda: RATES["Thm. 2"].growth(10, math.inf)),
    ("episodes", lambda: RATES["Thm. 2"].growth(0, 2.0)),
]


@pytest.mark.parametrize(("name", "asked"), WRONG, ids=[f"{i}-{name}" for i, (name, _) in enumerate(WRONG)])
def test_what_makes_no_sense_is_refused(name: str, asked: Callable[[], Any]) -> None:
    with pytest.raises(SettingError) as refusal:
        asked()
    assert refusal.value.name == name


@many_models
@given(st.integers(1, 1000), st.integers(1, 100), st.floats(1e-6, 1.0 - 1e-6), st.integers(0, 10**6))
def test_lemma_3_the_radius_is_no_smaller_than_what_its_proof_needs(states: int, actions: int, delta: float, visits: int) -> None:
    """Sqrt(2 ln((2^S' - 2) 5 S A n^2 / delta) / n), which Weissman's inequality turns into a probability of delta / (5 S A n^2). They sum to delta / 3."""
    counted = max(1, visits)
    log_sets = states * math.log(2.0) + math.log(2.0 - 2.0 ** (1 - states))
    needed = math.sqrt(2.0 * (log_sets + math.log(5.0 * states * actions * counted**2 / delta)) / counted)
    radius = Theory(states, actions, 1.0, 1.0, 1.0, 1.0, 1.0, delta).radius(visits)
    assert needed <= radius
    assert visits > 0 or radius >= 2.0  # all there is


def stays(pair: int, steps: int) -> list[int]:
    return [pair] * steps


def test_counts_that_come_late_break_the_pigeonhole_of_appendix_d() -> None:
    """Eight attempts, each with a pair of its own: the sum of the radii is more than App. D says, and no more than with late counts."""
    episodes, theory = 8, Theory(4, 2, 1.0, 1.0, 20.0, 20.0, 20.0)
    steps = theory.omega(episodes) * episodes
    summed = steps * theory.radius(0)
    assert summed > 1.5 * theory.radius_sum(steps)
    assert summed <= theory.radius_sum(steps) + theory.late_counts(episodes)
    assert sum_of_radii([stays(0, 5)]) == 5.0 > 2.0 * math.sqrt(5.0)


@many_models
@given(st.lists(st.lists(st.integers(0, 3), max_size=12) | st.builds(stays, st.integers(0, 3), st.integers(1, 12)), min_size=1, max_size=12))
def test_counts_that_come_late_cost_an_attempt_for_each_pair(attempts: list[list[int]]) -> None:
    """The sum of 1 / sqrt(N+) is at most 2 sqrt(pairs x steps), if counts are fresh, and `longest attempt` more for each pair if not."""
    steps, longest = sum(map(len, attempts)), max(map(len, attempts))
    assert sum_of_radii([[pair] for attempt in attempts for pair in attempt]) <= 2.0 * math.sqrt(4 * steps)
    assert sum_of_radii(attempts) <= 2.0 * math.sqrt(4 * steps) + 4 * longest


@pytest.mark.parametrize("name", ["paper-grid", "weakly-communicating", "river-swim", "corridor"])
def test_lemma_12_value_iteration_on_the_problem_that_never_ends(name: str) -> None:
    """H_i(s2) - h_i(s1) <= the fewest expected steps from s1 to s2, after every sweep; so the span is at most D. In the end it is D times the gain."""
    ssp = environments.make(name, length=6) if name == "corridor" else environments.make(name)
    facts, theory, rows = gw.analyze(ssp), Theory.of(ssp), average_rows(ssp)
    states = len(rows.first_pair) - 1
    fewest_steps = np.array(
        [gw.solve(SSP.from_csr(*rows._replace(cost_x=np.ones_like(rows.cost_x)), start=int(t == 0), goal=t), 1e-10).value for t in range(states)]
    )  # [to, from]
    h, span, widest = np.zeros(states), 0.0, 0.0
    for _ in range(3000):
        q = np.add.reduceat(rows.probability * h[rows.next_state], rows.row_ptr[:-1])
        h = np.maximum.reduceat(q, rows.first_pair[:-1]) + (np.arange(states) == states - 1)
        assert (h[:, None] - h[None, :] <= fewest_steps * ABOVE).all()
        assert h[-1] == h.max()
        span = float(np.ptp(h))
        widest = max(widest, span)
    assert widest <= theory.span * ABOVE
    if name != "weakly-communicating":  # there it goes to and fro, for ever
        assert span == pytest.approx(theory.span * facts.gain, rel=1e-6)


@many_models
@given(POSITIVE, POSITIVE, st.floats(1.1, 300.0), st.floats(-300.0, 300.0))
def test_lemma_13(a1: float, a3: float, peak: float, shift: float) -> None:
    """With u = w a1 / a3 for sqrt(x) and a2 such that the peak is at w: there it is (w^2 - 2 w) a1^2 / a3, and nowhere is it more than the bound."""
    log_a2 = 2.0 * (peak - math.log(peak) - 1.0 + math.log(a3 / a1))
    unit, right = a1 * a1 / a3, kazerouni(a1, math.exp(log_a2), a3)

    def left(w: float) -> float:
        x = (w * a1 / a3) ** 2
        return -a3 * x + a1 * math.sqrt(x) * (math.log(x) + log_a2)

    assert left(peak) == pytest.approx((peak - 2.0) * peak * unit, abs=1e-9 * peak**2 * unit)
    assert left(peak) <= right
    assert left(peak * math.exp(shift / 30.0)) <= right
    assert peak < 5.0 or left(peak) > right / 2.0  # it is a good bound


@many_models
@given(st.floats(4.0, 1e9), st.floats(1.0, 1e9), st.floats(1.0, 1e3))
def test_lemma_14(c: float, x: float, factor: float) -> None:
    assert shrinking(c, x * factor) <= shrinking(c, x) * (1.0 + 1e-14)


def test_lemma_14_needs_a_large_c() -> None:
    """One that is at least e. With a single action and delta > 2 / e, radii grow at first."""
    few = Theory(4, 1, 1.0, 1.0, 2.0, 2.0, 2.0, delta=0.99)
    assert few.radius(1) / math.sqrt(32) < shrinking(4.0, 1.0)
    assert math.log(2.02 * 1.3) / 1.3 > math.log(2.02)


@many_models
@given(cases(recipes(plain) | recipes(infinite_cost)))
def test_lemma_15_of_any_policy(case: Case) -> None:
    """From every state from which it surely arrives."""
    found = gw.evaluate(case.ssp, case.policy)
    inside = found.proper_from
    mean = max(2.0, float(found.hitting_time[inside].max()))
    for r in range(1, 13):
        assert (found.moment(r)[inside] <= moment_bound(mean, r) * ABOVE).all()


@pytest.mark.parametrize("name", ["paper-grid", "river-swim", "random", "garnet", "layered", "dead-end-grid"])
def test_lemma_15_of_random_policies_of_the_environments(name: str) -> None:
    ssp, rng = environments.make(name), np.random.default_rng(15)
    for _ in range(3):
        weights = np.zeros((ssp.num_states, ssp.num_actions))
        for s in range(ssp.num_states):
            own = ssp.action[ssp.first_pair[s] : ssp.first_pair[s + 1]]
            weights[s, own] = rng.dirichlet(np.ones(len(own))) if len(own) else 0.0
        found = gw.evaluate(ssp, weights)
        inside = found.proper_from
        mean = max(2.0, float(found.hitting_time[inside].max()))
        assert all((found.moment(r)[inside] <= moment_bound(mean, r) * ABOVE).all() for r in range(1, 9))


def test_a_moment_beyond_the_numbers_is_bounded_by_infinity() -> None:
    assert moment_bound(1e6, 3) == 2.0 * 27e18
    assert moment_bound(1e6, 100) == math.inf


@many_models
@given(chains(), EPISODES)
def test_lemma_6_of_any_chain(chain: Chain, k: int) -> None:
    """If E[tau] <= lambda from all states, the horizon is at most ceil(3 lambda ln(2 sqrt k)), for every k from 1 on, and also where lambda < 2."""
    mean = float(largest_mean(chain))
    horizon = pivot_horizon(chain, k)
    assert horizon <= pivot_limit(mean * (1.0 + 1e-12), k)
    assert horizon <= stated_limit(mean, k)
    assert horizon <= proved_limit(mean, k)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 10, 100, 3000, 10**6])
@pytest.mark.parametrize("mean", [2, 3, 5, 8])
def test_the_longest_horizon_that_a_mean_allows(mean: int, k: int) -> None:
    """A chain that has it. With k = 10^6 that is between a quarter and a third of what Lem. 6 says."""
    limit = pivot_limit(float(mean), k)
    chain = slowest_chain(mean, max(mean, limit) + 2)
    assert largest_mean(chain) == mean
    assert pivot_horizon(chain, k) == limit
    assert k < 10**6 or 1 / 4 < limit / stated_limit(float(mean), k) < 1 / 3


@many_models
@given(st.floats(1.0, 1e6), EPISODES)
def test_lemma_6_is_true_as_stated(mean: float, k: int) -> None:
    """Both its statement and what its proof gives are above what the mean allows at most."""
    assert pivot_limit(mean, k) <= min(stated_limit(mean, k), proved_limit(mean, k))


@pytest.mark.parametrize(("k", "more"), [(1, True), (2, True), (13, False), (30, True), (3000, False), (18_000_000, True), (19_000_000, False)])
def test_the_proof_of_lemma_6_may_give_more_than_is_stated(k: int, more: bool) -> None:
    assert (proved_limit(1000.0, k) > stated_limit(1000.0, k)) is more


@given(st.floats(1.0, 1e6), st.integers(2 * 10**7, 10**15))
def test_after_many_episodes_it_gives_no_more(mean: float, k: int) -> None:
    assert proved_limit(mean, k) <= stated_limit(mean, k)


def horizon(found: gw.Evaluation, k: int) -> int:
    n = 2
    while found.survival(n - 1).max() > 1.0 / math.sqrt(k):
        n += 1
    return n


@pytest.mark.parametrize("t", [1, 10, 1000])
@pytest.mark.parametrize("ssp", POSITIVE_COSTS, ids=["paper-grid", "sand-pit", "river-swim", "random", "garnet"])
def test_optimism_about_values_bounds_hitting_times(ssp: SSP, t: int) -> None:
    """The plan of step t with a confidence set of the true model alone: E[tau~] <= v / (c_min - eps) <= 2 V* / c_min [Eq. after Lem. 15], and so Lem. 6."""
    theory, precision = Theory.of(ssp), ssp.c_min / (2.0 * t)
    value, policy = stopped_plan(ssp, precision)
    found = gw.evaluate(ssp, policy)
    assert (value <= gw.solve(ssp, 1e-9).value * ABOVE).all()
    assert (found.hitting_time <= value / (ssp.c_min - precision) * ABOVE).all()
    assert found.hitting_time.max() <= theory.optimistic_hitting_time * ABOVE
    for k in (1, 2, 100):
        assert horizon(found, k) <= theory.omega(k)


@many_models
@given(recipes(plain) | recipes(free_cycle) | recipes(greedy_is_improper), st.sampled_from([1.0, 0.3, 0.05]))
def test_a_perturbation_bounds_hitting_times(recipe: Any, eta: float) -> None:
    """E[tau] <= c_max D / eta + Upsilon* of the best plan at c + eta; of one stopped at eps = eta / 2, twice that [App. I.3]."""
    ssp = recipe.ssp()
    theory = Theory.of(ssp)
    assume(theory.diameter < 100.0)
    exact, stopped = gw.solve(ssp.with_offset(eta), 1e-9).policy, stopped_plan(ssp, eta / 2.0, offset=eta)[1]
    assert gw.evaluate(ssp, exact).hitting_time.max() <= theory.perturbed_hitting_time(eta) * ABOVE
    found = gw.evaluate(ssp, stopped)
    assert found.hitting_time.max() <= 2.0 * theory.perturbed_hitting_time(eta) * ABOVE
    assert horizon(found, 9) <= theory.perturbed_omega(9, eta)


def slope(function: Callable[[float], float], x: float) -> float:
    """The power with which it grows from x to 100 x."""
    return math.log(function(100 * x) / function(x)) / math.log(100)


def test_bounds_grow_like_the_rates() -> None:
    """But for logarithms, which make them a little steeper."""
    rate, free = RATES["Thm. 2"], RATES["Table 1, line 3"]
    for bound in (ANY.truncated_regret, ANY.failures):
        assert rate.episodes_power < slope(lambda k, bound=bound: bound(int(k)), 1e9) < rate.episodes_power + 0.06  # type: ignore[misc]
    by_diameter = slope(lambda d: Theory(4, 2, 0.5, 1.0, d, 5.0, 30.0).truncated_regret(10**9), 1e4)
    assert rate.size_power - 0.01 < by_diameter < rate.size_power + 0.06
    perturbed = slope(lambda k: math.sqrt(k * FREE.perturbed_omega(int(k))), 1e9)  # W_K but for the logarithm
    assert free.episodes_power < perturbed < free.episodes_power + 0.03


@pytest.mark.parametrize("place", RATES)
def test_rates(place: str) -> None:
    rate = RATES[place]
    assert slope(lambda k: rate.growth(k, 7.0), 10.0) == pytest.approx(rate.episodes_power)
    assert slope(lambda size: rate.growth(10, size), 3.0) == pytest.approx(rate.size_power)
    assert rate.episodes_power == (2 / 3 if "c_min = 0" in rate.assumptions else 1 / 2)
    assert (rate.size == "J") == any("J" in assumption for assumption in rate.assumptions)
