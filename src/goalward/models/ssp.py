"""The stochastic shortest path problem.

In every state but the goals an agent chooses an action, pays its cost, and moves to a next state that is drawn from the action's row of probabilities; a goal
ends the episode. States and actions keep the numbers their maker gave them, whatever this class does inside.

>>> import numpy as np, goalward as gw
>>> transitions = np.zeros((3, 2, 3))      # (S', A, S'): from, action, to; S' counts the goal
>>> transitions[0, 0] = [0, 1, 0]          # go on
>>> transitions[1, 0] = [0.5, 0, 0.5]      # fall back, or arrive
>>> transitions[0, 1] = [0.9, 0, 0.1]      # a long shot; state 1 has no action 1: its row is all zero
>>> gw.SSP.from_arrays(transitions, costs=np.ones((3, 2)), start=0, goal=2)
SSP(3 states, goal 2, start 0; 3 state-action pairs, 5 transitions; cost 1)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from goalward.errors import SettingError
from goalward.models import arrays, files, tables, transforms
from goalward.models.frame import Frame
from goalward.models.random_costs import RandomCosts
from goalward.models.rows import Rows, frozen, merge_goals, renumber
from goalward.models.signature import Signature

RESET = -2  # what a policy says where giving up is best


class SSP:
    """A model: immutable, its arrays read-only.

    Make one with `from_arrays`, `from_rows`, `from_csr` or `load`. Pair x of state s has first_pair[s] <= x < first_pair[s + 1] (a goal has no pairs), is the
    maker's action number `action[x]`, costs `cost[x]`, and leads to next_state[i] with probability[i] for row_ptr[x] <= i < row_ptr[x + 1].

    A row is accepted if its probabilities sum to 1 within 1e-9. Where the sum differs from 1 by more than rounding, the row is divided by it, exactly once;
    any other row keeps the bits it came with. Where mathematics is exact (certificates), the row means its numbers divided by their exact sum.
    """

    first_pair: NDArray[np.int64]  # (S' + 1,)
    row_ptr: NDArray[np.int64]  # (X + 1,)
    next_state: NDArray[np.int32]  # (Z,)
    probability: NDArray[np.float64]  # (Z,)
    cost: NDArray[np.float64]  # (X,)
    action: NDArray[np.int32]  # (X,)
    goals: NDArray[np.int64]  # sorted
    start_distribution: NDArray[np.float64]  # (S',)
    state_names: tuple[str, ...] | None
    action_names: tuple[str, ...] | None
    grid: tuple[int, int] | None  # (rows, columns), if the states are the cells of a grid, row by row
    random_costs: RandomCosts | None  # how costs are drawn; `cost` is their mean

    def __init__(self, **parts: Any) -> None:
        """Of parts that have been checked: use the constructors that check them."""
        if parts.keys() != set(transforms.PARTS):
            raise TypeError("an SSP is made with SSP.from_arrays, from_rows, from_csr or load")
        self.__dict__.update(parts)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"an SSP does not change; make another with with_costs, with_reset, ... ({name} was to be set)")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"an SSP does not change ({name} was to be deleted)")

    def __copy__(self) -> SSP:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> SSP:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (transforms.parts(self),)

    @classmethod
    def from_arrays(
        cls, transitions: Any, costs: ArrayLike, *, start: int | ArrayLike, goal: int | Iterable[int] | ArrayLike,
        state_names: Sequence[str] | None = None, action_names: Sequence[str] | None = None, grid: tuple[int, int] | None = None,
    ) -> SSP:  # fmt: skip
        """From transitions (S', A, S') and costs (S', A), (S',) or one number. S' counts the goals, whose own rows are ignored.

        `transitions` may also be a list of A scipy sparse matrices (S', S'). An all-zero row is an action that the state does not have. `start` is a state or
        S' probabilities; `goal` is a state, several, or a mask.
        """
        return cls(**arrays.from_arrays(transitions, costs, Frame.of(start, goal, state_names, action_names, grid)))

    @classmethod
    def from_rows(
        cls, *rows: Any, start: int | ArrayLike, goal: int | Iterable[int] | ArrayLike, states: int | None = None,
        state_names: Sequence[str] | None = None, action_names: Sequence[str] | None = None, grid: tuple[int, int] | None = None,
    ) -> SSP:  # fmt: skip
        """From transitions (s, a, s', p, c): five columns, or one sequence of such rows, in any order.

        Rows with the same (s, a, s') are added up. All rows of one pair must name the same cost. Rows of goals are ignored. `states` is S', if there are more
        states than the rows and the goal name.
        """
        return cls(**tables.from_rows(rows, states, Frame.of(start, goal, state_names, action_names, grid)))

    @classmethod
    def from_csr(
        cls, first_pair: ArrayLike, row_ptr: ArrayLike, next_state: ArrayLike, probability: ArrayLike, cost: ArrayLike, *,
        start: int | ArrayLike, goal: int | Iterable[int] | ArrayLike, action: ArrayLike | None = None,
        state_names: Sequence[str] | None = None, action_names: Sequence[str] | None = None, grid: tuple[int, int] | None = None,
    ) -> SSP:  # fmt: skip
        """From the arrays of the class as they are, for large models: a copy is made. The successors of a pair may come in any order.

        `action` are the numbers of the actions, which rise from pair to pair of a state; without it they are 0, 1, ... Pairs of goals are ignored.
        """
        frame = Frame.of(start, goal, state_names, action_names, grid)
        return cls(**arrays.from_csr(first_pair, row_ptr, next_state, probability, cost, action, frame))

    @classmethod
    def load(cls, path: str | PathLike[str]) -> SSP:
        """Read the .npz file that `save` wrote. It is checked like any other model."""
        return cls(**files.load(path))

    def save(self, path: str | PathLike[str]) -> None:
        """Write the model to an .npz file: NumPy arrays, no pickle, whole or not at all."""
        files.save(self, path)

    def with_costs(self, costs: ArrayLike | Callable[[int, int], float]) -> SSP:
        """The same moves at other costs, known ones: one number, (X,) a pair, (S', A), (S',), or a function of state and action."""
        return SSP(**transforms.with_costs(self, costs))

    def with_reset(self, penalty: float) -> SSP:
        """With one more action in every state, which leads to the goal for `penalty` [tarbouriech2020, App. I.2]. Its number is `num_actions`.

        Its cost is always the penalty, also where other costs are drawn.
        """
        return SSP(**transforms.with_reset(self, penalty))

    def with_offset(self, eta: float) -> SSP:
        """With `eta` added to every cost: the problem that extended value iteration solves with perturbed costs [tarbouriech2020, App. I.3]."""
        return SSP(**transforms.with_offset(self, eta))

    def with_random_costs(self, law: str, spread: float = 1.0, *, low: float | None = None, high: float | None = None) -> SSP:
        """With costs drawn at every step, of mean c(s, a) and support in [low, high], which are c_min and c_max unless given. Planning uses the mean.

        law: "bernoulli", two values; "uniform", an interval about the mean; "beta". spread, up to 1, is how much of the room there is they use: 0 would be no
        randomness, 1 is the most the law allows (see `RandomCosts`).
        """
        return SSP(**transforms.with_random_costs(self, law, spread, low, high))

    @property
    def num_states(self) -> int:
        """S', goals included."""
        return len(self.first_pair) - 1

    @property
    def num_pairs(self) -> int:
        return len(self.cost)

    @property
    def num_transitions(self) -> int:
        return len(self.next_state)

    @cached_property
    def num_actions(self) -> int:
        """One more than the largest action number."""
        return int(self.action.max()) + 1

    @property
    def goal(self) -> int | NDArray[np.int64]:
        """The goal, or the goals."""
        return int(self.goals[0]) if len(self.goals) == 1 else self.goals

    @cached_property
    def start(self) -> int | NDArray[np.float64]:
        """The start state, or the distribution of the first state."""
        states = np.flatnonzero(self.start_distribution)
        return int(states[0]) if len(states) == 1 else self.start_distribution

    @cached_property
    def c_min(self) -> float:
        """The smallest cost that a step may have."""
        least = float(self.cost.min())
        return min(least, self.random_costs.low) if self.random_costs else least

    @cached_property
    def c_max(self) -> float:
        """The largest cost that a step may have."""
        most = float(self.cost.max())
        return max(most, self.random_costs.high) if self.random_costs else most

    @cached_property
    def signature(self) -> Signature:
        """What an agent may know: everything but the probabilities."""
        return Signature.of(self)

    @cached_property
    def rows(self) -> Rows:
        """The model as compiled code sees it: states 0 ... S - 1 without the goals, which are the one state S."""
        return self.exact_rows if len(self.goals) == 1 else merge_goals(self.exact_rows)

    @property
    def exact_rows(self) -> Rows:
        """The same, but a pair that leads to several goals has an entry for each: adding them up may round, and a certificate must hold to the last digit."""
        return self._renumbered[0]

    @property
    def index_s(self) -> NDArray[np.int32]:
        """(S',) the number of each state in `rows`."""
        return self._renumbered[1]

    @cached_property
    def _renumbered(self) -> tuple[Rows, NDArray[np.int32]]:
        return renumber(Rows(self.first_pair, self.row_ptr, self.next_state, self.probability, self.cost), self.goals)

    def state_name(self, s: int) -> str:
        return self.state_names[s] if self.state_names else str(s)

    def action_name(self, a: int) -> str:
        if a == RESET:
            return "reset"
        return self.action_names[a] if self.action_names and 0 <= a < len(self.action_names) else str(a)

    def pair(self, s: int, a: int) -> int:
        """The pair x of state s and its maker's action a."""
        if not 0 <= s < self.num_states:
            raise SettingError("state", s, f"one from 0 to {self.num_states - 1}")
        first, end = self.first_pair[s], self.first_pair[s + 1]
        found = np.flatnonzero(self.action[first:end] == a)
        if not found.size:
            raise SettingError("action", a, f"one of {self.action[first:end].tolist()} in state {self.state_name(s)}")
        return int(first + found[0])

    def __repr__(self) -> str:
        goals = f"goal {self.state_name(int(self.goals[0]))}" if len(self.goals) == 1 else f"{len(self.goals)} goals"
        start = f"start {self.state_name(self.start)}" if isinstance(self.start, int) else f"{np.count_nonzero(self.start_distribution)} start states"
        cost = f"cost {self.c_min:g}" if self.c_min == self.c_max else f"costs {self.c_min:g} to {self.c_max:g}"
        drawn = f", {self.random_costs.law}" if self.random_costs else ""
        sizes = f"{self.num_pairs:,} state-action pairs, {self.num_transitions:,} transitions"
        return f"SSP({self.num_states:,} states, {goals}, {start}; {sizes}; {cost}{drawn})"


def _unpickled(parts: dict[str, Any]) -> SSP:
    """Arrays come out of a pickle writable."""
    for part in (*parts.values(), parts["random_costs"] and parts["random_costs"].spread_x):
        if isinstance(part, np.ndarray):
            frozen(part)
    return SSP(**parts)
