"""The distribution of the number of steps that a Markov chain takes to the goal: discrete phase-type [tarbouriech2020, Prop. 1].

P(tau > n) = Q^n 1, step by step: one sparse product each. Where so many steps are asked for that it is cheaper, the powers Q^1, Q^2, Q^4, ... are made instead,
as dense matrices.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from goalward._compile import compiled, component
from goalward.errors import BudgetError
from goalward.models.rows import Bools, Floats, Rows

MOST_WORK = 3e10  # multiplications before giving up: about half a minute
SLICE = 1e8  # of them between two looks at the keyboard
MOST_STEPS = 10**100  # more than anyone can make, and still a floating-point number
LARGEST_DENSE = 1000  # states of a dense power
MOST_DOUBLINGS = 64  # a quantile of more than 2^64 steps is taken for infinite
TIE = 1e-12  # what misses a probability by no more than this share of it is taken to be equal to it
LAST_DIGIT = 2.0**-53  # what a q near 1 may itself have been rounded by


class Wanted(NamedTuple):
    """The quantile as a threshold: P(tau <= n) is to rise to `level`; or P(tau > n) is to fall to it, whichever of them is the smaller number."""

    rising: bool
    level: float

    @classmethod
    def of(cls, q: float) -> Wanted:
        return cls(True, q * (1.0 - TIE)) if q <= 0.5 else cls(False, (1.0 - q) * (1.0 + TIE) + LAST_DIGIT)

    def met(self, dead: Floats, alive: Floats) -> Bools:
        return dead >= self.level if self.rising else alive <= self.level


class Steps(NamedTuple):
    """Many steps at once, from some states."""

    inner: Floats  # (., S) the chance to be in a state then, and never to have been at the goal
    dead: Floats  # (.,) the chance to have been there: a sum of its own, right to many digits also where it is tiny

    @property
    def alive(self) -> Floats:
        return np.asarray(self.inner.sum(axis=1))

    def then(self, other: Steps) -> Steps:
        """`other` from all states. Where the inner sum is near 1 its error would grow with every doubling: there it is made what `dead` leaves."""
        inner, dead = self.inner @ other.inner, self.dead + self.inner @ other.dead
        sound = dead > 0.5
        scale = np.divide(1.0 - dead, inner.sum(axis=1), out=np.ones_like(dead), where=~sound)
        return Steps(inner * scale[:, None], dead)


def survival_after(rows: Rows, n: int) -> Floats:
    """(S + 1,) P(tau > n)."""
    walking, dense = float(min(n, MOST_STEPS)) * len(rows.next_state), _dense_work(len(rows.cost_x), n.bit_length())
    if min(walking, dense) > MOST_WORK:
        raise BudgetError(f"survival({n}): would take {min(walking, dense):.2g} multiplications, more than the {MOST_WORK:.2g} that are allowed")
    alive = np.append(np.ones(len(rows.cost_x)), 0.0)
    if dense < walking:
        alive[:-1] = _survival_by_powers(rows, n)
        return alive
    run, at_once = compiled(walk, rows, 1, alive), _steps_at_once(rows)
    for done in range(0, n, at_once):
        if not run(rows, min(at_once, n - done), alive):
            break
    return alive


def _survival_by_powers(rows: Rows, n: int) -> Floats:
    power = _one_step(rows)
    alive, dead = np.ones(len(power.dead)), np.zeros(len(power.dead))
    for bit in range(n.bit_length()):
        power = power.then(power) if bit else power
        if n >> bit & 1:
            alive, dead = power.inner @ alive, power.dead + power.inner @ dead
            alive = np.where(dead > 0.5, alive, 1.0 - dead)
    return alive


def arrival_quantiles(rows: Rows, q: float, arrival: Floats) -> Floats:
    """(S + 1,) the least n with P(tau <= n) >= q; inf where there is none, because `arrival`, P(tau < inf), is below q."""
    wanted, states, entries = Wanted.of(q), len(rows.cost_x), len(rows.next_state)
    alive = np.append(np.ones(states), 0.0)
    possible = wanted.met(arrival, 1.0 - arrival)
    quantile = np.where(wanted.met(1.0 - alive, alive), 0.0, np.where(possible, np.inf, np.nan))  # nan: never
    dense = _dense_work(states, 2 * MOST_DOUBLINGS)
    steps = int(min(dense, MOST_WORK) / entries)
    _walk_until(rows, steps, wanted, 1.0 - alive if wanted.rising else alive, quantile)
    waiting = np.isinf(quantile[:-1])
    if waiting.any():
        if dense > MOST_WORK:
            raise BudgetError(f"quantile({q:g}): not reached within {steps:,} steps; the policy takes too long for a model with so many states")
        quantile[:-1][waiting] = _quantiles_by_powers(rows, wanted, waiting)
    return np.where(np.isnan(quantile), np.inf, quantile)


def _walk_until(rows: Rows, steps: int, wanted: Wanted, x: Floats, quantile: Floats) -> None:
    run, at_once = compiled(walk_until, rows, 0, 1, *wanted, x, quantile), _steps_at_once(rows)
    for done in range(0, steps, at_once):
        if not run(rows, done, min(at_once, steps - done), *wanted, x, quantile):
            break


def _quantiles_by_powers(rows: Rows, wanted: Wanted, waiting: Bools) -> Floats:
    """From the states that are waiting: the largest n that does not do, put together from powers of two, and one more."""
    powers = [_one_step(rows)]
    while len(powers) < MOST_DOUBLINGS and not wanted.met(powers[-1].dead, powers[-1].alive)[waiting].all():
        powers.append(powers[-1].then(powers[-1]))
    count = np.count_nonzero(waiting)
    made, steps, never = Steps(np.eye(len(waiting))[waiting], np.zeros(count)), np.zeros(count), np.ones(count, np.bool_)
    for k in reversed(range(len(powers))):
        more = made.then(powers[k])
        short = ~wanted.met(more.dead, more.alive)
        made = Steps(np.where(short[:, None], more.inner, made.inner), np.where(short, more.dead, made.dead))
        steps[short] += 2.0**k
        never &= short
    return np.where(never, np.inf, steps + 1.0)


def _one_step(rows: Rows) -> Steps:
    from scipy.sparse import csr_array

    states = len(rows.cost_x)
    moves = csr_array((rows.probability, rows.next_state, rows.row_ptr), shape=(states, states + 1)).toarray()
    return Steps(np.eye(states), np.zeros(states)).then(Steps(moves[:, :-1], moves[:, -1]))


def _steps_at_once(rows: Rows) -> int:
    """Compiled code cannot be interrupted."""
    return max(1, int(SLICE / len(rows.next_state)))


def _dense_work(states: int, doublings: int) -> float:
    """In units of a step's work for each transition: dense products are some ten times faster."""
    return 0.2 * doublings * float(states) ** 3 if states <= LARGEST_DENSE else np.inf


