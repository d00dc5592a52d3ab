"""Whatever is referred to is there: works by their keys, files by their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.house.sources import ROOT, texts

KEY = r"[a-z]+[0-9]{4}[a-z]?"
CITATION = re.compile(rf"\[{KEY}\b[^][]*\]")  # a key in brackets, perhaps with a place, perhaps with more keys
ENTRY = re.compile(r"^@\w+\{(.+),$", re.MULTILINE)
LINK = re.compile(r"\]\(([^()\s]+)\)")
ELSEWHERE = ("http://", "https://", "mailto:")


def cited(text: str) -> set[str]:
    return {key for citation in CITATION.findall(text) for key in re.findall(rf"\b{KEY}\b", citation)}


def broken_links(path: Path, text: str) -> Iterator[str]:
    for link in LINK.findall(text):
        name = link.partition("#")[0]
        if name and not link.startswith(ELSEWHERE) and not (path.parent / name).exists():
            yield f"{path.relative_to(ROOT)}: {link}"


def all_cited() -> set[str]:
    places = "src/**/*.py", "tests/**/*.py", "benchmarks/**/*.py", "examples/**/*.py", "docs/**/*.md", "*.md"
    return {key for path, text in texts(*places) if path != Path(__file__) for key in cited(text)}


def entries() -> list[str]:
    return [key for _, text in texts("docs/references.bib") for key in ENTRY.findall(text)]


def test_every_work_cited_is_listed_and_every_work_listed_is_cited() -> None:
    assert sorted(entries()) == sorted(all_cited())


def test_links_lead_somewhere() -> None:
    assert [link for path, text in texts("*.md", "docs/**/*.md") for link in broken_links(path, text)] == []


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("as in [knuth1997].", {"knuth1997"}),
        ("as in [knuth1997, Sect. 2, and\n    dijkstra1959b, p. 3]", {"knuth1997", "dijkstra1959b"}),
        ("a[i], [1997], [v] and knuth1997", set()),
    ],
)
def test_citations_are_recognised(text: str, keys: set[str]) -> None:
    assert cited(text) == keys


def test_broken_links_are_seen() -> None:
    text = "[a](sources.py) [b](sources.py#top) [c](#here) [d](https://example.org/x) [e](../house) [f](nowhere.md) [g](nowhere.md#top)"
    assert [link.partition(": ")[2] for link in broken_links(Path(__file__), text)] == ["nowhere.md", "nowhere.md#top"]
