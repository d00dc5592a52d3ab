"""Folders that cannot be written to, disks that are full, processes that are killed: the results are right, one warning says what is the matter."""

from __future__ import annotations

import errno
import os
import sys

import pytest

from tests.compile.conftest import Workshop

HALVES = """
    from goalward._compile import component, run
    @component
    def half(x):
        return x / 2
    def quarter(x):
        return half(half(x))
    def both():
        print(run(half, 8.0), run(quarter, 8.0))
"""
BOTH = "import halves; halves.both()"
QUARTER = "import halves; print(halves.run(halves.quarter, 8.0))"
# Root may write anywhere. A process that has given this right up, before it becomes Python again, has only what the permissions say, as anybody else.
AS_ANYBODY = """
import ctypes, os, sys
PR_CAPBSET_DROP, CAP_DAC_OVERRIDE = 24, 1
ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0)
os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
"""


@pytest.fixture
def halves(workshop: Workshop) -> Workshop:
    workshop.write(halves=HALVES)
    return workshop


def complains_once(workshop: Workshop, reason: str, *arguments: str) -> bool:
    out, err = workshop.run(*arguments)
    assert out.split() == ["4.0", "2.0"]
    return err.count("UserWarning: compiled code cannot be kept") == err.count(reason) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="says how Linux does it")
def test_a_folder_for_reading_only(halves: Workshop) -> None:
    """What is there is used; what is damaged or missing is compiled by each process."""
    halves.says("-c", QUARTER)
    kernels, folder = halves.kernels(), halves.cache / "goalward"
    folder.chmod(0o500)
    try:
        if halves.says("-c", AS_ANYBODY, "-c", f"import os; print(os.access({str(folder)!r}, os.W_OK))") == "True":
            pytest.skip("nothing stops this user")
        assert halves.says("-c", AS_ANYBODY, "-c", QUARTER) == "2.0"
        assert complains_once(halves, "Permission denied", "-c", AS_ANYBODY, "-c", BOTH)
        assert halves.kernels() == kernels
        next(folder.iterdir()).write_bytes(b"damaged")
        assert complains_once(halves, "Permission denied", "-c", AS_ANYBODY, "-c", BOTH)
        assert halves.kernels().keys() == kernels.keys()
    finally:
        folder.chmod(0o700)


def test_a_folder_where_the_kernel_should_be(halves: Workshop) -> None:
    halves.says("-c", QUARTER)
    (name,) = halves.kernels()
    path = halves.cache / "goalward" / name
    path.unlink()
    path.mkdir()
    assert complains_once(halves, os.strerror(errno.EISDIR), "-c", BOTH)
    assert len(halves.kernels()) == 2  # the folder, and the kernel of `half`: no draft


def test_a_full_disk(halves: Workshop) -> None:
    """Files can have a kilobyte, and no kernel is so small: nothing is left that might later be taken for whole."""
    pytest.importorskip("resource")
    full = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024)); "
    assert complains_once(halves, "File too large", "-c", full + BOTH)
    assert halves.kernels() == {}
    assert halves.says("-c", BOTH) == "4.0 2.0"
    assert len(halves.kernels()) == 2


def test_a_process_killed_while_it_writes(halves: Workshop) -> None:
    """What it leaves is never read."""
    kill = "import os, pathlib; pathlib.Path.replace = lambda *_: os._exit(0); "
    assert halves.says("-c", kill + QUARTER) == ""
    (draft,) = halves.kernels()
    assert draft.endswith(".draft")
    assert halves.says("-c", QUARTER) == "2.0"
    assert len(halves.kernels()) == 2


def test_code_that_holds_an_address_is_not_kept(workshop: Workshop) -> None:
    """Numba does not copy a large constant array into the code, which then reads at the place where this process has it."""
    workshop.write(large="""
        import numpy as np
        from goalward._compile import component, run
        LARGE = np.arange(200_000.0)
        @component
        def at(i):
            return LARGE[i]
        def entry(i):
            return at(i) + 1
        print(run(entry, 100_000))
    """)  # fmt: skip
    for _ in range(2):
        out, err = workshop.run("large.py")
        assert out.strip() == "100001.0"
        assert "cannot be kept: it holds an address in this process" in err
    assert workshop.kernels() == {}
