"""The rules that verification lives by, one named test each, over every path of the engine, on any dyadic batch.

The exact laws at the end are sums over everything that can be proposed and every uniform, not samples.
"""
from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solutions.batch.batch import Batch
from solutions.draws import accepts, pick
from solutions.law import total_variation
from tests.solutions.batches import (
    BELOW_ONE,
    ENGINES,
    PARTS,
    batch_of,
    dyadic_batches,
    dyadic_laws,
    emitted,
    requests,
    uniforms,
)

each_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
few = settings(max_examples=40, deadline=None)
laws = st.integers(2, 6).flatmap(lambda size: st.tuples(dyadic_laws(size), dyadic_laws(size)))


def step(engine: Any, target: Any, draft: Any, token: int, coin: float, final_draw: float) -> list[int]:
    """What one request with one draft emits; its bonus row gives token 0 for certain."""
    bonus = [1.0] + [0.0] * (len(target) - 1)
    return emitted(engine(batch_of([1], [token], [target, bonus], [draft], [coin], [final_draw])))[0]


# --- the coin --------------------------------------------------------------------------------------------------------


@each_engine
@given(pair=laws, coin=uniforms, data=st.data())
@few
def test_a_draft_token_is_kept_if_and_only_if_u_times_draft_is_less_than_target(
    engine: Any, pair: Any, coin: float, data: Any
) -> None:
    target, draft = pair
    token = data.draw(st.integers(0, len(target) - 1))
    kept = len(step(engine, target, draft, token, coin, 0.0)) == 2
    assert kept == (Fraction(coin) * Fraction(draft[token]) < Fraction(target[token])) == accepts(
        coin, target[token], draft[token]
    )


@each_engine
@given(pair=laws, coin=st.one_of(st.just(0.0), uniforms), final_draw=uniforms, data=st.data())
@few
def test_a_token_without_target_mass_is_never_kept_at_u_zero_either(
    engine: Any, pair: Any, coin: float, final_draw: float, data: Any
) -> None:
    token = data.draw(st.integers(0, len(pair[0])))
    target, draft = ([*law[:token], mass, *law[token:]] for law, mass in zip(pair, (0.0, 0.5), strict=True))
    draft = [mass / 2 if other != token else mass for other, mass in enumerate(draft)]
    (got,) = step(engine, target, draft, token, coin, final_draw)
    assert target[got] > 0.0


@each_engine
@given(law=st.integers(1, 6).flatmap(dyadic_laws), coin=uniforms, data=st.data(), scale=st.integers(0, 900))
@few
def test_where_both_agree_a_token_is_kept_however_small_its_mass(
    engine: Any, law: Any, coin: float, data: Any, scale: int
) -> None:
    """No division and no epsilon: an added 1e-12 would reject most of what both models hold at 2^-900."""
    token = data.draw(st.sampled_from([token for token, mass in enumerate(law) if mass > 0.0]))
    tiny = law[token] * 2.0**-scale
    both = [*(mass for other, mass in enumerate(law) if other != token), law[token] - tiny, tiny]
    assert len(step(engine, both, both, len(both) - 1, coin, 0.0)) == 2


# --- the residual ----------------------------------------------------------------------------------------------------


@each_engine
@given(pair=laws, data=st.data())
@few
def test_a_rejection_draws_from_what_the_target_has_above_the_draft(engine: Any, pair: Any, data: Any) -> None:
    """On a grid of uniforms that resolves every residual, each token comes out as often as its share of the excess."""
    target, draft = pair
    rejectable = [token for token, (wanted, offered) in enumerate(zip(*pair, strict=True)) if wanted < offered]
    assume(rejectable)
    token = data.draw(st.sampled_from(rejectable))
    excess = [max(wanted - offered, 0.0) for wanted, offered in zip(target, draft, strict=True)]
    cells = round(sum(excess) * PARTS)  # one for each 1/64 of residual mass
    bonus = [1.0] + [0.0] * (len(target) - 1)
    draws = (np.arange(cells) + 0.5) / cells
    rows = [target, bonus] * cells
    batch = batch_of([1] * cells, [token] * cells, rows, [draft] * cells, [BELOW_ONE] * cells, draws)
    came = np.bincount([got for (got,) in emitted(engine(batch))], minlength=len(target))
    assert (came == np.array(excess) * PARTS).all()


