"""Models in files: what is saved comes back, and whatever else is in a file is refused with words."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from goalward import SSP, FileError, GoalwardError
from goalward.models.files import FORMAT, written_whole
from tests.models.test_constructors import differing_parts, small_recipes
from tests.models.test_ssp import SSP_WITH_NAMES
from tests.strategies import Recipe, many_models

NO_MODEL = r"not a model that SSP\.save wrote"
BESIDE = {"format": FORMAT, "state_names": None, "action_names": None, "grid": None, "random_costs": None}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models")


@many_models
@given(recipe=small_recipes(), drawn=st.sampled_from([None, "bernoulli", "uniform", "beta"]), reset=st.booleans())
def test_what_is_saved_comes_back(folder: Path, recipe: Recipe, drawn: str | None, reset: bool) -> None:
    ssp = recipe.ssp()
    ssp = ssp.with_random_costs(drawn, 0.25, high=1e6) if drawn else ssp
    ssp = ssp.with_reset(2.5) if reset else ssp
    ssp.save(folder / "model.npz")
    again = SSP.load(folder / "model.npz")
    assert differing_parts(ssp, again) == []
    assert repr(ssp) == repr(again)
    assert (ssp.state_names, ssp.action_names, ssp.grid) == (again.state_names, again.action_names, again.grid)
    assert (ssp.random_costs is None) == (again.random_costs is None)
    if ssp.random_costs and again.random_costs:
        assert again.random_costs._replace(spread_x=ssp.random_costs.spread_x) == ssp.random_costs
        assert again.random_costs.spread_x.tolist() == ssp.random_costs.spread_x.tolist()


def test_names_grid_and_several_goals_come_back(tmp_path: Path) -> None:
    ssp = SSP.from_rows([(0, 0, 1, 1.0, 1.0)], start=0, goal=1, state_names=["Zoë", "家 \ud800"], action_names=["→"], grid=(1, 2))
    for model in (ssp, SSP_WITH_NAMES):
        model.save(str(tmp_path / "model.NPZ"))
        again = SSP.load(str(tmp_path / "model.NPZ"))
        assert differing_parts(model, again) == []
        assert (model.state_names, model.action_names, model.grid) == (again.state_names, again.action_names, again.grid)


def test_file_has_ordinary_rights_and_nothing_lies_beside(tmp_path: Path) -> None:
    SSP_WITH_NAMES.save(tmp_path / "model.npz")
    SSP_WITH_NAMES.save(tmp_path / "model.npz")
    (tmp_path / "other").touch()
    assert sorted(os.listdir(tmp_path)) == ["model.npz", "other"]
    assert stat.S_IMODE((tmp_path / "model.npz").stat().st_mode) == stat.S_IMODE((tmp_path / "other").stat().st_mode)


def write_half(target: Path) -> None:
    with written_whole(target) as file:
        file.write(b"new")
        raise KeyboardInterrupt


def test_what_fails_half_way_leaves_the_old_file(tmp_path: Path) -> None:
    target = tmp_path / "model.npz"
    target.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt):
        write_half(target)
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["model.npz"]


@pytest.mark.parametrize("name", ["model.drn", "model", "model.npz.gz"])
def test_other_kinds_of_files_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    for use in (SSP.load, SSP_WITH_NAMES.save):
        with pytest.raises(FileError, match=rf"{name}: expected a name that ends in \.npz$"):
            use(tmp_path / name)


def test_places_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(FileError, match=r"model\.npz: cannot be written \(No such file or directory\)"):
        SSP_WITH_NAMES.save(tmp_path / "nowhere" / "model.npz")
    with pytest.raises(FileError, match=r"folder\.npz: cannot be written \(Is a directory\)"):
        SSP_WITH_NAMES.save(tmp_path / "folder.npz")
    assert os.listdir(tmp_path) == ["folder.npz"]


def test_no_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"model\.npz: no such file$"):
        SSP.load(tmp_path / "model.npz")
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(FileError, match=NO_MODEL):
        SSP.load(tmp_path / "folder.npz")


@pytest.mark.parametrize("content", [b"", b"garbage", b"PK\x03\x04garbage", b"\x93NUMPY\x01\x00", b"\x80\x04]."], ids=repr)
def test_garbage_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.npz").write_bytes(content)
    with pytest.raises(FileError, match=NO_MODEL):
        SSP.load(tmp_path / "model.npz")


def test_single_array_and_objects_are_refused(tmp_path: Path) -> None:
    with open(tmp_path / "model.npz", "wb") as file:
        np.save(file, np.zeros(3))
    with pytest.raises(FileError, match=NO_MODEL):
        SSP.load(tmp_path / "model.npz")
    np.savez(tmp_path / "model.npz", beside=np.array([{}], dtype=object))
    with pytest.raises(FileError, match=NO_MODEL + " .*pickle"):
        SSP.load(tmp_path / "model.npz")


def test_truncated_and_damaged_files_are_refused_or_right(tmp_path: Path) -> None:
    """Every byte is inverted in turn, and every length is tried: either the model comes back as it was, or the error is one of ours."""
    target = tmp_path / "model.npz"
    SSP_WITH_NAMES.save(target)
    whole = target.read_bytes()
    damaged = [whole[:length] for length in range(0, len(whole), 7)]
    damaged += [whole[:i] + bytes([whole[i] ^ 255]) + whole[i + 1 :] for i in range(0, len(whole), 3)]
    refused = 0
    for content in damaged:
        target.write_bytes(content)
        try:
            assert differing_parts(SSP.load(target), SSP_WITH_NAMES) == []
        except FileError:
            refused += 1
    assert refused > len(damaged) * 0.6


def write(path: Path, arrays: dict[str, Any], beside: Any) -> None:
    np.savez(path, beside=np.frombuffer(json.dumps(beside).encode(), np.uint8), **arrays)


def saved_arrays(ssp: SSP) -> dict[str, NDArray[Any]]:
    names = ("first_pair", "row_ptr", "next_state", "probability", "cost", "action", "goals", "start_distribution")
    return {name: getattr(ssp, name) for name in names}


ARRAYS = saved_arrays(SSP_WITH_NAMES)
RANDOM = {"law": "beta", "low": 0.0, "high": 3.0}


# (arrays and parts beside them that replace the right ones, what the error has to contain)
TAMPERED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"next_state": ARRAYS["next_state"] + 4}, {}, "leads to state 5, expected one from 0 to 3"),
    ({"next_state": ARRAYS["next_state"].astype(float)}, {}, "next_state: expected whole numbers"),
    ({"next_state": ARRAYS["next_state"].reshape(2, 2)}, {}, "next_state: expected whole numbers in one dimension"),
    ({"row_ptr": ARRAYS["row_ptr"] * 1000}, {}, "row_ptr: expected 4 numbers that rise from 0"),
    ({"row_ptr": ARRAYS["row_ptr"][::-1]}, {}, "row_ptr: expected 4 numbers that rise from 0"),
    ({"first_pair": ARRAYS["first_pair"] - 1}, {}, "first_pair: expected"),
    ({"probability": ARRAYS["probability"] * 0.5}, {}, "the probabilities sum to 0.5, expected 1"),
    ({"probability": np.array(["1"] * 4)}, {}, "probability: expected numbers"),
    ({"cost": -ARRAYS["cost"]}, {}, "cost -1.0, expected a finite number"),
    ({"action": 3 - ARRAYS["action"]}, {}, "expected a larger number"),
    ({"goals": np.array([1, 99])}, {}, "goal 99: expected a state from 0 to 3"),
    ({"start_distribution": ARRAYS["start_distribution"][:2]}, {}, "expected a state from 0 to 3, or 4 probabilities"),
    ({"start_distribution": np.array([0.0, 1.0, 0.0, 0.0])}, {}, "start: state 1 is a goal"),
    ({}, {"state_names": ["a"]}, "state_names: 1 names, expected 4"),
    ({}, {"state_names": 5}, "state_names = 5: expected a list of names"),
    ({}, {"grid": [1, 2, 3]}, "grid = [1, 2, 3]: expected two whole numbers"),
    ({}, {"random_costs": RANDOM}, "it has no 'spread_x'"),
    ({"spread_x": np.ones(2)}, {"random_costs": RANDOM}, "expected 0 or a number from 1e-09 to 1 for each pair"),
    ({"spread_x": np.ones(3)}, {"random_costs": RANDOM | {"law": "x"}}, "law = 'x': expected one of"),
    ({"spread_x": np.ones(3)}, {"random_costs": RANDOM | {"low": None}}, "low = None: expected"),
    ({"spread_x": np.ones(3)}, {"random_costs": RANDOM | {"high": 1.0}}, "high = 1.0: expected"),
    ({}, {"random_costs": 5}, "not a model that SSP.save wrote"),
    ({}, {"format": "goalward-ssp-2"}, "format 'goalward-ssp-2', expected 'goalward-ssp-1'"),
]


@pytest.mark.parametrize(("arrays", "beside", "sentence"), TAMPERED)
def test_tampered_arrays_are_refused(tmp_path: Path, arrays: dict[str, Any], beside: dict[str, Any], sentence: str) -> None:
    write(tmp_path / "model.npz", ARRAYS | arrays, BESIDE | beside)
    with pytest.raises(FileError) as caught:
        SSP.load(tmp_path / "model.npz")
    assert sentence in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / "model.npz"))


@pytest.mark.parametrize("missing", [*ARRAYS, *BESIDE])
def test_missing_parts_are_named(tmp_path: Path, missing: str) -> None:
    parts = [{name: part for name, part in given.items() if name != missing} for given in (ARRAYS, BESIDE)]
    write(tmp_path / "model.npz", *parts)
    with pytest.raises(FileError, match=f"it has no '{missing}'"):
        SSP.load(tmp_path / "model.npz")


@pytest.mark.parametrize("beside", [5, [], None, "text"])
def test_wrong_json_is_refused(tmp_path: Path, beside: Any) -> None:
    write(tmp_path / "model.npz", ARRAYS, beside)
    with pytest.raises(GoalwardError, match=NO_MODEL):
        SSP.load(tmp_path / "model.npz")
