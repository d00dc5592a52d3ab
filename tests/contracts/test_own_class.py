"""A class that somebody wrote in a file of their own is as good as one of the package."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import pytest

import goalward as gw
from goalward.models.rows import Floats, Longs
from goalward.models.signature import Signature
from tests.compile.conftest import Workshop
from tests.house.sources import ROOT

from .three_ways import Interpreted, assert_same, by_hand, by_simulate, in_loop
from .variants import Variant, crossing, grid

Told = np.dtype([("luck", np.float64), ("tried", np.int32)])


@gw.component
class Moody(NamedTuple):
    """Believes what it has seen the less, the longer it lives, and draws from every law that there is for components."""

    first_pair: Longs
    believed_x: Floats
    now: Any  # Told
    span: float
    rng: np.random.Generator

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator, episodes: int, *, trust: float) -> Moody:
        now = np.rec.array(np.zeros(1, Told))[0]
        return cls(signature.first_pair, np.ones(len(signature.cost_x)), now, trust * episodes, rng)

    def act(self, s: int) -> int:
        first, count = self.first_pair[s], self.first_pair[s + 1] - self.first_pair[s]
        best, choice = math.inf, 0
        for a in range(count):
            mood = self.believed_x[first + a] * self.rng.standard_gamma(2.0) + 0.1 * self.rng.standard_normal()
            if mood < best:
                best, choice = mood, a
        return int(self.rng.integers(0, count)) if self.rng.random() < 0.1 else choice

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        x = self.first_pair[s] + a
        self.now.tried += 1
        self.believed_x[x] += (cost - self.believed_x[x]) * math.exp(-self.now.tried / self.span)
        self.now.luck = math.log1p(self.believed_x[x])


@gw.component
class Mute(NamedTuple):
    """Remembers nothing, and tells nothing."""

    first_pair: Longs

    @classmethod
    def create(cls, signature: Signature, rng: np.random.Generator) -> Mute:
        return cls(signature.first_pair)

    def act(self, s: int) -> int:
        return (7 * s + 1) % int(self.first_pair[s + 1] - self.first_pair[s])

    def observe(self, s: int, a: int, cost: float, s_next: int) -> None:
        pass


OWN = [Variant("moody", Moody, crossing, {"trust": 0.5}), Variant("moody on a grid", Moody, grid, {"trust": 2.0}), Variant("mute", Mute, crossing, {})]


@pytest.mark.parametrize("variant", OWN, ids=lambda variant: variant.name)
def test_same_bits_three_ways(variant: Variant) -> None:
    interpreted = in_loop(Interpreted, variant)
    assert_same(interpreted, by_simulate(variant))
    assert_same(interpreted, by_hand(variant))


def test_an_agent_has_to_be_told_the_episodes_that_its_algorithm_asks_for() -> None:
    with pytest.raises(gw.SettingError, match="episodes = None: expected the number of episodes there will be: Moody has to know it"):
        gw.make_agent(Moody, grid().signature, trust=0.5)


SCRIPT = """

from tests.contracts.three_ways import Interpreted, assert_same, by_hand, by_simulate, in_loop
from tests.contracts.variants import Variant, crossing

variant = Variant("mine", CuriousQ, crossing, {"curiosity": 2.0})
assert_same(in_loop(Interpreted, variant), by_simulate(variant))
assert_same(in_loop(Interpreted, variant), by_hand(variant))
print(CuriousQ.__module__, "the same")
"""


def test_a_class_in_a_script(furnished: Workshop) -> None:
    """The example, as far as it is a class, run as a program: the second process loads from the cache what the first has compiled."""
    example = (ROOT / "examples" / "my_algorithm.py").read_text(encoding="utf-8").partition("\nif __name__")[0]
    (furnished.path / "script.py").write_text(example + SCRIPT, encoding="utf-8")
    assert furnished.says("script.py", PYTHONPATH=str(ROOT)) == "__main__ the same"
    kernels = furnished.kernels()
    own = {f"__main__.goalward.simulation.{entry}" for entry in ("loop.run_episodes", "steps.act", "steps.observe")}
    assert {name.partition("-")[0] for name in kernels} >= own
    assert furnished.says("script.py", PYTHONPATH=str(ROOT)) == "__main__ the same"
    assert furnished.kernels() == kernels
