"""What `simulate` returns, as a table, as a file and as a picture."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pyarrow import parquet

import goalward as gw
from goalward.simulation.runs import Runs, Z
from tests.contracts.variants import crossing, trap

from .players import Stubborn, bits_of, fork, grid


@pytest.fixture(scope="module")
def runs() -> Runs:
    return gw.simulate(grid(), "uc-ssp", 50, runs=4, seed=7, first_run=2)


@pytest.fixture(scope="module")
def cut() -> Runs:
    """Censored, with a penalty that makes V* another, several starts, and snapshots."""
    with pytest.warns(gw.GoalwardWarning, match="censored"):
        return gw.simulate(trap(), "uc-ssp", 40, runs=3, max_steps=150, penalty=9.0, record=gw.Record(snapshots=[1, 2], runs=[0, 2]))


def assert_equal(first: Any, second: Any) -> None:
    """Bit by bit, and of the same types."""
    assert type(first) is type(second)
    if isinstance(first, np.ndarray):
        assert (first.dtype, first.shape, first.tobytes()) == (second.dtype, second.shape, second.tobytes())
    elif isinstance(first, dict):
        assert list(first) == list(second)
        assert_equal([*first.values()], [*second.values()])
    elif isinstance(first, list | tuple):
        assert len(first) == len(second)
        for one, other in zip(first, second, strict=True):
            assert_equal(one, other)
    else:
        assert first == second


@pytest.mark.parametrize("kind", ["runs", "cut", "own class", "a start distribution"])
def test_round_trip(kind: str, runs: Runs, cut: Runs, tmp_path: Path) -> None:
    made = {
        "runs": lambda: runs,
        "cut": lambda: cut,
        "own class": lambda: gw.simulate(fork(), Stubborn, 3, choice=1),
        "a start distribution": lambda: gw.simulate(crossing(), "uc-ssp", 20, runs=2),
    }[kind]()
    made.save(tmp_path / "runs.parquet")
    again = gw.load_runs(str(tmp_path / "runs.parquet"))
    for field in fields(Runs):
        assert_equal(getattr(again, field.name), getattr(made, field.name))
    assert bits_of(again) == bits_of(made)
    assert repr(again) == repr(made)
    beside = {"runs.snapshots.npz"} if made.snapshots else set()
    assert {path.name for path in tmp_path.iterdir()} == {"runs.parquet"} | beside


def test_what_was_censored_is_kept(cut: Runs) -> None:
    assert cut.censored.any()
    assert len(cut.snapshots) > 0
    assert np.isnan(cut.cost).any()
    assert cut.optimal_cost_without_reset == np.inf


def test_other_programs_read_it(runs: Runs, tmp_path: Path) -> None:
    runs.save(tmp_path / "runs.parquet")
    table = pd.read_parquet(tmp_path / "runs.parquet")
    pd.testing.assert_frame_equal(table, runs.to_pandas().drop(columns="regret"))
    kinds = parquet.read_schema(tmp_path / "runs.parquet")
    assert {str(field.type) for field in kinds} == {"int32", "double"}


def test_many_files_are_one_table(runs: Runs, tmp_path: Path) -> None:
    runs.save(tmp_path / "a.parquet")
    gw.simulate(grid(), "uc-ssp", 50, runs=2, seed=7).save(tmp_path / "b.parquet")
    table = pd.read_parquet(tmp_path)
    whole = gw.simulate(grid(), "uc-ssp", 50, runs=6, seed=7)
    assert (table.sort_values(["run", "episode"]).cost.to_numpy() == whole.cost.ravel()).all()


def test_to_pandas(runs: Runs) -> None:
    table = runs.to_pandas()
    assert list(table.columns) == ["run", "episode", "start", "cost", "steps", *runs.columns, "regret"]
    assert len(table) == 200
    assert table.run.unique().tolist() == [2, 3, 4, 5]
    assert table.groupby("run").episode.agg(list).tolist() == [[*range(1, 51)]] * 4
    for name in ("cost", "steps", "regret", "plans"):
        assert (table.pivot_table(index="run", columns="episode", values=name).to_numpy() == getattr(runs, name)).all()


def test_snapshots_that_are_gone(cut: Runs, tmp_path: Path) -> None:
    cut.save(tmp_path / "runs.parquet")
    (tmp_path / "runs.snapshots.npz").write_bytes(b"something else")
    with pytest.raises(gw.FileError, match=r"runs\.snapshots\.npz: not snapshots that Runs\.save wrote"):
        gw.load_runs(tmp_path / "runs.parquet")
    (tmp_path / "runs.snapshots.npz").unlink()
    with pytest.raises(gw.FileError, match=r"runs\.snapshots\.npz: no such file; it lay beside the runs"):
        gw.load_runs(tmp_path / "runs.parquet")


def test_wrong_files(runs: Runs, tmp_path: Path) -> None:
    runs.save(tmp_path / "good.parquet")
    (tmp_path / "half.parquet").write_bytes((tmp_path / "good.parquet").read_bytes()[:1000])
    (tmp_path / "text.parquet").write_text("run,episode\n")
    runs.to_pandas().to_parquet(tmp_path / "foreign.parquet")
    table = parquet.read_table(tmp_path / "good.parquet")
    facts = json.loads(table.schema.metadata[b"goalward"])
    for name, changed in (("format", facts | {"format": "goalward-runs-0"}), ("short", facts | {"finished": [1]}), ("less", {"format": facts["format"]})):
        parquet.write_table(table.replace_schema_metadata({b"goalward": json.dumps(changed)}), tmp_path / f"{name}.parquet")
    parquet.write_table(table.drop_columns(["cost"]), tmp_path / "costless.parquet")
    for name in ("half", "text", "foreign", "format", "short", "less", "costless"):
        with pytest.raises(gw.FileError, match=rf"{name}\.parquet: not a table that Runs\.save wrote"):
            gw.load_runs(tmp_path / f"{name}.parquet")
    with pytest.raises(gw.FileError, match=r"gone\.parquet: no such file"):
        gw.load_runs(tmp_path / "gone.parquet")
    for act in (gw.load_runs, runs.save):
        with pytest.raises(gw.FileError, match=r"runs\.csv: expected a name that ends in \.parquet"):
            act(tmp_path / "runs.csv")
    with pytest.raises(gw.FileError, match="cannot be written"):
        runs.save(tmp_path / "nowhere" / "runs.parquet")


def test_settings_that_a_file_cannot_hold(runs: Runs, tmp_path: Path) -> None:
    with pytest.raises(gw.SettingError, match=r"sizes = \[1\]: expected a number, a string, True, False or None, where it is to be saved"):
        replace(runs, settings={"sizes": [1]}).save(tmp_path / "runs.parquet")
    assert [*tmp_path.iterdir()] == []
    replace(runs, settings={"scale": np.float64(2.0), "depth": np.int64(3)}).save(tmp_path / "runs.parquet")
    assert gw.load_runs(tmp_path / "runs.parquet").settings == {"scale": 2.0, "depth": 3}


def test_files_are_small(runs: Runs, tmp_path: Path) -> None:
    """Counts are 32 bits wide and compressed."""
    many = gw.simulate(grid(), "uc-ssp", 2000, runs=4)
    many.save(tmp_path / "runs.parquet")
    assert (tmp_path / "runs.parquet").stat().st_size < 4 * 2000 * 4 * (len(many.columns) + 5) / 3
    assert pyarrow.parquet.ParquetFile(tmp_path / "runs.parquet").metadata.row_group(0).column(3).compression == "ZSTD"


def test_columns_by_name(runs: Runs) -> None:
    assert runs.plans is runs.columns["plans"]
    assert "plans" in dir(runs)
    with pytest.raises(AttributeError, match=r"runs have no column 'plan'; uc-ssp tells optimistic_value, phase1_steps, pivot, "):
        _ = runs.plan
    with pytest.raises(AttributeError, match=r"runs have no column 'plans'$"):
        _ = gw.simulate(fork(), Stubborn, 1).plans


def test_repr(runs: Runs) -> None:
    last = runs.regret[:, -1]
    mean, reach = last.mean(), Z * last.std(ddof=1) / 2
    assert repr(runs) == f"Runs(uc-ssp on {grid()!r}: 4 runs of 50 episodes; regret {mean:.6g} ± {reach:.3g}; V* 5.30137)"
    assert repr(gw.simulate(fork(), Stubborn, 1)).endswith(": 1 run of 1 episode; regret 1; V* 2)")


def labels_of(axes: Axes) -> list[str]:
    legend = axes.get_legend()
    return [text.get_text() for text in legend.get_texts()] if legend else []


def test_plot(runs: Runs) -> None:
    axes = runs.plot()
    (line,), (band,) = axes.lines, axes.collections
    assert np.array_equal(line.get_xdata(), np.arange(1, 51))
    assert np.array_equal(line.get_ydata(), runs.regret.mean(axis=0))
    reach = Z * runs.regret.std(axis=0, ddof=1) / 2
    low, high = band.get_datalim(axes.transData).intervaly
    assert low == pytest.approx((runs.regret.mean(axis=0) - reach).min())
    assert high == pytest.approx((runs.regret.mean(axis=0) + reach).max())
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("episode", "cumulative regret")
    assert labels_of(axes) == ["uc-ssp"]


def test_several_in_one_picture(runs: Runs, tmp_path: Path) -> None:
    axes = runs.plot("phase1_steps", band="range", label="first")
    assert axes.get_ylabel() == "phase1 steps"
    assert runs.plot("steps", band="none", ax=axes, label="all") is axes
    assert len(axes.lines) == 2
    assert len(axes.collections) == 1
    low, high = axes.collections[0].get_datalim(axes.transData).intervaly
    assert (low, high) == (runs.phase1_steps.min(), runs.phase1_steps.max())
    assert labels_of(axes) == ["first", "all"]
    figure = axes.get_figure()
    assert isinstance(figure, Figure)
    figure.savefig(tmp_path / "curves.png")
    assert (tmp_path / "curves.png").read_bytes()[:4] == b"\x89PNG"


def test_plots_of_little(cut: Runs, tmp_path: Path) -> None:
    """One run has no band; a mean over what was not finished is not drawn."""
    alone = gw.simulate(fork(), Stubborn, 1).plot()
    assert len(alone.collections) == 0
    shown = np.asarray(cut.plot("steps").lines[0].get_ydata(), float)
    assert (np.isfinite(shown) == np.isfinite(cut.steps).all(axis=0)).all()
    assert not np.isfinite(shown).all()


def test_wrong_plots(runs: Runs) -> None:
    with pytest.raises(gw.SettingError, match="column = 'regrets': expected one of regret, cost, steps, optimistic_value, "):
        runs.plot("regrets")
    with pytest.raises(gw.SettingError, match="band = 'std': expected one of 'mean', 'range', 'none'"):
        runs.plot(band="std")
