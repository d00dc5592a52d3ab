"""goalward warmup."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import click

from goalward.cli.exits import DONE
from goalward.cli.inputs import Positive
from goalward.cli.printing import as_json, duration, plural, say
from goalward.cli.progress import Bar


class Use(NamedTuple):
    """Something that people do, and that has to be compiled for it."""

    text: str
    environment: str
    of_environment: dict[str, Any]
    algorithm: str | None  # None: planning
    settings: dict[str, Any]


@click.command()
@click.option("--prune", is_flag=True, help="Also remove compiled code that was not used here.")
@click.option("--days", type=Positive(), default=90.0, show_default=True, help="With --prune: keep what one's own programs have used so lately.")
@click.option("--json", "as_object", is_flag=True, help="Print the result as JSON.")
@click.option("--quiet", is_flag=True, help="Show no progress.")
def warmup(prune: bool, days: float, as_object: bool, quiet: bool) -> int:
    """Compile what is used most, so that nothing has to wait for it later.

    Everything is compiled when it is first used, and kept on disk for all later processes. This command uses planning, and every algorithm of the catalogue
    with its most common settings, once.

    With --prune all other compiled code of this package is removed, that of older versions above all; what is needed after all is compiled again. Code for
    one's own classes goes if no program has used it for --days.

    The keys of --json: uses, kernels (compiled or loaded), removed, seconds, folder, version.
    """
    import time

    from goalward import __version__, _cache
    from goalward._compile import kernels

    begun = time.perf_counter()
    uses = [*_uses()]
    with Bar(quiet) as bar:
        for i, use in enumerate(uses):
            bar.stage(use.text)
            bar.show(i / len(uses), f"{i} of {len(uses)}")
            _play(use)
    removed = _cache.prune(kernels(), days) if prune and kernels() else []  # with compiling switched off none are used, and all would go
    facts = {
        "uses": len(uses), "kernels": len(kernels()), "removed": len(removed), "seconds": time.perf_counter() - begun, "folder": str(_cache.folder()),
        "version": __version__,
    }  # fmt: skip
    say(as_json(facts) if as_object else _as_text(facts, prune))
    return DONE


def _as_text(facts: dict[str, Any], prune: bool) -> str:
    ready = f"{plural(facts['kernels'], 'kernel')} ready in {facts['folder']}, after {duration(facts['seconds'])}"
    return f"{ready}\n{plural(facts['removed'], 'kernel')} removed" if prune else ready


def _uses() -> Iterator[Use]:
    import goalward as gw

    yield Use("planning", "paper-grid", {}, None, {})
    for entry in gw.algorithms():
        variants = [{}] if "confidence" not in entry.settings else [{"confidence": "l1"}, {"confidence": "bernstein"}]
        for settings in variants:
            text = " ".join([entry.name, *settings.values()])
            yield Use(text, "paper-grid", {}, entry.name, settings)
            if "perturbation" in entry.settings:
                yield Use(f"{text}, free steps", "paper-grid", {"cost": "zero-patch"}, entry.name, settings)
            if "penalty" in entry.settings:
                yield Use(f"{text}, giving up", "dead-end-grid", {"slips": "anywhere"}, entry.name, settings | {"penalty": 20.0})


def _play(use: Use) -> None:
    import goalward as gw

    ssp = gw.environments.make(use.environment, **use.of_environment)
    if use.algorithm is None:
        gw.evaluate(ssp, gw.solve(ssp).policy).hitting_time  # noqa: B018  # it is worked out when it is asked for
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gw.GoalwardWarning)
        gw.simulate(ssp, use.algorithm, episodes=2, **use.settings)
