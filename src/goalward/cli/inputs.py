"""What was typed: numbers, choices, settings, and the model that is meant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from goalward.errors import FileError, SettingError, unknown_name

if TYPE_CHECKING:
    from goalward.models.ssp import SSP

MODEL_EXPECTED = "the path of an .npz file that SSP.save wrote, or an environment (goalward list environments)"


def field(param: click.Parameter | None) -> str:
    """How the user writes this parameter: --tolerance, MODEL."""
    if param is None:
        return "value"
    return max(param.opts, key=len) if isinstance(param, click.Option) else param.human_readable_name


class Input(click.ParamType):  # type: ignore[type-arg]  # generic since click 8.4
    """What an option takes. Unlike click's own types, an error names the field as the user wrote it, the value, and what was expected."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return self.read(str(value), field(param))

    def read(self, text: str, name: str) -> Any:
        """The value meant by `text`; `name` is the option's."""
        raise NotImplementedError


class Positive(Input):
    """A finite number > 0."""

    name = "number"

    def read(self, text: str, name: str) -> float:
        number = _as_float(text)
        if number is None or not (math.isfinite(number) and number > 0.0):
            raise SettingError(name, text if number is None else number, "a finite number > 0")
        return number


class Whole(Input):
    """A whole number that is not too small."""

    name = "number"

    def __init__(self, least: int) -> None:
        self.least = least

    def read(self, text: str, name: str) -> int:
        given = parsed(text)
        if not isinstance(given, int) or isinstance(given, bool) or given < self.least:
            raise SettingError(name, given, f"a whole number >= {self.least}")
        return given


class OneOf(click.Choice):  # type: ignore[type-arg]  # generic since click 8.2
    """One of some names; an error offers the nearest."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value not in self.choices:
            raise unknown_name(field(param), str(value), self.choices)
        return str(value)


class Setting(Input):
    """key=value, where value is a number, true, false, or else a string."""

    name = "key=value"

    def read(self, text: str, name: str) -> tuple[str, Any]:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise SettingError(name, text, f"key=value, as in {name} size=8")
        return key.strip().replace("-", "_"), parsed(value.strip())


class NewFile(Input):
    """A file to be written at the end: whether it can be is asked at once."""

    name = "file"

    def __init__(self, suffix: str) -> None:
        self.suffix = suffix

    def read(self, text: str, name: str) -> Path:
        path = Path(text)
        if path.suffix.lower() != self.suffix or path.is_dir():
            raise SettingError(name, text, f"a file name that ends in {self.suffix}")
        if not path.parent.is_dir():
            raise SettingError(name, text, f"a file in a folder that is there; {path.parent} is none")
        return path


def parsed(text: str) -> int | float | bool | str:
    """A value as it is meant: 3, 0.5, true, sand-pit."""
    if text.lower() in ("true", "false"):
        return text.lower() == "true"
    try:
        return int(text)
    except ValueError:
        number = _as_float(text)
        return text if number is None else number


def _as_float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def once_each(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """The settings by name; none may be given twice."""
    settings: dict[str, Any] = {}
    for key, value in pairs:
        if key in settings:
            raise SettingError(f"--set {key}", value, f"each setting once; {key} is {settings[key]!r} already")
        settings[key] = value
    return settings


def read_model(model: str, settings: dict[str, Any]) -> SSP:
    """The model in the file `model`, or else the environment of that name with `settings`."""
    from goalward import environments
    from goalward.models.ssp import SSP

    path = Path(model)
    if not path.suffix and "/" not in model:
        return environments.make(model, **settings)
    if path.suffix.lower() != ".npz":
        raise SettingError("MODEL", model, MODEL_EXPECTED)
    if settings:
        raise SettingError("--set", ", ".join(settings), "nothing with a model file: settings are for environments")
    try:
        return SSP.load(path)
    except FileError as reason:
        raise SettingError("MODEL", model, f"{MODEL_EXPECTED}; {reason}") from reason
