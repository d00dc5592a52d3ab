"""The constants of confidence sets, by hand: 11 states and the goal, 4 actions."""

from __future__ import annotations

import math
from typing import Any

import pytest

import goalward as gw
from goalward.errors import SettingError
from goalward.learning.confidence import BernsteinBox, Confidence, L1Ball, confidence_set
from tests.kernels import result_of

GRID = gw.environments.make("paper-grid").signature
VISITS = [1, 7, 4095, 4096, 1_000_000]  # few and many: the radii of few lie in a table
DEFAULTS: dict[str, Any] = {"bounds": "paper", "scale": 1.0, "delta": 0.1, "states_in_root": "S+1", "states_in_log": "S"}


def made(kind: str, **settings: Any) -> Any:
    return confidence_set(GRID, kind, **(DEFAULTS | settings))


def limits(confidence: Confidence, n: int, p: float) -> tuple[float, float, float]:
    """Least, most, and most if it is the goal."""
    radius = confidence.radius(n)
    return confidence.least(p, radius), confidence.most(p, radius), confidence.most_goal(p, radius)


@pytest.mark.parametrize("n", VISITS)
@pytest.mark.parametrize(
    ("settings", "root", "pairs", "delta", "scale"),
    [
        ({}, 12, 44, 0.1, 1.0),
        ({"states_in_root": "S"}, 11, 44, 0.1, 1.0),
        ({"states_in_log": "S+1"}, 12, 48, 0.1, 1.0),
        ({"scale": 0.5, "delta": 0.01}, 12, 44, 0.01, 0.5),
        ({"bounds": "theory"}, 88, 8, 0.1, 1.0),
        ({"bounds": "theory", "scale": 0.25, "delta": 0.3}, 88, 8, 0.3, 0.25),
    ],
)
def test_balls(settings: dict[str, Any], root: int, pairs: int, delta: float, scale: float, n: int) -> None:
    """Paper: sqrt(12 ln(44 n / delta) / n); theory: sqrt(8 S ln(2 A n / delta) / n). Half of it may move, to the goal."""
    beta = scale * math.sqrt(root * math.log(pairs * n / delta) / n)
    ball = made("l1", **settings)
    assert isinstance(ball, L1Ball)
    assert ball.radius(n) == pytest.approx(beta, rel=1e-14)
    assert result_of(limits, ball, n, 0.3) == pytest.approx((0.0, 0.3, 0.3 + beta / 2), rel=1e-14)
    assert not ball.admits_unseen()


@pytest.mark.parametrize("n", VISITS)
@pytest.mark.parametrize(
    ("settings", "deviation", "range_", "pairs", "delta"),
    [
        ({}, 1.0, 1.0, 44, 0.1),
        ({"states_in_log": "S+1"}, 1.0, 1.0, 48, 0.1),
        ({"scale": 0.5, "delta": 0.01}, 0.5, 0.5, 44, 0.01),
        ({"bounds": "theory"}, 2.0, 6.0, 264, 0.1),
        ({"bounds": "theory", "scale": 0.25}, 0.5, 1.5, 264, 0.1),
    ],
)
def test_boxes(settings: dict[str, Any], deviation: float, range_: float, pairs: int, delta: float, n: int) -> None:
    """Paper: sqrt(p (1 - p) L / n) + L / n, L = ln(44 n / delta); theory: 2 sqrt(p (1 - p) l / n) + 6 l / n, l = ln(6 S A n / delta)."""
    box, log = made("bernstein", **settings), math.log(pairs * n / delta)
    assert isinstance(box, BernsteinBox)
    for p in (0.0, 0.3, 1.0):
        width = deviation * math.sqrt(p * (1 - p) * log / n) + range_ * log / n
        expected = max(0.0, p - width), min(1.0, p + width), min(1.0, p + width)
        assert result_of(limits, box, n, p) == pytest.approx(expected, rel=1e-13)
    assert box.admits_unseen()


def test_a_certain_probability_has_no_deviation() -> None:
    """With p = 1, and 0 for what was never seen, only range L / n is left: p (1 - p) is 0 and nothing near it."""
    box, n = made("bernstein"), 10_000
    least, most, _ = limits(box, n, n / n)
    assert 1.0 - least == pytest.approx(box.radius(n), rel=1e-10)
    assert most == 1.0
    assert limits(box, n, 0.0)[:2] == (0.0, box.radius(n))


@pytest.mark.parametrize("kind", ["l1", "bernstein"])
def test_scale_multiplies_and_sets_shrink(kind: str) -> None:
    """Twice the scale, twice as wide; more visits, less wide."""
    widths = [limits(made(kind, scale=scale), n, 0.01)[2] - 0.01 for n in (10**6, 10**7) for scale in (1.0, 2.0)]
    assert widths[1] == pytest.approx(2 * widths[0], rel=1e-9)
    assert widths[3] == pytest.approx(2 * widths[2], rel=1e-9)
    assert widths[2] < widths[0]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"kind": "ball"}, "confidence = 'ball': expected one of 'l1', 'bernstein'"),
        ({"bounds": "tight"}, "bounds = 'tight': expected one of 'paper', 'theory'"),
        ({"bounds": None}, "bounds = None: expected one of 'paper', 'theory'"),
        ({"scale": 0.0}, "scale = 0.0: expected a finite number > 0"),
        ({"scale": math.inf}, "scale = inf: expected a finite number > 0"),
        ({"scale": "1"}, "scale = '1': expected a finite number > 0"),
        ({"scale": True}, "scale = True: expected a finite number > 0"),
        ({"delta": 0.0}, r"delta = 0.0: expected a finite number in (0, 1)"),
        ({"delta": 1}, r"delta = 1: expected a finite number in (0, 1)"),
        ({"delta": math.nan}, r"delta = nan: expected a finite number in (0, 1)"),
        ({"states_in_root": 12}, "states_in_root = 12: expected one of 'S+1', 'S'"),
        ({"states_in_log": "s"}, "states_in_log = 's': expected one of 'S+1', 'S'"),
        (
            {"bounds": "theory", "states_in_root": "S"},
            "states_in_root, states_in_log = ('S', 'S'): expected nothing with bounds='theory', whose S is in the proof",
        ),
        ({"bounds": "theory", "states_in_log": "S+1"}, "states_in_root, states_in_log = ('S+1', 'S+1'): expected nothing with bounds='theory'"),
    ],
)
def test_a_wrong_setting_is_named(settings: dict[str, Any], words: str) -> None:
    given = {"kind": "l1"} | settings
    with pytest.raises(SettingError) as error:
        made(given.pop("kind"), **given)
    assert str(error.value).startswith(words)
