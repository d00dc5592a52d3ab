"""An agent that is saved in the midst of an episode, and loaded, goes on as if nothing had been."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import goalward as gw
from goalward.simulation.agent import Agent
from tests.compile.conftest import Workshop, workshop
from tests.contracts.test_own_class import OWN
from tests.contracts.three_ways import Walk, assert_same, by_hand, pool_sizes, remembered
from tests.contracts.variants import VARIANTS, Variant, crowded
from tests.house.sources import ROOT

from .players import Stubborn, fork

__all__ = ["workshop"]

EPISODES = 40
SAVED = (5, 150)  # after so many steps: in the first episodes, and when much has been learnt


@pytest.mark.parametrize("variant", [*VARIANTS, *OWN], ids=lambda variant: variant.name)
def test_saving_changes_nothing(variant: Variant, tmp_path: Path) -> None:
    shorter = variant._replace(episodes=EPISODES)
    walk = Walk(shorter)
    for steps in range(SAVED[-1] + 1):
        if steps in SAVED:
            walk.agent.save(tmp_path / "agent.npz")
            remembered_before = remembered(walk.agent.state)
            walk.agent = gw.load_agent(tmp_path / "agent.npz")
            assert remembered(walk.agent.state) == remembered_before
        if len(walk.steps) < EPISODES:
            walk.step()
    assert_same(walk.finish(), by_hand(shorter))


def test_pools_that_have_grown(tmp_path: Path) -> None:
    variant = Variant("", "uc-ssp", crowded, {"confidence": "bernstein"}, 60)
    walk = Walk(variant)
    before = pool_sizes(walk.agent)
    while min(now / then for now, then in zip(pool_sizes(walk.agent).values(), before.values(), strict=True)) < 2:
        walk.step()
    walk.agent.save(tmp_path / "agent.npz")
    walk.agent = gw.load_agent(tmp_path / "agent.npz")
    assert_same(walk.finish(), by_hand(variant))


def test_between_and_within_episodes(tmp_path: Path) -> None:
    """Whether an episode is under way is remembered: a reset means another thing then."""
    for arrived in (True, False):
        agent = gw.make_agent("uc-ssp", fork().signature)
        agent.reset(0)
        agent.observe(0, agent.act(0), 3.0, 2 if arrived else 3)
        agent.save(tmp_path / "agent.npz")
        again = gw.load_agent(tmp_path / "agent.npz")
        again.reset(0)
        assert (again.state.clock.k, again.state.clock.j) == ((2, 0) if arrived else (1, 1))


def test_what_is_kept(tmp_path: Path) -> None:
    agent = gw.make_agent("uc-ssp", fork().signature, seed=3, confidence="bernstein", scale=np.float64(0.5))
    agent.save(tmp_path / "agent.npz")
    again = gw.load_agent(str(tmp_path / "agent.npz"))
    assert again.recipe.settings == agent.recipe.settings
    assert repr(again) == repr(agent)
    assert [np.asarray(part).tolist() for part in again.signature] == [np.asarray(part).tolist() for part in agent.signature]
    assert [path.name for path in tmp_path.iterdir()] == ["agent.npz"]
    with np.load(tmp_path / "agent.npz", allow_pickle=False) as file:
        assert json.loads(file["beside"].tobytes())["algorithm"] == "uc-ssp"


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    agent = gw.make_agent("uc-ssp", fork().signature)
    agent.save(tmp_path / "agent.npz")
    before = (tmp_path / "agent.npz").read_bytes()

    def full(*arguments: Any, **more: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(gw.FileError, match="No space left on device"):
        agent.save(tmp_path / "agent.npz")
    assert (tmp_path / "agent.npz").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["agent.npz"]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    agent = gw.make_agent("uc-ssp", fork().signature)
    agent.save(tmp_path / "good.npz")
    return tmp_path / "good.npz"


def tampered(saved: Path, beside: dict[str, Any], arrays: dict[str, Any]) -> None:
    """Write the file anew with some things changed; what is None is left out."""
    with np.load(saved) as file:
        kept = {name: file[name] for name in file.files}
    facts = {name: value for name, value in (json.loads(kept["beside"].tobytes()) | beside).items() if value is not None}
    kept = {name: array for name, array in (kept | arrays).items() if array is not None}
    np.savez(saved, **kept | {"beside": np.frombuffer(json.dumps(facts).encode(), np.uint8)})


TAMPERED: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("another format", {"format": "goalward-agent-0"}, {}, "format 'goalward-agent-0', expected 'goalward-agent-1'"),
    ("no format", {"format": None}, {}, "format"),
    ("no generator", {"generators": {}}, {}, "cheap.ties.rng"),
    ("another shape", {}, {"state.counts.visits_x": np.zeros(2, np.int64)}, "expected int64 of shape"),
    ("another type", {}, {"state.counts.visits_x": np.zeros(6)}, "float64 of shape (6,), expected int64 of shape (6,)"),
    ("another record", {}, {"state.clock": np.zeros((), [("t", np.int64)])}, "fields"),
    ("an array that is missing", {}, {"state.counts.visits_x": None}, "counts.visits_x"),
    ("a part of the signature that is missing", {}, {"signature.cost_x": None}, "cost_x"),
]


@pytest.mark.parametrize(("beside", "arrays", "text"), [case[1:] for case in TAMPERED], ids=[case[0] for case in TAMPERED])
def test_damaged(saved: Path, beside: dict[str, Any], arrays: dict[str, Any], text: str) -> None:
    tampered(saved, {}, {})
    gw.load_agent(saved)
    tampered(saved, beside, arrays)
    with pytest.raises(gw.FileError, match=r"good\.npz: not an agent that Agent\.save wrote, or of another version of its algorithm") as refused:
        gw.load_agent(saved)
    assert text in str(refused.value)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7, 0.99])
def test_cut_short(saved: Path, share: float) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[: int(share * len(content))])
    with pytest.raises(gw.FileError, match=r"not an agent that Agent\.save wrote"):
        gw.load_agent(saved)


def test_every_byte_matters(saved: Path) -> None:
    """A flipped bit anywhere is found, or does not matter."""
    content, expected = saved.read_bytes(), remembered(gw.load_agent(saved).state)
    refused = 0
    for place in range(0, len(content), 97):
        saved.write_bytes(content[:place] + bytes([content[place] ^ 64]) + content[place + 1 :])
        try:
            assert remembered(gw.load_agent(saved).state) == expected
        except gw.FileError:
            refused += 1
    assert refused > 0


def test_foreign_files(tmp_path: Path) -> None:
    fork().save(tmp_path / "model.npz")
    np.savez(tmp_path / "arrays.npz", x=np.arange(3))
    with open(tmp_path / "pickle.npz", "wb") as file:
        np.save(file, np.array([{"format": "goalward-agent-1"}]), allow_pickle=True)
    (tmp_path / "text.npz").write_text("an agent, in words")
    (tmp_path / "folder.npz").mkdir()
    for name in ("model", "arrays", "pickle", "text", "folder"):
        with pytest.raises(gw.FileError, match=f"{name}.npz: not an agent that Agent.save wrote"):
            gw.load_agent(tmp_path / f"{name}.npz")
    with pytest.raises(gw.FileError, match=r"nowhere\.npz: no such file"):
        gw.load_agent(tmp_path / "nowhere.npz")
    with pytest.raises(gw.FileError, match=r"agent\.pkl: expected a name that ends in \.npz"):
        gw.load_agent(tmp_path / "agent.pkl")


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    agent = gw.make_agent("uc-ssp", fork().signature)
    with pytest.raises(gw.FileError, match=r"agent\.txt: expected a name that ends in \.npz"):
        agent.save(tmp_path / "agent.txt")
    with pytest.raises(gw.FileError, match="cannot be written"):
        agent.save(tmp_path / "nowhere" / "agent.npz")


@pytest.mark.parametrize("choice", [np.array(1), [1], (1,), {"a": 1}, Stubborn])
def test_settings_that_a_file_cannot_hold(choice: Any, tmp_path: Path) -> None:
    agent = Agent(gw.make_agent(Stubborn, fork().signature).recipe._replace(settings={"choice": choice}), fork().signature, Stubborn(0))
    with pytest.raises(gw.SettingError, match="expected a number, a string, True, False or None, where it is to be saved"):
        agent.save(tmp_path / "agent.npz")
    assert [*tmp_path.iterdir()] == []


def test_a_class_by_its_import_path_or_handed_over(tmp_path: Path) -> None:
    agent = gw.make_agent(Stubborn, fork().signature, choice=1)
    agent.save(tmp_path / "agent.npz")
    for again in (gw.load_agent(tmp_path / "agent.npz"), gw.load_agent(tmp_path / "agent.npz", Stubborn)):
        assert again.recipe.algorithm is Stubborn
        assert again.act(0) == 1
    tampered(tmp_path / "agent.npz", {"algorithm": "tests.simulation.players:Gone"}, {})
    with pytest.raises(gw.SettingError, match=r"players:Gone': expected a class that can be imported; hand it over: load_agent\(path, Gone\)"):
        gw.load_agent(tmp_path / "agent.npz")
    assert gw.load_agent(tmp_path / "agent.npz", Stubborn).act(0) == 1


SCRIPT = """
import sys
from pathlib import Path
import goalward as gw

