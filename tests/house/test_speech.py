"""The project speaks of itself alone: not of the machine it was made on, of where packages come from, or of who helped.

Patterns are put together from pieces, so that this file does not contain what it looks for.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.house.sources import ROOT

SLASH = "/"
PLACES = [f"{SLASH}{folder}{SLASH}" for folder in ("work", "root", "workspace")]
SCRATCH = [f"{SLASH}{folder}{SLASH}" for folder in ("tmp", "home", "Users")]  # tests may make up a folder
HOSTS = ["py" + "pi", "python" + "hosted", "arti" + "factory", "dev" + "pi", "ana" + "conda", "nexus" + " repository"]
HELPERS = ["clau" + "de", "anthr" + "opic", "open" + "ai", "chat" + "gpt", "co" + "pilot", "language" + " model"]
NOTES = ["shared" + SLASH, "design" + r"\.md", "algorithms" + r"\.md"]
ISSUES = [r"\b(issue|ticket|pull request)s? #?\d+", r"\bfix(e[sd])? #\d+"]
PATTERNS = [*(rf"(?<![\w.]){place}" for place in PLACES), *(rf"\b{word}" for word in HOSTS + HELPERS + NOTES), *ISSUES]
IN_TESTS = re.compile("|".join(PATTERNS), re.IGNORECASE)
ELSEWHERE = re.compile("|".join([*PATTERNS, *(rf"(?<![\w.]){place}" for place in SCRATCH)]), re.IGNORECASE)


def said(path: Path, text: str) -> list[str]:
    """What a file should not say, with line numbers."""
    pattern = IN_TESTS if path.parts[0] == "tests" else ELSEWHERE
    lines = enumerate(text.splitlines(), start=1)
    return [f"{path}, line {number}: {found.group()}" for number, line in lines for found in pattern.finditer(line)]


def project_files() -> list[Path]:
    """What git tracks, and what it would track."""
    if shutil.which("git") is None or not (ROOT / ".git").exists():
        pytest.skip("no git checkout")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    return [Path(name) for name in names if name and (ROOT / name).is_file()]


def test_files_speak_of_the_project_alone() -> None:
    assert [line for path in project_files() for line in said(path, (ROOT / path).read_text(encoding="utf-8", errors="replace"))] == []


@pytest.mark.parametrize("word", [*PLACES, *HOSTS, *HELPERS, NOTES[0], *SCRATCH])
def test_each_word_is_seen(word: str) -> None:
    assert said(Path("docs/planted.md"), f"one line\nas written in ({word}) once") == [f"docs/planted.md, line 2: {word}"]


@pytest.mark.parametrize("number", ["issue" + " 12", "ticket" + " #3", "fixes" + " #4"])
def test_numbers_of_issues_are_seen(number: str) -> None:
    assert said(Path("tests/planted.py"), f"see {number}.") == [f"tests/planted.py, line 1: {number}"]


@pytest.mark.parametrize("text", ["a/work/b", "../work/x", "https://example.org/home/", "the issue is that 3 of them", "numba/numba#10486", "#ffcc00"])
def test_other_words_are_left_alone(text: str) -> None:
    assert said(Path("docs/planted.md"), text) == []


def test_tests_may_make_up_a_folder() -> None:
    assert said(Path("tests/planted.py"), f"{SCRATCH[0]}nowhere") == []
