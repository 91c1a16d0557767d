"""The page part of overlap."""
from __future__ import annotations

from grader.language import Words
from lessons.figures.controls import stage
from lessons.figures.controls.bars import pair_bars
from lessons.figures.controls.card import Card
from lessons.figures.controls.distributions import complaints, examples, pair_inputs
from lessons.figures.controls.place import Place
from lessons.figures.controls.predict import Question
from lessons.figures.overlap.build import PREFIX, TEXTS, State, build

QUESTION = Question("overlap", ("agree", "half", "shared", "all"), right="shared")
PLACE = Place("overlap")


def _inputs(state: State, words: Words) -> State:
    pair_bars(PLACE, state.pair, words.language)
    examples(PLACE, words.language)
    with stage.more_inputs(words.language):
        pair = pair_inputs(PLACE, state.pair, words.language)
    complaints(PLACE, words.language)
    return State(pair)


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
