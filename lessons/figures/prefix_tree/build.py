"""The tree of prefixes of a round with two drafts: the exact law of one, two and three tokens, under a chosen rule."""
from __future__ import annotations

from pathlib import Path

from grader.language import Words
from lessons.figures.frame import Drawn, number, sentences
from lessons.figures.known_rules import CORRECT, mistake
from lessons.figures.prefix_tree.laws import EXERCISE, LENGTH, PREFIX, Laws, State, laws, models
from lessons.figures.prefix_tree.picture import EQUAL, bars, sequences, spoken, tables
from lessons.figures.stepper import Step, Stepper

TEXTS = Path(__file__).parent / "texts"


def build(state: State, words: Words) -> Drawn:
    """The figure in `words`' language: the tables, then the law of ever longer sequences."""
    found = laws(state)
    left = tables(models(state), words)
    whole = bars(found.wanted[-1], found.wanted[-1], words, compare=False)
    steps = [_step("tables", _told_tables(state, found, words), ((left,), (whole,)), words)]
    for count in range(1, LENGTH + 1):
        drawn = bars(found.found[count - 1], found.wanted[count - 1], words, compare=True)
        steps.append(_step(f"first_{count}", _told(state, found, count, words), ((left,), (drawn,)), words))
    told = sentences(words.language, *(step.sentence for step in steps))
    # One run for all: who looks at a step and chooses another rule goes on looking at that step.
    return Drawn((Stepper(tuple(steps), PREFIX, start=1),), told, _table(found, words))


def rule_name(rule: str, words: Words) -> str:
    """What the rule is called; a known mistake's name comes from the exercise."""
    return words("rule.correct") if rule == CORRECT else mistake(EXERCISE, rule).name.within(words.language)


def _told_tables(state: State, found: Laws, words: Words) -> str:
    tree, path = models(state), (0, 1, 0)
    factors = [tree.target(path[:at])[token] for at, token in enumerate(path)]
    return words(
        "step.tables.sentence", path=spoken(path, words.language),
        product=" × ".join(f"{factor:.2f}" for factor in factors), mass=number(found.wanted[-1].get(path, 0.0)),
    )


def _told(state: State, found: Laws, count: int, words: Words) -> str:
    apart = found.apart[count - 1]
    verdict = words("told.right" if apart < EQUAL else "told.wrong", apart=number(apart))
    name = rule_name(state.rule, words)
    parts = [words("told.rule", name=name), words(f"told.first_{count}"), verdict]
    if count == LENGTH:
        parts.append(_told_length(found, words))
    return sentences(words.language, *parts)


def _told_length(found: Laws, words: Words) -> str:
    return words("told.tokens", tokens=number(found.tokens))


def _step(name: str, sentence: str, drawn: tuple[tuple[str, ...], ...], words: Words) -> Step:
    return Step(words(f"step.{name}.title"), sentence, sentence, drawn)


def _table(found: Laws, words: Words) -> list[dict[str, object]]:
    """Every sequence of one, two and three tokens."""
    return [
        {
            words("table.tokens"): spoken(tokens, words.language),
            words("table.target"): wanted.get(tokens, 0.0),
            words("table.rule"): law.get(tokens, 0.0),
            words("table.difference"): law.get(tokens, 0.0) - wanted.get(tokens, 0.0),
        }
        for length, (wanted, law) in enumerate(zip(found.wanted, found.found, strict=True), start=1)
        for tokens in sequences(length)
    ]