@each_engine
@given(law=st.integers(2, 6).flatmap(dyadic_laws), final_draw=uniforms)
@few
def test_a_residual_lost_to_rounding_falls_back_to_the_target_row(engine: Any, law: Any, final_draw: float) -> None:
    """Never uniform, never argmax, never token 0."""
    target = [mass * (1.0 - 2.0**-40) for mass in law]
    token = law.index(max(law))
    (got,) = step(engine, target, law, token, BELOW_ONE, final_draw)
    assert got == pick(law, final_draw)


# --- what is emitted -------------------------------------------------------------------------------------------------


@each_engine
@given(batch=dyadic_batches())
@few
def test_tokens_after_the_first_rejection_are_discarded(engine: Any, batch: Batch) -> None:
    answer = emitted(engine(batch))
    for got, (drafts, targets, proposals, coins, _) in zip(answer, requests(batch), strict=True):
        places = range(len(drafts))
        kept = [bool(coins[k] * proposals[k, drafts[k]] < targets[k, drafts[k]]) for k in places]
        run = (*kept, False).index(False)
        assert got[:-1] == drafts[:run].tolist() and len(got) == run + 1


@each_engine
@given(batch=dyadic_batches())
@few
def test_one_to_k_plus_one_tokens_come_out_and_each_has_target_mass(engine: Any, batch: Batch) -> None:
    for got, (drafts, targets, *_) in zip(emitted(engine(batch)), requests(batch), strict=True):
        assert 1 <= len(got) <= len(drafts) + 1
        assert all(targets[place, token] > 0.0 for place, token in enumerate(got))


@each_engine
@given(batch=dyadic_batches(), data=st.data())
@few
def test_all_accepted_brings_one_bonus_from_the_last_row_and_no_other(engine: Any, batch: Batch, data: Any) -> None:
    certain = batch._replace(coins=np.zeros(len(batch.coins)))
    for request, (drafts, targets, *_, final_draw) in enumerate(requests(certain)):
        if all(targets[place, token] > 0.0 for place, token in enumerate(drafts)):
            got = emitted(engine(certain))[request]
            assert got == [*drafts.tolist(), pick(targets[-1].tolist(), final_draw)]


# --- randomness ------------------------------------------------------------------------------------------------------


@each_engine
@given(batch=dyadic_batches())
@few
def test_the_uniforms_that_are_given_decide_and_no_state_is_touched(engine: Any, batch: Batch) -> None:
    before = random.getstate(), np.random.get_state()[1].tolist(), torch.get_rng_state()
    first = emitted(engine(batch))
    assert random.getstate() == before[0] and np.random.get_state()[1].tolist() == before[1]
    assert torch.equal(torch.get_rng_state(), before[2])
    np.random.seed(random.randrange(1000))
    torch.manual_seed(random.randrange(1000))
    assert emitted(engine(batch)) == first


@each_engine
@given(batch=dyadic_batches(), data=st.data())
@few
def test_each_uniform_decides_its_own_position_and_no_other(engine: Any, batch: Batch, data: Any) -> None:
    """A coin behind the first rejection, or another request's uniform, changes nothing."""
    first = emitted(engine(batch))
    request = data.draw(st.integers(0, len(first) - 1))
    coins, draws = batch.coins.copy(), batch.final_draws.copy()
    start = 0
    for other, length in enumerate(batch.lengths.tolist()):
        read = len(first[other]) if other == request else 0  # coins that a request looks at
        coins[start + read : start + length] = data.draw(uniforms)
        draws[other] = draws[other] if other == request else data.draw(uniforms)
        start += length
    assert emitted(engine(batch._replace(coins=coins, final_draws=draws)))[request] == first[request]


# --- the inverse CDF -------------------------------------------------------------------------------------------------


@each_engine
@given(law=st.integers(1, 6).flatmap(dyadic_laws))
@few
def test_a_draw_gives_the_first_token_whose_cumulative_mass_is_greater(engine: Any, law: Any) -> None:
    """At every boundary, just below it, and at the ends; a token without mass never comes out."""
    running = np.cumsum(law)
    edges = sorted({0.0, *running[running < 1.0].tolist()})
    draws = [*edges, *(float(np.nextafter(edge, 0.0)) for edge in edges if edge > 0.0), BELOW_ONE]
    answer = emitted(engine(batch_of([0] * len(draws), [], [law] * len(draws), np.zeros((0, len(law))), [], draws)))
    wanted = [next(token for token, mass in enumerate(running) if mass > draw) for draw in draws]
    assert [got for (got,) in answer] == wanted
    assert all(law[got] > 0.0 for (got,) in answer)


