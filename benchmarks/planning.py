"""How fast Goalward plans, beside Storm, QuantEcon and SciPy, on the same arrays in one run.

    python benchmarks/planning.py                              # every model, every tool: an hour
    python benchmarks/planning.py grid-300 chain --tools goalward,storm
    python benchmarks/planning.py --footprint                  # also the small numbers: a plan of the paper's grid, proofs, memory, import, --help
    python benchmarks/planning.py none --footprint             # only these
    python benchmarks/planning.py --json results.json --check  # exit code 1 if a target is missed

CPU seconds (all threads) count, the wall clock stands beside. Every method runs in a process of its own (measure.py); making the model and the tool's copy
of it is not timed. Needs `pip install -e '.[bench]'`. Models: benchmarks/models.py; what each tool is asked: benchmarks/peers.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import footprint
import report
from measure import Measurement, answer_path, measure
from models import MODELS
from peers import TOOLS, peer

PACKAGES = ("goalward", "stormpy", "quantecon", "scipy", "numpy", "numba")


def main() -> int:
    """Measure, print as it goes, and say how it went."""
    asked = parse()
    machine = describe_machine()
    print("\n".join(f"{name}: {value}" for name, value in machine.items()) + "\n", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        comparisons = [run(model, asked, Path(scratch)) for model in asked.models]
        small = footprint.all_numbers(Path(scratch)) if asked.footprint else []
    print(report.summary(comparisons))
    print("\n".join(str(number) for number in small))
    if asked.json:
        save(asked.json, machine, comparisons, small)
    missed = [c.model for c in comparisons if not math.isnan(c.ratio) and c.ratio > c.target] + [n.name for n in small if n.missed]
    if missed:
        print("targets missed: " + ", ".join(missed))
    return 1 if asked.check and missed else 0


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("models", nargs="*", metavar="MODEL", help=f"of {', '.join(MODELS)}; all unless named; none: no model")
    parser.add_argument("--tools", default=",".join(TOOLS), help="default: %(default)s")
    parser.add_argument("--methods", help="only these methods of the tools")
    parser.add_argument("--repeats", type=int, default=5, help="of which the median counts; default: %(default)s")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for all repeats of a method; the first may take all of them; default: %(default)s")
    parser.add_argument("--footprint", action="store_true", help="also memory, import time and the smallest plan")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all raw numbers there")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a target is missed")
    asked = parser.parse_args()
    asked.models = [] if asked.models == ["none"] else asked.models or list(MODELS)
    asked.tools = asked.tools.split(",")
    for kind, names, known in (("model", asked.models, MODELS), ("tool", asked.tools, TOOLS)):
        for name in set(names) - set(known):
            parser.error(f"no {kind} is called {name!r}; there are {', '.join(known)}")
    return asked


def run(model: str, asked: argparse.Namespace, scratch: Path) -> report.Comparison:
    """All methods of all tools on one model, one after the other."""
    measurements: list[Measurement] = []
    for tool in asked.tools:
        for method in peer(tool).METHODS:
            if not asked.methods or method in asked.methods.split(","):
                print(f"\r{model}: {tool} {method}".ljust(79), end="", file=sys.stderr, flush=True)
                measurements.append(measure(model, tool, method, asked.repeats, asked.limit, scratch))
    print("\r" + " " * 79 + "\r", end="", file=sys.stderr, flush=True)
    comparison = report.compare(MODELS[model](), measurements, scratch)
    print(report.details(comparison), flush=True)
    for m in measurements:
        answer_path(scratch, m.model, m.tool, m.method).unlink(missing_ok=True)
    return comparison


def describe_machine() -> dict[str, str]:
    """What the numbers depend on."""
    model = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists():
        model = next((line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")), model)
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    load = " ".join(f"{x:.2f}" for x in os.getloadavg())
    return {"processor": f"{model}, {os.cpu_count()} cores", "python": platform.python_version(), "versions": versions, "load average": load}


def version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "absent"


def save(path: Path, machine: dict[str, str], comparisons: Sequence[report.Comparison], small: Sequence[footprint.Number]) -> None:
    """Everything, as JSON."""
    models: list[dict[str, Any]] = []
    for c in comparisons:
        rows = [{**asdict(r.found), "sound": r.sound, "off_by": r.off_by, "outside": r.outside, "wrong": r.wrong} for r in c.rows]
        ratio = {"ratio": c.ratio, "target": c.target}
        models.append({"model": c.model, "states": c.states, "pairs": c.pairs, "transitions": c.transitions, **ratio, "measurements": rows})
    content = {"machine": machine, "models": models, "footprint": [asdict(n) for n in small]}
    path.write_text(json.dumps(without_nan(content), indent=1, allow_nan=False) + "\n")


def without_nan(content: Any) -> Any:
    """JSON knows neither nan nor infinity: null."""
    if isinstance(content, dict):
        return {key: without_nan(value) for key, value in content.items()}
    if isinstance(content, list):
        return [without_nan(value) for value in content]
    return None if isinstance(content, float) and not math.isfinite(content) else content


if __name__ == "__main__":
    sys.exit(main())
