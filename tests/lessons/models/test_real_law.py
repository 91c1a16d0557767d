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
from lessons.models.target import draft_row, target, target_rows
from solutions.draws import pick
from solutions.joint_law import distance, joint_law, target_law
from solutions.speculative_step.solution import speculative_step
from solutions.target_distribution.solution import target_distribution
from solutions.trees import Tree

PROMPT = encode("bug: An error in the ")
FEW = encode("aeost")
FALSE_ALARM = 1e-6
TEXTS, LENGTH = 3000, 3  # texts of each kind, and their characters
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


def wrong_step(
    drafted: Tokens, target_part: np.ndarray, draft: np.ndarray, coins: np.ndarray, draw: float
) -> list[int]:
    """Replaces a rejected draft by a draw from the target itself, instead of the residual."""
    emitted = speculative_step(drafted, target_part, draft, coins, draw)
    row = target_part[len(emitted) - 1]
    return [*emitted[:-1], pick(row.tolist(), draw)]


def remembering(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    """Most texts begin alike, so a model's answers are kept."""
    known: dict[object, np.ndarray] = {}

    def ask(*arguments: object) -> np.ndarray:
        key = tuple(one.tobytes() if isinstance(one, np.ndarray) else one for one in arguments)
        if key not in known:
            known[key] = function(*arguments)
        return known[key]

    return ask


TARGET_ROWS, DRAFT_ROW = remembering(target_rows), remembering(draft_row)


@pytest.fixture
def remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "target_rows", TARGET_ROWS)
    monkeypatch.setattr(play_module, "draft_row", DRAFT_ROW)


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


@cache
def plain(count: int, seed: int) -> Counter[tuple[int, ...]]:
    """The same from the target alone, one character after the other."""
    rng = np.random.default_rng(seed)
    found: Counter[tuple[int, ...]] = Counter()
    for _ in range(count):
        text = PROMPT
        for uniform in rng.random(LENGTH):
            text = np.append(text, pick(TARGET_ROWS(text, text[:0], 0.8)[0].tolist(), uniform))
        found[tuple(text[len(PROMPT) :].tolist())] += 1
    return found


def compared(one: Counter[tuple[int, ...]], other: Counter[tuple[int, ...]]) -> tuple[float, int]:
    """Pearson's statistic that both have the same law, for equally many texts, and its degrees of freedom.

    A text is a cell of its own where both kinds together have it often enough; the other texts share one.
    """
    both = one + other
    cells = [text for text, count in both.items() if count >= 2 * RAREST]
    differences = [one[text] - other[text] for text in cells]
    sizes = [both[text] for text in cells]
    differences.append(-sum(differences))
    sizes.append(both.total() - sum(sizes))
    assert all(sizes)
    return sum(gap**2 / size for gap, size in zip(differences, sizes, strict=True)), len(cells)


def exceeded(statistic: float, freedom: int) -> float:
    """The probability that a chi-square variable exceeds the statistic, by its recurrence in steps of two degrees."""
    half, start = statistic / 2.0, 2 - freedom % 2
    tail = math.erfc(math.sqrt(half)) if start == 1 else math.exp(-half)
    halves = [degree / 2.0 for degree in range(start, freedom, 2)]
    return tail + math.fsum(math.exp(k * math.log(half) - half - math.lgamma(k + 1.0)) for k in halves)


def test_the_tail_of_chi_square_is_that_of_the_tables() -> None:
    assert exceeded(33.38, 4) == pytest.approx(1e-6, rel=0.01)
    assert exceeded(124.342, 100) == pytest.approx(0.05, abs=1e-4)


@pytest.mark.usefixtures("remembered")
def test_generated_text_has_the_law_of_plain_sampling() -> None:
    """False alarm 1e-6. A law that is off by a total variation of 0.2 over the cells is found with power > 0.999."""
    statistic, freedom = compared(speculative(TEXTS, seed=1), plain(TEXTS, seed=2))
    assert exceeded(statistic, freedom) > FALSE_ALARM
    assert power(0.2, freedom) > 0.999


def power(off: float, freedom: int) -> float:
    """At least how likely a law that is off by this total variation raises the alarm.

    Its statistic is a non-central chi-square with parameter TEXTS * sum((p - q)^2 / (p + q)), by Cauchy and Schwarz at
    least 2 * TEXTS * off^2; of it the normal approximation.
    """
    extra = 2.0 * TEXTS * off**2
    critical = next(value for value in range(freedom, 10**6) if exceeded(float(value), freedom) < FALSE_ALARM)
    return 0.5 * math.erfc((critical - freedom - extra) / math.sqrt(4.0 * (freedom + 2.0 * extra)))


@pytest.mark.usefixtures("remembered")
def test_a_wrong_residual_raises_the_alarm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "speculative_step", wrong_step)
    statistic, freedom = compared(speculative(TEXTS, seed=1), plain(TEXTS, seed=2))
    assert exceeded(statistic, freedom) < FALSE_ALARM
