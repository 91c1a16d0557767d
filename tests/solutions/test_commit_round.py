"""The bookkeeping of a round: against plain decoding steps, against a cache that knows what it holds, and in words."""
from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exercises.commit_round.checks import ENDED, WORKED
from grader.catalogue import Exercise, Mistake, load
from grader.known_mistakes import match, solution_blanks, wrong_function
from solutions.commit_round.cache import Cache, same_entry
from solutions.commit_round.solution import PADDING, commit_round

EXERCISE = load("commit_round")
EOS = 2
few = settings(max_examples=80, deadline=None)
tokens = st.integers(EOS, 7)


@st.composite
def rounds(draw: st.DrawFn) -> tuple[list[int], list[int], list[int]]:
    """(prompt, draft, row): a verifier's row keeps a beginning of the draft and adds another token."""
    prompt = draw(st.lists(tokens, min_size=1, max_size=4))
    draft = draw(st.lists(tokens, max_size=4))
    kept = draw(st.integers(0, len(draft)))
    last = draw(tokens.filter(lambda token: [token] != draft[kept : kept + 1]))
    row = [*draft[:kept], last]
    return prompt, draft, row + [PADDING] * (len(draft) + 1 - len(row) + draw(st.integers(0, 2)))


@few
@given(rounds(), st.integers(1, 6))
def test_a_round_is_so_many_plain_decoding_steps(case: tuple[list[int], list[int], list[int]], limit: int) -> None:
    prompt, draft, row = case
    after = commit_round(len(prompt) - 1, [], draft, row, EOS, limit)
    computed, output, reason = len(prompt) - 1, list[int](), None
    for token in row:
        if token == PADDING or reason is not None:
            break
        step = commit_round(computed, output, [], [token], EOS, limit)
        computed, output, reason = step["num_computed_tokens"], step["output_tokens"], step["finish_reason"]
    assert (after["output_tokens"], after["finish_reason"]) == (output, reason)
    assert after["counts"] == {token: output.count(token) for token in output}
    if reason is None:
        assert after["num_computed_tokens"] == computed


@few
@given(st.data(), st.integers(1, 12))
def test_valid_slots_hold_the_text_over_many_rounds(data: st.DataObject, limit: int) -> None:
    prompt, *_ = data.draw(rounds())
    cache = Cache(prompt, [])
    for _ in range(limit):
        _, draft, row = data.draw(rounds())
        cache.forward(draft)
        after = commit_round(cache.computed, cache.output, draft, row, EOS, limit)
        cache.output = after["output_tokens"]
        assert after["valid_slots"] == (0, cache.own())
        assert after["num_sampled"] + after["num_rejected"] == len(draft) + 1
        if after["finish_reason"] is not None:
            break
        assert after["num_computed_tokens"] == cache.own() == len(cache.text) - 1
        cache.computed = after["num_computed_tokens"]
    else:
        pytest.fail("each round emits a token, so the limit is reached")


@pytest.mark.parametrize("length", range(4))
def test_every_round_of_three_tokens_and_every_limit(length: int) -> None:
    """Counts only: what was sampled and rejected adds up, and a cut never changes it."""
    for draft in product((EOS, 5, 7), repeat=length):
        for kept, last, left in product(range(length + 1), (EOS, 5, 9), range(1, length + 3)):
            row = [*draft[:kept], last] + [PADDING] * (length - kept)
            after = commit_round(10, [21], list(draft), row, EOS, 1 + left)
            assert (after["num_sampled"], after["num_rejected"]) == (kept + 1, length - kept)
            assert after["num_computed_tokens"] == 10 + kept + 1
            assert after["stale_slots"] == (after["valid_slots"][1], 10 + length + 1)
            assert len(after["emitted"]) <= left and EOS not in after["emitted"][:-1]


def test_the_cache_knows_what_a_slot_was_computed_from() -> None:
    cache = Cache([3], [4])
    cache.forward([5, 6])
    assert cache.own() == 2
    cache.output = [4, 5, 7]
    assert cache.own() == 3, "slot 3 holds 6 where the text has 7"
    cache.computed = 3
    cache.forward([])
    assert cache.own() == 4


