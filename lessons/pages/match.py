"""Pairs to match: a menu for each item, judged at once; like a quiz for the reader's own use, so nothing counts."""
from __future__ import annotations

import streamlit as st

from lessons.figures.controls.place import Place, menu_key
from lessons.figures.frame import shared
from lessons.matching import Item, Pairs, pairs
from lessons.pages import shell


def show(name: str) -> None:
    _pairs(name, shell.language())


@st.fragment
def _pairs(name: str, language: shell.Language) -> None:
    words, found = shell.words(), pairs(name, language)
    with st.container(border=True, key=f"match_{name}"):
        st.caption(words("lesson.quiz"))
        st.markdown(found.ask)
        right = sum(_matched(Place(f"match.{name}"), item, found, language) for item in found.items)
        told = words("lesson.matched", right=right, all=len(found.items))
        (st.success if right == len(found.items) else st.caption)(told)


def _matched(place: Place, item: Item, found: Pairs, language: str) -> bool:
    """Ask for one item, and say why the choice is right or whose it is; True while it is right. It may be changed."""
    kept = place.key(f"{item.id}.chosen")  # outlives the menu, which is another one in another language
    key = menu_key(place, item.id, language, st.session_state.get(kept))
    chosen: str | None = st.selectbox(
        item.text, list(found.answers), index=None, key=key, persist_state="session",
        format_func=lambda name: found.answers[name].text, placeholder=shell.words()("lesson.match_choose"),
    )
    st.session_state[kept] = chosen
    if chosen is None:
        return False
    right = chosen == item.right
    verdict = shared(language)("predict.right" if right else "predict.wrong")
    (st.success if right else st.info)(f"**{verdict}** {found.answers[chosen].why}")
    return right
