"""The fresh numbers of the two batch exercises, against the solution's own arithmetic."""
from __future__ import annotations

import re

import pytest
import torch

from solutions.bug_hunt_batch import variants as hunt
from solutions.variant import Variant
from solutions.verify_batch import variants as batch


def lengths_of(variant: Variant) -> torch.Tensor:
    """The numbers of draft tokens that the question gives."""
    found = re.search(r"requests have ([\d, ]+) draft tokens", variant.question.en)
    assert found is not None
    return torch.tensor([int(number) for number in found[1].split(", ")])


def values(variant: Variant) -> dict[str, int]:
    return {field.id: int(field.value) for field in variant.asked}


@pytest.mark.parametrize("seed", range(30))
def test_rows_of_a_ragged_batch(seed: int) -> None:
    variant = batch.make(seed)
    lengths, asked = lengths_of(variant), values(variant)
    starts = (lengths + 1).cumsum(dim=0) - (lengths + 1)
    rejected = asked["emitted"] - 1
    assert f"before position {rejected} are accepted" in variant.question.en and 0 < rejected < lengths[batch.ASKED]
    assert asked["rows"] == int((lengths + 1).sum())
    assert asked["start"] == int(starts[batch.ASKED]) == asked["judge"] - batch.JUDGED == asked["last"] - rejected


@pytest.mark.parametrize("seed", range(30))
def test_what_the_faulty_lines_read(seed: int) -> None:
    variant = hunt.make(seed)
    lengths, asked = lengths_of(variant), values(variant)
    one = hunt.ASKED
    starts, draft_starts = (lengths + 1).cumsum(dim=0) - (lengths + 1), lengths.cumsum(dim=0) - lengths
    assert asked["read"] == one * int(lengths[one] + 1) != asked["right"] == int(starts[one])
    assert asked["coin"] == int(draft_starts[one]) + hunt.POSITION
    assert asked["bonus"] == int(starts[one] + lengths[one]) == asked["taken"] + 1


@pytest.mark.parametrize(
    ("variant", "field", "typed", "word"),
    [
        (batch.make(0), "rows", "12", "bonus row"),  # seed 0: 4, 3, 3 and 2 draft tokens
        (batch.make(0), "start", "7", "draft rows"),
        (batch.make(0), "judge", "11", "at its own position"),
        (batch.make(0), "emitted", "2", "one more token"),
        (batch.make(0), "last", "10", "the next one"),
        (hunt.make(0), "read", "6", "right row"),  # seed 0: 5, 2 and 3 draft tokens
        (hunt.make(0), "right", "3", "faulty line"),
        (hunt.make(0), "coin", "1", "request 0"),
        (hunt.make(0), "bonus", "7", "last draft token"),
        (hunt.make(0), "taken", "8", "one less"),
    ],
)
def test_usual_slips_are_named(variant: Variant, field: str, typed: str, word: str) -> None:
    _, right, message = next(one for one in variant.judge({field: typed}) if one[0] == field)
    assert not right and word in message.en
