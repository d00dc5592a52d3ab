"""The best policy that surely reaches the goal, and a proof of how good it is.

>>> import goalward as gw
>>> plan = gw.solve(gw.environments.make("two-state"))
>>> plan.value, plan.policy, plan.certified
(array([1., 0.]), array([ 1, -1]), True)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward._compile import run
from goalward.errors import BudgetError, SettingError
from goalward.models.checks import number
from goalward.models.settings import choice, flag
from goalward.models.ssp import RESET, SSP
from goalward.planning.blocks import LEAST_SLACK, Work
from goalward.planning.bounds import Bounds, bounds
from goalward.planning.budget import Budget, OutOfBudgetError, Progress
from goalward.planning.certificate import UNIT
from goalward.planning.free_steps import free_part, spread, whole_policy
from goalward.planning.improper import improper_is_cheaper
from goalward.planning.methods import METHODS
from goalward.planning.recipe import fresh, settle_all
from goalward.planning.reduction import reduce_model
from goalward.planning.solution import Solution
from goalward.planning.sweeps import largest_imbalance
from goalward.planning.telling import tell
from goalward.planning.witness import Witness, never_surely, witness

MARGIN = 0.99  # of the width that was asked for: room for rounding
WIDEST_SHARE = 0.25  # however wide bounds may be: the slack of free steps is worked out for a share up to that
FREE_STEPS = 100.0  # how many there may be, as long as that is not known
GROWTH = 1.01  # values may still grow by so much before an absolute tolerance is shared out anew
ROUNDED_UP = 1.0 + 2.0**-50  # more than rounding takes from the width
RETRIES = 3  # with a smaller imbalance each, before bounds are widened


class Slack(NamedTuple):
    """How bounds are made from values: see `bounds`."""

    share: float  # of its cost, for each pair that costs something
    delta: float  # for each free pair
    free_steps: NDArray[np.float64]  # (n + 1,)

    def of(self, cost_x: NDArray[np.float64]) -> NDArray[np.float64]:
        """(X',) the imbalance that the bounds can bear. A pair that costs has to bear what the free steps take back."""
        if not self.delta:
            return np.maximum(self.share * cost_x, LEAST_SLACK)
        return np.maximum(np.where(cost_x > 0.0, 0.5 * self.share * cost_x, self.delta), LEAST_SLACK)


def solve(
    ssp: SSP, tolerance: float = 1e-6, relative: bool = True, method: str = "auto", penalty: float | None = None,
    progress: Callable[[Progress], object] | None = None, *, max_sweeps: int | None = None, max_seconds: float | None = None,
) -> Solution:  # fmt: skip
    """Plan: the best policy among those that reach the goal with probability 1, with bounds lower <= V* <= upper.

    The solution is certified if upper - lower <= tolerance * max(upper, smallest positive cost) in every state of finite value (upper - lower <= tolerance if
    not `relative`). The value is inf, and the policy -1, where no policy surely arrives.

    penalty: giving up is possible in every state at this cost; the value is the fixed point of min{penalty, .} in the Bellman equation, and the policy says
    `RESET` where giving up is best. method: "auto" (policy iteration in blocks, by elimination or accelerated sweeps), "value-iteration" (the paper's),
    "policy-iteration" (sparse LU) or "linear-program" (HiGHS).

    `progress` is called with a `Progress` about ten times a second. When `max_sweeps` (a million if not given) or `max_seconds` are used up, `BudgetError`
    carries the best bounds so far.
    """
    _check(ssp, method, relative, progress, tolerance=tolerance, penalty=penalty, max_sweeps=max_sweeps, max_seconds=max_seconds)
    model = ssp if penalty is None else ssp.with_reset(float(penalty))
    budget = Budget(max_sweeps, max_seconds, progress)
    stopped = None
    with np.errstate(all="ignore"):  # what is beyond double precision ends as a bound that does not hold
        planner = _Planner(model, tolerance, relative, method, budget)
        try:
            planner.plan()
        except OutOfBudgetError as reason:
            stopped = reason
        solution = planner.solution(None if penalty is None else ssp.num_actions)
    if stopped and not solution.certified:
        raise BudgetError(f"{stopped}; the bounds so far are {solution.width:.2g} apart at most, {tolerance:g} was asked for", solution)
    return solution


def _check(ssp: SSP, method: str, relative: bool, progress: object, **numbers: float | None) -> None:
    if not isinstance(ssp, SSP):
        raise SettingError("ssp", ssp, "an SSP")
    choice("method", method, METHODS)
    flag("relative", relative)
    if not (progress is None or callable(progress)):
        raise SettingError("progress", progress, "a function of one argument, or None")
    for name, given in numbers.items():
        if given is not None:
            number(name, given, "> 0", lambda x: x > 0.0)


class Proof(NamedTuple):
    """What `solve` found, and whether its certificate is beyond doubt."""

    policy: Witness
    bounds: Bounds
    complete: bool  # the rankings hold: the policy arrives, and from where the value is infinite none does


class _Planner:
    """One call of `solve`: the model in its stages, from rows to a solution."""

    def __init__(self, ssp: SSP, tolerance: float, relative: bool, method: str, budget: Budget) -> None:
        self.ssp, self.tolerance, self.relative, self.method, self.budget = ssp, tolerance, relative, method, budget
        self.reduced = reduce_model(ssp.rows)
        self.blocks = self.reduced.blocks
        costs = ssp.cost[ssp.cost > 0.0] if ssp.c_min == 0.0 else ssp.cost
        self.least = float(costs.min(initial=np.inf)) if len(costs) else 0.0
        self.slack = Slack(0.0, 0.0, np.zeros(len(self.blocks.guess)))
        self.work: Work = fresh(self.blocks, np.ones(len(self.reduced.pair_x)))
        self.proof: Proof | None = None

    def plan(self) -> None:
        """Settle the values, as closely as bounds of the width asked for can bear; prove them; and if rounding is in the way, settle them more closely."""
        self._settle(self._slack(float(self.blocks.guess.max())))
        while not self.relative and 2.0 * self.slack.share * self.work.value.max() > self.tolerance:  # the values were not known when the share was chosen
            less = self._slack(float(self.work.value.max()))
            if less.share >= self.slack.share:  # beyond the floating-point numbers
                break
            self._settle(less)
        if self.slack.delta:
            self._settle(self._with_free_steps())
        for _ in range(RETRIES):
            self.proof = self._prove()
            if not self.proof.bounds.widened or self.method != "auto":
                return
            self.work = self.work._replace(slack_x=self.work.slack_x / 8.0)
            METHODS[self.method](self.blocks, self.work, self.budget)
        self.proof = self._prove()
        if self.proof.bounds.widened:
            self.proof = min((self.proof, *map(self._prove, self._with_all_steps())), key=self._width)

    def _settle(self, slack: Slack) -> None:
        self.slack = slack
        self.work = self.work._replace(slack_x=slack.of(self.blocks.rows.cost_x))
        METHODS[self.method](self.blocks, self.work, self.budget)

    def _slack(self, largest: float) -> Slack:
        """What keeps the bounds as close as was asked for. How many free steps there can be is guessed as long as the values are not known."""
        nothing = np.zeros(len(self.blocks.guess))
        width = self.tolerance if self.relative else self.tolerance / max(GROWTH * largest, self.least, LEAST_SLACK)
        free = self.ssp.c_min == 0.0 and self.blocks.rows.cost_x.min(initial=1.0) == 0.0
        share = min(max(MARGIN * width / (4.0 if free else 2.0), LEAST_SLACK), WIDEST_SHARE)
        return Slack(share, share * self.least / FREE_STEPS if free else 0.0, nothing)

    def _with_free_steps(self) -> Slack:
        """Pairs that lose more than `margin` need no more slack than that; it is twice what the free steps of the others can take back."""
        margin = self.slack.share * self.least
        steps, state = free_part(self.blocks, self.work.value, margin)
        work = fresh(steps, np.ones(len(steps.rows.cost_x)))
        settle_all(steps, work, self.budget)
        free_steps = spread(work.value, state, len(self.blocks.first_choice))
        return Slack(self.slack.share, 0.5 * margin / max(1.0, float(free_steps.max())), free_steps)

    def _with_all_steps(self) -> Iterator[Slack]:
        """Some slack for every step of the policy, more and more, where the share of its cost is less than rounding takes."""
        followed = whole_policy(self.blocks, self.work.choice)
        work = fresh(followed, np.full(len(followed.first_choice), 0.25))
        settle_all(followed, work, self.budget)
        half, largest = 0.5 * self.slack.delta * self.slack.free_steps, float(self.work.value.max())
        for roundings in (2.0**3, 2.0**7, 2.0**11):
            yield Slack(0.5 * self.slack.share, 1.0, half + roundings * UNIT * largest * 2.0 * work.value)

    def _prove(self, slack: Slack | None = None, cut_short: bool = False) -> Proof:
        """What the values at hand are good for; `cut_short` if nobody says that they are settled."""
        slack = slack or self.slack
        policy = witness(self.reduced, self.work.choice)
        if not policy.proper:  # fall back on one that is; its bound may be wide
            policy = witness(self.reduced, self.blocks.first_choice)
        rows, rank_s = self.ssp.rows, self.reduced.rank_s
        complete = policy.proper and (rank_s.max(initial=-1) < 0 or run(never_surely, rows, rank_s))
        excess = run(largest_imbalance, self.blocks.rows, slack.of(self.blocks.rows.cost_x), self.work.choice, self.work.value) if cut_short else 0.0
        found = bounds(self.ssp.exact_rows, self.reduced, policy, self.work.value, slack.free_steps, slack.share, slack.delta, excess)
        return Proof(policy, found, complete)

    def _width(self, proof: Proof) -> float:
        """Of its bounds, relative."""
        known = self.reduced.index_s >= 0
        lower, upper = proof.bounds.lower[known], proof.bounds.upper[known]
        wide = np.where(np.isinf(upper), np.inf, (upper - lower) / np.maximum(upper, self.least))
        return float(wide.max(initial=0.0, where=upper > lower))

    def solution(self, reset: int | None) -> Solution:
        """What was found, in the caller's numbers; `reset` is the action that stands for giving up."""
        ssp, (policy, bound, complete) = self.ssp, self.proof or self._prove(cut_short=True)
        value, action, rank, lower, upper, width = run(
            tell, ssp.index_s, self.reduced.index_s, ssp.action, policy.pair_s, policy.rank_s, self.work.value, bound.lower, bound.upper,
            self.relative, self.least,
        )  # fmt: skip
        if reset is not None:
            action[action == reset] = RESET
        width = ROUNDED_UP * width if complete else float("inf")
        return Solution(
            value=value, policy=action, rank=rank, lower=lower, upper=upper,
            certified=width <= self.tolerance, width=width, tolerance=self.tolerance, relative=self.relative, method=self.method,
            proper=bool(np.isfinite(value[ssp.start_distribution > 0.0]).all()),
            improper_cheaper=improper_is_cheaper(ssp, self.reduced, lower, self.budget.seconds_left),
            sweeps=int(np.ceil(self.budget.sweeps)), seconds=self.budget.seconds,
        )  # fmt: skip
