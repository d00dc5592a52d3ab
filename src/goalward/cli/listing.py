"""goalward list."""

from __future__ import annotations

import inspect
import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from goalward.cli.exits import CHECK_FAILED, DONE
from goalward.cli.inputs import OneOf
from goalward.cli.printing import as_json, infinity, say, table, width
from goalward.cli.progress import Bar

if TYPE_CHECKING:
    from goalward.environments import Entry

KINDS = ("environments", "algorithms")
HEADER = ("environment", "S", "A", "D", "V*", "certified")
LEGEND = "S states besides the goal, A actions, D diameter, V* least expected cost from the start; all with default settings, which are listed below each."


class Facts(NamedTuple):
    """An environment, made with its default settings and solved."""

    entry: Entry
    values: dict[str, Any]

    def row(self) -> tuple[str, ...]:
        states, actions, diameter, value = (self.values[key] for key in ("states", "actions", "diameter", "value"))
        figures = (f"{x:.6g}".replace("inf", infinity()) for x in (diameter, value))
        return self.entry.name, str(states - self.values["goals"]), str(actions), *figures, "yes" if self.values["certified"] else "NO"


@click.command("list")
@click.argument("kind", type=OneOf(KINDS), default="environments")
@click.argument("name", required=False)
@click.option("--json", "as_object", is_flag=True, help="Print the list as JSON.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def list_command(kind: str, name: str | None, as_object: bool, quiet: bool) -> int:
    """The environments there are, each solved with its default settings, or the algorithms; or all about the one called NAME.

    \b
      goalward list environments
      goalward list environments paper-grid
      goalward list algorithms
      goalward list algorithms uc-ssp
      goalward list environments --json

    Exit code 0: every optimum is certified. 1: some are not. 2: the input is wrong. 130: interrupted.

    The keys of --json: name, summary, settings (with their defaults); of environments also states, goals, actions, diameter, value, lower, upper, certified.
    An infinite number is the string "Infinity".
    """
    if kind == "algorithms":
        return _list_algorithms(name, as_object)
    found = _facts(name, quiet)
    if as_object:
        say(as_json([facts.values for facts in found] if name is None else found[0].values))
    else:
        say(_text_of_all(found, width()) if name is None else _text_of_one(found[0], width()))
    return DONE if all(facts.values["certified"] for facts in found) else CHECK_FAILED


def _list_algorithms(name: str | None, as_object: bool) -> int:
    from goalward.learning import algorithms

    entries = algorithms.algorithms() if name is None else (algorithms.entry(name),)
    if as_object:
        told = [{"name": entry.name, "summary": entry.summary, "settings": entry.settings} for entry in entries]
        say(as_json(told if name is None else told[0]))
    elif name is None:
        lines = [[entry.name, *_filled(entry.summary, width(), "  "), *_filled(_settings(entry), width(), "  ")] for entry in entries]
        say("\n\n".join("\n".join(part) for part in lines))
    else:
        say("\n".join([*_paragraphs(entries[0].document, width()), *_filled(f"Settings: {_settings(entries[0])}", width())]))
    return DONE


def _facts(name: str | None, quiet: bool) -> list[Facts]:
    from goalward import environments
    from goalward.errors import unknown_name

    entries = [entry for entry in environments.catalogue() if name in (None, entry.name)]
    if not entries:
        raise unknown_name("environment", str(name), (entry.name for entry in environments.catalogue()))
    with Bar(quiet) as bar:
        return [_solved(entry, bar) for entry in entries]


def _solved(entry: Entry, bar: Bar) -> Facts:
    import goalward as gw
    from goalward.cli.summary import at_start

    bar.stage(f"solving {entry.name}")
    ssp = entry.function()
    solution = gw.solve(ssp, progress=bar.report)
    values = {
        "name": entry.name,
        "summary": entry.summary,
        "settings": entry.settings,
        "states": ssp.num_states,
        "goals": len(ssp.goals),
        "actions": ssp.num_actions,
        "diameter": float(gw.analyze(ssp).diameter),
        "value": at_start(ssp, solution.value),
        "lower": at_start(ssp, solution.lower, -1),
        "upper": at_start(ssp, solution.upper, 1),
        "certified": bool(solution.certified),
    }
    return Facts(entry, values)


def _text_of_all(found: list[Facts], columns: int) -> str:
    header, *rows = table(HEADER, [facts.row() for facts in found], right=(1, 2, 3, 4))
    lines = [header]
    for facts, row in zip(found, rows, strict=True):
        lines += ["", row, *_filled(facts.entry.summary, columns, "  "), *_filled(_settings(facts.entry), columns, "  ")]
    return "\n".join([*lines, "", *_filled(LEGEND, columns)])


def _text_of_one(facts: Facts, columns: int) -> str:
    """The table of one, and the docstring: its text filled, its drawing as it is."""
    lines = [*table(HEADER, [facts.row()], right=(1, 2, 3, 4)), "", *_paragraphs(inspect.getdoc(facts.entry.function) or "", columns)]
    return "\n".join([*lines, *_filled(f"Settings: {_settings(facts.entry)}", columns)])


def _paragraphs(text: str, columns: int) -> list[str]:
    """The text of a docstring filled, what is indented as it is."""
    lines: list[str] = []
    for part in text.strip().split("\n\n"):
        if part != "::":
            lines += [*(part.split("\n") if part.startswith(" ") else _filled(part.replace("``", "`"), columns)), ""]
    return lines


def _settings(entry: Any) -> str:
    return "  ".join(f"{name}={value}" for name, value in entry.settings.items())


def _filled(text: str, columns: int, indent: str = "") -> list[str]:
    return textwrap.wrap(text, max(20, columns), initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False)
