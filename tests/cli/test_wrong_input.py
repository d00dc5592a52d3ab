"""Wrong command lines and wrong models: each ends with exit code 2 and one paragraph that names the field, the value and what was expected."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from goalward import environments
from tests.models.test_files import ARRAYS, BESIDE, TAMPERED, write
from tests.models.test_wrong_models import WRONG as WRONG_MODELS

from .commands import Ended, run, run_alone

NUMBER = "expected a finite number > 0"
NPZ = "expected the path of an .npz file that SSP.save wrote, or an environment"
ENVIRONMENTS = ("expected one of", "garnet", "paper-grid", "two-state")

# (command line, what its one paragraph has to contain)
WRONG: list[tuple[str, tuple[str, ...]]] = [
    ("solv paper-grid", ("command", "'solv'", "expected one of list, simulate, solve", "did you mean 'solve'?")),
    ("reproduce", ("command", "'reproduce'", "expected one of list, simulate, solve")),
    ("--verson", ("option", "'--verson'", "expected one of --help, --version", "did you mean '--version'")),
    ("solve", ("MODEL is missing", "expected goalward solve [OPTIONS] MODEL")),
    ("solve papergrid", ("environment", "'papergrid'", *ENVIRONMENTS, "did you mean 'paper-grid'")),
    ("solve Paper-Grid", ("environment", "'Paper-Grid'", *ENVIRONMENTS, "did you mean 'paper-grid'")),
    ("solve two-state garnet", ("unexpected extra argument", "garnet", "expected goalward solve [OPTIONS] MODEL")),
    ("solve two-state --tolerence 1", ("option", "'--tolerence'", "expected one of --absolute,", "did you mean '--tolerance'")),
    ("solve two-state --tol 1", ("option", "'--tol'", "--tolerance")),
    ("solve two-state -q", ("option", "'-q'", "--quiet")),
    ("solve two-state --tolerance small", ("--tolerance", "'small'", NUMBER)),
    ("solve two-state --tolerance 0", ("--tolerance", "0.0", NUMBER)),
    ("solve two-state --tolerance -1e-6", ("--tolerance", "-1e-06", NUMBER)),
    ("solve two-state --tolerance nan", ("--tolerance", "nan", NUMBER)),
    ("solve two-state --tolerance", ("--tolerance", "requires an argument")),
    ("solve two-state --penalty inf", ("--penalty", "inf", NUMBER)),
    ("solve two-state --penalty ten", ("--penalty", "'ten'", NUMBER)),
    ("solve two-state --penalty=", ("--penalty", "''", NUMBER)),
    ("solve two-state --max-seconds 0", ("--max-seconds", "0.0", NUMBER)),
    ("solve two-state --method policy", ("--method", "'policy'", "expected one of auto,", "did you mean 'policy-iteration'")),
    ("solve two-state --method AUTO", ("--method", "'AUTO'", "expected one of auto, linear-program, policy-iteration, value-iteration")),
    ("solve two-state --json=yes", ("--json", "does not take a value")),
    ("solve two-state --set c_min", ("--set", "'c_min'", "expected key=value")),
    ("solve two-state --set =1", ("--set", "'=1'", "expected key=value")),
    ("solve two-state --set c_mn=1", ("setting of two-state", "'c_mn'", "expected one of c_max, c_min", "did you mean 'c_min'")),
    ("solve two-state --set c_min=1 --set c_min=2", ("--set c_min", "2", "expected each setting once", "1 already")),
    ("solve two-state --set c_min=cheap", ("c_min", "'cheap'", "expected a finite number >= 0")),
    ("solve two-state --set c-max=0.1", ("c_max", "0.1", "expected a finite number > 2 c_min = 0.2")),
    ("solve paper-grid --set cost=sandpit", ("cost", "'sandpit'", "expected one of 'uniform', 'sand-pit', 'zero-patch'")),
    ("solve paper-grid --set cost=sand-pit --set beta=2", ("beta", "2", "expected a finite number in (0, 1]")),
    ("solve paper-grid --set beta=0.5", ("beta", "0.5", "expected nothing with cost = 'uniform'")),
    ("solve sandy-grid --set size=3.5", ("size", "3.5", "expected a whole number >= 2")),
    ("solve dead-end-grid --set size=2", ("size", "2", "expected a whole number >= 3")),
    ("solve corridor --set length=true", ("length", "True", "expected a whole number >= 1")),
    ("solve garnet --set reachable=1", ("reachable", "1", "expected True or False")),
    ("solve model.drn", ("MODEL", "'model.drn'", NPZ)),
    ("solve ./paper-grid", ("MODEL", "'./paper-grid'", NPZ)),
    ("solve missing.npz", ("MODEL", "'missing.npz'", NPZ, "no such file")),
    ("solve text.npz", ("MODEL", "'text.npz'", NPZ)),
    ("solve empty.npz", ("MODEL", "'empty.npz'", NPZ)),
    ("solve half.npz", ("MODEL", "'half.npz'", NPZ)),
    ("solve foreign.npz", ("MODEL", "'foreign.npz'", NPZ)),
    ("solve array.npz", ("MODEL", "'array.npz'", NPZ)),
    ("solve pickle.npz", ("MODEL", "'pickle.npz'", NPZ)),
    ("solve folder.npz", ("MODEL", "'folder.npz'", NPZ)),
    ("solve good.npz --set c_min=1", ("--set", "c_min", "expected nothing with a model file")),
    ("solve two-state -o plan.txt", ("--output", "'plan.txt'", "expected a file name that ends in .csv")),
    ("solve two-state -o folder.csv", ("--output", "'folder.csv'", "expected a file name that ends in .csv")),
    ("solve two-state -o nowhere/plan.csv", ("--output", "'nowhere/plan.csv'", "expected a file in a folder that is there")),
    ("list algorithm", ("KIND", "'algorithm'", "expected one of algorithms, environments", "did you mean 'algorithms'")),
    ("list environment", ("KIND", "'environment'", "expected one of algorithms, environments", "did you mean 'environments'")),
    ("list environments twostate", ("environment", "'twostate'", *ENVIRONMENTS, "did you mean 'two-state'")),
    ("list environments two-state garnet", ("unexpected extra argument", "garnet", "expected goalward list [OPTIONS]")),
    ("list --josn", ("option", "'--josn'", "expected one of --help, --json, --quiet", "did you mean '--json'")),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with model files of which one is good."""
    monkeypatch.chdir(tmp_path)
    environments.make("two-state").save("good.npz")
    Path("text.npz").write_text("a model\n\nin words")
    Path("empty.npz").touch()
    Path("half.npz").write_bytes(Path("good.npz").read_bytes()[:700])
    np.savez("foreign.npz", weights=np.ones(3))
    with open("array.npz", "wb") as file:
        np.save(file, np.ones(3))
    with open("pickle.npz", "wb") as file:
        np.save(file, np.array([{"format": "goalward-ssp-1"}]), allow_pickle=True)
    Path("model.drn").write_text("@type: MDP\n")
    Path("folder.npz").mkdir()
    Path("folder.csv").mkdir()
    return tmp_path


