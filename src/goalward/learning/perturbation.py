"""What is added to all costs of the optimistic model, so that a plan may not take for ever where steps are free; and how accurate the plan has to be."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from goalward._compile import component
from goalward.errors import SettingError
from goalward.models.checks import number
from goalward.models.signature import Signature

EXPONENT = 1.0 / 3.0  # of the perturbation 1 / k^(1/3)


@component
class Unperturbed(NamedTuple):
    """Costs as they are, all positive."""

    c_min: float

    def eta(self, k: int) -> float:
        return 0.0

    def accuracy(self, k: int, t: int) -> float:
        """epsilon_{k,0} = c_min / (2 t) [tarbouriech2020, Alg. 2]."""
        return self.c_min / (2.0 * t)


@component
class Perturbed(NamedTuple):
    """eta_k = size / k^exponent [tarbouriech2020, App. I.3]."""

    size: float
    exponent: float
    c_min: float
    c_max: float

    def eta(self, k: int) -> float:
        return self.size * math.pow(k, -self.exponent)

    def accuracy(self, k: int, t: int) -> float:
        """min{c_max / t, (c_min + eta_k) / 2}: with the paper's c_max / t alone, value iteration might stop at v0 = 0 with a policy that never arrives."""
        return min(self.c_max / t, 0.5 * (self.c_min + self.eta(k)))


Perturbation = Unperturbed | Perturbed


def perturbation_of(signature: Signature, given: Any) -> Perturbation:
    """What is given is "auto", 1 / k^(1/3) where some step may be free, else nothing; or a number, that much, always; or "none" (None)."""
    if given == "auto" and signature.c_min == 0.0:
        return Perturbed(1.0, EXPONENT, signature.c_min, signature.c_max)
    if given in ("auto", "none", None):
        if signature.c_min == 0.0:
            raise SettingError("perturbation", given, "'auto' or a number > 0: some steps may be free (c_min = 0), and no plan would be accurate enough")
        return Unperturbed(signature.c_min)
    size = number("perturbation", given, "> 0, or 'auto', or 'none'", lambda eta: eta > 0.0)
    return Perturbed(size, 0.0, signature.c_min, signature.c_max)
