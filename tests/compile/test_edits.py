"""Edits between processes: exactly what they touch is compiled again, wherever they were made."""

from __future__ import annotations

from tests.compile.conftest import Workshop

HELPERS = """
    from goalward._compile import component
    RATE = 3

    @component
    def scaled(x):
        return RATE * x

    @component
    def shifted(x):
        return x + 1
"""
ENTRIES = """
    from typing import NamedTuple
    import numpy as np
    import helpers
    from goalward._compile import compiled, component

    @component
    class Part(NamedTuple):
        low: float
        high: float
        def spread(self, x):
            return helpers.scaled(self.high - 2 * self.low) + x

    def of_scaled(x):
        # a comment
        return helpers.scaled(x)

    def of_shifted(x):
        return helpers.shifted(x)

    def of_part(part, x):
        return part.spread(x)

    part = Part(low=1.0, high=5.0)
    print(compiled(of_scaled, 1)(1), compiled(of_shifted, 1)(1), compiled(of_part, part, 1)(part, 1))
"""


def touched(workshop: Workshop, expected: str, **edited: str) -> list[str]:
    """Write the edited modules, run, and name the entry points that were compiled."""
    before = workshop.kernels()
    workshop.write(**edited)
    assert workshop.says("-c", "import entries") == expected
    return sorted(name.partition("-")[0] for name, stat in workshop.kernels().items() if before.get(name) != stat)


def test_an_edit_recompiles_exactly_what_it_touches(workshop: Workshop) -> None:
    every = ["entries.of_part", "entries.of_scaled", "entries.of_shifted"]
    assert touched(workshop, "3 2 10.0", helpers=HELPERS, entries=ENTRIES) == every
    assert touched(workshop, "3 3 10.0", helpers=HELPERS.replace("x + 1", "x + 2")) == ["entries.of_shifted"]
    assert touched(workshop, "4 2 13.0", helpers=HELPERS.replace("RATE = 3", "RATE = 4")) == ["entries.of_part", "entries.of_scaled"]
    assert touched(workshop, "3 2 10.0", helpers=HELPERS) == []  # as it was
    assert touched(workshop, "3 2 19.0", entries=ENTRIES.replace("2 * self.low", "-self.low")) == ["entries.of_part"]
    reordered = ENTRIES.replace("low: float\n        high: float", "high: float\n        low: float")
    assert touched(workshop, "3 2 10.0", entries=reordered) == ["entries.of_part"]
    assert touched(workshop, "3 2 10.0", entries=ENTRIES.replace("# a comment", "# another\n\n"), helpers=HELPERS + "    # more\n") == []


def test_two_versions_of_a_function_in_one_process(workshop: Workshop) -> None:
    """Each was compiled by a process of its own; loaded together, as by a notebook whose cell was edited, each entry point must reach its own.

    Numba names a function by a counter that starts at 1 in every process, and the linker takes functions of one name for one function.
    """
    cell = """
        from goalward._compile import component
        @component
        def callee(x):
            total = 0
            for i in range(x):
                for j in range(i):
                    total += (i * j) % (x + RATE)
            return total + RATE
        def entry(x):
            return callee(x) + callee(x + 1)
    """
    versions = """
        import sys
        from goalward._compile import compiled
        for rate in sys.argv[1]:
            sys.path.insert(0, "rate" + rate)
            sys.modules.pop("cell", None)
            import cell
            assert compiled(cell.entry, 5)(5) == cell.entry(5), rate
    """
    workshop.write(versions=versions, **{f"rate{rate}/cell": cell.replace("RATE", rate) for rate in "12"})
    for rates in ("1", "2", "12", "21"):
        workshop.says("versions.py", rates)
    assert len(workshop.kernels()) == 2