@component
def walk(rows: Rows, steps: int, x: Floats) -> bool:
    """x := P^steps x, where the goal is left as it is. Fewer steps, and False, if one changes nothing."""
    after, made, changing = x.copy(), 0, True
    while changing and made < steps:
        changing = step(rows, x, after)
        made += 1
    return changing


@component
def walk_until(rows: Rows, done: int, steps: int, rising: bool, level: float, x: Floats, quantile: Floats) -> bool:
    """The same after so many steps that are `done`; in `quantile` inf gives way to the step at which the level is met. False also if no inf is left."""
    after = x.copy()
    for n in range(done + 1, done + steps + 1):
        changing, waiting = step(rows, x, after), False
        for s in range(len(x)):
            if quantile[s] == np.inf:
                if x[s] >= level if rising else x[s] <= level:
                    quantile[s] = n
                else:
                    waiting = True
        if not (changing and waiting):
            return False
    return True


@component
def step(rows: Rows, x: Floats, after: Floats) -> bool:
    """x := P x, and whether that is a change."""
    end, target = rows.row_ptr.view(np.uint64), rows.next_state.view(np.uint32)  # indices that cannot be negative: a third less time
    changing, i, one = False, np.uint64(0), np.uint64(1)
    for s in range(len(rows.cost_x)):
        total = 0.0
        while i < end[s + 1]:
            total += rows.probability[i] * x[target[i]]
            i += one
        after[s] = total
    for s in range(len(rows.cost_x)):
        changing |= after[s] != x[s]
        x[s] = after[s]
    return changing


def stirling_numbers(r: int) -> list[int]:
    """Stirling numbers of the second kind {r over j}, j = 0 ... r: ways to part r things into j groups."""
    numbers = [1]
    for _ in range(r):
        numbers = [0, *(j * numbers[j] + numbers[j - 1] for j in range(1, len(numbers))), 1]
    return numbers
