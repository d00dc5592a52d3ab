"""`_numba` leans on parts of Numba that are not all public."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numba

TRIED = ("0.67", "0.68")  # with 0.67.0 and 0.68.1
PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
ADVICE = (
    "src/goalward/_numba leans on parts of Numba that may change without notice: the models and lowering of component types, JITCodeLibrary and its passes, "
    "NullCache and CompileResult._reduce, FunctionIdentity._unique_ids. If tests/compile and the benchmarks pass with this version, add it to TRIED and widen "
    "the bounds in pyproject.toml."
)


def test_this_numba_was_tried() -> None:
    series = ".".join(numba.__version__.split(".")[:2])
    assert series in TRIED, f"this is Numba {numba.__version__}; tried were {', '.join(TRIED)}. {ADVICE}"


def test_the_bounds_in_pyproject_are_what_was_tried() -> None:
    dependencies = tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]
    (bounds,) = (dependency for dependency in dependencies if dependency.startswith("numba"))
    least, below = (int(minor) for minor in re.findall(r"0\.(\d+)", bounds))
    assert tuple(f"0.{minor}" for minor in range(least, below)) == TRIED
