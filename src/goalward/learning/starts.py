"""Where extended value iteration starts: any v0 with 0 <= v0 <= L v0 keeps optimism, for the iterates rise from it to the fixed point (docs/warm-starts.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from goalward._compile import component
from goalward.models.rows import Floats

if TYPE_CHECKING:
    from goalward.learning.optimism import Plan


@component
class ColdStart(NamedTuple):
    """v0 = 0 [tarbouriech2020, Alg. 2]."""

    def begin_from(self, next_s: Floats) -> None:
        for s in range(next_s.size):
            next_s[s] = 0.0

    def lower(self, plan: Plan) -> bool:
        return False


@component
class WarmStart(NamedTuple):
    """v0 is the value of the last plan, lowered until it is certain to be optimistic."""

    def begin_from(self, next_s: Floats) -> None:
        pass

    def lower(self, plan: Plan) -> bool:
        """The sweep over the value v of the last plan has found L v. Go on from w = alpha L v + (1 - alpha) f, where alpha = f / (f + max (v - L v)+).

        f is the least cost of L. Then alpha v <= w <= L(alpha v) <= L w, so w is a start (docs/warm-starts.md). Says whether v itself was none.
        """
        excess = 0.0
        for s in range(plan.policy_s.size):
            excess = max(excess, plan.value_s[s] - plan.next_s[s])
        if excess > 0.0:
            least = min(plan.least_cost + plan.outcome.offset, plan.cap)
            alpha = least / (least + excess)
            for s in range(plan.policy_s.size):
                plan.next_s[s] = alpha * plan.next_s[s] + (1.0 - alpha) * least
        return excess > 0.0


Start = ColdStart | WarmStart
