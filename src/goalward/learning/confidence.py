"""Sets of plausible transition probabilities.

The goal is the cheapest state to be in, so the most hopeful member of a set is found by filling: every successor gets its least probability, and what is left
goes to the goal, then to the cheapest states, each up to its most. A set therefore says only how far a probability may stray after n >= 1 visits: `radius(n)`,
and `least(p, radius)`, `most(p, radius)`, `most_goal(p, radius)`, where p is the empirical one. `admits_unseen` says whether most(0, .) may exceed 0. Before
the first visit every probability is plausible, whatever the set.

The constants are numbers that a set is made with. "theory" are those with a proof; "paper" are those of the printed experiments, which have none
(docs/decisions/constants-of-the-bounds.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from goalward._compile import component
from goalward.errors import SettingError
from goalward.models.checks import number
from goalward.models.rows import Floats, frozen
from goalward.models.settings import choice
from goalward.models.signature import Signature

TABLE = 4096  # visits whose radius is worked out once


@component
class L1Ball(NamedTuple):
    """||p - p_hat||_1 <= beta = scale sqrt(root L / n), L = ln(pairs n / delta) [tarbouriech2020, Sect. 4].

    Half of beta may be moved, and it moves to the goal: the others have at most p_hat [jaksch2010, Fig. 2].
    """

    radius_n: Floats  # beta of few visits
    root: float
    pairs: float
    delta: float
    scale: float

    @classmethod
    def of(cls, root: float, pairs: float, delta: float, scale: float) -> L1Ball:
        return cls(tabulated(l1_radius, root, pairs, delta, scale), root, pairs, delta, scale)

    @classmethod
    def theory(cls, states: int, actions: int, delta: float, scale: float) -> L1Ball:
        """beta = sqrt(8 S ln(2 A n / delta) / n) [tarbouriech2020, Lem. 3]."""
        return cls.of(8.0 * states, 2.0 * actions, delta, scale)

    @classmethod
    def paper(cls, under_root: int, in_log: int, actions: int, delta: float, scale: float) -> L1Ball:
        """beta = sqrt(S L / n), L = ln(S A n / delta), where it depends on the place whether S counts the goal [tarbouriech2020, App. J]."""
        return cls.of(float(under_root), float(in_log * actions), delta, scale)

    def radius(self, n: int) -> float:
        return float(self.radius_n[n]) if n < self.radius_n.size else l1_radius(n, self.root, self.pairs, self.delta, self.scale)

    def least(self, p: float, radius: float) -> float:
        return 0.0

    def most(self, p: float, radius: float) -> float:
        return p

    def most_goal(self, p: float, radius: float) -> float:
        return p + 0.5 * radius

    def admits_unseen(self) -> bool:
        return False


@component
class BernsteinBox(NamedTuple):
    """|p - p_hat| <= deviation sqrt(p_hat (1 - p_hat) L / n) + range L / n for each next state, L = ln(pairs n / delta) [tarbouriech2020, App. J.1]."""

    radius_n: Floats  # L / n of few visits
    deviation: float
    range: float
    pairs: float
    delta: float

    @classmethod
    def of(cls, deviation: float, range_: float, pairs: float, delta: float) -> BernsteinBox:
        return cls(tabulated(box_radius, pairs, delta), deviation, range_, pairs, delta)

    @classmethod
    def theory(cls, states: int, actions: int, delta: float, scale: float) -> BernsteinBox:
        """The constants of UCRL2B, 2 sqrt(p_hat (1 - p_hat) l / n) + 6 l / n, l = ln(6 S A n / delta) [fruit2020]. The founding paper names none."""
        return cls.of(2.0 * scale, 6.0 * scale, 6.0 * states * actions, delta)

    @classmethod
    def paper(cls, under_root: int, in_log: int, actions: int, delta: float, scale: float) -> BernsteinBox:
        """Both constants 1, L = ln(S A n / delta) [tarbouriech2020, App. J.1]."""
        return cls.of(scale, scale, float(in_log * actions), delta)

    def radius(self, n: int) -> float:
        return float(self.radius_n[n]) if n < self.radius_n.size else box_radius(n, self.pairs, self.delta)

    def least(self, p: float, radius: float) -> float:
        return max(0.0, p - (self.deviation * math.sqrt(p * (1.0 - p) * radius) + self.range * radius))

    def most(self, p: float, radius: float) -> float:
        return min(1.0, p + (self.deviation * math.sqrt(p * (1.0 - p) * radius) + self.range * radius))

    def most_goal(self, p: float, radius: float) -> float:
        return self.most(p, radius)

    def admits_unseen(self) -> bool:
        return True


@component
def l1_radius(n: int, root: float, pairs: float, delta: float, scale: float) -> float:
    return scale * math.sqrt(root * math.log(pairs * n / delta) / n)


@component
def box_radius(n: int, pairs: float, delta: float) -> float:
    return math.log(pairs * n / delta) / n


@lru_cache(maxsize=64)
def tabulated(radius: Callable[..., float], *constants: float) -> Floats:
    """(TABLE,) the radius after so many visits: a logarithm takes as long as the rest of a row."""
    return frozen(np.array([0.0, *(radius(n, *constants) for n in range(1, TABLE))]))


Confidence = L1Ball | BernsteinBox
SETS: dict[str, Any] = {"l1": L1Ball, "bernstein": BernsteinBox}
BOUNDS = ("paper", "theory")
COUNTED = {"S+1": 1, "S": 0}  # whether a number of states counts the goal


def confidence_set(
    signature: Signature, kind: str, *, bounds: str, scale: float, delta: float, states_in_root: str, states_in_log: str
) -> Confidence:  # fmt: skip
    """The set that the settings of an algorithm name."""
    made = SETS[choice("confidence", kind, SETS)]
    choice("bounds", bounds, BOUNDS)
    scale = number("scale", scale, "> 0", lambda x: x > 0.0)
    delta = number("delta", delta, "in (0, 1)", lambda x: 0.0 < x < 1.0)
    given = {"states_in_root": states_in_root, "states_in_log": states_in_log}
    under_root, in_log = (signature.states + COUNTED[choice(name, counted, COUNTED)] for name, counted in given.items())
    if kind == "bernstein" and states_in_root != "S+1":
        raise SettingError("states_in_root", states_in_root, "nothing with confidence='bernstein', in which no number of states is under a root")
    if bounds == "theory":
        if (states_in_root, states_in_log) != ("S+1", "S"):
            raise SettingError("states_in_root, states_in_log", (states_in_root, states_in_log), "nothing with bounds='theory', whose S is in the proof")
        return made.theory(signature.states, signature.actions, delta, scale)  # type: ignore[no-any-return]
    return made.paper(under_root, in_log, signature.actions, delta, scale)  # type: ignore[no-any-return]
