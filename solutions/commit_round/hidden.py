"""The hidden checks of the exercise, and the probes that tell its known mistakes apart.

Fixed cases are worked by hand. The enumeration and the rounds in a row know no rule of the solution: they keep the
cache themselves (solutions.commit_round.cache) and ask whether the slots that an answer calls valid hold the K/V of the
request's own tokens. The locked input checks are not graded.
"""
from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from exercises.expect import Answer, call, call_unchanged
from solutions.commit_round.cache import Cache, same_entry
from solutions.commit_round.texts import ADDS_UP, DICT, NOT_STALE, UNCHANGED, WHY

Function = Callable[..., Any]

PADDING, EOS = -1, 2
DRAFT = [5, 7, 8]
BEFORE = (10, [21, 34])  # positions computed, tokens emitted before the round: 10 and 11 are written by the next pass


class Round(NamedTuple):
    """The arguments of one call."""

    num_computed_tokens: int
    output_tokens: list[int]
    draft_tokens: list[int]
    sampled_tokens: list[int]
    eos_token: int = EOS
    max_new_tokens: int = 16

    @property
    def sampled(self) -> list[int]:
        """The row without its padding; in these cases no token is PADDING."""
        return [token for token in self.sampled_tokens if token != PADDING]


def _round(draft: list[int], sampled: list[int], limit: int = 16, padding: int | None = None) -> Round:
    """A round after BEFORE, its row padded to K + 1 entries or by as many as given."""
    more = len(draft) + 1 - len(sampled) if padding is None else padding
    return Round(*BEFORE, draft, sampled + [PADDING] * more, EOS, limit)


PROBES: tuple[tuple[Any, ...], ...] = (
    _round(DRAFT, [5, 9]),
    _round(DRAFT, [5, 7, 8, 9]),
    _round(DRAFT, [9], padding=5),
    _round([], [9]),
    _round(DRAFT, [5, 7], padding=3),
    _round([5, EOS, 8], [5, EOS, 8, 9]),
    _round([5, EOS, 8], [5, 9]),
    _round(DRAFT, [5, 7, 8, EOS]),
    _round(DRAFT, [5, 7, 8, 9], limit=4),
    _round([5, EOS, 8], [5, EOS, 8, 9], limit=4),
    _round([5, EOS, 8], [5, EOS, 8, 9], limit=5),
    _round(DRAFT, [5, 7, EOS], limit=4),
    _round(DRAFT, [5, 7, 8, 21], limit=6),
    _round([21, 21], [21, 21, 34], limit=3),
)


def all_accepted(function: Function) -> None:
    _shows(
        function, _round(DRAFT, [5, 7, 8, 9]), num_sampled=4, num_rejected=0, num_computed_tokens=14,
        emitted=[5, 7, 8, 9], finish_reason=None, valid_slots=(0, 14), stale_slots=(14, 14), next_slots=(14, 18),
    )  # fmt: skip


def none_accepted(function: Function) -> None:
    _shows(
        function, _round(DRAFT, [9]), num_sampled=1, num_rejected=3, num_computed_tokens=11,
        emitted=[9], finish_reason=None, valid_slots=(0, 11), stale_slots=(11, 14), next_slots=(11, 15),
    )  # fmt: skip


def penalties_count_the_emitted_tokens(function: Function) -> None:
    _shows(function, _round(DRAFT, [5, 34]), counts={21: 1, 34: 2, 5: 1})
    _shows(function, _round([5, 21, 5], [5, 21, 5, 5]), counts={21: 2, 34: 1, 5: 3})
    _shows(function, _round([5, EOS, 8], [5, EOS, 8, 9]), counts={21: 1, 34: 1, 5: 1, EOS: 1})
    _shows(function, _round(DRAFT, [5, 7, 8, 9], limit=4), counts={21: 1, 34: 1, 5: 1, 7: 1})
    _shows(function, Round(3, [], [4], [4, 4]), counts={4: 2})


def no_draft_tokens(function: Function) -> None:
    _shows(
        function, _round([], [9]), num_sampled=1, num_rejected=0, num_computed_tokens=11, emitted=[9],
        finish_reason=None, valid_slots=(0, 11), stale_slots=(11, 11), next_slots=(11, 12),
    )  # fmt: skip


