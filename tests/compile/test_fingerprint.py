"""The fingerprint changes with whatever compiled code depends on, and with nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from goalward._compile import compiled, fingerprint

MODULES = {
    "helpers": """
        RATE = 0.5
        TABLE = (1, 2, (3, 4))
        def scaled(x, offset=1):
            return RATE * x + offset + TABLE[0]
        def unused(x):
            return -x
    """,
    "deep": """
        import helpers
        def through(x):
            return helpers.scaled(x)
    """,
    "parts": """
        from typing import NamedTuple
        import deep
        class Part(NamedTuple):
            first: float
            second: float
            def blend(self, x):
                '''The docstring.'''
                return self.first * deep.through(x) - self.second
            def _aside(self, x):
                return x
        class Whole(NamedTuple):
            part: Part
    """,
    "entries": """
        import helpers, deep
        def entry(part, x):
            # a comment
            return part.blend(x) + deep.helpers.scaled(x, offset=2)
    """,
}


@pytest.fixture
def described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[str, str]]:
    """The fingerprints of `entry` and of `Part` after replacements (module, old, new)."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)  # the sources change within the resolution of their time stamps

    def describe(*edits: tuple[str, str, str]) -> tuple[str, str]:
        texts = dict(MODULES)
        for module, old, new in edits:
            assert old in texts[module]
            texts[module] = texts[module].replace(old, new)
        for module, text in texts.items():
            (tmp_path / f"{module}.py").write_text(dedent(text))
            sys.modules.pop(module, None)
        import entries  # type: ignore[import-not-found]
        import parts  # type: ignore[import-not-found]

        return fingerprint(entries.entry), fingerprint(parts.Part)

    return describe


DEEP_EDITS = {
    "a constant": ("helpers", "RATE = 0.5", "RATE = 0.25"),
    "the type of a constant": ("helpers", "(3, 4)", "(3, 4.0)"),
    "an operation": ("helpers", "x + offset", "x - offset"),
    "a default": ("helpers", "offset=1", "offset=3"),
    "the order of the parameters": ("helpers", "(x, offset=1)", "(offset, x=1)"),
    "what is called": ("deep", "helpers.scaled(x)", "helpers.unused(x)"),
}


@pytest.mark.parametrize("edit", DEEP_EDITS.values(), ids=DEEP_EDITS)
def test_an_edit_of_what_is_reached_is_noticed(described: Callable[..., tuple[str, str]], edit: tuple[str, str, str]) -> None:
    """Two files away, through attributes of modules."""
    entry, part = described()
    changed_entry, changed_part = described(edit)
    assert changed_part != part
    assert (changed_entry != entry) == (edit[0] == "helpers")


@pytest.mark.parametrize(
    "edit",
    [("parts", "- self.second", "+ self.second"), ("parts", "first: float\n            second: float", "second: float\n            first: float")],
    ids=["a method", "the order of the fields"],
)
def test_an_edit_of_a_component_is_noticed(described: Callable[..., tuple[str, str]], edit: tuple[str, str, str]) -> None:
    entry, part = described()
    changed_entry, changed_part = described(edit)
    assert changed_part != part
    assert changed_entry == entry  # it hears of the part through its type, which carries the fingerprint of the part


@pytest.mark.parametrize(
    "edit",
    [
        ("entries", "# a comment", "# another\n\n"),
        ("parts", "The docstring.", "Another docstring."),
        ("helpers", "return -x", "return -2 * x"),
        ("parts", "first: float", "first: int"),
    ],
    ids=["a comment", "a docstring", "a function that nothing reaches", "an annotation"],
)
def test_what_does_not_matter_is_not_noticed(described: Callable[..., tuple[str, str]], edit: tuple[str, str, str]) -> None:
    assert described(edit) == described()


def test_a_reverted_edit_is_forgotten(described: Callable[..., tuple[str, str]]) -> None:
    original = described()
    described(DEEP_EDITS["a constant"])
    assert described() == original


def module_with(**content: Any) -> ModuleType:
    module = ModuleType("made")
    vars(module).update(content)
    return module


FIRST, SECOND = module_with(limit=1), module_with(limit=2)


def of_both(x: int) -> int:
    return x + FIRST.limit * SECOND.limit  # type: ignore[no-any-return]


def test_one_name_in_two_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(of_both)
    monkeypatch.setattr(SECOND, "limit", 3)
    assert fingerprint(of_both) != before


def test_it_is_the_same_in_every_process(workshop: Any) -> None:
    """Whatever the seed of hashes, and wherever the files lie."""
    program = """
        from goalward._compile import fingerprint
        import math
        class Strange: pass
        ODD = Strange()
        CHOICES = frozenset({"a", "b", "c", 1, 2.0, (3, 4)})
        def entry(x):
            return math.log(x) if x in {"p", "q", "r"} or x in CHOICES else ODD
        if __name__ == "__main__":
            print(fingerprint(entry))
    """
    workshop.write(first=program, second=program)
    said = {workshop.says(f"{name}.py", PYTHONHASHSEED=seed) for name in ("first", "second") for seed in "12"}
    assert len(said) == 1


LIMITS = np.array([1.0, 2.0])


def limited(x: float) -> float:
    return min(x, float(LIMITS[0]))


def test_a_constant_array_counts_with_its_content() -> None:
    before = fingerprint(limited)
    assert compiled(limited, 0.0)(5.0) == 1.0
    LIMITS[0] = 3.0
    try:
        assert fingerprint(limited) != before
    finally:
        LIMITS[0] = 1.0
