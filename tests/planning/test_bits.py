"""A plan made by compiled code and one made by the same code interpreted: the same bits, and so in any number of threads."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import goalward as gw
from goalward import SSP
from goalward.planning.methods import METHODS

ARRAYS = ("value", "lower", "upper", "policy", "rank")
NAMES = [entry.name for entry in gw.environments.catalogue()]
FREE: dict[str, dict[str, Any]] = {"paper-grid": {"cost": "zero-patch"}, "river-swim": {"drift_cost": 0}, "sandy-grid": {"size": 12, "sand_cost": 0.0}}

PLAN = """
import sys
import numpy as np
from tests.planning.test_bits import plans
np.savez(sys.argv[1], **plans())
"""


def models() -> dict[str, SSP]:
    """Every environment, some of them also with free steps."""
    return {name: gw.environments.make(name) for name in NAMES if name != "sandy-grid"} | {
        f"{name}, free": gw.environments.make(name, **settings) for name, settings in FREE.items()
    }


def plans() -> dict[str, NDArray[Any]]:
    """All arrays of all plans of all models, by every method."""
    found = {(name, method): gw.solve(ssp, 1e-4, method=method) for name, ssp in models().items() for method in METHODS}
    return {f"{name}/{method}/{array}": getattr(plan, array) for (name, method), plan in found.items() for array in ARRAYS}


def test_interpreted_and_compiled_plans_are_the_same(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", PLAN, str(tmp_path / "plans.npz")], check=True, env=environment, timeout=300)
    expected = plans()
    with np.load(tmp_path / "plans.npz") as interpreted:
        differing = [name for name, array in expected.items() if array.tobytes() != interpreted[name].tobytes()]
    assert differing == []


def test_threads_do_not_disturb_each_other() -> None:
    ssp = gw.environments.make("sandy-grid", size=25)
    alone = gw.solve(ssp)
    with ThreadPoolExecutor(4) as pool:
        for plan in pool.map(lambda _: gw.solve(gw.environments.make("sandy-grid", size=25)), range(12)):
            assert all(np.array_equal(getattr(plan, name), getattr(alone, name)) for name in ARRAYS)