def row_padded_beyond_the_drafts(function: Function) -> None:
    for padding in (2, 3, 6):
        _shows(
            function, _round(DRAFT, [5, 9], padding=padding), num_sampled=2, num_rejected=2, num_computed_tokens=12,
            emitted=[5, 9], stale_slots=(12, 14),
        )  # fmt: skip
    _shows(function, _round([], [9], padding=3), num_sampled=1, num_rejected=0, num_computed_tokens=11)


def resampled_token_equals_the_draft(function: Function) -> None:
    _shows(
        function, _round(DRAFT, [5, 7]), num_sampled=2, num_rejected=2, num_computed_tokens=12, emitted=[5, 7],
        valid_slots=(0, 12),
    )  # fmt: skip
    _shows(function, _round(DRAFT, [5]), num_sampled=1, num_rejected=3, num_computed_tokens=11, valid_slots=(0, 11))


def end_of_text_at_each_place(function: Function) -> None:
    for place, draft in enumerate(([EOS, 7, 8], [5, EOS, 8], [5, 7, EOS])):
        ended = draft[: place + 1]
        _shows(function, _round(draft, [*draft, 9]), emitted=ended, finish_reason="eos")
        _shows(function, _round(DRAFT, [*DRAFT[:place], EOS]), emitted=[*DRAFT[:place], EOS], finish_reason="eos")
        _shows(function, _round(draft, [*draft, 9]), output_tokens=[21, 34, *ended], num_computed_tokens=14)
    _shows(function, _round(DRAFT, [*DRAFT, EOS]), emitted=[*DRAFT, EOS], finish_reason="eos")
    _shows(function, _round([], [EOS]), emitted=[EOS], finish_reason="eos")


def end_of_text_drafted_but_rejected(function: Function) -> None:
    for place, draft in enumerate(([EOS, 7, 8], [5, EOS, 8], [5, 7, EOS])):
        sampled = [*draft[:place], 9]
        _shows(function, _round(draft, sampled), emitted=sampled, finish_reason=None)
    _shows(function, _round([5, 7, EOS], [9]), emitted=[9], finish_reason=None, next_slots=(11, 15))


def length_reached_at_each_place(function: Function) -> None:
    sampled = [*DRAFT, 9]
    for left in range(1, 5):
        cut = _round(DRAFT, sampled, limit=2 + left)
        _shows(function, cut, emitted=sampled[:left], finish_reason="length", output_tokens=[21, 34, *sampled[:left]])
    _shows(function, _round(DRAFT, sampled, limit=7), emitted=sampled, finish_reason=None)
    _shows(function, _round(DRAFT, [5, 9], limit=4), emitted=[5, 9], finish_reason="length")
    _shows(function, _round(DRAFT, [5, 9], limit=5), emitted=[5, 9], finish_reason=None)


def end_of_text_meets_the_limit(function: Function) -> None:
    run = _round([5, EOS, 8], [5, EOS, 8, 9])
    _shows(function, run._replace(max_new_tokens=3), emitted=[5], finish_reason="length")
    for limit in (4, 5, 6):
        _shows(function, run._replace(max_new_tokens=limit), emitted=[5, EOS], finish_reason="eos")
    _shows(function, _round(DRAFT, [*DRAFT, EOS], limit=6), emitted=[*DRAFT, EOS], finish_reason="eos")
    _shows(function, _round([], [EOS], limit=3), emitted=[EOS], finish_reason="eos")


def slots_of_an_ended_request(function: Function) -> None:
    ended = _round([5, EOS, 8], [5, EOS, 8, 9])
    _shows(function, ended, valid_slots=(0, 13), stale_slots=(13, 14), next_slots=None)
    _shows(function, _round([5, EOS, 8], [5, EOS, 9]), valid_slots=(0, 13), stale_slots=(13, 14), next_slots=None)
    _shows(function, _round(DRAFT, [*DRAFT, 9], limit=3), valid_slots=(0, 12), stale_slots=(12, 14), next_slots=None)
    _shows(function, _round(DRAFT, [5, EOS]), valid_slots=(0, 12), stale_slots=(12, 14), next_slots=None)


def every_small_round_adds_up(function: Function) -> None:
    """Every round of up to two draft tokens over three tokens, one of which ends the text, under four limits."""
    for draft, sampled in _small_rounds():
        for left in (1, 2, 3, 9):
            case = _round(draft, sampled, limit=len(BEFORE[1]) + left)
            cache = Cache([40 + slot for slot in range(9)], case.output_tokens)
            _adds_up(function, case, cache)


