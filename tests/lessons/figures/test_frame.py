"""Numbers, colours and texts that all figures share, and the steps as the browser gets them."""
from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from grader.language import LANGUAGES, words
from lessons.figures import palette, registry
from lessons.figures.accept_dart.build import TEXTS, State, build
from lessons.figures.frame import SHARED, apart, number, plain, token_label
from lessons.figures.stepper import Step, Stepper, drawings

FIGURES = Path("lessons/figures")
FOLDERS = sorted(FIGURES.glob("**/texts"))
LABELS = {"back": "Back", "position": "Step {step} of {steps}"}


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.5, "0.500"), (0.0, "0.000"), (-0.09, "−0.090"), (0.00018, "0.00018"), (0.0005, "0.001"), (4e-05, "0.00004")],
)
def test_numbers_have_three_decimals_unless_that_hides_them(value: float, text: str) -> None:
    assert number(value) == text


def test_different_numbers_are_shown_as_different() -> None:
    assert apart(0.3, 0.3) == ("0.300", "0.300")
    assert apart(0.30001, 0.3) == ("0.300010", "0.300000")
    one, other = apart(0.1 + 0.2, 0.3)
    assert one != other


def test_tokens_are_named_in_both_languages() -> None:
    assert token_label(1, "en") == "1\N{NO-BREAK SPACE}dog" and token_label(1, "zh") == "1\N{NO-BREAK SPACE}狗"
    assert len({token_label(token, "zh") for token in range(8)}) == 8


def test_markdown_in_a_message_stays_text() -> None:
    assert plain("a*b* $x$ [l](u) <b>") == r"a\*b\* \$x\$ \[l\](u) \<b\>"


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_both_languages_have_the_same_texts_with_the_same_slots(folder: Path) -> None:
    english, chinese = (words(folder.resolve(), language) for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    for key in english.keys():
        assert _slots(english(key)) == _slots(chinese(key)), key


def test_the_shared_texts_are_among_them() -> None:
    assert SHARED in {folder.resolve() for folder in FOLDERS} and len(FOLDERS) == 1 + len(registry.FIGURES)


def _slots(text: str) -> set[str]:
    return set(re.findall(r"{(\w+)}", text))


def luminance(colour: str) -> float:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize(("colours", "page"), [(palette.LIGHT, "#ffffff"), (palette.DARK, "#14181c")])
def test_colours_stand_out_from_the_page(colours: palette.Palette, page: str) -> None:
    """WCAG 1.4.11: 3:1 for marks; 1.4.3: 4.5:1 for text."""
    for name in ("target", "draft", "overlap", "wrong", "ink"):
        low, high = sorted((luminance(getattr(colours, name)), luminance(page)))
        assert (high + 0.05) / (low + 0.05) >= (4.5 if name == "ink" else 3.0), name


def test_css_swaps_every_colour_that_differs() -> None:
    assert "--figure-target: light-dark(#0072B2, #56B4E9);" in palette.css_variables()
    swap = '[style*="fill: rgb(0, 114, 178)"] { fill: light-dark(#0072B2, #56B4E9) !important; }'
    assert swap in palette.css_for_charts()
    assert "rgb(0, 158, 115)" not in palette.css_for_charts()  # the overlap is the same on both pages


def test_a_drawing_that_steps_share_is_sent_once() -> None:
    (plot,) = build(State(), words(TEXTS, "en")).plots
    assert isinstance(plot, Stepper)
    data = json.loads(json.dumps(plot.as_data(LABELS)))
    shown = {at for step in data["steps"] for column in step["columns"] for at in column}
    assert shown == set(range(len(data["drawings"]))) and len(set(data["drawings"])) == len(data["drawings"])
    assert [step["position"] for step in data["steps"]][-1] == "Step 6 of 6"


def test_a_start_beyond_the_last_step_is_the_last_step() -> None:
    one = Stepper((Step("title", "sentence", "alt", ((),)),), run="a", start=5)
    assert one.as_data(LABELS)["start"] == 0


def test_whatever_is_put_into_a_drawing_is_escaped() -> None:
    macro = drawings(FIGURES.resolve()).from_string('{% from "shapes.jinja" import text %}{{ text(0, 0, words) }}')
    assert "&lt;script&gt;" in macro.render(words="<script>") and "<script>" not in macro.render(words="<script>")