def assert_one_paragraph(ended: Ended, parts: tuple[str, ...]) -> None:
    assert ended.code == 2
    assert ended.out == ""
    assert ended.err.startswith("goalward: ")
    assert ended.err.count("\n") == 1
    assert ended.err.endswith("\n")
    assert "Traceback" not in ended.err
    assert not [part for part in parts if part not in ended.err], ended.err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(("line", "parts"), WRONG, ids=[line for line, _ in WRONG])
def test_wrong_command_line(line: str, parts: tuple[str, ...]) -> None:
    assert_one_paragraph(run(*line.split()), parts)


@pytest.mark.parametrize(("arrays", "beside", "sentence"), TAMPERED, ids=[sentence for _, _, sentence in TAMPERED])
def test_wrong_model_file(tmp_path: Path, arrays: dict[str, Any], beside: dict[str, Any], sentence: str) -> None:
    write(tmp_path / "model.npz", ARRAYS | arrays, BESIDE | beside)
    assert_one_paragraph(run("solve", str(tmp_path / "model.npz")), ("MODEL", "model.npz", NPZ, sentence))


@pytest.mark.parametrize("mistake", WRONG_MODELS)
def test_wrong_model(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if an environment of one's own made it."""
    make, sentence = WRONG_MODELS[mistake]
    monkeypatch.setattr(environments, "make", lambda name, **settings: make())
    assert_one_paragraph(run("solve", "mine"), (sentence,))


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("solve", ""), ("environment", "''", *ENVIRONMENTS)),
        (("solve", "two\n\nstate"), ("environment", r"'two\n\nstate'", *ENVIRONMENTS)),
        (("solve", "two-state", "--set", "c_min= "), ("c_min", "''", "expected a finite number")),
        (("solve", "grüße.drn"), ("MODEL", "'grüße.drn'", NPZ)),
    ],
)
def test_odd_characters(args: tuple[str, ...], parts: tuple[str, ...]) -> None:
    assert_one_paragraph(run(*args), parts)


def test_as_a_program(folder: Path) -> None:
    assert_one_paragraph(run_alone("solve", "papergrid"), ("environment", "'papergrid'", "did you mean 'paper-grid'"))
    assert_one_paragraph(run_alone("solve", "text.npz", cwd=folder), ("MODEL", "'text.npz'", NPZ))
    assert_one_paragraph(run_alone("solve", "grüße", PYTHONUTF8="0", PYTHONIOENCODING="ascii"), ("environment", "'gr??e'"))


def test_a_bug_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str, **settings: object) -> None:
        raise IndexError("list index out of range")

    monkeypatch.setattr(environments, "make", broken)
    with pytest.raises(IndexError, match="out of range"):
        run("solve", "two-state")


def test_a_problem_too_large_is_the_users_business(monkeypatch: pytest.MonkeyPatch) -> None:
    def huge(name: str, **settings: object) -> None:
        raise MemoryError("Unable to allocate 8 TiB")

    monkeypatch.setattr(environments, "make", huge)
    assert_one_paragraph(run("solve", "two-state"), ("not enough memory", "expected a smaller problem", "8 TiB"))
