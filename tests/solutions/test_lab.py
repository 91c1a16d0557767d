"""The lab's measuring: what may be chosen, the synthetic pair, the checks that see wrong ways, and one whole run."""
from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pytest
import torch

from solutions.batch import fast_numpy, fast_torch
from solutions.batch.batch import Batch
from solutions.lab import choice as offers
from solutions.lab import memory, pair, tutorial, tutorial_torch
from solutions.lab.choice import GIB, Choice, NotAChoice, fitting
from solutions.lab.correct_torch import Agreement, GridCheck, agreement, judged, part
from solutions.lab.measure_torch import measure
from solutions.lab.runs_torch import NotHere, run_of
from solutions.lab.speed_torch import Race

SMALL = Choice(requests=16, drafts=4, size=1000, ragged=True)


def tensors(batch: Batch) -> Batch:
    return Batch(*map(torch.from_numpy, batch))


# --- choices ---------------------------------------------------------------------------------------------------------


def test_a_choice_travels_as_json_and_back() -> None:
    assert Choice.of_data(SMALL.as_data()) == SMALL


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"device": "tpu"}, "device is 'tpu'"), ({"requests": 17}, "requests is 17"), ({"alpha": 1.0}, "alpha is 1.0"),
        ({"runs": []}, "runs are []"), ({"runs": ["triton"]}, "on cpu there are"), ({"more": 1}, "a choice has"),
    ],
)  # fmt: skip
def test_what_is_not_offered_is_named(changed: dict[str, Any], named: str) -> None:
    with pytest.raises(NotAChoice, match=named.replace("[", r"\[").replace("]", r"\]")):
        Choice.of_data(SMALL.as_data() | changed)


def test_what_is_needed_grows_with_all_sizes_and_holds_every_batch() -> None:
    assert Choice().needed > Choice().copies * Choice().rows * Choice().row_bytes
    for name in ("requests", "drafts", "size"):
        values = {"requests": offers.REQUESTS, "drafts": offers.DRAFTS, "size": offers.SIZES}[name]
        large = [dataclasses.replace(Choice(requests=4096, drafts=16), **{name: value}).needed for value in values]
        assert large == sorted(large)


