"""Words and numbers on the terminal.

Everything the command line prints goes through `say` and `complain`: they leave colours to terminals, and signs that the encoding lacks become "?".
"""

from __future__ import annotations

import math
import os
import shutil
import sys
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from typing import Any, TextIO

import click

from goalward.cli.exits import CLOSED_PIPE
from goalward.errors import FileError

FIGURES = 10  # significant figures of a number in a summary


def say(text: str) -> None:
    """Write `text` and a line end to stdout. Who reads it may have read enough: then this is the end, without a word."""
    try:
        _write(text, sys.stdout)
    except OSError as reason:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - what is left in the buffer is not to be tried again when Python ends
        if isinstance(reason, BrokenPipeError):
            raise click.exceptions.Exit(CLOSED_PIPE) from None
        raise FileError(f"stdout: cannot be written ({reason.strerror})") from reason


def complain(text: str) -> None:
    """One paragraph on stderr, whatever white space is in it."""
    _write(" ".join(text.split()), sys.stderr)


def _write(text: str, file: TextIO | None) -> None:
    if file is None:  # closed by the caller's shell: >&-
        return
    encoding = file.encoding or "ascii"
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    click.echo(text.encode(encoding, "replace").decode(encoding), file=file, color=False if plain else None)


def has_signs(signs: str) -> bool:
    """Whether stdout can print these."""
    try:
        signs.encode((sys.stdout and sys.stdout.encoding) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def width() -> int:
    """Columns of the terminal, 80 where there is none; COLUMNS overrules."""
    return shutil.get_terminal_size().columns


def number(x: float, rounding: str = ROUND_HALF_EVEN) -> str:
    """`x` to ten figures; a lower bound is rounded down and an upper bound up, so that what is printed still holds."""
    if not math.isfinite(x):
        return str(x).replace("inf", infinity())
    rounded = Context(prec=FIGURES, rounding=rounding).create_decimal(Decimal(x))
    return format(float(rounded), f".{FIGURES}g")


def interval(lower: float, upper: float) -> str:
    return f"[{number(lower, ROUND_FLOOR)}, {number(upper, ROUND_CEILING)}]"


def infinity() -> str:
    return "∞" if has_signs("∞") else "inf"


def plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def duration(seconds: float) -> str:
    if seconds < 1.0:
        return f"{seconds * 1e3:.3g} ms"
    return f"{seconds:.3g} s" if seconds < 60.0 else f"{int(seconds // 60)} min {seconds % 60:.0f} s"


def table(header: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[int] = ()) -> list[str]:
    """Lines of columns; those numbered in `right` are aligned to the right."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    lines = [[cell.rjust(w) if i in right else cell.ljust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True))] for row in (header, *rows)]
    return ["  ".join(line).rstrip() for line in lines]


def printable(name: str) -> str:
    """A name out of a model as it may go to a terminal: no line ends, no escapes."""
    return "".join(c if c.isprintable() else "?" for c in name)


def shortened(text: str, most: int) -> str:
    mark = "…" if has_signs("…") else "..."
    return text if len(text) <= most else text[: max(0, most - len(mark))] + mark


def as_json(found: Any) -> str:
    """JSON knows no infinity; it is the string "Infinity" here, which Python's float() and JavaScript's Number() read back."""
    import json

    return json.dumps(_finite(found), indent=2, allow_nan=False)


def _finite(found: Any) -> Any:
    if isinstance(found, dict):
        return {key: _finite(value) for key, value in found.items()}
    if isinstance(found, list | tuple):
        return [_finite(value) for value in found]
    if isinstance(found, float) and not math.isfinite(found):
        return {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(found)]
    return found