def rounds_in_a_row_read_nothing_stale(function: Function, rng: random.Random) -> None:
    for _ in range(12):
        cache = Cache([rng.randrange(3, 9) for _ in range(rng.randint(1, 4))], [])
        limit, going = rng.randint(8, 20), True
        while going:
            case = Round(cache.computed, cache.output, *_verified(rng, rng.randint(0, 4)), EOS, limit)
            going = _adds_up(function, case, cache)


def inputs_stay_unchanged(function: Function) -> None:
    for case in (_round(DRAFT, [5, 9]), _round([5, EOS, 8], [5, EOS, 8, 9])):
        answer = call_unchanged(function, *case, why=UNCHANGED)
        _entry(answer, "output_tokens").equals([*case.output_tokens, *case.sampled[:2]], WHY["output_tokens"])


def _small_rounds() -> Iterator[tuple[list[int], list[int]]]:
    """(draft, sampled): every draft, every accepted length, every token after it but the rejected one."""
    tokens = (EOS, 5, 7)
    for length in range(3):
        for draft in itertools.product(tokens, repeat=length):
            for kept in range(length + 1):
                last = [token for token in tokens if [token] != list(draft[kept : kept + 1])]
                yield from ((list(draft), [*draft[:kept], token]) for token in last)


def _verified(rng: random.Random, drafts: int) -> tuple[list[int], list[int]]:
    """Random draft tokens and the row that a verifier gives for them; now and then the text ends."""
    draft = [rng.choice((EOS, 3, 4, 5, 6, 7, 8)) for _ in range(drafts)]
    kept = rng.randint(0, drafts)
    last = rng.choice([token for token in (3, 4, 5, 6, 7, 8) if [token] != draft[kept : kept + 1]])
    row = [*draft[:kept], last]
    return draft, row + [PADDING] * (drafts + 1 - len(row) + rng.randint(0, 2))


def _adds_up(function: Function, case: Round, cache: Cache) -> bool:
    """Runs the target's pass on the cache, commits the round by the student's function; whether the request goes on."""
    cache.forward(case.draft_tokens)
    answer = call(function, *case)
    kept, reason = _cut(answer, case)
    cache.output = [*cache.output, *kept]
    _entry(answer, "output_tokens").equals(cache.output, WHY["output_tokens"])
    valid, written = cache.own(), len(case.draft_tokens) + 1
    _entry(answer, "valid_slots").equals((0, valid), NOT_STALE)
    _entry(answer, "stale_slots").equals((valid, case.num_computed_tokens + written), ADDS_UP)
    if reason is not None:
        return False
    _entry(answer, "num_computed_tokens").equals(valid, ADDS_UP)
    _entry(answer, "next_slots").equals((valid, valid + written), WHY["next_slots"])
    cache.computed = valid
    return True


def _cut(answer: Answer, case: Round) -> tuple[list[int], str | None]:
    """(emitted, finish_reason): they must be a beginning of what was sampled, not past an end, and its reason."""
    emitted, reason = _entry(answer, "emitted"), _entry(answer, "finish_reason")
    sampled, left = case.sampled, case.max_new_tokens - len(case.output_tokens)
    count = next((n for n in range(1, len(sampled) + 1) if same_entry(emitted.value, sampled[:n])), 0)
    emitted.holds(count > 0, f"{sampled}[:n]", WHY["emitted"])
    kept = sampled[:count]
    emitted.holds(EOS not in kept[:-1] and count <= left, f"len(emitted) <= {left}", WHY["emitted"])
    want = "eos" if kept[-1] == EOS else "length" if count == left else None
    emitted.holds(want is not None or count == len(sampled), f"{sampled}", WHY["emitted"])
    reason.holds(same_entry(reason.value, want), repr(want), WHY["finish_reason"])
    return kept, want


def _shows(function: Function, case: Round, **want: Any) -> None:
    """One call; the entries named must be as given."""
    answer = call(function, *case)
    for key, value in want.items():
        entry = _entry(answer, key)
        entry.holds(same_entry(entry.value, value), repr(value), WHY[key])


def _entry(answer: Answer, key: str) -> Answer:
    """One entry of the dict that the function returned."""
    answer.holds(isinstance(answer.value, dict) and key in answer.value, f'{{"{key}": …, …}}', DICT)
    return Answer(f'{answer.called}["{key}"]', answer.value[key])
