"""The n-gram drafts, against counting by hand."""
from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest

from lessons.models.alphabet import ALPHABET, SIZE, decode, encode
from lessons.models.ngrams import ORDERS, NGrams, before, drafts

TEXT = "the cat sat on the mat; the rat sat on the cat\n" * 2 + "that hat"


def counted(text: str, context: str) -> list[float]:
    """The same law from the definition, character by character."""
    shorter = counted(text, context[1:]) if context else [1.0 / SIZE] * SIZE
    places = range(len(text) - len(context))
    found = Counter(text[at + len(context)] for at in places if text[at : at + len(context)] == context)
    total = found.total() + len(found)
    if not total:
        return shorter
    return [(found[sign] + len(found) * rest) / total for sign, rest in zip(ALPHABET, shorter, strict=True)]


def test_the_laws_are_witten_and_bell_s() -> None:
    model = NGrams(encode(TEXT))
    rng = random.Random(1)
    for order in ORDERS:
        for _ in range(30):
            start = rng.randrange(len(TEXT) - 5)
            context = rng.choice([TEXT[start : start + 4], "zqxj", "he c"])
            law = model.laws(encode(context)[None], order)[0]
            assert law.tolist() == pytest.approx(counted(TEXT, context[len(context) - order + 1 :]), abs=1e-14)


def test_every_context_has_a_full_law() -> None:
    contexts = np.random.default_rng(2).integers(SIZE, size=(500, 4))
    for order in ORDERS:
        laws = drafts().laws(contexts, order)
        assert laws.min() > 0.0
        assert np.abs(laws.sum(axis=1) - 1.0).max() < 1e-12


def test_a_longer_context_helps_on_text_that_was_held_out() -> None:
    from lessons.models.text import split

    text = split()[1][:8000]
    losses = []
    for order in ORDERS:
        laws = drafts().laws(before(text)[:-1], order)
        losses.append(-float(np.log(laws[np.arange(len(text)), text]).mean()))
    assert losses == sorted(losses, reverse=True)


def test_the_tokens_before_each_place() -> None:
    rows = before(encode("abcde"), 3)
    assert [decode(row) for row in rows] == ["\n\n\n", "\n\na", "\nab", "abc", "bcd", "cde"]
