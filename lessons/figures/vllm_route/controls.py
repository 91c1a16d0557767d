"""The page part of vllm_route: the stations are chosen inside the stepper, so nothing goes to the server."""
from __future__ import annotations

from grader.language import Words
from lessons.figures.controls.card import Card
from lessons.figures.controls.place import Place
from lessons.figures.controls.predict import Question
from lessons.figures.vllm_route.build import PREFIX, TEXTS, State, build

QUESTION = Question("vllm_route", ("scheduler", "gpu", "drafter", "cache"), right="gpu")
PLACE = Place("vllm_route")


def _inputs(state: State, words: Words) -> State:
    return state


show = Card(PLACE, PREFIX, TEXTS, QUESTION, State.from_query, _inputs, build).show
