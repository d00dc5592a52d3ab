"""Storm through stormpy >= 2.0, all states of R{"cost"}min=? [F "goal"].

- The model goes to Storm as a UMB archive: a tar of little-endian CSR arrays, our own layout, so that 10^7 transitions take a second. A SparseMatrixBuilder
  takes them one by one from Python (`build_sparse_matrix` wants a dense array). The goal gets a self-loop: Storm knows no state without a choice.
- stormpy's `Environment` knows neither guessing value iteration nor what the topological method uses inside a component. Storm's settings do, but stormpy
  reads them once, when it is imported, as the empty string. `import_storm` puts ours in its place; so a process can measure one method only.
- `model_checking` does the graph analysis (prob0/prob1, backward transitions, end components) in every call: the timing includes it, as Goalward's does.
- Sound is what Storm calls so: with `--sound` it warns of vi-to-pi, whose last step is the same policy iteration. It is shown, but it is not the reference.
- No scheduler is asked for. That favours Storm, if by little: Goalward's answer always has one.
- Precision 1e-6, relative, is Storm's default. Its interval is then up to 2e-6 of the value wide, Goalward's 1e-6.
"""

from __future__ import annotations

import importlib.abc
import importlib.util
import io
import json
import sys
import tarfile
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from models import Model
from numpy.typing import NDArray

from peers import Answer, Method, Problem

LU = "--eqsolver eigen --eigen:method sparselu"
METHODS = {
    "vi": Method("--minmax:method vi", sound=False, about="value iteration, no guarantee"),
    "ovi": Method("--sound --minmax:method ovi", sound=True, about="optimistic value iteration"),
    "ii": Method("--sound --minmax:method ii", sound=True, about="interval iteration"),
    "svi": Method("--sound --minmax:method svi", sound=True, about="sound value iteration"),
    "gvi": Method("--sound --minmax:method gvi", sound=True, about="guessing value iteration"),
    "pi": Method(f"--sound --minmax:method pi {LU}", sound=True, about="policy iteration, sparse LU"),
    "topological-ovi": Method("--sound", sound=True, about="component by component; what stormpy does by default"),
    "topological-ii": Method("--sound --minmax:method topological --topological:minmax ii", sound=True),
    "topological-svi": Method("--sound --minmax:method topological --topological:minmax svi", sound=True),
    "topological-gvi": Method("--sound --minmax:method topological --topological:minmax gvi", sound=True),
    "topological-pi": Method(f"--sound --minmax:method topological --topological:minmax pi {LU}", sound=True),
    "vi-to-pi": Method(f"--sound --minmax:method vi-to-pi {LU}", sound=False, about="value iteration, then policy iteration"),
    "topological-vi-to-pi": Method(f"--sound --minmax:method topological --topological:minmax vi-to-pi {LU}", sound=False),
}


class SetUp(importlib.abc.MetaPathFinder):
    """Finds stormpy.developer once, and has its `_set_up` called with `options` whatever stormpy says."""

    def __init__(self, options: str) -> None:
        self.options = options

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if fullname != "stormpy.developer":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        assert spec is not None
        assert spec.loader is not None
        load, options = spec.loader.exec_module, self.options

        def exec_module(module: ModuleType) -> None:
            load(module)
            set_up = vars(module)["_set_up"]
            vars(module)["_set_up"] = lambda _: set_up(options)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec


def import_storm(options: str) -> Any:
    """stormpy under these settings of Storm's command line."""
    if "stormpy" in sys.modules:
        raise RuntimeError("Storm reads its settings once: a process can measure one of its methods")
    sys.meta_path.insert(0, SetUp(options))
    import stormpy

    return stormpy


def prepare(model: Model, method: str, scratch: Path) -> Problem:
    """Storm's own model, read from a UMB archive, and its environment."""
    stormpy = import_storm(METHODS[method].options)
    archive = scratch / f"{model.name}.umb"
    write_umb(model, archive)
    options = stormpy.developer.storage.UmbImportOptions()
    options.build_state_valuations = options.build_choice_labeling = False
    mdp = stormpy.build_model_from_umb(archive, options=options)
    archive.unlink()
    assert (mdp.nr_states, mdp.nr_choices, mdp.nr_transitions) == (model.n_states, model.n_pairs + 1, len(model.next_state) + 1)
    wanted = stormpy.parse_properties('R{"cost"}min=? [F "goal"]')[0]
    environment = stormpy.developer.EnvironmentBuilder.build_environment()
    return Problem(lambda _: stormpy.model_checking(mdp, wanted, environment=environment), read)


def read(result: Any) -> Answer:
    """Storm's values, and its bounds where it has them."""
    lower = np.array(result.get_lower_bound_vector()) if result.has_lower_bounds() else None
    upper = np.array(result.get_upper_bound_vector()) if result.has_upper_bounds() else None
    return Answer(np.array(result.get_value_vector()), lower, upper)


def write_umb(model: Model, path: Path) -> None:
    """The model as a UMB archive [umb v1.0, github.com/pmc-tools/umb], with the label "goal" and the reward structure "cost"."""
    pair, entry = model.first_pair[model.goal], model.row_ptr[model.first_pair[model.goal]]
    first_pair = np.r_[model.first_pair[: model.goal + 1], model.first_pair[model.goal + 1 :] + 1]
    files = {
        "index.json": json.dumps(index(model)).encode(),
        "state-to-choices.bin": first_pair.astype("<u8"),
        "choice-to-branches.bin": np.r_[model.row_ptr[: pair + 1], model.row_ptr[pair:] + 1].astype("<u8"),
        "branch-to-probability.bin": np.insert(model.probability, entry, 1.0).astype("<f8"),
        "branch-to-target.bin": np.insert(model.next_state, entry, model.goal).astype("<u8"),
        "state-is-initial.bin": one_bit(model.start, model.n_states),
        "annotations/aps/goal/states/values.bin": one_bit(model.goal, model.n_states),
        "annotations/rewards/cost/choices/values.bin": np.insert(model.cost, pair, 0.0).astype("<f8"),
    }
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = memoryview(content).nbytes
            archive.addfile(member, io.BytesIO(bytes(content)))


def index(model: Model) -> dict[str, Any]:
    """What index.json says: sizes, and what is annotated. One choice and one transition more than the model has, the goal's."""
    double = {"type": "double", "size": 64}
    return {
        "format-version": 1,
        "format-revision": 0,
        "model-data": {"name": model.name},
        "transition-system": {
            "time": "discrete", "#players": 1, "#states": model.n_states, "#initial-states": 1, "#choices": model.n_pairs + 1, "#choice-actions": 0,
            "#branches": len(model.next_state) + 1, "#branch-actions": 0, "#observations": 0, "branch-probability-type": double,
        },
        "annotations": {
            "aps": {"goal": {"alias": "goal", "applies-to": ["states"], "type": {"type": "bool", "size": 1}}},
            "rewards": {"cost": {"alias": "cost", "applies-to": ["choices"], "type": double}},
        },
    }  # fmt: skip


def one_bit(i: int, length: int) -> NDArray[np.uint8]:
    """A set with one member as UMB has it: a bit each, the first in the lowest, filled up to whole words of 64."""
    octets = np.zeros(-(-length // 64) * 8, np.uint8)
    octets[i // 8] = 1 << (i % 8)
    return octets
