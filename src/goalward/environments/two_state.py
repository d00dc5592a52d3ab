"""The smallest problem on which the average cost misleads."""

from __future__ import annotations

from goalward.models.checks import number
from goalward.models.ssp import SSP


def two_state(c_min: float = 0.1, c_max: float = 1.0) -> SSP:
    """Stay cheaply for ever, or pay once and arrive [tarbouriech2020, Fig. 1].

    ::

         a1, c_min
         +--+
         |  v    a2, c_max
        (s0) --------------> ((goal))

    With c_max > 2 c_min the policy of least average cost plays a1 and never arrives.

    V*(s0) = c_max, by a2. With c_min = 0 an improper policy pays less.
    """
    least = number("c_min", c_min, ">= 0", lambda c: c >= 0.0)
    most = number("c_max", c_max, f"> 2 c_min = {2 * least:g}", lambda c: c > 2 * least)
    rows = [(0, 0, 0, 1.0, least), (0, 1, 1, 1.0, most)]
    return SSP.from_rows(rows, start=0, goal=1, state_names=["s0", "goal"], action_names=["a1", "a2"])
