"""What planning returns: a plan, and bounds on how good it is that can be checked without a solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from goalward.models.rows import frozen


@dataclass(frozen=True, eq=False)
class Solution:
    """The best policy that surely reaches the goal, and its certificate. Arrays have one entry for each of the caller's states.

    `lower`, `upper`, `policy` and `rank` are the certificate (docs/certificates.md): lower <= V* <= upper holds in exact arithmetic, whatever rounding
    happened on the way. `certified` says that besides the bounds are as close as was asked for.
    """

    value: NDArray[np.float64]  # V*; inf where the goal cannot be reached surely
    policy: NDArray[np.int64]  # the caller's action numbers; RESET where giving up is best; -1 in goals and where the value is inf
    rank: NDArray[np.int64]  # proof of arrival where the value is finite, of the contrary elsewhere
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    certified: bool
    width: float  # the largest upper - lower: over max(upper, smallest positive cost) if relative, as it is if not
    tolerance: float  # what `width` was to be
    relative: bool
    method: str
    proper: bool  # the policy surely reaches the goal from every start state
    improper_cheaper: bool  # a policy that may never arrive would cost less, from some state whose value is finite
    sweeps: int
    seconds: float

    def __post_init__(self) -> None:
        """A proof is not to be changed by accident."""
        for array in (self.value, self.policy, self.rank, self.lower, self.upper):
            frozen(array)

    def __repr__(self) -> str:
        finite = np.isfinite(self.value)
        infinite = f", {len(finite) - int(finite.sum())} infinite" if not finite.all() else ""
        verdict = "certified" if self.certified else "not certified"
        kind = "relative" if self.relative else "absolute"
        work = f"{self.method}, {self.sweeps} sweeps, {self.seconds:.3g} s"
        return f"Solution({len(self.value):,} states{infinite}; {verdict}, {kind} width {self.width:.2g}; {work})"
