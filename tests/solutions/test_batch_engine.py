"""The engine for batches against exact fractions, against one request at a time, and NumPy against PyTorch."""
from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings

from solutions.batch import fast_torch, verify_batch
from solutions.batch.batch import Batch
from solutions.batch.block_sums import BLOCK, SCRATCH, WHOLE, block_sums
from solutions.draws import pick
from tests.solutions.batches import (
    BELOW_ONE,
    ENGINES,
    batch_of,
    dyadic_batches,
    emitted,
    exactly,
    random_batch,
    requests,
    softmax,
)

ROOT = Path(__file__).resolve().parent.parent.parent
LENGTHS = [3, 0, 1, 8, 2, 0, 4]

each_engine = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


# --- against exact fractions, and against each other -----------------------------------------------------------------


@each_engine
@given(batch=dyadic_batches())
@settings(max_examples=60, deadline=None)
def test_dyadic_batches_give_the_tokens_of_exact_fractions(engine: Any, batch: Batch) -> None:
    assert emitted(engine(batch)) == exactly(batch)


@each_engine
@pytest.mark.parametrize("size", [2, 7, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 3])
def test_random_batches_give_the_tokens_of_exact_fractions(engine: Any, size: int) -> None:
    """float64 rows: a draw would have to come within 1e-15 of a boundary to differ."""
    batch = random_batch(np.random.default_rng(size), LENGTHS, size)
    assert emitted(engine(batch)) == exactly(batch)


@each_engine
@pytest.mark.parametrize("size", [5000, SCRATCH, SCRATCH + 1, 2 * SCRATCH + 300])
def test_large_vocabularies_give_the_tokens_of_one_flat_sum(engine: Any, size: int) -> None:
    batch = random_batch(np.random.default_rng(size), [2, 0, 3], size)
    for got, (drafts, targets, proposals, coins, final_draw) in zip(
        emitted(engine(batch)), requests(batch), strict=True
    ):
        run = len(got) - 1
        assert got[:run] == drafts[:run].tolist()
        assert all(coins[k] * proposals[k, drafts[k]] < targets[k, drafts[k]] for k in range(run))
        masses = targets[run] if run == len(drafts) else np.maximum(targets[run] - proposals[run], 0.0)
        assert got[run] == pick((masses / masses.sum()).tolist(), final_draw)


@each_engine
def test_a_batch_gives_what_its_requests_give_alone_in_any_order(engine: Any) -> None:
    batch = random_batch(np.random.default_rng(5), LENGTHS, 300)
    alone = [
        emitted(engine(batch_of([len(drafts)], drafts, targets, proposals, coins, [final_draw])))[0]
        for drafts, targets, proposals, coins, final_draw in requests(batch)
    ]
    order = np.random.default_rng(6).permutation(len(LENGTHS))
    parts = [requests(batch)[index] for index in order]
    columns = [np.concatenate([part[which] for part in parts]) for which in range(4)]
    drafts, targets, proposals, coins = columns
    shuffled = batch_of([LENGTHS[i] for i in order], drafts, targets, proposals, coins, [part[4] for part in parts])
    assert emitted(engine(batch)) == alone
    assert emitted(engine(shuffled)) == [alone[index] for index in order]


@pytest.mark.parametrize(("dtype", "size"), [(np.float32, 40), (np.float64, 40), (np.float64, 1000)])
def test_numpy_and_torch_agree(dtype: Any, size: int) -> None:
    rng = np.random.default_rng(size)
    batch = random_batch(rng, rng.integers(0, 6, 200).tolist(), size, dtype)
    first, *others = (emitted(engine(batch)) for engine in ENGINES.values())
    assert all(other == first for other in others)


