"""What makes no sense is refused before anything is played, in words: field, value, what was expected."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

import goalward as gw
from goalward.models.signature import Signature
from goalward.simulation.loop import Log
from goalward.simulation.run import Run
from goalward.simulation.streams import streams
from goalward.simulation.world import World

from .players import Stubborn, fork, grid


class Unmarked(NamedTuple):
    """All that an algorithm needs, but no component."""

    choice: int

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator) -> Unmarked:
        return cls(0)

    def act(self, s: int) -> int:
        return self.choice

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


@gw.component
class Speechless(NamedTuple):
    """Cannot act."""

    choice: int

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator) -> Speechless:
        return cls(0)

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


@gw.component
class Uncreated(NamedTuple):
    """Nobody can make one."""

    choice: int

    def act(self, s: int) -> int:
        return self.choice

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


@gw.component
class Teller(NamedTuple):
    """Tells whatever it is made with; may be made as something else."""

    now: Any

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator, *, told: Any, twin: Any = None) -> Any:
        return cls(told) if twin is None else twin

    def act(self, s: int) -> int:
        return 0

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass

    def mood(self, s: int) -> float:
        return float(s)


def record(**fields: Any) -> Any:
    return np.rec.array(np.zeros(1, np.dtype([*fields.items()])))[0]


CLASS = "a name (goalward list algorithms), or a NamedTuple class marked @gw.component with create, act and observe"
RECORD = "a record of numbers: np.rec.array(np.zeros(1, dtype))[0]"
PROBE = "a method of UCSSP, of one argument, the state"

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"ssp": "paper-grid"}, "ssp = 'paper-grid': expected an SSP"),
    ({"algorithm": "uc-sp"}, "algorithm = 'uc-sp': expected one of uc-ssp; did you mean 'uc-ssp'?"),
    ({"algorithm": "nonsense"}, "algorithm = 'nonsense': expected one of uc-ssp"),
    ({"algorithm": 3}, f"algorithm = 3: expected {CLASS}"),
    ({"algorithm": Unmarked}, f"algorithm = {Unmarked}: expected {CLASS}"),
    ({"algorithm": Speechless}, f"algorithm = {Speechless}: expected {CLASS}"),
    ({"algorithm": Uncreated}, f"algorithm = {Uncreated}: expected {CLASS}"),
    ({"algorithm": Stubborn(0)}, f"algorithm = {Stubborn(0)}: expected {CLASS}"),
    ({"algorithm": Teller}, "told of Teller = None: expected a value: the setting has no default"),
    ({"algorithm": Teller, "told": 0, "twin": 7}, "Teller.create(...) = 7: expected an instance of a component with act and observe"),
    ({"algorithm": Teller, "told": 7}, f"now of Teller = 7: expected {RECORD}"),
    ({"algorithm": Teller, "told": np.zeros(2)}, f"now of Teller = array([0., 0.]): expected {RECORD}"),
    ({"algorithm": Teller, "told": record(x=(float, 2))}, f"now of Teller = (array([0., 0.]),): expected {RECORD}"),
    ({"algorithm": Teller, "told": record(x="U4")}, f"now of Teller = ('',): expected {RECORD}"),
    ({"algorithm": Teller, "told": record(x=float, cost=float)}, "now of Teller = 'cost': expected a name that no other column has"),
    ({"confidnce": "l1"}, "setting of uc-ssp = 'confidnce': expected one of attempt_steps, bounds,"),
    ({"confidnce": "l1"}, "did you mean 'confidence'?"),
    ({"algorithm": Stubborn, "choise": 1}, "setting of Stubborn = 'choise': expected one of choice; did you mean 'choice'?"),
    ({"signature": 1}, "setting of uc-ssp = 'signature': expected one of"),
    ({"confidence": "l2"}, "confidence = 'l2': expected one of 'l1', 'bernstein'"),
    ({"episodes": 0}, "episodes = 0: expected a whole number >= 1"),
    ({"episodes": 2.5}, "episodes = 2.5: expected a whole number >= 1"),
    ({"episodes": True}, "episodes = True: expected a whole number >= 1"),
    ({"runs": 0}, "runs = 0: expected a whole number >= 1"),
    ({"seed": -1}, "seed = -1: expected a whole number >= 0"),
    ({"seed": None}, "seed = None: expected a whole number >= 0"),
    ({"first_run": -1}, "first_run = -1: expected a whole number >= 0"),
    ({"workers": 0}, "workers = 0: expected a whole number >= 1"),
    ({"max_steps": 0}, "max_steps = 0: expected a whole number from 1 to 2147483647"),
    ({"max_steps": 2**31}, "max_steps = 2147483648: expected a whole number from 1 to 2147483647"),
    ({"progress": 3}, "progress = 3: expected a function of a SimulationProgress"),
    ({"penalty": 0.5}, "penalty = 0.5: expected a finite number"),
    ({"penalty": 0.5}, "c_min = 1: "),
    ({"penalty": np.inf}, "penalty = inf: expected a finite number"),
    ({"record": 3}, "record = 3: expected a gw.Record"),
    ({"record": gw.Record(snapshots=3)}, "record.snapshots = 3: expected a sequence of episodes"),  # type: ignore[arg-type]
    ({"record": gw.Record(snapshots=[0])}, "record.snapshots = 0: expected a whole number from 1 to 4"),
    ({"record": gw.Record(snapshots=[2, 5])}, "record.snapshots = 5: expected a whole number from 1 to 4"),
    ({"record": gw.Record(snapshots=[1], runs=0)}, "record.runs = 0: expected a sequence of numbers of runs"),  # type: ignore[arg-type]
    ({"record": gw.Record(snapshots=[1], runs=[-1])}, "record.runs = -1: expected a whole number from 0 to 0"),
    ({"record": gw.Record(probes="policy")}, "record.probes = 'policy': expected a sequence of names of methods"),
    ({"record": gw.Record(probes=["moods"])}, f"record.probes = 'moods': expected {PROBE}"),
    ({"record": gw.Record(probes=["clock"])}, f"record.probes = 'clock': expected {PROBE}"),
    ({"record": gw.Record(probes=["policy"])}, f"record.probes = 'policy': expected {PROBE}"),
    ({"algorithm": Teller, "told": record(mood=float), "record": gw.Record(probes=["mood"])}, "record.probes = 'mood': expected a name that no other"),
]


@pytest.mark.parametrize(("changed", "text"), WRONG, ids=[text for _, text in WRONG])
def test_refused(changed: dict[str, Any], text: str) -> None:
    asked: dict[str, Any] = {"ssp": grid(), "algorithm": "uc-ssp", "episodes": 4}
    with pytest.raises(gw.SettingError) as refused:
        gw.simulate(**asked | changed)
    assert text in str(refused.value)


def test_a_start_from_which_the_goal_is_not_reached_surely() -> None:
    lost = gw.SSP.from_rows([(0, 0, 1, 0.5, 1.0), (0, 0, 2, 0.5, 1.0), (1, 0, 1, 1.0, 1.0)], start=0, goal=2)
    with pytest.raises(gw.SettingError, match=r"a goal that can be reached surely from the start; from 0 it cannot. Allow giving up: penalty=J"):
        gw.simulate(lost, "uc-ssp", 4)


def test_one_start_of_several_is_enough() -> None:
    rows = [(0, 0, 2, 1.0, 1.0), (1, 0, 1, 1.0, 1.0)]
    with pytest.raises(gw.SettingError, match="from 1 it cannot"):
        gw.simulate(gw.SSP.from_rows(rows, start=[0.9, 0.1, 0], goal=2), "uc-ssp", 4)


AGENTS: list[tuple[dict[str, Any], str]] = [
    ({"signature": fork()}, "signature = SSP(4 states, goal 2, start 0; 6 state-action pairs, 6 transitions; costs 1 to 9): expected ssp.signature"),
    ({"algorithm": "ucssp"}, "algorithm = 'ucssp': expected one of uc-ssp; did you mean 'uc-ssp'?"),
    ({"algorithm": Unmarked}, f"expected {CLASS}"),
    ({"episodes": 0}, "episodes = 0: expected a whole number >= 1"),
    ({"seed": -2}, "seed = -2: expected a whole number >= 0"),
    ({"penalty": 0.5}, "penalty = 0.5: expected a finite number"),
    ({"warmstart": 1}, "setting of uc-ssp = 'warmstart': expected one of"),
]


@pytest.mark.parametrize(("changed", "text"), AGENTS, ids=[text for _, text in AGENTS])
def test_no_such_agent(changed: dict[str, Any], text: str) -> None:
    asked: dict[str, Any] = {"algorithm": "uc-ssp", "signature": fork().signature}
    with pytest.raises(gw.SettingError) as refused:
        gw.make_agent(**asked | changed)
    assert text in str(refused.value)


@gw.component
class Stray(NamedTuple):
    """Plays an action that no state has."""

    action: int

    @classmethod
    def create(cls, signature: gw.Signature, rng: np.random.Generator, *, action: int = 7) -> Stray:
        return cls(action)

    def act(self, s: int) -> int:
        return self.action

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


@pytest.mark.parametrize("action", [7, -1, 2])
def test_an_action_that_there_is_not(action: int) -> None:
    with pytest.raises(gw.AlgorithmError, match=r"Stray: act\(\) chose an action that the state does not have; expected one from 0"):
        gw.simulate(gw.environments.make("two-state"), Stray, 5, action=action)


def test_a_reset_that_nobody_allowed() -> None:
    with pytest.raises(gw.AlgorithmError, match=r"Stray: act\(\) chose gw\.RESET, but nobody may give up"):
        gw.simulate(gw.environments.make("two-state"), Stray, 5, action=gw.RESET)


@pytest.mark.parametrize("action", [7, -1, 2])
def test_an_action_that_there_is_not_step_by_step(action: int) -> None:
    """By an agent, and in an episode that is looked at."""
    ssp = gw.environments.make("two-state")
    agent = gw.make_agent(Stray, ssp.signature, action=action)
    agent.reset(0)
    with pytest.raises(gw.AlgorithmError, match=rf"act\(\) chose action {action} in state 0: expected one from 0 to 1"):
        agent.act(0)
    with pytest.raises(gw.AlgorithmError, match=rf"act\(\) chose action {action}"):
        gw.simulate(ssp, Stray, 5, action=action, record=gw.Record(snapshots=[1]))


def test_a_mistake_in_an_algorithm_keeps_its_own_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def out_of_bounds(*_: object) -> None:
        raise IndexError("index 7 is out of bounds for axis 0 with size 3")

    monkeypatch.setattr("goalward.simulation.run.compiled", lambda *_: out_of_bounds)
    with pytest.raises(IndexError, match="index 7 is out of bounds"):
        _run_of_two_state().play(1)


def _run_of_two_state() -> Run:
    log = Log(np.zeros(1), np.zeros(1, np.int32), np.zeros(1, np.int32))
    return Run(World.of(gw.environments.make("two-state")), Stray(0), streams(0, 0)[0], log, None, 10)


@gw.component
class Catchall(NamedTuple):
    """Takes whatever settings there are."""

    action: int

    @classmethod
    def create(cls, signature: gw.Signature, rng: np.random.Generator, **settings: Any) -> Catchall:
        return cls(0)

    def act(self, s: int) -> int:
        return self.action

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


def test_settings_have_names() -> None:
    with pytest.raises(gw.SettingError, match=r"Catchall\.create = .*expected its settings one by one"):
        gw.make_agent(Catchall, gw.environments.make("two-state").signature)


def test_perturbation_and_penalty_that_cancel_each_other() -> None:
    with pytest.raises(gw.SettingError, match=r"perturbation = 50\.0: expected less than penalty - c_min = 9: giving up would be best everywhere"):
        gw.simulate(grid(), "uc-ssp", 3, perturbation=50, penalty=10.0)


def test_giving_up_at_once_is_best() -> None:
    with pytest.warns(gw.GoalwardWarning, match="nothing is better at the start than to give up at once, for 2"):
        gw.simulate(grid(), "uc-ssp", 3, penalty=2)


def test_theory_of_another_problem() -> None:
    runs = gw.simulate(grid(), "uc-ssp", 3, penalty=20.0)
    with pytest.raises(gw.SettingError, match=r"theory\.penalty = None: expected that of the runs, 20\.0"):
        runs.against(gw.Theory.of(grid()))
