"""A question on the page: its options, and at once what the chosen one is worth."""
from __future__ import annotations

import streamlit as st

from lessons.choices import Choice
from lessons.figures.controls.place import Place, menu_key
from lessons.figures.frame import shared


def choose(place: Place, choice: Choice, language: str) -> bool:
    """Ask, and say why the choice is right or what is wrong with it; True while it is right. It may be changed."""
    kept = place.key(f"{choice.id}.chosen")  # outlives the radio, which is another one in another language
    key = menu_key(place, choice.id, language, st.session_state.get(kept))
    chosen: str | None = st.radio(
        choice.ask,
        list(choice.options),
        index=None,
        format_func=lambda name: choice.options[name].text,
        key=key,
        persist_state="session",
    )
    st.session_state[kept] = chosen
    if chosen is None:
        return False
    right = chosen == choice.right
    told = f"**{shared(language)('predict.right' if right else 'predict.wrong')}** {choice.options[chosen].why}"
    (st.success if right else st.info)(told)
    return right
