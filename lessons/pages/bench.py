"""One reader at one exercise: what the parts of the exercise page share."""
from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from exercises.expect import Text
from grader import catalogue
from grader.catalogue import Exercise
from grader.language import Words
from grader.language import words as language_file
from grader.reading.suites import essence, is_empty
from grader.store import Store
from lessons.pages import shell
from lessons.pages.draft import Draft

TEXTS = Path(__file__).resolve().parent.parent / "texts" / "exercise"


@dataclass(frozen=True)
class Bench:
    exercise: Exercise
    learner: str
    store: Store
    draft: Draft
    words: Words

    def say(self, text: Text) -> str:
        return text.within(self.words.language)

    @property
    def labels(self) -> dict[str, str]:
        """What each blank is for, by its id, in the order of the stub."""
        return {
            name: self.say(label)
            for name, label in zip(self.exercise.blank_ids, self.exercise.blank_labels, strict=True)
        }

    @property
    def numbered(self) -> dict[str, str]:
        """The same with the number of the blank."""
        return {
            name: self.words("exercise.blank", number=number, label=label)
            for number, (name, label) in enumerate(self.labels.items(), 1)
        }

    @property
    def empty(self) -> list[str]:
        """The numbered labels of the blanks that hold nothing, or of statements only comments."""
        return [label for name, label in self.numbered.items() if is_empty(self.draft.blanks.get(name, ""))]

    @property
    def untouched(self) -> list[str]:
        """The numbered labels of the blanks that hold what they were handed out with."""
        starts = {name: essence(text) for name, text in self.exercise.start_texts}
        own = {name: essence(self.draft.blanks.get(name, "")) for name in starts}
        return [self.numbered[name] for name in starts if own[name] == starts[name]]

    @property
    def open(self) -> list[str]:
        """The numbered labels of the blanks that are still no answer."""
        return self.empty + self.untouched


def page_words() -> Words:
    """The texts of the exercise page in the reader's language."""
    return language_file(TEXTS, shell.language())


def open_bench(exercise_id: str) -> Bench:
    learner, store = shell.learner(), shell.store()
    exercise = catalogue.load(exercise_id)
    draft = Draft(exercise_id, learner, store, st.session_state, dict(exercise.start_texts))
    return Bench(exercise, learner, store, draft, page_words())
