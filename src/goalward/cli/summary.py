"""What was found, in words for people and as a dictionary for programs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goalward import __version__
from goalward.cli.drawing import draw_grid, signs_of_terminal
from goalward.cli.printing import duration, infinity, interval, number, plural, printable, shortened, table
from goalward.models.ssp import RESET
from goalward.planning.evaluate import at_start as mean_at_start

if TYPE_CHECKING:
    from goalward.models.ssp import SSP
    from goalward.planning.solution import Solution

LABEL = 14  # columns before what is said
SHOWN = 12  # states of a model that is no grid
IMPROPER = "from some states a policy that may never arrive would cost less; this is the best of those that surely do"


class Outcome(NamedTuple):
    """A problem, and what planning made of it."""

    model: str
    settings: dict[str, Any]
    ssp: SSP
    penalty: float | None
    solution: Solution
    hitting_time: NDArray[np.float64]  # (S',) expected number of steps of the plan


def at_start(ssp: SSP, per_state: NDArray[np.float64], rounding: int = 0) -> float:
    """The mean over the start distribution; `rounding` -1 or 1 makes sure that it is not above or below the true one."""
    mean = mean_at_start(ssp, per_state)
    return mean if isinstance(ssp.start, int) else mean * (1.0 + rounding * 2.0**-50)


def as_dict(found: Outcome) -> dict[str, Any]:
    """The keys are a contract: `goalward solve --help` documents them."""
    ssp, solution = found.ssp, found.solution
    return {
        "model": found.model,
        "settings": found.settings,
        "value": at_start(ssp, solution.value),
        "lower": at_start(ssp, solution.lower, -1),
        "upper": at_start(ssp, solution.upper, 1),
        "hitting_time": at_start(ssp, found.hitting_time),
        "proper": bool(solution.proper),
        "improper_cheaper": bool(solution.improper_cheaper),
        "certified": bool(solution.certified),
        "method": solution.method,
        "width": float(solution.width),
        "tolerance": float(solution.tolerance),
        "relative": bool(solution.relative),
        "sweeps": int(solution.sweeps),
        "seconds": float(solution.seconds),
        "states": ssp.num_states,
        "goals": len(ssp.goals),
        "pairs": ssp.num_pairs,
        "transitions": ssp.num_transitions,
        "penalty": found.penalty,
        "version": __version__,
    }


def as_text(found: Outcome, width: int) -> str:
    """The problem, the verdict, and the plan: drawn if the states are a grid's, or else a table of the first of them."""
    head = textwrap.wrap(printable(f"{found.model}: {found.ssp!r}"), max(20, width), subsequent_indent="  ", break_on_hyphens=False)
    verdict = [line for label, text in _verdict(found) for line in _labelled(label, text, width)]
    if found.ssp.grid is not None:
        plan = draw_grid(found.ssp, found.solution.value, found.solution.policy, width, signs_of_terminal())
    else:
        plan = "\n".join(_first_states(found, width))
    return "\n".join([*head, "", *verdict, "", plan])


def _labelled(label: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(40, width), initial_indent=f"{label:{LABEL}}", subsequent_indent=" " * LABEL, break_on_hyphens=False)


def _verdict(found: Outcome) -> Iterator[tuple[str, str]]:
    ssp, solution = found.ssp, found.solution
    yield f"V* at {_start(ssp)}", _value(found)
    steps, until = number(at_start(ssp, found.hitting_time)), "the goal" if found.penalty is None else "the goal or giving up"
    if solution.proper:
        yield "policy", f"proper: surely reaches {until}; expected number of steps {steps}"
    else:
        yield "policy", "improper: it may never reach the goal"
    if solution.improper_cheaper:
        yield "", IMPROPER
    if found.penalty is not None:
        yield "penalty", f"giving up costs {found.penalty:g}, and is best in {plural(int((solution.policy == RESET).sum()), 'state')}"
    kind = "relative" if solution.relative else "absolute"
    yield "method", f"{solution.method}: {plural(solution.sweeps, 'sweep')}, {duration(solution.seconds)}"
    yield "width", f"{solution.width:.2g} {kind}, of {solution.tolerance:g} allowed"


def _start(ssp: SSP) -> str:
    return "start" if isinstance(ssp.start, int) else "starts"


def _value(found: Outcome) -> str:
    ssp, solution = found.ssp, found.solution
    value, lower, upper = at_start(ssp, solution.value), at_start(ssp, solution.lower, -1), at_start(ssp, solution.upper, 1)
    if math.isinf(value) and solution.certified:
        return f"{infinity()}, certified: no policy reaches the goal surely from there; with --penalty a plan may give up"
    verdict = "certified" if solution.certified else "NOT certified"
    return f"{number(value)}, {verdict}: in {interval(lower, upper)}"


def _first_states(found: Outcome, width: int) -> list[str]:
    ssp, solution = found.ssp, found.solution
    shown = range(min(SHOWN, ssp.num_states))
    most = max(8, (width - 24) // 2)  # characters of a name
    rows = [(shortened(printable(ssp.state_name(s)), most), number(float(solution.value[s])), shortened(_action(found, s), most)) for s in shown]
    lines = ["  " + line for line in table(("state", "value", "action"), rows, right=(1,))]
    rest = ssp.num_states - len(shown)
    more = f"and {plural(rest, 'more state')}; -o plan.csv writes them all"
    return lines + (textwrap.wrap(more, max(20, width), initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False) if rest else [])


def _action(found: Outcome, s: int) -> str:
    """What the plan does in state s."""
    if s in found.ssp.goals:
        return "(goal)"
    action = int(found.solution.policy[s])
    return printable(found.ssp.action_name(action)) if action >= 0 or action == RESET else "(none)"
