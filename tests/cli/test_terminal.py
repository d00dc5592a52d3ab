"""Pipes, terminals, encodings, colours, progress, Ctrl-C."""

from __future__ import annotations

import io
import math
import os
import pty
import shlex
import signal
import subprocess
import sys
import time

import pytest

from goalward.cli import progress
from goalward.cli.printing import duration, number
from goalward.cli.progress import Bar
from goalward.planning.budget import Progress

from .commands import PROGRAM, Ended, environment, run_alone

ESCAPE = "\x1b["
PLAIN = "print(sorted({'numpy', 'numba', 'rich', 'scipy'} & set(sys.modules)))"


def in_shell(tail: str, *args: str) -> Ended:
    """The command line followed by `tail`, in bash; the code is that of the command line, whatever follows it."""
    line = f"{shlex.join([*PROGRAM, *args])} {tail}"
    script = f"{line}; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environment(), timeout=300, check=False)
    return Ended(done.returncode, done.stdout, done.stderr)


def on_terminal(*args: str, **extra: str) -> str:
    """What stdout gets if it is a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen([*PROGRAM, *args], stdout=theirs, stderr=subprocess.PIPE, env=environment(COLUMNS="80", **extra)):
        os.close(theirs)
        text = b""
        try:
            while part := os.read(ours, 65536):
                text += part
        except OSError:  # how Linux says that the other end is closed
            pass
        os.close(ours)
    return text.decode().replace("\r\n", "\n")


def test_help_loads_nothing_heavy() -> None:
    code = f"import sys, atexit; atexit.register(lambda: {PLAIN}); from goalward.cli import main; main()"
    for args in (("--help",), ("solve", "--help"), ("list", "--help"), ("--version",)):
        done = subprocess.run([sys.executable, "-c", code, *args], capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout.endswith("[]\n")


def test_who_reads_may_stop() -> None:
    ended = in_shell("| head -1", "list", "environments")
    assert ended.code in (0, 141)  # 0 if all of it fitted into the pipe before head closed it
    assert ended.out.split()[:2] == ["environment", "S"]
    assert ended.err == ""
    ended = in_shell("| true", "solve", "paper-grid")
    assert ended.code in (0, 141)
    assert ended.err == ""


def test_a_closed_or_full_stdout() -> None:
    assert in_shell(">&-", "solve", "two-state") == (0, "", "")
    assert in_shell(">/dev/full", "solve", "two-state") == (2, "", "goalward: stdout: cannot be written (No space left on device)\n")


def test_colours_are_for_terminals() -> None:
    piped = run_alone("solve", "paper-grid").out
    assert ESCAPE not in piped
    assert ESCAPE in on_terminal("solve", "paper-grid")
    for extra in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        shown = on_terminal("solve", "paper-grid", **extra)
        assert shown.split("\n  ┌")[1] == piped.split("\n  ┌")[1]


def test_signs_that_an_encoding_lacks() -> None:
    for command in (("solve", "paper-grid"), ("solve", "dead-end-grid"), ("list", "environments"), ("solve", "dead-end-grid", "--set", "slips=anywhere")):
        ended = run_alone(*command, PYTHONUTF8="0", PYTHONIOENCODING="ascii")
        assert ended.code == 0
        assert ended.out.isascii()
        assert "?" not in ended.out
    assert "|  goal  |" in run_alone("solve", "paper-grid", PYTHONUTF8="0", PYTHONIOENCODING="ascii").out
    assert "│  goal  │" in run_alone("solve", "paper-grid").out


def test_interrupted() -> None:
    code = """if True:
        import sys, time
        from goalward import environments
        from goalward.cli import main
        def slow(name):
            print("ready", flush=True)
            time.sleep(60)
        environments.make = slow
        main(["solve", "two-state"])
    """
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment()) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err.strip()) == (130, "", "goalward: interrupted")


class Terminal(io.StringIO):
    """A stderr that says it is one."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def work(bar: Bar) -> None:
    """A while of planning, long enough for a bar without patience to be seen."""
    with bar:
        bar.stage("reading a model")
        bar.stage("planning")
        end = time.monotonic() + 60.0
        while bar.wanted and bar.drawn is None and time.monotonic() < end:
            time.sleep(0.01)
        for step in (Progress(0, 0.0, float("nan")), Progress(10, 0.1, 1e6), Progress(20, 0.2, 1e3), Progress(3000, 0.3, 1.0)):
            bar.report(step)
            if bar.drawn is not None:
                bar.drawn.refresh()


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """In place of stderr from here to the end of the test. (A fixture would be too early: pytest sets stderr anew before it calls the test.)"""
    stderr = Terminal()
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    return stderr


def test_a_bar_for_what_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    work(Bar(patience=0.0))
    text = stderr.getvalue()
    assert "planning" in text
    assert "3,000 sweeps, gap 1" in text
    assert text.endswith("\x1b[2K")  # and it is gone in the end


@pytest.mark.parametrize("silence", ["quiet", "patience", "pipe", "dumb"])
def test_no_bar(silence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    if silence == "pipe":
        monkeypatch.setattr(stderr, "isatty", lambda: False)
    if silence == "dumb":
        monkeypatch.setenv("TERM", "dumb")
    bar = Bar(quiet=silence == "quiet", patience=3600.0 if silence == "patience" else 0.0)
    with bar:
        bar.stage("planning")
        bar.report(Progress(1, 0.1, 5.0))
    assert stderr.getvalue() == ""


def test_a_bar_that_comes_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = terminal(monkeypatch)
    bar = Bar(patience=3600.0)
    with bar:
        pass
    bar._appear()
    assert stderr.getvalue() == ""


def test_every_halving_of_the_gap_counts_the_same() -> None:
    shares = [progress._share(1e6, gap) for gap in (1e6, 1e3, 1.0, 0.1)]
    assert shares == pytest.approx([0.0, 0.5, 1.0, 1.0])
    assert all(math.isnan(progress._share(widest, gap)) for widest, gap in ((math.nan, math.nan), (math.inf, 5.0), (0.5, 0.5), (10.0, math.nan)))


def test_numbers() -> None:
    assert [number(x) for x in (5.30137238664, 3.0, 1e-12, 2.0**41, float("inf"))] == ["5.301372387", "3", "1e-12", "2.199023256e+12", "∞"]
    assert [duration(x) for x in (0.00123, 2.345, 59.94, 125.0)] == ["1.23 ms", "2.35 s", "59.9 s", "2 min 5 s"]