def test_entries_are_compared_by_kind() -> None:
    assert same_entry([0, 3], (0, 3)) and same_entry(None, None) and same_entry("eos", "eos")
    assert not same_entry(0, None) and not same_entry(None, "eos") and not same_entry({1: 2.5}, {1: 2})
    assert not same_entry([(1, 2)], {1: 2}) and not same_entry(True, 1)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((1, [5, 6], [], [7], EOS, 9), "num_computed_tokens is 1"),
        ((9, [5], [6, 7], [6, 8], EOS, 9), r"sampled_tokens is \[6, 8\] for 2 draft tokens"),
        ((9, [5], [], [PADDING], EOS, 9), r"sampled_tokens is \[-1\]"),
        ((9, [5, EOS], [], [7], EOS, 9), r"output_tokens is \[5, 2\]; the request has ended"),
        ((9, [5, 6], [], [7], EOS, 2), r"output_tokens is \[5, 6\]; the request has ended"),
    ],
)
def test_arguments_that_contradict_each_other_are_named(arguments: tuple[Any, ...], named: str) -> None:
    with pytest.raises(ValueError, match=f"^{named}"):
        commit_round(*arguments)


# --- the numbers in the messages -------------------------------------------------------------------------------------

LITERAL = re.compile(r"\[[-\d, ]+\]|\(\d+, \d+\)|\{[-\d:, ]+\}")
NUMBER = re.compile(r"(?<![\w.])-?\d+(?![\w.])")
ROUNDS: tuple[tuple[Any, ...], ...] = (
    WORKED,
    ENDED,
    (*ENDED[:5], 4),
    (*ENDED[:5], 5),
    (10, [21, 34], [5, 7, 8], [5, 7, 8, 9], EOS, 16),
    (10, [21, 34], [5, 7, 8], [5, 7, 8, 9], EOS, 4),
    (10, [21, 34], [5, 7, 8], [5, 7, 8, 9], EOS, 3),
    (10, [21, 34], [5, 7, 8], [5, 9, PADDING, PADDING, PADDING], EOS, 16),
    (10, [21, 34], [5, 7, 8], [5, 7, PADDING, PADDING], EOS, 16),
    (10, [21, 34], [5, EOS, 8], [5, 9, PADDING, PADDING], EOS, 16),
)
REPORTS = {47912, 33758, 33643}  # numbers of public reports


def values(function: Callable[..., Any]) -> Iterator[Any]:
    """Everything that goes into the rounds of the messages and comes out of them."""
    for arguments in ROUNDS:
        after = function(*arguments)
        yield from (*arguments, *after.values(), len(after["output_tokens"]), *after["counts"].values())


def told_by(exercise: Exercise, mistake: Mistake) -> list[Any]:
    return [*values(exercise.solution), *values(wrong_function(exercise, mistake))]


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_numbers_in_messages_are_true(mistake: Mistake) -> None:
    known = told_by(EXERCISE, mistake)
    inner = {number for value in known if isinstance(value, (list, tuple, dict)) for number in value}
    for text in mistake.message:
        for written in LITERAL.findall(text):
            assert any(same_entry(value, ast.literal_eval(written)) for value in known if value is not None), written
        for number in map(int, NUMBER.findall(LITERAL.sub("", text))):
            assert number in known or number in inner or number in REPORTS | {1, 3, 4}, number


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_both_languages_give_the_same_numbers(mistake: Mistake) -> None:
    english, chinese = (sorted(LITERAL.findall(text)) for text in mistake.message)
    assert english == chinese


@pytest.mark.parametrize(
    ("blank", "written", "mistake"),
    [
        ("sampled", "sum(1 for _ in sampled_tokens)", "row_length"),
        ("rejected", "sampled_tokens.count(PADDING)", "padding_taken_for_rejections"),
        ("rejected", "scheduled - num_sampled - 1", "extra_token_taken_for_a_draft"),
        ("computed", "num_computed_tokens + len(draft_tokens) + 1", "never_corrected"),
        ("computed", "optimistic - num_rejected - 1", "newest_token_forgotten"),
        ("cut", "emitted += sampled_tokens[:num_sampled][: max_new_tokens - len(output_tokens)]\n"
                "if emitted[-1] == eos_token:\n    finish_reason = 'eos'\n"
                "elif max_new_tokens - len(output_tokens) <= len(emitted):\n    finish_reason = 'length'",
         "last_token_only"),
        ("slots", "valid_slots = (0, optimistic)\nstale_slots = (optimistic,) * 2\n"
                  "next_slots = None if finish_reason else (num_computed, num_computed + scheduled)",
         "drafts_kept_valid"),
        ("counted", "[*output_tokens, *draft_tokens]", "drafts_counted"),
        ("counted", "output_tokens + [emitted[-1]]", "last_token_counted"),
    ],
)  # fmt: skip
def test_a_mistake_written_in_another_way_is_recognised(blank: str, written: str, mistake: str) -> None:
    space: dict[str, Any] = {}
    exec(EXERCISE.fill(solution_blanks(EXERCISE) | {blank: written}), space)
    assert [found.id for found in match(EXERCISE, space["commit_round"])] == [mistake]
