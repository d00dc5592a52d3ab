"""Every algorithm with the settings that change what it does, each in a small problem in which that shows.

A new algorithm of the catalogue needs a line here; a test says so. Kernels are compiled for types, not for numbers: settings that choose a type go together
where they can, so that few kernels are compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import goalward as gw

SEED = 20


class Variant(NamedTuple):
    name: str
    algorithm: Any
    problem: Callable[[], gw.SSP]
    settings: dict[str, Any]
    episodes: int = 300


def grid() -> gw.SSP:
    return gw.environments.make("paper-grid")


def sand() -> gw.SSP:
    return gw.environments.make("paper-grid", cost="sand-pit", beta=0.1, walls="slip")


def free_patch() -> gw.SSP:
    return gw.environments.make("paper-grid", cost="zero-patch")


def trap() -> gw.SSP:
    return gw.environments.make("dead-end-grid", size=3, slips="anywhere")


def drawn_costs() -> gw.SSP:
    return sand().with_random_costs("uniform", 0.5, low=0.05, high=1.5)


def beta_costs() -> gw.SSP:
    return sand().with_random_costs("beta", 0.5, low=0.02, high=2.0)


def crossing() -> gw.SSP:
    """Goals 1 and 4, some states without some actions, and anywhere may be the start."""
    rows = [
        (0, 2, 1, 0.1, 1.0), (0, 2, 2, 0.9, 1.0), (0, 0, 3, 1.0, 0.5), (2, 1, 0, 0.5, 0.3), (2, 1, 4, 0.5, 0.3), (2, 3, 2, 0.7, 0.2), (2, 3, 5, 0.3, 0.2),
        (3, 3, 0, 0.6, 1.0), (3, 3, 4, 0.4, 1.0), (5, 0, 4, 0.8, 0.9), (5, 0, 3, 0.2, 0.9), (5, 2, 1, 0.3, 0.4), (5, 2, 5, 0.7, 0.4),
    ]  # fmt: skip
    return gw.SSP.from_rows(rows, start=[0.4, 0.0, 0.1, 0.2, 0.0, 0.3], goal=[1, 4])


def crossing_from_0() -> gw.SSP:
    ssp = crossing()
    return gw.SSP.from_csr(ssp.first_pair, ssp.row_ptr, ssp.next_state, ssp.probability, ssp.cost, start=0, goal=[1, 4], action=ssp.action)


def free_crossing() -> gw.SSP:
    return crossing().with_costs(lambda s, a: 0.0 if s == 5 else 1.0)


def crowded() -> gw.SSP:
    """Every pair leads to all of 12 states: there is not room for so many to begin with."""
    return gw.environments.make("random", states=12, actions=2)


VARIANTS = [
    Variant("defaults", "uc-ssp", grid, {}),
    Variant("theory", "uc-ssp", sand, {"bounds": "theory", "scale": 0.1, "delta": 0.05}),
    Variant("attempts of H steps", "uc-ssp", grid, {"attempt_steps": "H"}),
    Variant("all states in the bounds", "uc-ssp", grid, {"states_in_root": "S", "states_in_log": "S+1"}),
    Variant("several goals", "uc-ssp", crossing_from_0, {}),
    Variant("a start distribution", "uc-ssp", crossing, {}),
    Variant("pools that grow", "uc-ssp", crowded, {}),
    Variant("cold, random ties", "uc-ssp", grid, {"warm_start": False, "tie_breaking": "random"}),
    Variant("bernstein", "uc-ssp", grid, {"confidence": "bernstein"}),
    Variant("bernstein, theory", "uc-ssp", sand, {"confidence": "bernstein", "bounds": "theory", "scale": 0.05}),
    Variant("bernstein, pools that grow", "uc-ssp", crowded, {"confidence": "bernstein"}),
    Variant("bernstein, cold, first ties", "uc-ssp", sand, {"confidence": "bernstein", "warm_start": False, "tie_breaking": "first"}),
    Variant("unknown costs", "uc-ssp", drawn_costs, {"costs": "unknown"}),
    Variant("unknown costs, theory", "uc-ssp", beta_costs, {"costs": "unknown", "bounds": "theory", "scale": 0.1}),
    Variant("perturbed where steps are free", "uc-ssp", free_patch, {"perturbation": "auto"}),
    Variant("perturbed by a number", "uc-ssp", grid, {"perturbation": 0.3}),
    Variant("not perturbed", "uc-ssp", sand, {"perturbation": "none"}),
    Variant("penalty", "uc-ssp", trap, {"penalty": 8.0}),
    Variant("penalty, perturbed, bernstein, a start distribution", "uc-ssp", free_crossing, {"penalty": 2.0, "confidence": "bernstein"}),
]