@pytest.mark.parametrize("limit", [GIB // 8, GIB, 4 * GIB])
def test_what_fits_is_the_largest_that_does(limit: int) -> None:
    for size, drafts in itertools.product((32000, 128256), offers.DRAFTS):
        smaller = fitting(Choice(requests=4096, drafts=drafts, size=size), limit)
        if smaller is None:
            continue
        assert smaller.needed <= limit and smaller.size <= size
        larger = [count for count in offers.REQUESTS if count > smaller.requests]
        assert not larger or dataclasses.replace(smaller, requests=larger[0]).needed > limit
    assert fitting(Choice(drafts=16), 1000) is None


# --- the pair --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", offers.ALPHAS)
@pytest.mark.parametrize("size", [1000, 32000])
def test_the_pair_has_the_acceptance_rate_asked_for(alpha: float, size: int) -> None:
    made = pair.make(Choice(requests=4, drafts=4, size=size, alpha=alpha), 1)
    assert made.alpha == pytest.approx(alpha, abs=0.03)


def test_ragged_batches_have_one_set_of_shapes_and_a_longest_request() -> None:
    first, second = (pair.make(SMALL, seed).batch for seed in (1, 2))
    assert (first.lengths == second.lengths).all() and first.lengths.max() == 4 and len(set(first.lengths)) > 2
    assert (first.target_rows != second.target_rows).any()
    assert np.allclose(first.target_rows.sum(axis=1), 1.0, atol=1e-5)


def test_logits_are_those_of_the_same_laws() -> None:
    from solutions.batch.logits_numpy import softmax

    logits, laws = (pair.make(dataclasses.replace(SMALL, logits=one), 1) for one in (True, False))
    assert np.allclose(softmax(logits.batch.draft_rows), laws.batch.draft_rows, atol=1e-7)
    assert (logits.batch.draft_tokens == laws.batch.draft_tokens).all() and logits.alpha == laws.alpha


def test_bytes_that_must_move_are_those_of_the_expected_rows() -> None:
    """Against the rows of many verified batches with coins of their own."""
    made, rows, judged_rows = pair.make(SMALL, 1), [], []
    rng = np.random.default_rng(1)
    for _ in range(400):
        batch = made.batch._replace(coins=rng.random(len(made.batch.coins)))
        counts = fast_numpy.verify(batch)[1]
        stopped = counts <= batch.lengths
        rows.append(len(counts) + stopped.sum())
        judged_rows.append(2 * np.minimum(counts, batch.lengths).sum() + (~stopped).sum())
    scalars = 2 * len(made.batch.draft_tokens) * 64
    assert memory.must_move(SMALL, made) == pytest.approx(scalars + 4000 * np.mean(rows), rel=0.02)
    from_logits = dataclasses.replace(SMALL, logits=True)
    assert memory.must_move(from_logits, made) == pytest.approx(4000 * np.mean(judged_rows), rel=0.02)


# --- the checks ------------------------------------------------------------------------------------------------------


def test_the_reference_is_asked_some_requests_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = tensors(pair.make(SMALL, 1).batch)
    whole = judged(batch, False)
    monkeypatch.setattr("solutions.lab.correct_torch.PIECE", 20_000)
    assert all((one == other).all() for one, other in zip(judged(batch, False), whole, strict=True))


def test_a_part_of_a_batch_gives_its_requests_tokens() -> None:
    batch = tensors(pair.make(SMALL, 1).batch)
    tokens, counts = judged(batch, False)
    few = [5, 0, 11]
    assert (judged(part(batch, few), False)[1] == counts[few]).all()


def test_agreement_tells_a_boundary_from_a_wrong_token() -> None:
    batch = tensors(pair.make(SMALL, 1).batch)
    right = judged(batch, False)
    assert agreement(right, batch, False) == Agreement(16, 0, 0)
    near = batch._replace(final_draws=(batch.final_draws - 2.0**-22).clamp(min=0.0))
    found = agreement(judged(near, False), batch, False)
    assert found.wrong == 0
    far = batch._replace(final_draws=(batch.final_draws + 0.3) % 1)
    assert agreement(judged(far, False), batch, False).wrong > 8
    assert agreement((right[0][:3], right[1][:3]), batch, False) == Agreement(0, 0, 16)


def test_a_draw_on_a_boundary_is_seen_as_one() -> None:
    law = torch.tensor([[0.25, 0.75]])
    lengths, none = torch.zeros(1, dtype=torch.int64), torch.empty(0, dtype=torch.int64)
    batch = Batch(none, law, law[:0], lengths, none.double(), torch.tensor([0.25], dtype=torch.float64))
    assert judged(batch, False)[0].tolist() == [[1]]
    assert agreement((torch.tensor([[0]]), torch.ones(1, dtype=torch.int64)), batch, False) == Agreement(0, 1, 0)
    moved = batch._replace(final_draws=batch.final_draws + 0.01)
    assert agreement((torch.tensor([[0]]), torch.ones(1, dtype=torch.int64)), moved, False) == Agreement(0, 0, 1)


def test_the_grid_sees_a_wrong_law() -> None:
    check = GridCheck("float32", False)
    assert check.error(fast_torch.verify(check.batch)) == 0.0
    tokens, counts = fast_torch.verify(check.batch._replace(draft_rows=check.batch.draft_rows.flip(1)))
    assert check.error((tokens, counts)) > 0.01
    again = check.batch._replace(final_draws=check.batch.coins.reshape(-1, 2)[:, 0])
    assert check.error(fast_torch.verify(again)) > 0.01


# --- the tutorials' ways ---------------------------------------------------------------------------------------------

TUTORIAL = {
    "loop": (lambda batch: tutorial.naive_loop(batch, tutorial.by_uniform), False),
    "batch": (tutorial.textbook_batch, False),
    "loop in torch": (tutorial_torch.naive_loop, True),
    "batch in torch": (tutorial_torch.textbook_batch, True),
}


@pytest.mark.parametrize("ragged", [False, True])
@pytest.mark.parametrize(("way", "in_torch"), TUTORIAL.values(), ids=TUTORIAL)
def test_tutorials_are_right_on_ordinary_batches(way: Any, in_torch: bool, ragged: bool) -> None:
    batch = pair.make(dataclasses.replace(SMALL, ragged=ragged), 1).batch
    given = tensors(batch)
    assert agreement(way(given if in_torch else batch), given, False).wrong == 0
    check = GridCheck("float32", False)
    assert check.error(way(check.batch if in_torch else Batch(*(one.numpy() for one in check.batch)))) == 0.0


def test_the_loop_is_timed_with_numpy_s_own_choice() -> None:
    tokens, counts = tutorial.naive_loop(pair.make(SMALL, 1).batch)
    assert ((tokens >= 0).sum(axis=1) == counts).all()


# --- a run -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("logits", [False, True])
def test_a_run_tells_its_progress_and_ends_with_a_result(logits: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "readers", lambda: [(1, lambda: None)])
    choice = Choice(requests=4, drafts=2, size=16, logits=logits, runs=("naive", "textbook", "numpy", "eager", "own"))
    *progress, result = measure(choice, own=_reads_like_a_student, seconds=0.0)
    parts = [event["part"] for event in progress]
    assert parts == sorted(parts) and parts[0] == 0.0 and parts[-1] < 1.0
    assert {event["stage"] for event in progress} == {"data", "check", "time"}
    assert [one["run"] for one in result["outcomes"]] == list(choice.runs)
    for one in result["outcomes"]:
        assert (one["status"], one["equal"] + one["boundary"], one["wrong"], one["law_error"]) == ("ok", 4, 0, 0.0), one
        assert one["seconds"] > 0 and one["calls"] > 0
    assert Choice.of_data(result["choice"]) == choice and result["bytes"] > 0


def _reads_like_a_student(*arguments: Any) -> Any:
    return fast_torch.verify(Batch(*arguments))


def test_one_way_that_fails_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "readers", lambda: [(1, lambda: None)])

    def fails(*arguments: Any) -> Any:
        raise RuntimeError("no such luck")

    choice = Choice(requests=1, drafts=1, size=16, dtype="bfloat16", runs=("numpy", "own", "eager"))
    *_, result = measure(choice, own=fails, seconds=0.0)
    numpy, own, eager = result["outcomes"]
    assert (numpy["status"], numpy["reason"]) == ("skipped", "no_bfloat16")
    assert (own["status"], own["message"]) == ("failed", "RuntimeError: no such luck")
    assert eager["status"] == "ok" and eager["wrong"] == 0


def test_what_can_not_run_here_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    for large, own in ((Choice(requests=64, runs=("own",)), print), (Choice(runs=("own",)), None)):
        with pytest.raises(NotHere, match="own_too_large" if own else "no_own"):
            run_of("own", large, own)
    monkeypatch.setattr("solutions.lab.runs_torch.has_compiler", lambda: False)
    with pytest.raises(NotHere, match="no_compiler"):
        run_of("compiled", Choice(runs=("compiled",)))


def test_the_race_gives_each_a_turn_and_the_slow_own_function_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "readers", lambda: [(10, lambda: None)])
    race = Race("cpu", {"numpy": itertools.repeat(int), "own": itertools.repeat(int)}, 0.0001)
    monkeypatch.setattr(race, "_turn", lambda calls: [race._timed(next(calls))])
    assert all(0.0 <= one < 1.0 for one in race.rounds())
    assert len(race.times["numpy"]) >= 5 and len(race.times["own"]) == 3 and race.bandwidth > 0


@pytest.mark.skipif(not memory.CLEAR.exists(), reason="the peak is known on Linux only")
def test_the_peak_of_a_call_is_what_it_takes_at_most() -> None:
    taken = memory.peak_of(lambda: np.ones(40 * offers.MIB, np.uint8).sum())
    assert taken == pytest.approx(40 * offers.MIB, rel=0.2)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch sees no CUDA device")
@pytest.mark.parametrize("logits", [False, True])
def test_a_run_on_a_gpu(logits: bool) -> None:
    choice = Choice("cuda", 16, 4, 32000, logits=logits, ragged=True, runs=offers.RUNS["cuda"])
    *_, result = measure(choice, seconds=0.2)
    for one in result["outcomes"]:
        assert (one["status"], one["law_error"]) == ("ok", 0.0), one
        assert one["wrong"] == 0 or one["run"] in ("naive", "textbook"), one
