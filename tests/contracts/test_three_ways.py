"""Every algorithm gives the same bits interpreted, compiled in the loop, and step by step."""

from __future__ import annotations

import numpy as np
import pytest

import goalward as gw

from .three_ways import Interpreted, Walk, assert_same, by_hand, by_simulate, in_loop, pool_sizes
from .variants import VARIANTS, Variant

LEAST = 300  # episodes: rounding that differs in a few cases of a hundred has shown itself by then


def test_every_algorithm_has_a_variant() -> None:
    missing = {entry.name for entry in gw.algorithms()} - {variant.algorithm for variant in VARIANTS}
    assert not missing, f"no variant in tests/contracts/variants.py of {', '.join(sorted(missing))}"


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: f"{variant.algorithm}: {variant.name}")
def test_same_bits_three_ways(variant: Variant) -> None:
    assert variant.episodes >= LEAST
    interpreted = in_loop(Interpreted, variant)
    assert np.isfinite(interpreted.cost_k).all()
    assert_same(interpreted, by_simulate(variant))
    assert_same(interpreted, by_hand(variant))


@pytest.mark.parametrize("variant", [variant for variant in VARIANTS if "grow" in variant.name], ids=lambda variant: variant.name)
def test_pools_do_grow(variant: Variant) -> None:
    walk = Walk(variant)
    before = pool_sizes(walk.agent)
    walk.finish()
    grown = pool_sizes(walk.agent)
    assert before
    assert all(grown[place] > size for place, size in before.items())
