"""Blanks put into the stub come back out, whatever stands in them."""
from __future__ import annotations

import ast
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.reading.answer import find_answer
from grader.reading.names import is_open
from grader.reading.pairing import slots, tokens
from grader.reading.suites import dedented, essence, splice
from tests.grader.reading.cases import ACCEPT, FIRST, RESIDUAL, SECOND, STUB, cell, filled, find

NAMES = st.sampled_from(["p", "q", "qx", "target_probs", "draft_token", "total_mass", "1.0", "0", "'é拒'", "x"])
OPERATORS = st.sampled_from([" + ", "/", " <= ", " if 1 else ", "\n  * "])
EXPRESSIONS = st.recursive(
    NAMES,
    lambda inner: st.one_of(
        st.tuples(inner, OPERATORS, inner).map(lambda parts: f"({''.join(parts)})"),
        st.lists(inner, min_size=1, max_size=3).map(lambda some: f"max({', '.join(some)})"),
        st.lists(inner, max_size=3).map(lambda some: f"[{', '.join(some)}]"),
        inner.map(lambda one: f"({one}  # why\n)"),
        inner.map(lambda one: f"(lambda x: {one})"),
        inner.map(lambda one: f"-{one}"),
        inner.map(lambda one: f"sum({one} for x in [1])"),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, EXPRESSIONS)
@settings(deadline=None)
def test_what_was_put_into_the_blanks_comes_out_again(accept: str, residual: str) -> None:
    own = splice(STUB, [accept, residual])
    result = find(own)
    assert (result["status"], result["mode"], result["changed_lines"]) == ("ok", "blanks", [])
    assert result["blanks"] == {"1": accept, "2": residual}
    assert result["source"] == own


@given(st.text(max_size=60), st.text(max_size=60))
@settings(deadline=None)
def test_any_text_in_the_blanks_gives_a_verdict(accept: str, residual: str) -> None:
    result = find(splice(STUB, [accept, residual]))
    assert result["status"] in ("ok", "missing", "error", "unreadable")
    if result["status"] == "ok":
        ast.parse(result["source"])


@given(st.integers(0, len(filled())), st.integers(0, len(filled())), st.text(max_size=5))
@settings(deadline=None)
def test_any_damage_to_the_answer_gives_a_verdict(start: int, length: int, new: str) -> None:
    whole = filled()
    result = find(whole[:start] + new + whole[start + length :])
    assert result["status"] in ("ok", "missing", "error", "unreadable")
    if result["mode"] == "blanks":
        assert result["source"].count("______") == 0 and not any(map(is_open, result["blanks"].values()))


@pytest.mark.parametrize(
    ("stub", "blanks"),
    [
        ("def f(x):\n    return ______\n", ["x + 1"]),
        ("def f(x):\n    return (______) * 2\n", ["x"]),
        ("def f(x):\n    return ______ * ______\n", ["x", "(x + 1)"]),
        ("def f(x):\n    if ______:\n        return int(______)\n    return g(a, b=______)\n", ["x > 0", "(x)", "g"]),
        ("def f(x):\n    while x < ______:\n        x += ______\n    return x\n", ["3", "1"]),
        ("def f(x):\n    for i in ______:\n        x[i] = ______\n", ["range(3)", "i, i"]),
        ("from __future__ import annotations\nN = 3\n\n\ndef f(x):\n    return [i for i in x if ______]\n", ["i < N"]),
    ],
)
def test_blanks_of_every_kind_of_statement(stub: str, blanks: list[str]) -> None:
    own = splice(stub, blanks)
    result = find_answer(stub, "f", [cell(own)], [f"b{at}" for at in range(len(blanks))])
    assert list(result["blanks"].values()) == blanks and result["source"] == own and list(result["blanks"])[0] == "b0"


def test_helpers_are_put_after_imports_from_the_future() -> None:
    stub = '"""Doc."""\nfrom __future__ import annotations\n\n\ndef f(x: N) -> N:\n    return ______\n'
    result = find_answer(stub, "f", [cell("def g(x): return x"), cell(splice(stub, ["g(x)"]), 1)])
    space: dict[str, object] = {}
    exec(result["source"], space)
    assert space["f"](4) == 4  # type: ignore[operator]


def test_slots_come_in_the_order_of_the_text() -> None:
    function = ast.parse(STUB).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert [slot.blank.lineno for slot in slots(function)] == [FIRST, SECOND]


def test_columns_count_characters_not_bytes() -> None:
    result = find(filled(f"{ACCEPT} if '拒绝' else '接受'", f"'é' and {RESIDUAL}"))
    assert result["blanks"] == {"1": f"{ACCEPT} if '拒绝' else '接受'", "2": f"'é' and {RESIDUAL}"}


def test_tokens_know_their_indentation() -> None:
    depths = {token.text: token.depth for token in tokens("if a:\n    if b:\n        c\nd\n")}
    assert (depths["a"], depths["b"], depths["c"], depths["d"]) == (0, 1, 2, 0)


def test_quotes_that_nothing_closes_cost_no_time() -> None:
    """The server reads what is typed into a blank for statements at every pause in the typing."""
    for text in ('x = "' + '\\"' * 9_000, '"\\' * 9_000):
        began = time.process_time()
        assert dedented(f"  {text}") == text
        assert essence(text)
        assert time.process_time() - began < 1.0
