"""The target in NumPy: causal, and the network that was trained."""
from __future__ import annotations

import numpy as np
import pytest
import torch

from lessons.models.alphabet import encode
from lessons.models.making import train
from lessons.models.target import WEIGHTS, target, target_rows
from lessons.models.text import split
from lessons.models.transformer import CONTEXT, SHAPES

TEXT = encode("kernel: The part of the operating system that")


def test_a_row_depends_on_nothing_after_it() -> None:
    whole = target().logits(TEXT)
    for length in (1, 2, 3, 17):
        assert target().logits(TEXT[:length]) == pytest.approx(whole[:length], abs=2e-4)


def test_several_texts_at_once_are_each_alone() -> None:
    texts = np.stack([TEXT[:20], TEXT[20:40]])
    both = target().logits(texts)
    assert both[1] == pytest.approx(target().logits(texts[1]), abs=2e-4)


def test_what_was_read_before_need_not_be_read_again() -> None:
    texts, memory = np.stack([TEXT[:20], TEXT[20:40]]), []  # type: ignore[var-annotated]
    whole = target().logits(texts)
    for start, end in ((0, 12), (12, 13), (13, 20)):
        rows = target().logits(texts[:, :end], memory)
        assert rows == pytest.approx(whole[:, start:end], abs=2e-4)


@pytest.mark.parametrize("length", [0, CONTEXT + 1])
def test_a_text_that_is_too_short_or_too_long_is_refused(length: int) -> None:
    with pytest.raises(ValueError, match=f"got {length} tokens; the target reads 1 to {CONTEXT}"):
        target().logits(np.zeros(length, dtype=np.int64))


def test_it_is_the_network_that_was_trained() -> None:
    """Training multiplies in bfloat16, so a loss may differ in the third decimal."""
    text = split()[1]
    with np.load(WEIGHTS) as file:
        weights = {name: torch.from_numpy(file[name].astype(np.float32)) for name in SHAPES}
    window = train._windows(text, np.array([0, 500, 1000]))
    logits = target().logits(window[0].numpy()).astype(np.float64)
    chosen = np.take_along_axis(logits, window[3].numpy()[..., None], axis=-1)[..., 0]
    loss = float((np.log(np.exp(logits).sum(axis=-1)) - chosen).mean())
    assert loss == pytest.approx(float(train._loss(weights, *window)), abs=0.01)
    assert loss < 2.0, "an untrained network is at 4.6"


@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0])
def test_a_round_gets_k_plus_one_laws(temperature: float) -> None:
    rows = target_rows(TEXT, encode(" runs"), temperature)
    assert rows.shape == (6, 96)
    assert rows.sum(axis=1) == pytest.approx(np.ones(6), abs=1e-12)
    assert ((rows == 1.0).sum() == 6) == (temperature == 0.0)
