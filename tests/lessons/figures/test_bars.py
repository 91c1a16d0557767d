"""What the server makes of bars that were moved: the typed rows, the figure, the link."""
from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from tests.lessons.figures.test_controls import said, shown, typed


def bars(app: AppTest) -> tuple[str, dict[str, list[float]]]:
    """The bars' id, and the rows that the browser draws."""
    protos = [component.proto for component in app.get("bidi_component")]  # type: ignore[attr-defined]
    proto = next(one for one in protos if one.id.endswith("figure.overlap.bars"))
    return proto.id, json.loads(proto.json)["rows"]


def moved(app: AppTest, message: object) -> AppTest:
    """The run that the browser asks for when a bar is let go. AppTest has no words for components of version 2."""
    states = app._tree.get_widget_states()
    state = states.widgets.add()
    state.id, state.json_value = bars(app)[0], json.dumps({"moved": message})
    app = app._run(states)
    assert not app.exception
    return app


def test_moved_bars_change_the_typed_rows_the_figure_and_the_link() -> None:
    app = moved(shown("overlap"), {"target": [125, 875], "draft": [400, 600], "turn": 1})
    assert app.text_input(key="figure.overlap.target").value == "0.125, 0.875"
    assert bars(app)[1] == {"target": [0.125, 0.875], "draft": [0.4, 0.6]}
    assert "overlap.target=0.125,0.875&overlap.draft=0.4,0.6" in app.code[0].value
    assert app.table[0].value.iloc[0, 1] == "0.125" and not app.error


def test_what_is_typed_and_examples_move_the_bars() -> None:
    app = typed(shown("overlap"), "overlap", "1/3, 1/3, 1/3", "0.5, 0.25, 0.25")
    assert bars(app)[1] == {"target": [pytest.approx(1 / 3)] * 3, "draft": [0.5, 0.25, 0.25]}
    app = app.button(key="figure.overlap.worked").click().run()
    assert bars(app)[1] == {"target": [0.7, 0.3], "draft": [0.4, 0.6]}


def test_bars_mend_rows_that_could_not_be_used() -> None:
    app = typed(shown("overlap"), "overlap", "0.7, x", "0.4, 0.6")
    assert app.error and bars(app)[1]["target"] == [0.7, 0.3]
    app = moved(app, {"target": [600, 400], "draft": [400, 600], "turn": 1})
    assert not app.error and app.text_input(key="figure.overlap.target").value == "0.6, 0.4"


@pytest.mark.parametrize(
    "message",
    [
        None, "moved", {}, {"target": [500, 500]}, {"target": [500, 500], "draft": [500, 400]},
        {"target": [500, 500], "draft": [-1, 1001]}, {"target": [500, 500], "draft": [1000]},
        {"target": [500.0, 500], "draft": [500, 500]}, {"target": ["500", 500], "draft": [500, 500]},
        {"target": [500, 500], "draft": [125] * 8 + [0]},
    ],
)
def test_a_message_that_no_bars_send_changes_nothing(message: object) -> None:
    app = moved(shown("overlap"), message)
    assert app.text_input(key="figure.overlap.target").value == "0.7, 0.3" and not app.error
    assert "0.700" in said(app) or bars(app)[1]["target"] == [0.7, 0.3]
