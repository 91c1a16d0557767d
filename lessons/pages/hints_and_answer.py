"""What helps on an exercise: hints one by one, the reference answer once it is earned, and the same by hand."""
from __future__ import annotations

import secrets
from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from exercises.expect import Text
from grader.catalogue import Exercise
from grader.language import Words
from grader.store import Attempt

HONEST_ATTEMPTS = 3  # after so many the reference answer opens without a pass


def show_hints(exercise: Exercise, words: Words, tried: bool) -> None:
    """One more hint a click. Before the first try the page advises to try, and still shows a hint who asks."""
    key = f"hints.{exercise.id}"
    seen: int = st.session_state.setdefault(key, 0)
    count = len(exercise.hints)
    st.header(words("exercise.hints"), anchor=False)
    if not tried and not seen:
        st.caption(words("exercise.try_first"))
    for number, hint in enumerate(exercise.hints[:seen], 1):
        st.info(f"**{words('exercise.hint', number=number, count=count)}**\n\n{hint.within(words.language)}")
    if seen < count:
        label = words("exercise.more_hints", number=seen + 1, count=count)
        st.button(label, key=f"{key}.{seen}", on_click=_set, args=(key, seen + 1))


def _set(key: str, value: int) -> None:
    st.session_state[key] = value


def honest(attempts: Sequence[Attempt], blank_ids: Sequence[str]) -> int:
    """How many attempts (oldest first) filled every blank with something other than the attempt before."""
    count, before = 0, None
    for attempt in attempts:
        texts = [attempt.blanks.get(name, "").strip() for name in blank_ids]
        count += all(texts) and texts != before
        before = texts
    return count


def show_answer(exercise: Exercise, attempts: Sequence[Attempt], words: Words) -> None:
    """Earned by a pass or by honest attempts; from then on there are fresh numbers too, to do it again by hand."""
    tries = honest(attempts, exercise.blank_ids)
    st.header(words("answer.title"), anchor=False)
    if tries < HONEST_ATTEMPTS and not any(attempt.passed for attempt in attempts):
        st.caption(words("answer.locked", count=tries, needed=HONEST_ATTEMPTS))
        return
    if st.toggle(words("answer.show"), key=f"answer.{exercise.id}", persist_state="session"):
        st.markdown(exercise.answer.within(words.language))
    _redo(exercise, words)


def _redo(exercise: Exercise, words: Words) -> None:
    """A fresh variant: other numbers, to be computed by hand with the answer folded away, and judged at once."""
    st.header(words("answer.redo_title"), anchor=False)
    st.markdown(words("answer.redo_about"))
    key = f"variant.{exercise.id}"
    seed: int = st.session_state.setdefault(key, secrets.randbelow(1_000_000))
    variant = exercise.variants.make(seed)
    with st.container(border=True, key=f"redo_{exercise.id}"):
        st.markdown(f"**{words('answer.redo')}**")
        st.markdown(variant.question.within(words.language))
        typed: dict[str, str] = {}
        places = {}
        for name, label in variant.fields.items():
            typed[name] = st.text_input(label.within(words.language), key=f"{key}.{seed}.{name}") or ""
            places[name] = st.container()
        with st.container(horizontal=True):
            asked = st.button(words("answer.judge"), type="primary", key=f"{key}.judge")
            st.button(words("answer.another"), key=f"{key}.another", on_click=_set, args=(key, seed + 1))
        if asked:
            _say_judged(variant.judge(typed), places, words)


def _say_judged(
    judged: Sequence[tuple[str, bool, Text]], places: dict[str, DeltaGenerator], words: Words
) -> None:
    """Under each field. A message may quote what was typed, so it is text, not markup."""
    for name, right, message in judged:
        with places[name], st.container(horizontal=True, vertical_alignment="center"):
            st.badge(words("answer.right" if right else "answer.wrong"), color="green" if right else "orange")
            if not right:
                st.text(message.within(words.language))
    if all(right for _, right, _ in judged):
        st.success(words("answer.all_right"))
