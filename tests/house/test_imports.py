"""Imports go one way, and importing the package is cheap.

Every import counts: inside a function, where it runs later, and under TYPE_CHECKING, where it never does, for a type is knowledge of another part, too. The one
exemption is `TYPE_ONLY`: errors are a leaf that everyone may use, and one of them carries a solution, whose type it names.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from tests.house.sources import Module, is_module, modules

CHAIN = ("_compile", "models", "planning", "learning", "simulation", "experiments", "reports", "cli")  # each may import itself and what is before it
LEAVES = {"errors", "_cache"}  # everyone may use them
ALLOWED = {part: LEAVES | set(CHAIN[: place + 1]) for place, part in enumerate(CHAIN)}
ALLOWED |= {leaf: set() for leaf in LEAVES}
ALLOWED |= {"_numba": LEAVES | {"_compile", "_numba"}, "environments": LEAVES | {"environments", "models"}}
ALLOWED["interop"] = LEAVES | {"interop", "models", "simulation"}
ALLOWED["_compile"] |= {"_numba"}
ALLOWED["experiments"] |= {"environments"}
ALLOWED["cli"] |= {"environments", "interop", ""}  # "" is the package itself, which has the public names of all parts
TYPE_ONLY = {("goalward.errors", "goalward.planning.solution")}
# These import modules whose names are strings: public names, the environments and the algorithms in their folders, and the class that a saved agent names.
BY_NAME = {"goalward", "goalward.environments", "goalward.learning.algorithms", "goalward.simulation.agent_files"}
COMPILERS = {"numba", "llvmlite"}
HEAVY = {*COMPILERS, "scipy", "matplotlib", "pyarrow", "rich"}


class Import(NamedTuple):
    source: str  # the module that imports
    target: str  # the module that is imported
    line: int
    typing: bool  # under TYPE_CHECKING

    def __str__(self) -> str:
        return f"{self.source}, line {self.line}, imports {self.target}"


def imports(module: Module) -> Iterator[Import]:
    tree = module.tree
    for_types = {node for block in ast.walk(tree) if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING" for node in nodes_of(block.body)}
    for node in ast.walk(tree):
        for target in targets(node, module):
            yield Import(module.name, target, node.lineno, node in for_types)  # type: ignore[attr-defined]  # imports have a line


def nodes_of(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in statements:
        yield from ast.walk(statement)


def targets(node: ast.AST, module: Module) -> list[str]:
    """The modules that a statement imports; none if it is no import."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    folder = module.name.split(".") if module.is_folder else module.name.split(".")[:-1]
    base = [*folder[: len(folder) + 1 - node.level], *filter(None, [node.module])] if node.level else [str(node.module)]
    origin = ".".join(base)
    return [name if is_module(name := f"{origin}.{alias.name}") else origin for alias in node.names]


def part_of(name: str) -> str | None:
    """models for goalward.models.ssp, "" for goalward itself, None for what is not ours."""
    top, _, rest = name.partition(".")
    return rest.partition(".")[0] if top == "goalward" else None


def is_wrong(found: Import) -> bool:
    source, target = part_of(found.source), part_of(found.target)
    if target is None:
        return found.target.partition(".")[0] in COMPILERS and source != "_numba"
    if source == "":
        return not found.typing
    if (found.source, found.target) in TYPE_ONLY:
        return not found.typing
    return target not in ALLOWED.get(str(source), set())


def test_imports_go_one_way() -> None:
    assert [str(found) for module in modules() for found in imports(module) if is_wrong(found)] == []


def test_every_part_has_its_place() -> None:
    assert {part_of(module.name) for module in modules()} - {""} <= ALLOWED.keys()


def test_exemptions_are_used() -> None:
    assert {(found.source, found.target) for module in modules() for found in imports(module)} >= TYPE_ONLY


def imports_by_name(module: Module) -> bool:
    calls = (ast.unparse(node.func) for node in ast.walk(module.tree) if isinstance(node, ast.Call))
    return any(call.rpartition(".")[2] in ("import_module", "__import__") for call in calls)


def test_names_that_no_test_can_read_are_imported_in_few_places() -> None:
    assert {module.name for module in modules() if imports_by_name(module)} <= BY_NAME


def planted(name: str, text: str) -> Module:
    """A module that is not there, with this text."""
    return Module(name, name == "goalward", text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("goalward.models.planted", "from goalward.planning.solve import solve"),
        ("goalward.models.planted", "import goalward.planning.solve"),
        ("goalward.models.planted", "def f():\n    from goalward.planning import solve"),
        ("goalward.models.planted", "if TYPE_CHECKING:\n    from goalward.planning.solution import Solution"),
        ("goalward.models.planted", "from ..planning import solve"),
        ("goalward.models.planted", "from goalward import solve"),
        ("goalward.models.planted", "from goalward import environments"),
        ("goalward.models.planted", "import numba"),
        ("goalward.models.planted", "from goalward import _numba"),
        ("goalward.planning.planted", "from llvmlite import ir"),
        ("goalward.planning.planted", "from goalward.environments import make"),
        ("goalward.planning.planted", "from goalward.cli import main"),
        ("goalward.environments.planted", "from goalward.planning.solve import solve"),
        ("goalward.environments.planted", "from goalward._compile import component"),
        ("goalward.interop.planted", "from goalward.planning.solve import solve"),
        ("goalward.reports.planted", "from goalward.environments import make"),
        ("goalward.learning.planted", "from goalward.simulation.loop import run"),
        ("goalward.errors", "from goalward.models.ssp import SSP"),
        ("goalward.errors", "from goalward.planning.solution import Solution"),
        ("goalward._cache", "from goalward import errors"),
        ("goalward._compile", "from goalward.models.ssp import SSP"),
        ("goalward", "from goalward.models.ssp import SSP"),
        ("goalward.elsewhere.planted", "from goalward.models.ssp import SSP"),
    ],
)
def test_a_wrong_arrow_is_seen(name: str, text: str) -> None:
    assert any(is_wrong(found) for found in imports(planted(name, text)))


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("goalward.planning.planted", "import numpy as np\nfrom goalward.models.ssp import SSP\nfrom goalward._compile import component"),
        ("goalward.environments.planted", "from goalward.errors import SettingError\nfrom goalward.environments._grid import ACTIONS"),
        ("goalward.cli.planted", "import goalward as gw\nfrom goalward import environments"),
        ("goalward.errors", "if TYPE_CHECKING:\n    from goalward.planning.solution import Solution"),
        ("goalward", "if TYPE_CHECKING:\n    from goalward.models.ssp import SSP as SSP"),
    ],
)
def test_a_right_arrow_is_left_alone(name: str, text: str) -> None:
    assert not any(is_wrong(found) for found in imports(planted(name, text)))


@pytest.mark.parametrize(
    "program",
    ["import goalward", "import sys\nfrom goalward.cli import main\nsys.argv = ['goalward', '--help']\ntry:\n    main()\nexcept SystemExit:\n    pass"],
    ids=["import goalward", "goalward --help"],
)
def test_nothing_heavy_is_loaded(program: str) -> None:
    report = "\nimport sys\nprint('loaded:', *sys.modules)"
    done = subprocess.run([sys.executable, "-c", program + report], capture_output=True, text=True, check=True)
    loaded = done.stdout.rpartition("loaded:")[2].split()
    assert "goalward" in loaded
    assert HEAVY & set(loaded) == set()
