"""Loop-free random problems."""

from __future__ import annotations

import numpy as np

from goalward.environments._settings import check_pairs, drawn_costs, drawn_rows, generator
from goalward.models.settings import whole
from goalward.models.ssp import SSP


def layered(depth: int = 5, width: int = 4, actions: int = 2, c_min: float = 0.1, c_max: float = 1.0, seed: int = 0) -> SSP:
    """A loop-free problem: every episode takes `depth` steps, whatever is done.

    ::

        layer 0    layer 1        layer depth-1
                   (1.0) ------>    ( . ) --.
        (0.0) ---> (1.1) -> ... ->  ( . ) ---+--> ((goal))
                   (1.2) ------>    ( . ) --'

    One start state, then layers of `width` states, all with `actions` actions. An action leads to any state of the next layer, with probabilities uniform
    over all distributions. Costs are uniform in [c_min, c_max].

    V*(start) is found by one pass backwards; if c_min = c_max it is depth * c_min. Hitting times are `depth` minus the layer.
    """
    H, W, A = whole("depth", depth, 1), whole("width", width, 1), whole("actions", actions, 1)
    rng = generator(seed)
    goal = 1 + W * (H - 1)
    check_pairs(goal * A, depth=H, width=W, actions=A)
    first = [0, *range(1, goal + 1, W), goal + 1]  # state of each layer, the goal's and the end
    rows = []
    for here, there, end in zip(first, first[1:], first[2:], strict=False):
        s, a, s_next = (grid.ravel() for grid in np.meshgrid(np.arange(here, there), np.arange(A), np.arange(there, end), indexing="ij"))
        rows.append((s, a, s_next, drawn_rows(rng, (there - here) * A, end - there).ravel()))
    s, a, s_next, chance = (np.concatenate(column) for column in zip(*rows, strict=True))
    cost = drawn_costs(rng, c_min, c_max, (goal, A))[s, a]
    names = ["0.0", *(f"{layer}.{place}" for layer in range(1, H) for place in range(W)), "goal"]
    return SSP.from_rows(s, a, s_next, chance, cost, start=0, goal=goal, state_names=names)
