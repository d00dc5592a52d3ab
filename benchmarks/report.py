"""What the measurements say: who agrees with whom, who is fastest, and the tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from measure import Measurement, answer_path
from models import Floats, Model
from peers import TOLERANCE, Answer, peer

TARGETS = {"chain": 1 / 3, "chain-trap": 1 / 3}  # Goalward's share of the time of Storm's fastest sound method; elsewhere 1


@dataclass(frozen=True)
class Row:
    """A measurement and how it compares with the others on the same model."""

    found: Measurement
    sound: bool  # says the tool
    off_by: float  # the largest |value - reference| / max(reference, smallest positive cost); nan without an answer
    outside: float  # how far, in the same measure, the reference lies outside the tool's own bounds; nan where it has none

    @property
    def wrong(self) -> bool:
        """Further off than two answers within the tolerance can be from each other."""
        return self.off_by > 2 * TOLERANCE


@dataclass(frozen=True)
class Comparison:
    """All measurements of a model."""

    model: str
    states: int
    pairs: int
    transitions: int
    rows: Sequence[Row]

    def fastest(self, tool: str, sound: bool = True) -> Row | None:
        """By CPU time, among those that end, are sound if that is asked for, and not wrong."""
        fit = [row for row in self.rows if row.found.tool == tool and row.found.cpu and (row.sound or not sound) and not row.wrong]
        return min(fit, key=lambda row: row.found.cpu_seconds, default=None)

    @property
    def ratio(self) -> float:
        """CPU time of Goalward over that of Storm's fastest sound method: 0 if none of them ends, nan if Goalward was not measured."""
        goalward, storm = self.fastest("goalward"), self.fastest("storm")
        if goalward is None:
            return math.nan
        return goalward.found.cpu_seconds / storm.found.cpu_seconds if storm else 0.0

    @property
    def target(self) -> float:
        return TARGETS.get(self.model, 1.0)


def read_answer(path: Path) -> Answer:
    """What `measure` wrote."""
    with np.load(path) as arrays:
        return Answer(arrays["value"], arrays.get("lower"), arrays.get("upper"))


def compare(model: Model, measurements: Iterable[Measurement], scratch: Path) -> Comparison:
    """The reference of each state is its exact value where a formula gives it, or the median of all answers that call themselves sound, or of all."""
    measurements = list(measurements)
    sound = [peer(m.tool).METHODS[m.method].sound for m in measurements]
    answers = [read_answer(answer_path(scratch, m.model, m.tool, m.method)) if m.cpu else None for m in measurements]
    trusted = [a.value for a, s in zip(answers, sound, strict=True) if a and s] or [a.value for a in answers if a]
    reference = model.exact if model.exact is not None else np.median(trusted, axis=0) if trusted else np.zeros(model.n_states)
    scale = np.maximum(reference, model.cost[model.cost > 0].min())
    rows = [Row(m, s, *deviations(a, reference, scale)) for m, s, a in zip(measurements, sound, answers, strict=True)]
    return Comparison(measurements[0].model, model.n_states, model.n_pairs, len(model.next_state), rows)


def deviations(answer: Answer | None, reference: Floats, scale: Floats) -> tuple[float, float]:
    """`off_by` and `outside` of an answer."""
    if answer is None:
        return math.nan, math.nan
    off_by = float(np.max(np.abs(answer.value - reference) / scale))
    if answer.lower is None or answer.upper is None:
        return off_by, math.nan
    outside = float(np.max(np.maximum(answer.lower - reference, reference - answer.upper) / scale))
    return off_by, max(0.0, outside)


def details(comparison: Comparison) -> str:
    """Every measurement of a model, a line each."""
    head = f"{comparison.model}: {comparison.states:,} states, {comparison.pairs:,} pairs, {comparison.transitions:,} transitions"
    titles = f"    {'tool':<10}{'method':<22}{'CPU s':>10}{'wall s':>10}{'off by':>10}{'outside':>10}  remark"
    return "\n".join([head, titles, *(line(row) for row in comparison.rows), ""])


def line(row: Row) -> str:
    """A measurement: an exclamation mark before one that is wrong, brackets about one that is not sound."""
    found = row.found
    name = found.method if row.sound else f"({found.method})"
    start = f"  {'!' if row.wrong else ' '} {found.tool:<10}{name:<22}"
    if found.failure:
        return f"{start}{'-':>10}{'-':>10}{'':>20}  {found.failure}"
    outside = "" if math.isnan(row.outside) else f"{row.outside:.0e}"
    times = "" if len(found.cpu) == 5 else f"{len(found.cpu)} x "
    return f"{start}{found.cpu_seconds:>10.4f}{found.wall_seconds:>10.4f}{row.off_by:>10.0e}{outside:>10}  {times}{found.remark}"


def summary(comparisons: Sequence[Comparison]) -> str:
    """A line a model: each tool's fastest method, CPU / wall, and Goalward's ratio to Storm's fastest sound one."""
    columns = ["Goalward", "Storm, sound", "(Storm, any)", "(QuantEcon)", "SciPy"]
    lines = [f"{'model':<16}{'states':>10}{'transitions':>13}" + "".join(f"{c:>18}" for c in columns) + f"{'ratio':>8}{'target':>8}  Storm's fastest sound"]
    for c in comparisons:
        rows = [c.fastest("goalward"), c.fastest("storm"), c.fastest("storm", sound=False), c.fastest("quantecon", sound=False), c.fastest("scipy")]
        cells = "".join(f"{f'{r.found.cpu_seconds:.4f} / {r.found.wall_seconds:.4f}' if r else '-':>18}" for r in rows)
        storm = rows[1].found.method if rows[1] else "none ends"
        ratio = "-" if math.isnan(c.ratio) else f"{c.ratio:.2f}"
        mark = " " if math.isnan(c.ratio) or c.ratio <= c.target else "!"
        lines.append(f"{c.model:<16}{c.states:>10,}{c.transitions:>13,}{cells}{ratio:>7}{mark}{f'<= {c.target:.2f}':>8}  {storm}")
    note = "CPU s / wall s, medians. In brackets: no guarantee. Wrong answers are left out here; '!': the target is missed."
    return "\n".join([*lines, note])
