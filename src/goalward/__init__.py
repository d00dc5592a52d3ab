"""Goalward: goal-oriented reinforcement learning. Stochastic shortest path problems, with the model known or to be learnt."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from goalward import environments as environments
    from goalward._compile import component as component
    from goalward.errors import AlgorithmError as AlgorithmError
    from goalward.errors import BudgetError as BudgetError
    from goalward.errors import FileError as FileError
    from goalward.errors import GoalwardError as GoalwardError
    from goalward.errors import GoalwardWarning as GoalwardWarning
    from goalward.errors import MissingPackageError as MissingPackageError
    from goalward.errors import ModelError as ModelError
    from goalward.errors import SettingError as SettingError
    from goalward.learning.algorithms import algorithms as algorithms
    from goalward.learning.theory import Theory as Theory
    from goalward.models.signature import Signature as Signature
    from goalward.models.ssp import RESET as RESET
    from goalward.models.ssp import SSP as SSP
    from goalward.planning.analyze import Analysis as Analysis
    from goalward.planning.analyze import analyze as analyze
    from goalward.planning.budget import Progress as Progress
    from goalward.planning.evaluate import Evaluation as Evaluation
    from goalward.planning.evaluate import evaluate as evaluate
    from goalward.planning.solution import Solution as Solution
    from goalward.planning.solve import solve as solve
    from goalward.simulation.agent import Agent as Agent
    from goalward.simulation.agent import load_agent as load_agent
    from goalward.simulation.agent import make_agent as make_agent
    from goalward.simulation.record import Record as Record
    from goalward.simulation.record import Snapshot as Snapshot
    from goalward.simulation.runs import Runs as Runs
    from goalward.simulation.simulate import SimulationProgress as SimulationProgress
    from goalward.simulation.simulate import simulate as simulate
    from goalward.simulation.tables import load_runs as load_runs

__version__ = "0.1.0"

# Where each public name lives. Its module is loaded when the name is first used: `import goalward`, and with it every --help, costs next to nothing.
_HOMES = {
    "goalward._compile": ("component",),
    "goalward.environments": ("environments",),
    "goalward.errors": ("AlgorithmError", "BudgetError", "FileError", "GoalwardError", "GoalwardWarning", "MissingPackageError", "ModelError", "SettingError"),
    "goalward.learning.algorithms": ("algorithms",),
    "goalward.learning.theory": ("Theory",),
    "goalward.models.signature": ("Signature",),
    "goalward.models.ssp": ("RESET", "SSP"),
    "goalward.planning.analyze": ("Analysis", "analyze"),
    "goalward.planning.budget": ("Progress",),
    "goalward.planning.evaluate": ("Evaluation", "evaluate"),
    "goalward.planning.solution": ("Solution",),
    "goalward.planning.solve": ("solve",),
    "goalward.simulation.agent": ("Agent", "load_agent", "make_agent"),
    "goalward.simulation.record": ("Record", "Snapshot"),
    "goalward.simulation.runs": ("Runs",),
    "goalward.simulation.simulate": ("SimulationProgress", "simulate"),
    "goalward.simulation.tables": ("load_runs",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
__all__ = list(_HOME_OF)

if not TYPE_CHECKING:  # a type checker would take any name for granted

    def __getattr__(name: str) -> Any:
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        home = import_module(_HOME_OF[name])
        value = home if home.__name__ == f"{__name__}.{name}" else getattr(home, name)  # a module may itself be the public name
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
