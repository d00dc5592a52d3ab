"""Goalward: `gw.solve(ssp, tolerance=1e-6)`, certified.

Each call gets an SSP of its own, made outside the timing, because an SSP remembers the parts of itself that were asked for.
The kernels are compiled before, on a small model of every kind.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from models import Model, chain, clusters, random_near, random_sparse, sandy_grid, zero_patch_grid

from peers import TOLERANCE, Answer, Method, Problem

METHODS = {"auto": Method("", sound=True, about="certified")}


def make_ssp(model: Model) -> Any:
    """From the same arrays as everyone."""
    import goalward as gw

    return gw.SSP.from_csr(model.first_pair, model.row_ptr, model.next_state, model.probability, model.cost, start=model.start, goal=model.goal)


def warm_up(method: str) -> None:
    """Compile, or load from the cache, whatever these kinds of models need."""
    import goalward as gw

    small = [sandy_grid(8), zero_patch_grid(10), random_sparse(200), random_near(200, reach=5), random_sparse(200, exit_probability=0.1)]
    for model in [*small, chain(30), chain(30, trap=True), clusters(4, 5)]:
        gw.solve(make_ssp(model), tolerance=TOLERANCE, method=method)


def prepare(model: Model, method: str, scratch: Path) -> Problem:
    """Needs `goalward.solve`."""
    import goalward as gw

    if not hasattr(gw, "solve"):
        raise NotImplementedError("this Goalward has no `solve` yet")
    warm_up(method)
    return Problem(lambda ssp: gw.solve(ssp, tolerance=TOLERANCE, method=method), read, lambda: make_ssp(model))


def read(solution: Any) -> Answer:
    """The bounds are the certificate's; an answer without one says so."""
    certified = f"certified, width {solution.width:.1e}" if solution.certified else f"NOT certified, width {solution.width:.1e}"
    return Answer(solution.value, solution.lower, solution.upper, f"{solution.method}: {certified}, {solution.sweeps} sweeps")