def test_the_text_for_torch_can_be_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Traced as torch.compile does, but run without its C++ compiler; the benchmark compares what that makes."""
    traced = torch.compile(fast_torch.verify_flat, dynamic=False, fullgraph=True, backend="aot_eager")
    monkeypatch.setattr(fast_torch, "compiled", lambda step: traced)
    batch = random_batch(np.random.default_rng(2), LENGTHS, 600)
    with_fallback = batch._replace(coins=np.full(len(batch.coins), BELOW_ONE), draft_rows=np.tile(EVEN, (18, 1)))
    with_fallback = with_fallback._replace(target_rows=np.tile(UNDERFLOWED, (25, 1)))
    for one in (batch, with_fallback):
        got = verify_batch(*map(torch.from_numpy, one), trusted=True, compiled=True)
        assert emitted(got) == exactly(one)


EVEN = np.full(600, 1.0 / 600)
UNDERFLOWED = EVEN * (1.0 - 2.0**-40)


# --- edges -----------------------------------------------------------------------------------------------------------

HALF = [0.5, 0.5, 0.0, 0.0]


@each_engine
@pytest.mark.parametrize(
    ("target", "draft", "token", "coin", "final_draw", "tokens"),
    [
        pytest.param([0.0, 0.5, 0.25, 0.25], HALF, 0, 0.0, 0.0, [2], id="E1-impossible-token-at-u-zero"),
        pytest.param([0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 0.5, 0.5], 0, 0.5, 0.5, [1], id="E2-neither-wants-it"),
        pytest.param(HALF, HALF, 1, 1.0 - 2.0**-24, 0.5, [1, 0], id="E3-equal-laws-largest-float32-coin"),
        pytest.param(HALF, HALF, 1, BELOW_ONE, 0.5, [1, 0], id="E3-equal-laws-largest-coin"),
        pytest.param([1.0 - 1e-13, 1e-13], [1.0 - 1e-13, 1e-13], 1, 0.9, 0.5, [1, 0], id="E4-tiny-and-equal"),
        pytest.param([0.0, 0.25, 0.75], [0.0, 0.25 + 2**-30, 0.75 + 2**-30], 2, BELOW_ONE, 0.0, [1], id="E5-underflow"),
        pytest.param([0.0, 0.0, 1.0, 0.0], HALF, 1, 0.5, 0.5, [2], id="E6-one-hot-target"),
        pytest.param([1.0], [1.0], 0, BELOW_ONE, BELOW_ONE, [0, 0], id="vocabulary-of-one"),
        pytest.param([0.25, 0.0, 0.75, 0.0], HALF, 1, 0.9, 0.0, [2], id="first-token-with-mass"),
        pytest.param([0.25, 0.0, 0.75, 0.0], HALF, 1, 0.9, BELOW_ONE, [2], id="last-token-with-mass"),
    ],
)
def test_edges(
    engine: Any, target: Any, draft: Any, token: int, coin: float, final_draw: float, tokens: list[int]
) -> None:
    bonus = [1.0] + [0.0] * (len(target) - 1)
    assert emitted(engine(batch_of([1], [token], [target, bonus], [draft], [coin], [final_draw]))) == [tokens]


@each_engine
def test_an_underflowed_residual_among_others_falls_back_alone(engine: Any) -> None:
    """The residual of request 1 is lost to rounding; its neighbours' are not."""
    weights = np.random.default_rng(4).integers(0, 3, 700) + np.arange(700) % 2
    law = weights / weights.sum()
    other = np.roll(law, 1)
    targets, proposals = [law, law, law * (1 - 2.0**-40), law, law, law], [other, law, other]
    token = int(law.argmax())
    batch = batch_of([1] * 3, [token] * 3, targets, proposals, [BELOW_ONE] * 3, [0.3, 0.6, 0.9])
    assert emitted(engine(batch)) == exactly(batch)
    assert exactly(batch)[1] == [pick(law.tolist(), 0.6)]


@each_engine
def test_no_request_has_a_draft(engine: Any) -> None:
    batch = random_batch(np.random.default_rng(3), [0, 0, 0], 300)
    assert emitted(engine(batch)) == exactly(batch)


@each_engine
def test_the_smallest_masses_are_drawn_without_harm(engine: Any) -> None:
    """A residual of subnormal mass, 2^-1074: the product of a uniform with it rounds up to all of it."""
    target, draft = [0.5, 0.5, 2.0**-1074, 0.0], [0.5 + 2.0**-30, 0.5, 0.0, 0.0]
    batch = batch_of([1], [0], [target, target], [draft], [BELOW_ONE], [BELOW_ONE])
    assert emitted(engine(batch)) == [[2]]


# --- resolution and precision ----------------------------------------------------------------------------------------

LARGE = 2**17


@each_engine
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_neighbouring_draws_are_told_apart_in_a_large_vocabulary(engine: Any, dtype: Any) -> None:
    """2^17 equal tokens: each draw at a boundary gives the token that begins there, the one below the token before."""
    tokens = np.array([1, 255, 256, 257, 65535, 65536, 99999, LARGE - 1])
    at = tokens / LARGE
    draws = np.concatenate([at, np.nextafter(at, 0.0)])
    even = np.full((len(draws), LARGE), 1 / LARGE)
    batch = batch_of([0] * len(draws), [], even, even[:0], [], draws, dtype)
    assert emitted(engine(batch)) == [[token] for token in [*tokens, *(tokens - 1)]]


