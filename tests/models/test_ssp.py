"""The model as an object: immutable, copied and pickled whole, and able to say what it is."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given

from goalward import RESET, SSP, SettingError
from goalward.models.transforms import PARTS
from tests.models.test_constructors import ARRAYS, differing_parts
from tests.naive.exact import exact_model
from tests.strategies import Recipe, infinite_cost, many_models, recipes

SSP_WITH_NAMES = SSP.from_rows(
    [(0, 0, 1, 0.5, 1.0), (0, 0, 3, 0.5, 1.0), (0, 3, 2, 1.0, 2.5), (2, 0, 1, 1.0, 0.0)],
    start=[0.25, 0, 0.75, 0], goal=[1, 3], grid=(2, 2), state_names=["door", "home", "garden", "pub"], action_names=["walk", "run", "crawl", "fly"],
)  # fmt: skip


def test_says_what_it_is() -> None:
    assert repr(SSP_WITH_NAMES) == "SSP(4 states, 2 goals, 2 start states; 3 state-action pairs, 4 transitions; costs 0 to 2.5)"
    one = SSP.from_rows([(0, 0, 1, 1.0, 1.0)], start=0, goal=1, state_names=["a", "b"])
    assert repr(one) == "SSP(2 states, goal b, start a; 1 state-action pairs, 1 transitions; cost 1)"
    drawn = SSP_WITH_NAMES.with_random_costs("beta", high=3.0)
    assert repr(drawn) == "SSP(4 states, 2 goals, 2 start states; 3 state-action pairs, 4 transitions; costs 0 to 3, beta)"


def test_sizes_and_names() -> None:
    ssp = SSP_WITH_NAMES
    assert (ssp.num_states, ssp.num_pairs, ssp.num_transitions, ssp.num_actions) == (4, 3, 4, 4)
    assert (ssp.c_min, ssp.c_max) == (0.0, 2.5)
    assert (ssp.state_name(3), ssp.action_name(3), ssp.action_name(RESET), ssp.action_name(9)) == ("pub", "fly", "reset", "9")
    unnamed = SSP.from_rows([(0, 0, 1, 1.0, 1.0)], start=0, goal=1)
    assert (unnamed.state_name(1), unnamed.action_name(0), unnamed.action_name(RESET)) == ("1", "0", "reset")


def test_pair_of_a_state_and_an_action() -> None:
    assert [SSP_WITH_NAMES.pair(0, 0), SSP_WITH_NAMES.pair(0, 3), SSP_WITH_NAMES.pair(2, 0)] == [0, 1, 2]
    with pytest.raises(SettingError, match=r"^action = 1: expected one of \[0, 3\] in state door$"):
        SSP_WITH_NAMES.pair(0, 1)
    for s in (-1, 4):
        with pytest.raises(SettingError, match=rf"^state = {s}: expected one from 0 to 3$"):
            SSP_WITH_NAMES.pair(s, 0)


def test_nothing_of_it_can_be_changed() -> None:
    ssp = SSP_WITH_NAMES
    with pytest.raises(AttributeError, match=r"does not change; make another with with_costs"):
        ssp.cost = np.zeros(3)
    with pytest.raises(AttributeError, match=r"does not change \(cost was to be deleted\)"):
        del ssp.cost
    assert ssp.rows.probability is not ssp.probability
    arrays = [getattr(ssp, name) for name in ARRAYS] + [*ssp.rows, ssp.index_s, ssp.start, ssp.goal, *(a for a in ssp.signature if isinstance(a, np.ndarray))]
    for array in arrays:
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_is_made_by_its_constructors_only() -> None:
    with pytest.raises(TypeError, match=r"made with SSP\.from_arrays, from_rows, from_csr or load"):
        SSP(transitions=np.eye(3), costs=1.0)


@pytest.mark.parametrize("ssp", [SSP_WITH_NAMES, SSP_WITH_NAMES.with_random_costs("uniform", 0.5, high=3.0)])
def test_survives_a_pickle(ssp: SSP) -> None:
    assert repr(ssp.rows)
    again = pickle.loads(pickle.dumps(ssp))
    assert differing_parts(ssp, again) == []
    assert repr(again) == repr(ssp)
    assert [getattr(again, name) for name in PARTS[8:11]] == [getattr(ssp, name) for name in PARTS[8:11]]
    assert not any(getattr(again, name).flags.writeable for name in ARRAYS)
    if ssp.random_costs:
        assert again.random_costs.spread_x.tolist() == ssp.random_costs.spread_x.tolist()
        assert not again.random_costs.spread_x.flags.writeable


def test_copies_are_the_model_itself() -> None:
    assert copy.copy(SSP_WITH_NAMES) is SSP_WITH_NAMES
    assert copy.deepcopy([SSP_WITH_NAMES])[0] is SSP_WITH_NAMES


def test_two_models_are_equal_if_they_are_one() -> None:
    again = pickle.loads(pickle.dumps(SSP_WITH_NAMES))
    assert again != SSP_WITH_NAMES
    assert len({SSP_WITH_NAMES, again, copy.copy(again)}) == 2


@many_models
@given(recipes(infinite_cost))
def test_rows_are_the_model_with_its_goals_made_one(recipe: Recipe) -> None:
    ssp = recipe.ssp()
    rows, index, model = ssp.rows, ssp.index_s, exact_model(ssp)
    inner = [s for s in model.states if s not in model.goals]
    assert [int(index[s]) for s in inner] == list(range(len(inner)))
    assert {int(index[g]) for g in model.goals} == {len(inner)}
    assert len(rows.first_pair) == len(inner) + 1
    assert rows.cost_x is ssp.cost
    for s, r in zip(inner, range(len(inner)), strict=True):
        assert rows.first_pair[r + 1] - rows.first_pair[r] == len(model.pairs_s[s])
        for x, pair in zip(range(rows.first_pair[r], rows.first_pair[r + 1]), model.pairs_s[s], strict=True):
            entries = slice(rows.row_ptr[x], rows.row_ptr[x + 1])
            merged = dict(zip(rows.next_state[entries].tolist(), rows.probability[entries].tolist(), strict=True))
            assert len(merged) == entries.stop - entries.start
            expected: dict[int, float] = {}
            for t, p in pair.to.items():
                expected[int(index[t])] = expected.get(int(index[t]), 0.0) + float(p)
            assert merged.keys() == expected.keys()
            assert all(abs(merged[t] - expected[t]) < 1e-15 * 8 and 0.0 < merged[t] <= 1.0 for t in merged)


def test_a_single_last_goal_shares_the_arrays() -> None:
    ssp = SSP.from_rows([(0, 0, 1, 1.0, 1.0)], start=0, goal=1)
    assert ssp.rows.next_state is ssp.next_state
    assert ssp.rows.probability is ssp.probability


def test_signature_says_all_but_the_probabilities() -> None:
    signature = SSP_WITH_NAMES.signature
    assert (signature.states, signature.actions, signature.goal, signature.start) == (2, 2, 2, None)
    assert (signature.c_min, signature.c_max, signature.random_costs) == (0.0, 2.5, False)
    assert signature.first_pair.tolist() == [0, 2, 3]
    assert signature.cost_x.tolist() == [1.0, 2.5, 0.0]
    assert signature.action_x.tolist() == [0, 3, 0]
    assert signature.index_s.tolist() == [0, 2, 1, 2]
    assert repr(signature) == "Signature(2 states and the goal, 2 actions, costs 0 to 2.5, start None)"


def test_signature_names_the_start_and_says_that_costs_are_drawn() -> None:
    ssp = SSP.from_rows([(1, 0, 0, 1.0, 1.0), (2, 0, 1, 1.0, 3.0)], start=2, goal=0).with_random_costs("bernoulli", low=0.5, high=4.0)
    assert (ssp.signature.start, ssp.signature.random_costs) == (1, True)
    assert (ssp.signature.c_min, ssp.signature.c_max) == (ssp.c_min, ssp.c_max) == (0.5, 4.0)
