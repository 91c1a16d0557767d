"""The real pair keeps the target's law: exactly on a few characters, and by a chi-square test on all of them."""
from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

import lessons.models.play as play_module
from lessons.models.alphabet import Tokens, encode
from lessons.models.ngrams import before, drafts
from lessons.models.play import one_round
from lessons.models.target import target, target_rows
from solutions.draws import pick
from solutions.joint_law import distance, joint_law, target_law
from solutions.speculative_step.solution import speculative_step
from solutions.target_distribution.solution import target_distribution
from solutions.trees import Tree

PROMPT = encode("bug: An error in the ")
FEW = encode("aeopst")
FALSE_ALARM = 1e-6
TEXTS, LENGTH = 6000, 3  # texts of each kind, and their characters
RAREST = 10  # texts that a cell holds on average, of both kinds; rarer ones share a cell


@pytest.mark.parametrize("temperature", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("order", [2, 5])
def test_the_joint_law_over_a_few_characters_is_the_target_s(temperature: float, order: int) -> None:
    """Every draft, every coin and every draw, three drafts long; both models may say no others than FEW."""
    tree = restricted(order, temperature)
    got, wanted = joint_law(speculative_step, tree, 3), target_law(tree, 4)
    assert distance(got, wanted) < 1e-12
    assert len(wanted) == (1 if temperature == 0.0 else len(FEW) ** 4)


def restricted(order: int, temperature: float) -> Tree:
    """The pair's laws after PROMPT and the tokens so far, numbered within FEW, with all other characters forbidden."""

    def law(logits: np.ndarray) -> list[float]:
        asked = {"temperature": temperature, "allowed_tokens": [FEW.tolist()]}
        row: list[float] = target_distribution(logits[None], asked, ([], [], []))[0, FEW].tolist()
        return row

    @cache
    def target_law_after(tokens: tuple[int, ...]) -> list[float]:
        return law(target().logits(np.append(PROMPT, FEW[list(tokens)]))[-1])

    @cache
    def draft_law_after(tokens: tuple[int, ...]) -> list[float]:
        return law(np.log(drafts().laws(before(np.append(PROMPT, FEW[list(tokens)]))[-1:], order)[0]))

    return Tree(target_law_after, draft_law_after)


Step = Callable[..., list[int]]


def wrong_step(
    drafted: Tokens, target_part: np.ndarray, draft: np.ndarray, coins: np.ndarray, draw: float
) -> list[int]:
    """Replaces a rejected draft by a draw from the target itself, instead of the residual."""
    emitted = speculative_step(drafted, target_part, draft, coins, draw)
    row = target_part[len(emitted) - 1]
    return [*emitted[:-1], pick(row.tolist(), draw)]


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The models' answers are kept: most texts begin alike."""
    for name in ("target_rows", "draft_row"):
        monkeypatch.setattr(play_module, name, _remembering(getattr(play_module, name)))


def _remembering(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    known: dict[object, np.ndarray] = {}

    def ask(*arguments: object) -> np.ndarray:
        key = tuple(one.tobytes() if isinstance(one, np.ndarray) else one for one in arguments)
        if key not in known:
            known[key] = function(*arguments)
        return known[key]

    return ask


def speculative(count: int, seed: int) -> Counter[tuple[int, ...]]:
    """`count` texts of LENGTH characters after PROMPT, from rounds of two drafts of the 3-gram model."""
    rng = np.random.default_rng(seed)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(count):
        text = PROMPT
        while len(text) < len(PROMPT) + LENGTH:
            text = np.append(text, one_round(text, 3, 0.8, rng.random(5)).emitted)
        found[tuple(text[len(PROMPT) :][:LENGTH].tolist())] += 1
    return found


def plain(count: int, seed: int) -> Counter[tuple[int, ...]]:
    """The same from the target alone, one character after the other."""
    rng = np.random.default_rng(seed)
    rows = _remembering(target_rows)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(count):
        text = PROMPT
        for uniform in rng.random(LENGTH):
            text = np.append(text, pick(rows(text, text[:0], 0.8)[0].tolist(), uniform))
        found[tuple(text[len(PROMPT) :].tolist())] += 1
    return found


def alarm(one: Counter[tuple[int, ...]], other: Counter[tuple[int, ...]]) -> bool:
    """Pearson's test that both have the same law, for equally many texts; the cells are chosen by both together."""
    both = one + other
    cells = [text for text, count in both.items() if count >= 2 * RAREST]
    differences = [one[text] - other[text] for text in cells]
    sizes = [both[text] for text in cells]
    differences.append(-sum(differences))
    sizes.append(both.total() - sum(sizes))
    statistic = sum(difference**2 / size for difference, size in zip(differences, sizes, strict=True) if size)
    return statistic > critical(len(cells))


def critical(freedom: int) -> float:
    """What chi-square exceeds with probability FALSE_ALARM, by Wilson and Hilferty; within 1% from 10 degrees on."""
    deviation = 2.0 / (9.0 * freedom)
    return freedom * (1.0 - deviation + 4.753424 * math.sqrt(deviation)) ** 3


def test_the_critical_values_are_those_of_the_tables() -> None:
    assert critical(10) == pytest.approx(49.9, rel=0.02)
    assert critical(100) == pytest.approx(177.9, rel=0.02)


@pytest.mark.usefixtures("remembered")
def test_generated_text_has_the_law_of_plain_sampling() -> None:
    assert not alarm(speculative(TEXTS, seed=1), plain(TEXTS, seed=2))


@pytest.mark.usefixtures("remembered")
def test_a_wrong_residual_raises_the_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "speculative_step", wrong_step)
    assert alarm(speculative(TEXTS, seed=1), plain(TEXTS, seed=2))