@each_engine
def test_rare_tokens_at_the_end_are_reached(engine: Any) -> None:
    """A thousand tokens of 2^-26 each, float32 rows: a float32 running sum or a 24-bit uniform would miss them."""
    row = np.zeros(LARGE, np.float32)
    row[0], row[-1000:] = 1.0 - 1000 * 2.0**-26, 2.0**-26
    draws = 1.0 - (np.array([1000, 999, 500, 2, 1]) - 0.5) * 2.0**-26
    batch = batch_of([0] * 5, [], [row] * 5, [row][:0], [], draws, np.float32)
    assert emitted(engine(batch)) == [[LARGE - back] for back in (1000, 999, 500, 2, 1)]


@pytest.mark.parametrize(("dtype", "moved"), [(np.float32, 1e-7), (np.float64, 1e-14)])
def test_block_sums_move_the_law_by_less_than_rounding_of_the_rows_does(dtype: Any, moved: float) -> None:
    """Total variation between the blocks' law and the exact one, as the docstring of the draw has it."""
    rng = np.random.default_rng(8)
    logits = rng.normal(0.0, 2.5, (2, LARGE))
    target, draft = softmax(logits + rng.normal(0.0, 0.3, (2, LARGE)))[:1], softmax(logits)[:1]
    rows = target.astype(dtype), draft.astype(dtype)
    for draft_at, masses in ((0, np.maximum(rows[0].astype(float) - rows[1], 0.0)), (WHOLE, rows[0].astype(float))):
        exact = masses.reshape(-1, BLOCK).sum(axis=1)
        sums = block_sums(*rows, [0], [draft_at])[0].astype(float)
        assert 0.5 * np.abs(sums / sums.sum() - exact / exact.sum()).sum() < moved


@each_engine
@pytest.mark.parametrize("size", [100, 1000])
def test_half_precision_rows_are_read_as_float32(engine: Any, size: int) -> None:
    rng = np.random.default_rng(9)
    batch = random_batch(rng, LENGTHS, size)
    half = batch._replace(target_rows=_halved(batch.target_rows), draft_rows=_halved(batch.draft_rows))
    upcast = half._replace(target_rows=half.target_rows.astype(float), draft_rows=half.draft_rows.astype(float))
    assert emitted(engine(half)) == exactly(upcast)


def _halved(rows: Any) -> Any:
    """As multiples of 2^-11, which float16 holds exactly up to 1; the largest entry takes up what is cut off."""
    cut = np.floor(rows * 2.0**11) / 2.0**11
    cut[np.arange(len(cut)), cut.argmax(axis=1)] += 1.0 - cut.sum(axis=1)
    return cut.astype(np.float16)


def test_bfloat16_rows_are_read_as_float32() -> None:
    rows = torch.tensor([[0.5, 0.25, 0.25, 0.0], [0.0, 0.0, 1.0, 0.0]], dtype=torch.bfloat16)
    given = torch.tensor([1]), rows, rows[:1], torch.tensor([1]), torch.tensor([0.9]), torch.tensor([0.1])
    assert emitted(verify_batch(*given)) == [[1, 2]]


def test_rows_of_two_precisions_are_read_as_the_finer() -> None:
    batch = random_batch(np.random.default_rng(1), LENGTHS, 500)
    mixed = batch._replace(draft_rows=batch.draft_rows.astype(np.float32))
    upcast = mixed._replace(draft_rows=mixed.draft_rows.astype(float))
    for engine in ENGINES.values():
        assert emitted(engine(mixed)) == exactly(upcast)


# --- what else a caller relies on ------------------------------------------------------------------------------------


@each_engine
def test_inputs_stay_as_they_were(engine: Any) -> None:
    batch = random_batch(np.random.default_rng(1), LENGTHS, 300)
    before = [part.copy() for part in batch]
    engine(batch)
    assert all((was == now).all() for was, now in zip(before, batch, strict=True))


def test_rows_that_are_no_contiguous_memory_are_read_right() -> None:
    batch = random_batch(np.random.default_rng(1), LENGTHS, 300)
    strided = batch._replace(target_rows=np.asfortranarray(batch.target_rows), draft_rows=batch.draft_rows[:, ::1])
    assert emitted(verify_batch(*strided)) == exactly(batch)
    assert emitted(verify_batch(*map(torch.from_numpy, strided))) == exactly(batch)


def test_threads_do_not_share_scratch_memory() -> None:
    batches = [random_batch(np.random.default_rng(seed), LENGTHS, 2000, np.float32) for seed in range(4)]
    alone = [emitted(verify_batch(*batch)) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        for _ in range(5):
            assert list(pool.map(lambda batch: emitted(verify_batch(*batch)), batches)) == alone


def test_numpy_users_import_no_torch() -> None:
    code = "import sys, solutions.batch; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