# --- temperature 0 ---------------------------------------------------------------------------------------------------


@each_engine
@given(batch=dyadic_batches(), data=st.data())
@few
def test_a_one_hot_target_emits_its_tokens_whatever_the_draft_and_the_uniforms(
    engine: Any, batch: Batch, data: Any
) -> None:
    """Temperature 0 is a one-hot row: drafts are kept while they are its tokens, then its own token comes."""
    size = batch.target_rows.shape[1]
    rows = len(batch.target_rows)
    best = data.draw(st.lists(st.integers(0, size - 1), min_size=rows, max_size=rows))
    greedy = batch._replace(target_rows=np.eye(size)[best])
    for got, (drafts, targets, *_) in zip(emitted(engine(greedy)), requests(greedy), strict=True):
        wanted = targets.argmax(axis=1).tolist()
        assert got == wanted[: len(got)]
        assert len(got) == 1 + (*(a == b for a, b in zip(drafts, wanted, strict=False)), False).index(False)


# --- the exact law ---------------------------------------------------------------------------------------------------

SIZE, LENGTH, CELLS = 3, 2, 4
QUARTERS = (  # (target, draft) in quarters; accept odds and residuals are in quarters too
    ((1, 2, 1), (2, 1, 1)),
    ((1, 1, 2), (2, 2, 0)),
    ((2, 1, 1), (4, 0, 0)),
    ((0, 2, 2), (4, 0, 0)),
    ((2, 1, 1), (0, 2, 2)),
    ((1, 2, 1), (1, 2, 1)),
)


def law_after(prefix: tuple[int, ...], which: int) -> list[float]:
    """The target's (0) or the draft's (1) law after these tokens."""
    return [quarter / 4 for quarter in QUARTERS[(len(prefix) + sum(prefix) * 2) % len(QUARTERS)][which]]


def probability(tokens: tuple[int, ...], which: int, start: int = 0) -> float:
    """Of these tokens from `start` on, after those before it."""
    return float(np.prod([law_after(tokens[:k], which)[tokens[k]] for k in range(start, len(tokens))]))


def joint_law(engine: Any, proposed_by: int = 1) -> dict[tuple[int, ...], float]:
    """Of LENGTH + 1 tokens: what a round emits, continued by the target; drafts come from law `proposed_by`."""
    points = (np.arange(CELLS) + 0.5) / CELLS
    cases = list(product(product(range(SIZE), repeat=LENGTH), product(points, repeat=LENGTH + 1)))
    targets = [law_after(drafts[:k], 0) for drafts, _ in cases for k in range(LENGTH + 1)]
    proposals = [law_after(drafts[:k], 1) for drafts, _ in cases for k in range(LENGTH)]
    coins, draws = [points[:-1] for _, points in cases], [points[-1] for _, points in cases]
    batch = batch_of([LENGTH] * len(cases), [drafts for drafts, _ in cases], targets, proposals, coins, draws)
    law = dict.fromkeys(product(range(SIZE), repeat=LENGTH + 1), 0.0)
    for (drafts, _), got in zip(cases, emitted(engine(batch)), strict=True):
        share = probability(drafts, proposed_by) / CELLS ** (LENGTH + 1)
        for rest in product(range(SIZE), repeat=LENGTH + 1 - len(got)):
            law[*got, *rest] += share * probability((*got, *rest), 0, len(got))
    return law


@each_engine
def test_the_joint_law_of_k_plus_one_tokens_is_the_target_s_to_the_last_bit(engine: Any) -> None:
    law = joint_law(engine)
    assert law == {tokens: probability(tokens, 0) for tokens in law}


@each_engine
def test_drafts_of_another_law_than_the_one_that_is_told_break_the_law(engine: Any) -> None:
    """The same rounds, but the drafts were drawn from the target while the draft's law was handed over."""
    law = joint_law(engine, proposed_by=0)
    assert total_variation(list(law.values()), [probability(tokens, 0) for tokens in law]) > 0.01
