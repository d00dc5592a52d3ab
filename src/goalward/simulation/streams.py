"""Random numbers: a stream for the environment and one for the agent, of each run of each seed.

A run depends on nothing but (seed, run): not on workers, chunks or order. Agents with the same seed meet the same environment noise.
"""

from __future__ import annotations

from numpy.random import PCG64, Generator, SeedSequence


def streams(seed: int, run: int) -> tuple[Generator, Generator]:
    """Of the environment, and of the agent."""
    environment, agent = SeedSequence([seed, run]).spawn(2)
    return Generator(PCG64(environment)), Generator(PCG64(agent))
