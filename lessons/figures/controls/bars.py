"""Target and draft as bars that the reader pulls up and down; the typed rows follow, and the other way round."""
from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from lessons.figures.controls.component import component
from lessons.figures.controls.distributions import ROWS, typed
from lessons.figures.controls.place import Place
from lessons.figures.distributions import MAX_TOKENS, MIN_TOKENS, Pair
from lessons.figures.frame import shared, token_name
from lessons.figures.palette import css_variables

WHOLE = 1000  # the browser counts in whole thousandths, so that a row's sum is one exactly


def pair_bars(place: Place, pair: Pair, language: str) -> None:
    """The bars of the rows as they are typed, of `pair` while those can't be used. Comes before pair_inputs.

    Moving a bar stays in the browser; letting it go sends both rows once.
    """
    text = shared(language)
    shown = typed(place) or pair
    data = {
        "rows": {row: getattr(shown, row) for row in ROWS},
        "names": [token_name(token, language) for token in shown.tokens],
        "labels": {"region": text("bars.region"), **{row: text(f"row.{row}") for row in ROWS}},
        "colours": css_variables(),
    }
    st.markdown(text("bars.how"))
    key = place.key("bars")
    component("bars")(key=key, data=data, default={"moved": None}, on_moved_change=lambda: _take(place, key))


def _take(place: Place, key: str) -> None:
    """Write what was sent into the typed rows. A message that no bars of ours could send is left alone."""
    moved = st.session_state[key]["moved"]
    if isinstance(moved, Mapping) and all(_is_row(moved.get(row)) for row in ROWS):
        for row in ROWS:
            st.session_state[place.key(row)] = ", ".join(f"{share / WHOLE:g}" for share in moved[row])


def _is_row(shares: object) -> bool:
    return (
        isinstance(shares, list)
        and MIN_TOKENS <= len(shares) <= MAX_TOKENS
        and all(isinstance(share, int) and share >= 0 for share in shares)
        and sum(shares) == WHOLE
    )
