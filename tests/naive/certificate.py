"""Does a certificate hold? Every statement of it, checked in rational numbers and without a solver.

X are the states whose upper bound is finite. Only actions all of whose successors are in X (goals included) are kept. If every statement holds, then

- the policy surely reaches the goal from each state of X: some successor has a smaller rank, and the ranks end at the goal;
- lower <= V*: lower <= c + P lower for every kept action, so, again and again, lower <= the cost of n steps + P^n lower, for whatever policy that surely
  arrives (from X it can use kept actions only);
- V* <= upper: c + P upper <= upper under the policy, and upper >= 0, so the cost of n steps is at most upper, for each n;
- from outside X no policy surely arrives. Of the states outside that it may come to, take one with the smallest rank: each action has a successor outside X
  with a smaller one, which cannot be, or leads only to states outside X with this very rank, for ever.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from goalward import RESET, SSP
from tests.naive.exact import ExactModel, Pair, Value, exact_model


class Claim(Protocol):
    """What a solution says, over the caller's states."""

    @property
    def value(self) -> NDArray[np.float64]: ...
    @property
    def lower(self) -> NDArray[np.float64]: ...
    @property
    def upper(self) -> NDArray[np.float64]: ...
    @property
    def policy(self) -> NDArray[np.integer]: ...
    @property
    def rank(self) -> NDArray[np.integer]: ...


def check_certificate(ssp: SSP, claim: Claim) -> list[str]:
    """The statements that do not hold, in words. With a penalty, `ssp` is the model with the reset action."""
    model = exact_model(ssp)
    if wrong := list(_malformed(model, claim)):
        return wrong
    lower, upper = exact_numbers(claim.lower), exact_numbers(claim.upper)
    inside = {s for s in model.states if s in model.goals or upper[s] < math.inf}
    wrong += _goal_statements(model, claim)
    for s in sorted(inside - model.goals):
        wrong += _policy_statements(model, claim, s, chosen_pair(ssp, model, s, int(claim.policy[s])), upper)
        wrong += [
            f"state {s}, action {pair.action}: lower {float(lower[s])!r} is more than c + P lower"
            for pair in model.pairs_s[s]
            if pair.to.keys() <= inside and lower[s] > pair.cost + _mean(pair, lower, model)
        ]
        wrong += _order_statements(claim, s)
    for s in sorted(set(model.states) - inside):
        wrong += _infinite_statements(model, claim, s, inside)
    return wrong


def _malformed(model: ExactModel, claim: Claim) -> Iterator[str]:
    for name in ("value", "lower", "upper", "policy", "rank"):
        array = getattr(claim, name)
        if array.shape != (len(model.pairs_s),):
            yield f"{name} has the shape {array.shape}"
        elif np.isnan(array).any():
            yield f"{name} is not a number in state {np.flatnonzero(np.isnan(array))[0]}"
    for name in ("policy", "rank"):
        if not np.issubdtype(getattr(claim, name).dtype, np.integer):
            yield f"{name} has the type {getattr(claim, name).dtype}"


def _goal_statements(model: ExactModel, claim: Claim) -> Iterator[str]:
    for g in sorted(model.goals):
        for name, wanted in (("value", 0), ("lower", 0), ("upper", 0), ("rank", 0), ("policy", -1)):
            if getattr(claim, name)[g] != wanted:
                yield f"goal {g}: {name} {getattr(claim, name)[g]}, not {wanted}"


def _policy_statements(model: ExactModel, claim: Claim, s: int, pair: Pair | None, upper: Sequence[Value]) -> Iterator[str]:
    if pair is None:
        yield f"state {s}: policy {claim.policy[s]} is no action of it"
        return
    if outside := [t for t in pair.to if upper[t] == math.inf]:
        yield f"state {s}: policy {pair.action} may lead to state {outside[0]}, where upper is infinite"
    elif upper[s] < pair.cost + _mean(pair, upper, model):
        yield f"state {s}: upper {float(upper[s])!r} is less than c + P upper under policy {pair.action}"
    if upper[s] < 0:
        yield f"state {s}: upper {float(upper[s])!r} is negative"
    if not any(claim.rank[t] < claim.rank[s] for t in pair.to):
        yield f"state {s}: no successor under policy {pair.action} has a smaller rank than {claim.rank[s]}"
    if claim.rank[s] < 0:
        yield f"state {s}: rank {claim.rank[s]} is below the goal's"


def _order_statements(claim: Claim, s: int) -> Iterator[str]:
    if not math.isfinite(claim.lower[s]):
        yield f"state {s}: lower is {claim.lower[s]}"
    if not claim.lower[s] <= claim.value[s] <= claim.upper[s]:
        yield f"state {s}: value {claim.value[s]} is not between lower {claim.lower[s]} and upper {claim.upper[s]}"


def _infinite_statements(model: ExactModel, claim: Claim, s: int, inside: set[int]) -> Iterator[str]:
    if claim.value[s] != math.inf or claim.upper[s] != math.inf:
        yield f"state {s}: value {claim.value[s]} and upper {claim.upper[s]}, of which only one is infinite"
    if claim.policy[s] != -1:
        yield f"state {s}: policy {claim.policy[s]} where the value is infinite"
    for pair in model.pairs_s[s]:
        descends = any(claim.rank[t] < claim.rank[s] for t in pair.to if t not in inside)
        stays = all(t not in inside and claim.rank[t] == claim.rank[s] for t in pair.to)
        if not (descends or stays):
            yield f"state {s}, action {pair.action}: the second ranking {claim.rank[s]} does not show that the goal may be missed"


def chosen_pair(ssp: SSP, model: ExactModel, s: int, action: int) -> Pair | None:
    """The pair of an action, or of RESET: the last action of a model made by `with_reset`, which all states have and which leads to the goal."""
    last = [pair for pairs in model.pairs_s for pair in pairs if pair.action == ssp.num_actions - 1 and pair.to.keys() <= model.goals]
    has_reset = len(last) == len(model.states) - len(model.goals)
    number = ssp.num_actions - 1 if action == RESET and has_reset else action
    return next((pair for pair in model.pairs_s[s] if pair.action == number), None)


def exact_numbers(array: NDArray[np.float64]) -> list[Value]:
    return [Fraction(x) if math.isfinite(x) else x for x in array.tolist()]


def _mean(pair: Pair, value: Sequence[Value], model: ExactModel) -> Value:
    """P value, where goals count 0: they are one absorbing state."""
    return sum((p * value[t] for t, p in pair.to.items() if t not in model.goals), start=Fraction(0))


def too_wide(ssp: SSP, claim: Claim, tolerance: float, relative: bool) -> list[str]:
    """The states of finite value in which the bounds are further apart than the tolerance allows, in words."""
    lower, upper, allowed = exact_numbers(claim.lower), exact_numbers(claim.upper), Fraction(tolerance)
    least = exact_model(ssp).smallest_positive_cost()
    return [
        f"state {s}: upper - lower is {float(upper[s] - lower[s]):.3g}, with upper {float(upper[s]):.17g}"
        for s in np.flatnonzero(np.isfinite(claim.value)).tolist()
        if upper[s] - lower[s] > allowed * (max(upper[s], least) if relative else 1)
    ]


def width_ok(ssp: SSP, claim: Claim, tolerance: float, relative: bool) -> bool:
    """What `certified` promises of the bounds."""
    return not too_wide(ssp, claim, tolerance, relative)
