"""goalward solve."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from goalward.cli.exits import CHECK_FAILED, DONE
from goalward.cli.inputs import NewFile, OneOf, Positive, Setting, once_each, read_model
from goalward.cli.printing import as_json, complain, say, width
from goalward.cli.progress import Bar

if TYPE_CHECKING:
    from goalward.cli.summary import Outcome
    from goalward.models.ssp import SSP
    from goalward.planning.solution import Solution

METHODS = ("auto", "value-iteration", "policy-iteration", "linear-program")


@click.command()
@click.argument("model")
@click.option("--set", "settings", type=Setting(), multiple=True, help="A setting of the environment; may be given several times.")
@click.option("--penalty", type=Positive(), metavar="J", help="Allow the plan to give up, anywhere, at this cost.")
@click.option("--tolerance", type=Positive(), default=1e-6, show_default=True, help="How far apart the bounds may be, relative to the upper one.")
@click.option("--absolute", is_flag=True, help="Let the tolerance be absolute.")
@click.option("--method", type=OneOf(METHODS), default="auto", show_default=True, help="How to plan.")
@click.option("--max-seconds", type=Positive(), help="Stop after this time, with the best bounds there are.")
@click.option("-o", "--output", type=NewFile(".csv"), metavar="PLAN.csv", help="Write the plan, state by state, to this file.")
@click.option("--json", "as_object", is_flag=True, help="Print the result as JSON.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def solve(
    model: str, settings: tuple[tuple[str, Any], ...], penalty: float | None, output: Path | None, as_object: bool, quiet: bool, **asked: Any
) -> int:  # fmt: skip
    """The best plan that surely reaches the goal, and a proof of how good it is.

    MODEL is the path of an .npz file that SSP.save wrote, or the name of an environment (goalward list environments).

    \b
      goalward solve paper-grid
      goalward solve paper-grid --set cost=sand-pit --set beta=0.01
      goalward solve dead-end-grid --set slips=anywhere --penalty 20
      goalward solve model.npz --tolerance 1e-9 --json -o plan.csv

    Exit code 0: certified, V* lies between the bounds and they are as close as asked. 1: not certified; the best bounds there are have been printed. 2: the
    input is wrong. 130: interrupted.

    The keys of --json: model, settings, value, lower, upper, hitting_time (these four at the start, averaged over a start distribution), proper,
    improper_cheaper, certified, method, width, tolerance, relative, sweeps, seconds, states, goals, pairs, transitions, penalty, version. An infinite
    number is the string "Infinity".

    The columns of PLAN.csv: state, name, value, lower, upper, action (-1: none, -2: give up), action_name, rank.
    """
    found, complaint = _plan(model, once_each(settings), penalty, asked, quiet)
    from goalward.cli import summary

    say(as_json(summary.as_dict(found)) if as_object else summary.as_text(found, width()))
    if output is not None:
        _write_plan(found, output)
    if complaint:
        complain(f"goalward: {complaint}")
    return CHECK_FAILED if complaint else DONE


def _plan(model: str, settings: dict[str, Any], penalty: float | None, asked: dict[str, Any], quiet: bool) -> tuple[Outcome, str]:
    """The outcome, and why it is not what was asked for; nothing if it is."""
    with Bar(quiet) as bar:
        bar.stage(f"reading {model}")
        ssp = read_model(model, settings)
        from goalward.cli.summary import Outcome

        bar.stage("planning")
        solution, complaint = _solution(ssp, penalty, asked, bar)
        bar.stage("evaluating the plan")
        return Outcome(model, settings, ssp, penalty, solution, _hitting_time(ssp, penalty, solution)), complaint


def _solution(ssp: SSP, penalty: float | None, asked: dict[str, Any], bar: Bar) -> tuple[Solution, str]:
    import goalward as gw

    limits = {"tolerance": asked["tolerance"], "relative": not asked["absolute"], "max_seconds": asked["max_seconds"]}
    try:
        solution = gw.solve(ssp, method=asked["method"], penalty=penalty, progress=bar.report, **limits)
    except gw.BudgetError as stopped:
        if stopped.solution is None:
            raise
        return stopped.solution, str(stopped)
    if solution.certified:
        return solution, ""
    return solution, f"width = {solution.width:.2g}: expected at most the tolerance, {solution.tolerance:g}, with a certificate; this plan has none"


def _hitting_time(ssp: SSP, penalty: float | None, solution: Solution) -> Any:
    import goalward as gw

    return gw.evaluate(ssp if penalty is None else ssp.with_reset(penalty), solution.policy).hitting_time


def _write_plan(found: Outcome, path: Path) -> None:
    from goalward.models.files import written_whole

    ssp, solution = found.ssp, found.solution
    text = io.StringIO(newline="")
    rows = csv.writer(text)
    rows.writerow(("state", "name", "value", "lower", "upper", "action", "action_name", "rank"))
    columns = (column.tolist() for column in (solution.value, solution.lower, solution.upper, solution.policy, solution.rank))
    for s, (value, lower, upper, action, rank) in enumerate(zip(*columns, strict=True)):
        name = "" if action == -1 else ssp.action_name(action)
        rows.writerow((s, ssp.state_name(s), value, lower, upper, action, name, rank))
    with written_whole(path) as file:
        file.write(text.getvalue().encode())
