"""The small numbers: how long a plan of the paper's grid takes, what a million states need in memory, what `import goalward` and `goalward --help` cost."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from processes import ask

REPEATS = 9

# One plan on a model of its own, and the same model again: an SSP remembers the parts of itself that were asked for.
PAPER_GRID = """
import json, statistics, time
import goalward as gw
gw.solve(gw.environments.make("paper-grid"))
def once(ssp):
    begin = time.perf_counter()
    gw.solve(ssp)
    return time.perf_counter() - begin
fresh = [once(gw.environments.make("paper-grid")) for _ in range(300)]
again = [once(ssp) for ssp in [gw.environments.make("paper-grid")] * 300]
print(json.dumps([statistics.median(fresh), statistics.median(again)]))
"""

# A million states from raw arrays. The kernel's high-water mark is set back when the model stands, where Linux lets us; the kernels are compiled before.
MILLION = """
import json, resource, sys, time
import numpy as np
import goalward as gw
sys.path.insert(0, sys.argv[2])
from peers.goalward_solve import make_ssp, warm_up
from models import Model
warm_up("auto")
with np.load(sys.argv[1]) as file:
    arrays = dict(file)
parts = {name: array if array.ndim else array.item() for name, array in arrays.items()}
ssp = make_ssp(Model(**parts))
del arrays, parts
def high_water():
    try:
        return next(int(line.split()[1]) * 1024 for line in open("/proc/self/status") if line.startswith("VmHWM"))
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
before = high_water()
try:
    open("/proc/self/clear_refs", "w").write("5")
except OSError:
    pass
wall, cpu = time.perf_counter(), time.process_time()
gw.solve(ssp, tolerance=1e-6)
print(json.dumps([time.process_time() - cpu, time.perf_counter() - wall, high_water(), before]))
"""

# What share of a plan's CPU time goes into its proof: lifting the policy, both rankings, both bounds, every row checked.
PROOF = """
import json, statistics, sys, time
import goalward as gw
from goalward.planning import solve as planner
sys.path.insert(0, sys.argv[2])
from models import MODELS
from peers.goalward_solve import make_ssp, warm_up
warm_up("auto")
model, prove, proving = MODELS[sys.argv[1]](), planner._Planner._prove, []
def timed(self):
    begin = time.process_time()
    try:
        return prove(self)
    finally:
        proving.append(time.process_time() - begin)
planner._Planner._prove = timed
shares = []
for ssp in [make_ssp(model) for _ in range(15)]:
    proving.clear()
    begin = time.process_time()
    gw.solve(ssp, tolerance=1e-6)
    shares.append(sum(proving) / (time.process_time() - begin))
print(json.dumps([statistics.median(shares)]))
"""
PROVEN = ("grid-100", "grid-300", "zero-patch-100", "clusters", "chain", "random-exit")


@dataclass(frozen=True)
class Number:
    """A measured number, and what it is to stay under."""

    name: str
    measured: float
    limit: float  # inf: for information
    unit: str

    @property
    def missed(self) -> bool:
        return not self.measured <= self.limit

    def __str__(self) -> str:
        target = "" if self.limit == float("inf") else f"  (< {self.limit:g} {self.unit}{': MISSED' if self.missed else ''})"
        return f"{self.name:<58}{self.measured:>10.3f} {self.unit}{target}"


def all_numbers(scratch: Path) -> list[Number]:
    """Each in processes of its own."""
    return [*start_up(), *paper_grid(), *proofs(), *million(scratch)]


def seconds(command: list[str]) -> float:
    """The median wall clock of a command."""
    return statistics.median(timed(lambda: subprocess.run(command, check=True, capture_output=True)) for _ in range(REPEATS))


def timed(call: Callable[[], object]) -> float:
    begin = time.perf_counter()
    call()
    return time.perf_counter() - begin


def start_up() -> list[Number]:
    """What the shell waits for. The first is what Python takes for itself."""
    python = [sys.executable, "-c"]
    bare = seconds([*python, "import numpy"])
    imported, helped = seconds([*python, "import goalward"]), seconds([str(Path(sys.executable).with_name("goalward")), "--help"])
    nothing = seconds([*python, "pass"])
    return [
        Number("python -c pass", nothing, float("inf"), "s"),
        Number("python -c 'import numpy'", bare, float("inf"), "s"),
        Number("import goalward, beyond python itself", imported - nothing, 0.3, "s"),
        Number("goalward --help, everything", helped, 0.2, "s"),
    ]


def paper_grid() -> list[Number]:
    """The smallest plan, in milliseconds of wall clock."""
    fresh, again = ask(PAPER_GRID)
    return [Number("a plan of paper-grid, each on an SSP of its own", fresh * 1e3, 0.3, "ms"), Number("the same SSP again", again * 1e3, 0.3, "ms")]


def proofs() -> list[Number]:
    """The proof's share, in per cent."""
    return [Number(f"{model}: share of the proof in a plan", 100 * ask(PROOF, model, str(Path(__file__).parent))[0], 10.0, "%") for model in PROVEN]


def million(scratch: Path) -> list[Number]:
    """The grid of 10^6 states."""
    import numpy as np
    from models import sandy_grid

    path = scratch / "million.npz"
    np.savez(path, **{name: part for name, part in vars(sandy_grid(1000)).items() if part is not None})
    cpu, wall, peak, before = ask(MILLION, str(path), str(Path(__file__).parent))
    path.unlink()
    return [
        Number("grid-1000: CPU time", cpu, 15.0, "s"),
        Number("grid-1000: wall clock", wall, 15.0, "s"),
        Number("grid-1000: peak memory of the process while it solves", peak / 1e9, 1.5, "GB"),
        Number("grid-1000: peak memory while the model was made", before / 1e9, float("inf"), "GB"),
    ]
