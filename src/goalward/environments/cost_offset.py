"""A problem whose optimal policy changes when all costs grow by the same amount."""

from __future__ import annotations

from goalward.models.checks import number
from goalward.models.ssp import SSP


def cost_offset(eta: float = 1.0) -> SSP:
    """One dear step or three cheap ones: adding eta to all costs changes the optimal policy [tarbouriech2020, Lem. 17 and Fig. 3].

    ::

                   eta
              (s1) ---> (s2)
         eta   ^           \\   eta
              /    4 eta    v
         (s0) ------------> ((goal))

    In s0, "direct" is the arrow below and "detour" the three above.

    V*(s0) = 3 eta, by the detour; with `with_offset(eta)` it is 5 eta, by the direct way. (The paper's proof names the two the other way round.)
    """
    eta = number("eta", eta, "> 0", lambda e: e > 0.0)
    rows = [(0, 0, 3, 1.0, 4 * eta), (0, 1, 1, 1.0, eta), (1, 1, 2, 1.0, eta), (2, 1, 3, 1.0, eta)]
    return SSP.from_rows(rows, start=0, goal=3, state_names=["s0", "s1", "s2", "goal"], action_names=["direct", "detour"])
