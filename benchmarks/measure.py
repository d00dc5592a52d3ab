"""One measurement: a model, a tool, a method, in a process of its own.

The process makes the model, hands it to the tool, and only then starts its clocks, once for each repeat. So nothing is shared between measurements: no caches,
no memory that an earlier one has grown. What takes longer than the limit is ended by the operating system's alarm clock, which no C++ can ignore.

    python benchmarks/measure.py chain storm ovi
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from models import MODELS
from peers import Answer, Problem, peer

SETUP_SECONDS = 300  # for making the model and compiling; no measurement, but not for ever either


@dataclass
class Measurement:
    """What one process found. Seconds; an empty list and a `failure` where there is no answer."""

    model: str
    tool: str
    method: str
    cpu: list[float] = field(default_factory=list)  # of all threads, a repeat each
    wall: list[float] = field(default_factory=list)
    remark: str = ""
    failure: str = ""
    peak_bytes: int = 0  # of the whole process, making the model included
    load: float = 0.0  # how many processes wanted to run on this machine, before and after, on average

    @property
    def cpu_seconds(self) -> float:
        return statistics.median(self.cpu) if self.cpu else float("inf")

    @property
    def wall_seconds(self) -> float:
        return statistics.median(self.wall) if self.wall else float("inf")


def answer_path(scratch: Path, model: str, tool: str, method: str) -> Path:
    """Where the values of a measurement are."""
    return scratch / f"{model}.{tool}.{method}.npz"


def measure(model: str, tool: str, method: str, repeats: int, limit: float, scratch: Path) -> Measurement:
    """Start the process and wait for it."""
    settings = ["--repeats", str(repeats), "--limit", str(limit), "--scratch", str(scratch)]
    command = [sys.executable, __file__, model, tool, method, *settings]
    load = os.getloadavg()[0]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SETUP_SECONDS + limit * (repeats + 1), check=False)
    except subprocess.TimeoutExpired:
        return Measurement(model, tool, method, failure="setting up took too long")
    failure = reason(done, limit) if done.returncode else ""
    found = Measurement(model, tool, method, failure=failure) if failure else Measurement(**json.loads(done.stdout.splitlines()[-1]))
    found.load = (load + os.getloadavg()[0]) / 2
    return found


def reason(done: subprocess.CompletedProcess[str], limit: float) -> str:
    """Why there is no answer, in a line."""
    if done.returncode == -signal.SIGALRM:
        return f"> {limit:g} s"
    if done.returncode < 0:
        return f"killed by {signal.Signals(-done.returncode).name}"
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return lines[-1][:200] if lines else f"exit code {done.returncode}"


def repeat(problem: Problem, repeats: int, limit: float, found: Measurement) -> Answer:
    """Solve again and again, as long as the next time should end within the limit for all of them; the last answer."""
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    begin, answer = time.perf_counter(), None
    while answer is None or (len(found.wall) < repeats and time.perf_counter() - begin + max(found.wall) < limit):
        fresh = problem.fresh()
        signal.setitimer(signal.ITIMER_REAL, 0 if answer else limit)  # only the first may fail
        wall, cpu = time.perf_counter(), time.process_time()
        result = problem.solve(fresh)
        found.cpu.append(time.process_time() - cpu)
        found.wall.append(time.perf_counter() - wall)
        signal.setitimer(signal.ITIMER_REAL, 0)
        answer = problem.read(result)
    return answer


def main() -> None:
    """Measure here, in this process, and print a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("tool")
    parser.add_argument("method")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--limit", type=float, default=60.0)
    parser.add_argument("--scratch", type=Path, default=Path())
    asked = parser.parse_args()
    found = Measurement(asked.model, asked.tool, asked.method)
    problem = peer(asked.tool).prepare(MODELS[asked.model](), asked.method, asked.scratch)
    answer = repeat(problem, asked.repeats, asked.limit, found)
    arrays: dict[str, Any] = {name: array for name, array in answer._asdict().items() if isinstance(array, np.ndarray)}
    np.savez(answer_path(asked.scratch, asked.model, asked.tool, asked.method), **arrays)
    found.remark = answer.remark
    found.peak_bytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    print(json.dumps(asdict(found)))


if __name__ == "__main__":
    main()
