"""The capstone's solution has the target's law, agrees with the engine, and its messages quote true texts."""
from __future__ import annotations

import ast
import random
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.catalogue import BLANK, load
from grader.known_mistakes import wrong_function
from solutions import draws
from solutions.cases import random_law
from solutions.grid import dyadic_tree
from solutions.joint_law import distance
from solutions.speculative_generate.solution import Model, pick, speculative_generate
from solutions.speculative_generate.variants import make
from solutions.trees import positive_law
from tests.solutions.generated_numbers import law_of, sampled_law, worked_texts

EXERCISE = load("speculative_generate")
LIST = re.compile(r"\[(?:\d(?:, \d)*)?\]")


def tables(rng: random.Random, size: int, draw: Any = random_law) -> list[list[list[float]]]:
    return [[draw(rng, size) for _ in range(size)] for _ in range(2)]


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), size=st.integers(1, 3), tokens=st.integers(0, 3), ends=st.booleans())
def test_every_text_has_the_probability_that_plain_sampling_gives_it(
    seed: int, size: int, tokens: int, ends: bool
) -> None:
    target, draft = tables(random.Random(seed), size)
    eos = size - 1 if ends else None
    assert distance(law_of(speculative_generate, target, draft, eos, tokens), sampled_law(target, eos, tokens)) < 1e-12


def test_with_positive_laws_too() -> None:
    target, draft = tables(random.Random(1), 3, positive_law)
    assert distance(law_of(speculative_generate, target, draft, 1, 4), sampled_law(target, 1, 4)) < 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_on_a_dyadic_pair_the_law_is_exact_to_the_last_bit(seed: int) -> None:
    tree = dyadic_tree(random.Random(seed), 3, 1, 3)
    target, draft = ([list(map(float, rows((token,)))) for token in range(3)] for rows in tree)
    law = law_of(speculative_generate, target, draft)
    assert {text: mass for text, mass in law.items() if mass} == sampled_law(target)


@given(seed=st.integers(0, 2**32), size=st.integers(1, 30), uniform=st.floats(0.0, 1.0, exclude_max=True))
def test_the_stub_s_draw_is_the_engine_s(seed: int, size: int, uniform: float) -> None:
    law = random_law(random.Random(seed), size)
    for one in (uniform, 0.0, float(np.nextafter(1.0, 0.0)), *np.cumsum(law)[:-1].tolist()):
        assert pick(np.array(law), one) == draws.pick(law, one)


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ([[0.5, 0.5]], r"the table has shape \(1, 2\); it must be \(V, V\)"),
        ([0.5, 0.5], r"the table has shape \(2,\)"),
        ([[0.5, 0.4], [0.5, 0.5]], r"row 0 is \[0.5 0.4\], sum 0.9; probabilities must not be negative, and sum to 1"),
        ([[0.5, 0.5], [1.5, -0.5]], r"row 1 is .*; probabilities must not be negative"),
        ([[0.5, 0.5], [float("nan"), 1.0]], r"row 1 is .*; probabilities must not be negative"),
    ],
)
def test_a_table_that_is_no_model_is_refused(table: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        Model(table)


def test_the_body_is_free_and_everything_else_is_given() -> None:
    function = next(node for node in ast.parse(EXERCISE.stub).body if getattr(node, "name", "") == EXERCISE.id)
    assert isinstance(function, ast.FunctionDef) and len(function.body) == 2
    assert ast.unparse(function.body[1]) == BLANK and EXERCISE.stub.count(BLANK) == 1


def test_one_pass_reads_any_number_of_tokens() -> None:
    model = Model([[0.5, 0.5], [0.25, 0.75]])
    assert model.laws([1, 0, 1]).tolist() == [[0.25, 0.75], [0.5, 0.5], [0.25, 0.75]] and model.passes == 1
    model.laws([0])[0, 0] = 9.0
    assert model.table[0, 0] == 0.5 and model.passes == 2


@pytest.mark.parametrize("mistake", EXERCISE.mistakes, ids=lambda mistake: mistake.id)
def test_texts_in_messages_are_those_of_the_worked_runs(mistake: Any) -> None:
    known = [str(text) for text in worked_texts(wrong_function(EXERCISE, mistake)) + worked_texts(speculative_generate)]
    for message in mistake.message:
        assert set(LIST.findall(message)) <= set(known)
    assert sorted(LIST.findall(mistake.message.en)) == sorted(LIST.findall(mistake.message.zh))


@pytest.mark.parametrize("seed", range(30))
def test_two_decimals_of_the_right_numbers_are_right(seed: int) -> None:
    variant = make(seed)
    typed = {field.id: f"{field.value:.2f}" for field in variant.asked}
    assert all(right for _, right, _ in variant.judge(typed))


def test_a_variant_worked_by_hand() -> None:
    """Drafts 1 and 1: 0.62 * 0.85 is not below 0.3, so 0 comes out; draft 1 again, rejected again; 0.82 draws 1.

    One pass is enough with 0.15 * 0.45 + 0.3 * 0.75, by the first draft token.
    """
    variant = make(0)
    values = {field.id: field.value for field in variant.asked}
    assert values == pytest.approx({"token_0": 0, "token_1": 0, "token_2": 1, "passes": 3, "one_pass": 0.2925})


@pytest.mark.parametrize("seed", range(30))
def test_variants_are_proper_exercises(seed: int) -> None:
    values = {field.id: field.value for field in make(seed).asked}
    assert 0.0 < values["one_pass"] < 1.0 and values["passes"] in (1, 2, 3)
    assert {values[f"token_{place}"] for place in range(3)} <= {0, 1}


@pytest.mark.parametrize(
    ("field", "typed", "word"),
    [
        ("token_0", "1", "other one"),
        ("passes", "4", "one too many"),
        ("passes", "2", "one too few"),
        ("one_pass", "0.45", "second has to stay as well"),
        ("one_pass", "0.2025", "another row"),
        ("one_pass", "0.3375", "row of the first"),
        ("one_pass", "0.7075", "not enough"),
    ],
)
def test_usual_slips_are_named(field: str, typed: str, word: str) -> None:
    judged = {name: (right, said) for name, right, said in make(0).judge({field: typed})}
    assert not judged[field][0] and word in judged[field][1].en
