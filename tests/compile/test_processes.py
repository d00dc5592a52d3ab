"""Many processes and threads that compile the same and other things at once, and children of processes that have compiled."""

from __future__ import annotations

import multiprocessing

import pytest

from tests.compile.conftest import Workshop

SEVERAL = """
    import sys
    from typing import NamedTuple
    import numpy as np
    from goalward._compile import compiled, component

    @component
    def tripled(x):
        return 3 * x

    @component
    class Tally(NamedTuple):
        total: np.ndarray
        step: float
        def add(self, x):
            self.total[0] += self.step * tripled(x)
            return float(self.total[0])

    def add(tally, x):
        return tally.add(x)

    def twice(x):
        return tripled(x) + tripled(x)

    def longest(values):
        best = values[0]
        for value in values:
            best = max(best, tripled(value))
        return best

    CALLS = [
        (add, lambda: (Tally(np.zeros(1), 0.5), 2)),
        (twice, lambda: (2,)),
        (add, lambda: (Tally(np.zeros(1, np.float32), 2), 2.5)),
        (longest, lambda: (np.arange(4.0),)),
        (twice, lambda: (2.5,)),
        (longest, lambda: (np.arange(8)[::2],)),
    ]

    def call(i):
        function, arguments = CALLS[i % len(CALLS)]
        assert compiled(function, *arguments())(*arguments()) == function(*arguments()), i

    def main(first):
        for i in range(len(CALLS)):
            call(first + i)
        print(len(CALLS))
"""


@pytest.fixture
def several(workshop: Workshop) -> Workshop:
    workshop.write(several=SEVERAL)
    return workshop


def use(first: int) -> tuple[str, str]:
    return "-c", f"import several; several.main({first})"


def test_six_cold_processes_with_several_signatures_each(several: Workshop) -> None:
    """Each begins elsewhere; a seventh, which loads the kernels of all together, gets the right result of each."""
    processes = [several.start(*use(first)) for first in range(6)]
    assert [process.communicate() for process in processes] == [("6\n", "")] * 6
    kernels = several.kernels()
    assert sorted(name.partition("-")[0] for name in kernels) == ["several.add"] * 2 + ["several.longest"] * 2 + ["several.twice"] * 2
    assert several.says(*use(0)) == "6"
    assert several.kernels() == kernels


def test_threads_that_compile_different_things_at_once(several: Workshop) -> None:
    """Half of them import components of their own while the others compile."""
    extra = "from goalward._compile import component, run\n@component\ndef less(x):\n    return x - NUMBER\ndef entry(x):\n    return less(x)\n"
    several.write(**{f"extra{i}": extra.replace("NUMBER", str(i)) for i in range(3)})
    several.write(threads="""
        import importlib
        from concurrent.futures import ThreadPoolExecutor
        from threading import Barrier
        import several
        from goalward._compile import run

        together = Barrier(9)

        def work(i):
            together.wait()
            if i < 6:
                several.call(i)
            else:
                assert run(importlib.import_module(f"extra{i - 6}").entry, 9) == 9 - (i - 6)

        with ThreadPoolExecutor(9) as pool:
            print(len(list(pool.map(work, range(9)))))
    """)  # fmt: skip
    assert several.says("threads.py") == "9"
    kernels = several.kernels()
    assert len(kernels) == 9
    assert several.says("threads.py") == "9"
    assert several.kernels() == kernels


@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_children(several: Workshop, method: str) -> None:
    """A child uses what its parent has compiled, and compiles for itself, also where the parent does the same meanwhile."""
    several.write(parent=f"""
        import multiprocessing
        import several

        def child(ready):
            several.call(0)
            ready.wait()
            several.call(1)
            several.call(2)

        if __name__ == "__main__":
            several.call(0)
            context = multiprocessing.get_context("{method}")
            ready = context.Barrier(3)
            children = [context.Process(target=child, args=(ready,)) for _ in range(2)]
            for process in children:
                process.start()
            ready.wait()
            several.call(1)
            for process in children:
                process.join()
            print([process.exitcode for process in children])
    """)  # fmt: skip
    assert several.says("parent.py") == "[0, 0]"
    kernels = several.kernels()
    assert sorted(name.partition("-")[0] for name in kernels) == ["several.add", "several.add", "several.twice"]
    assert several.says("parent.py") == "[0, 0]"
    assert several.kernels() == kernels


def test_the_seed_of_hashes_does_not_matter(several: Workshop) -> None:
    program = "import several; several.call(0); several.call(3)"
    several.says("-c", program, PYTHONHASHSEED="1")
    kernels = several.kernels()
    several.says("-c", program, PYTHONHASHSEED="2")
    assert several.kernels() == kernels


def test_two_classes_of_one_name(workshop: Workshop) -> None:
    """In one process, compiled there and loaded together, in either order: each keeps its own methods, alike or not."""
    part = """
        from typing import NamedTuple
        from goalward._compile import component
        @component
        class Part(NamedTuple):
            size: float
            def grown(self, x):
                return self.size + FACTOR * x
    """
    workshop.write(first=part.replace("FACTOR", "2"), second=part.replace("FACTOR", "3"), third=part.replace("FACTOR", "2"))
    workshop.write(together="""
        import sys, importlib
        from goalward._compile import compiled
        def entry(part, x):
            return part.grown(x)
        for name in sys.argv[1:]:
            part = importlib.import_module(name).Part(1.0)
            print(compiled(entry, part, 5)(part, 5))
    """)  # fmt: skip
    assert workshop.says("together.py", "first", "second", "third").split() == ["11.0", "16.0", "11.0"]
    kernels = workshop.kernels()
    assert workshop.says("together.py", "second", "first").split() == ["16.0", "11.0"]
    assert workshop.kernels() == kernels
