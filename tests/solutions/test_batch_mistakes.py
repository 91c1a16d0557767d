"""The mistakes of the two batch exercises: what their messages quote comes out of the visible batches."""
from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from grader.catalogue import Exercise, Mistake, load
from grader.known_mistakes import match, solution_blanks, wrong_function
from solutions.bug_hunt_batch.mistakes import FAULTS
from tests.solutions.batch_numbers import quotable

VERIFY, HUNT = load("verify_batch"), load("bug_hunt_batch")
LISTS = re.compile(r"\[-?\d+(?:, -?\d+)+\]")
OTHER_CALL = "residual_left_out"  # speaks of the test that the code came with

each_mistake = pytest.mark.parametrize(
    ("exercise", "mistake"),
    [pytest.param(one, mistake, id=f"{one.id}-{mistake.id}") for one in (VERIFY, HUNT) for mistake in one.mistakes],
)


@each_mistake
def test_tokens_and_counts_in_messages_come_out_of_the_visible_batch(exercise: Exercise, mistake: Mistake) -> None:
    wrong, right = quotable(exercise.id, wrong_function(exercise, mistake)), quotable(exercise.id, exercise.solution)
    quoted = [json.loads(found) for found in LISTS.findall(mistake.message.en)]
    if mistake.id != OTHER_CALL:
        assert all(one in wrong or one in right for one in quoted), quoted
    assert sorted(LISTS.findall(mistake.message.en)) == sorted(LISTS.findall(mistake.message.zh))


@each_mistake
def test_a_message_that_promises_an_error_tells_which(exercise: Exercise, mistake: Mistake) -> None:
    if "IndexError" in mistake.message.en:
        assert quotable(exercise.id, wrong_function(exercise, mistake)) == []


@pytest.mark.parametrize(
    ("blank", "written", "mistake"),
    [
        ("offsets", "draft_starts = lengths * requests\ntarget_starts = requests + draft_starts",
         "equal_lengths_assumed"),
        ("accepted", "~(coins * draft_rows[drafts, draft_tokens] > target_rows[drafts + owner, draft_tokens])",
         "closed_comparison"),
        ("accepted", "coins.gather(0, draft_starts[owner]) * draft_rows[drafts, draft_tokens] "
         "< target_rows[drafts + owner, draft_tokens]", "one_coin_per_request"),
        ("run", "torch.stack([part.sum() for part in accepted.split(lengths.tolist())])", "accepted_counted"),
        ("weights", "weights = target_rows.double()[target_starts + run].clone()", "target_after_rejection"),
        ("draw", "final_tokens = weights.max(dim=1).indices", "most_likely_token"),
        ("results", "tokens = draft_tokens.new_zeros(len(lengths), width)\nkept = position < run[owner]\n"
         "tokens[owner[kept], position[kept]] = draft_tokens[kept]\ntokens[requests, run] = final_tokens\n"
         "counts = 1 + run", "padded_with_zero"),
    ],
)  # fmt: skip
def test_a_mistake_written_in_another_way_is_recognised(blank: str, written: str, mistake: str) -> None:
    space: dict[str, Any] = {}
    exec(VERIFY.fill(solution_blanks(VERIFY) | {blank: written}), space)
    assert [found.id for found in match(VERIFY, space["verify_batch"])] == [mistake]


def test_every_mutant_of_a_batch_is_tried() -> None:
    """The others, an end of sequence in the run, a length overrun and a wrong draft law, lie outside of such a call."""
    tried = tomllib.loads((Path(__file__).parent / "answers/verify_batch.toml").read_text("utf-8"))["wrong"]
    found = {mutant for mistake in VERIFY.mistakes for mutant in mistake.mutants}
    found |= {mutant for answer in tried for mutant in answer.get("mutants", ())}
    assert {f"B{number:02}" for number in range(1, 8)} <= found


def test_the_check_of_a_fault_fails_for_that_fault_alone() -> None:
    """So a student who has repaired one fault passes one more check, whatever the others do."""
    own = {"ragged": "rows_where_lengths_differ", "coins": "coins_of_each_position", "bonus": "bonus_rows",
           "in_place": "rows_stay_as_they_were"}  # fmt: skip
    golden = json.loads((Path(__file__).parent.parent / "golden/bug_hunt_batch.json").read_text("utf-8"))
    left = {name.removesuffix("_left"): entry["hidden"] for name, entry in golden.items() if name.endswith("_left")}
    assert len(left) == 2 ** len(FAULTS) - 1
    for faults, failed in left.items():
        still_in = {fault.id for fault in FAULTS if fault.id in faults.split("_and_")}
        assert {fault for fault, check in own.items() if check in failed} == still_in
