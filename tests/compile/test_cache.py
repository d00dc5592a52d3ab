"""The kernel cache, as processes of their own see it. What was compiled shows in the files that were written, never in seconds."""

from __future__ import annotations

from pathlib import Path

import pytest

from goalward import _cache
from tests.compile.conftest import Workshop

TALLY = """
    from typing import NamedTuple
    import numpy as np
    from goalward._compile import compiled, component

    RATE = 3

    @component
    def scaled(x):
        return RATE * x

    @component
    class Tally(NamedTuple):
        total: np.ndarray
        step: float
        def add(self, x):
            self.total[0] += self.step * scaled(x)
            return self.total[0]

    def add(tally, x):
        return tally.add(x)

    def main():
        tally = Tally(np.zeros(1), 0.5)
        print(compiled(add, tally, 2)(tally, 2))

    if __name__ == "__main__":
        main()
"""
USE = ("-c", "import tally; tally.main()")


@pytest.fixture
def tally(workshop: Workshop) -> Workshop:
    workshop.write(tally=TALLY)
    return workshop


def test_the_second_process_compiles_nothing(tally: Workshop) -> None:
    assert tally.says(*USE) == "3.0"
    kernels = tally.kernels()
    assert len(kernels) == 1
    assert tally.says(*USE) == "3.0"
    assert tally.kernels() == kernels


def test_six_cold_processes_at_once(tally: Workshop) -> None:
    """Each may compile; what stays is whole, and serves a seventh."""
    processes = [tally.start(*USE) for _ in range(6)]
    assert [process.communicate()[0].strip() for process in processes] == ["3.0"] * 6
    kernels = tally.kernels()
    assert len(kernels) == 1
    assert tally.says(*USE) == "3.0"
    assert tally.kernels() == kernels


def test_a_script_of_ones_own_and_the_processes_it_spawns(tally: Workshop) -> None:
    """A component in `__main__`, which a spawned process knows under another name."""
    end = "        main()\n"
    spawning = (
        end
        + """
        import multiprocessing
        child = multiprocessing.get_context("spawn").Process(target=main)
        child.start()
        child.join()
    """
    )
    tally.write(script=TALLY.replace(end, spawning))
    assert tally.says("script.py").split() == ["3.0", "3.0"]
    kernels = tally.kernels()
    assert [name.partition("-")[0] for name in kernels] == ["__main__.add"]
    assert tally.says("script.py").split() == ["3.0", "3.0"]
    assert tally.kernels() == kernels


def damaged(name: str, content: bytes, other: bytes) -> dict[str, bytes]:
    payload = b"no pickle at all"
    return {
        "empty": b"",
        "cut short": content[: len(content) // 2],
        "a bit flipped": content[:-1000] + bytes([content[-1000] ^ 1]) + content[-999:],
        "garbage": bytes(range(256)) * 20,
        "whole, but of no use": _cache._digest(name, payload) + payload,
        "another version": other,
    }


def test_a_damaged_file_is_replaced(tally: Workshop) -> None:
    """Also one that is whole, with machine code that runs, but of an older version of the function: somebody renamed it."""
    tally.write(tally=TALLY.replace("RATE = 3", "RATE = 4"))
    assert tally.says(*USE) == "4.0"
    (older,) = tally.kernels()
    other = (tally.cache / "goalward" / older).read_bytes()
    (tally.cache / "goalward" / older).unlink()
    tally.write(tally=TALLY)
    tally.says(*USE)
    (name,) = tally.kernels()
    path = tally.cache / "goalward" / name
    for content in damaged(name, path.read_bytes(), other).values():
        path.write_bytes(content)
        assert tally.says(*USE) == "3.0"
        (kernel,) = tally.kernels()
        assert kernel == name
        assert path.read_bytes() != content
    kernels = tally.kernels()
    tally.says(*USE)
    assert tally.kernels() == kernels


def test_without_a_folder_to_write_it_says_so_once_and_works(tally: Workshop) -> None:
    """A file stands where the folder should be: that stops every user, root too."""
    tally.cache.write_text("in the way")
    program = "import tally; tally.main(); from goalward._compile import compiled; print(compiled(tally.scaled, 1)(1))"
    out, err = tally.run("-c", program)
    assert out.split() == ["3.0", "3"]
    assert err.count("UserWarning: compiled code cannot be kept") == 1


def test_compiling_switched_off(tally: Workshop) -> None:
    program = "import tally; tally.main(); from goalward._compile import compiled; print(compiled(tally.scaled, 1) is tally.scaled)"
    assert tally.says("-c", program, NUMBA_DISABLE_JIT="1").split() == ["3.0", "True"]
    assert tally.kernels() == {}


def test_bounds_are_checked_on_demand(tally: Workshop) -> None:
    """Kernels with checks are other kernels: neither kind is served in the place of the other."""
    tally.write(outside="""
        import tally, numpy as np
        from goalward._compile import compiled
        def read(part, i):
            return part.total[i]
        part = tally.Tally(np.zeros(2)[1:], 0.5)
        try:
            compiled(read, part, 0)(part, -1)
            print("unchecked")
        except IndexError:
            print("refused")
    """)  # fmt: skip
    assert tally.says("outside.py") == "unchecked"
    assert tally.says("outside.py", NUMBA_BOUNDSCHECK="1") == "refused"
    assert tally.says("outside.py") == "unchecked"
    assert len(tally.kernels()) == 2


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, "/home/ada/.cache/goalward"),
        ("linux", {"XDG_CACHE_HOME": "/scratch"}, "/scratch/goalward"),
        ("linux", {"XDG_CACHE_HOME": "/scratch", "NUMBA_CACHE_DIR": "/kernels"}, "/kernels/goalward"),
        ("darwin", {}, "/home/ada/Library/Caches/goalward"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/goalward"),
    ],
)
def test_where_the_folder_is(monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str) -> None:
    for name in ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/ada", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.platform", platform)
    assert _cache.folder() == Path(expected)


def test_an_interrupted_write_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(path: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _cache.keep("kernel", b"content")
    assert list((tmp_path / "goalward").iterdir()) == []
