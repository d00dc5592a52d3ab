"""Regret as the founding paper gives it: up to constants, logarithms, and whatever does not grow with K [tarbouriech2020].

A rate is no bound. Nothing measured exceeds it or does not: compare slopes, of the logarithm of the regret over the logarithm of K, or of D.

>>> uniform = RATES["Thm. 2"]
>>> uniform.growth(4000, 5.0) / uniform.growth(1000, 5.0)
2.0
"""

from __future__ import annotations

from dataclasses import dataclass

from goalward.models.checks import number

POSITIVE_COSTS, FREE_STEPS = "c_min > 0", "c_min = 0"
ALL_ARRIVE, MAY_RESET = "D finite", "V*(s0) <= J, and one may give up for J"


@dataclass(frozen=True)
class Rate:
    """Something grows like K^episodes_power, and like D^size_power or J^size_power. All else the paper puts in front is in `factors`."""

    of: str  # what grows
    assumptions: tuple[str, ...]
    episodes_power: float
    size_power: float  # with c_max / c_min held
    size: str  # "D" or "J"
    factors: str

    def growth(self, episodes: float, size: float) -> float:
        """K^a D^b: a rate, not a bound. Only the quotient of two of these means anything."""
        count = number("episodes", episodes, ">= 1", lambda k: k >= 1.0)
        return float(count**self.episodes_power * number(self.size, size, "> 0", lambda x: x > 0.0) ** self.size_power)


def _table(costs: str, goal: str, episodes_power: float) -> Rate:
    """A line of Table 1, where only K and D or J are told."""
    return Rate("regret", (costs, goal), episodes_power, 1.5, "D" if goal == ALL_ARRIVE else "J", "1")


# By the place in the paper [tarbouriech2020]
RATES = {
    "Thm. 1": Rate("regret of UCRL2", ("all costs 1", ALL_ARRIVE), 0.5, 1.0, "D", "V*(s0)^(3/2) S sqrt(A)"),
    "Thm. 2": Rate("regret of UC-SSP", (POSITIVE_COSTS, ALL_ARRIVE), 0.5, 1.5, "D", "c_max S sqrt(A c_max / c_min); and c_max S^2 A D^2 once"),
    "Lem. 8": Rate("steps of phase 2", (POSITIVE_COSTS, ALL_ARRIVE), 0.5, 1.5, "D", "S sqrt(A c_max / c_min); and S^2 A D^2 once"),
    "Table 1, line 1": _table(POSITIVE_COSTS, ALL_ARRIVE, 1 / 2),
    "Table 1, line 2": _table(POSITIVE_COSTS, MAY_RESET, 1 / 2),
    "Table 1, line 3": _table(FREE_STEPS, ALL_ARRIVE, 2 / 3),
    "Table 1, line 4": _table(FREE_STEPS, MAY_RESET, 2 / 3),
    "Lem. 16": Rate("regret of UC-SSP-L_J", (POSITIVE_COSTS, MAY_RESET), 0.5, 1.5, "J", "S sqrt(A / c_min)"),
    "Lem. 18": Rate("regret of UC-SSP-L_eta", (FREE_STEPS, ALL_ARRIVE), 2 / 3, 1.5, "D", "c_max^(3/2) S sqrt(A); and Upsilon* K^(2/3), and lower powers of K"),
}
