"""A problem with a state that, once left, is never seen again."""

from __future__ import annotations

from goalward.environments._settings import probability
from goalward.models.ssp import SSP


def weakly_communicating(slip: float = 0.0) -> SSP:
    """Every state reaches the goal, and none leads back to s1 [tarbouriech2020, Fig. 2 and the remark on it].

    ::

                         a00
                        +--+
                 a10    |  v    a01
        (s1) ---------> (s0) ---------> ((goal))

    Every step costs 1. With probability `slip` a move fails and stays; 0 is the paper's figure. The problem that goes on from the goal to s0 is only weakly
    communicating: an algorithm that has to learn its rewards never settles there, one that knows them does.

    V*(s0) = 1 / (1 - slip), V*(s1) = D = 2 / (1 - slip).
    """
    fails = probability("slip", slip)
    rows = [
        (0, 0, 0, 1.0, 1.0),
        (0, 1, 2, 1.0 - fails, 1.0), (0, 1, 0, fails, 1.0),
        (1, 0, 0, 1.0 - fails, 1.0), (1, 0, 1, fails, 1.0),
    ]  # fmt: skip
    return SSP.from_rows(rows, start=0, goal=2, state_names=["s0", "s1", "goal"], action_names=["a0", "a1"])