if Path("agent.npz").exists():
    agent = gw.load_agent("agent.npz")
else:
    agent = gw.make_agent(CuriousQ, gw.environments.make("corridor", length=4).signature)
    agent.reset(0)
for _ in range(3):
    a = agent.act(0)
    agent.observe(0, a, cost=1.0, s_next=0)
    print(a, agent.state.visits_x[:2].tolist(), type(agent.state).__module__)
agent.save("agent.npz")
"""


def test_a_class_of_a_script(workshop: Workshop) -> None:
    """The script finds its own class again; another program has to be handed it."""
    example = (ROOT / "examples" / "my_algorithm.py").read_text(encoding="utf-8").partition("\nif __name__")[0]
    (workshop.path / "script.py").write_text(example + SCRIPT, encoding="utf-8")
    first, second = workshop.says("script.py").split("\n"), workshop.says("script.py").split("\n")
    assert [line.partition("[")[2] for line in (first + second)] == [f"{n - n // 2}, {n // 2}] __main__" for n in range(1, 7)]
    with pytest.raises(gw.SettingError, match=r"algorithm = '__main__:CuriousQ': expected a class that can be imported; hand it over"):
        gw.load_agent(workshop.path / "agent.npz")
    code = "import goalward as gw, script; print(gw.load_agent('agent.npz', script.CuriousQ).state.visits_x.sum())"
    (workshop.path / "script.py").write_text(example, encoding="utf-8")
    assert workshop.says("-c", code) == "6"


def test_another_process_goes_on_with_the_same_bits(tmp_path: Path) -> None:
    agent = gw.make_agent("uc-ssp", fork().signature, seed=5)
    agent.reset(0)
    agent.save(tmp_path / "agent.npz")
    code = "import goalward as gw; agent = gw.load_agent('agent.npz'); print(agent.act(0), agent.state.cheap.ties.rng.random().hex())"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.split() == [str(agent.act(0)), agent.state.cheap.ties.rng.random().hex()]
