"""Finding the answer among the cells: by which rule, in what disorder, and what to say where there is none."""
from __future__ import annotations

from typing import Any

import pytest

from tests.grader.reading.cases import (
    ACCEPT,
    FIRST,
    RESIDUAL,
    SECOND,
    STUB,
    cell,
    codes,
    filled,
    find,
    is_right,
    rule,
    stub_line,
)

MARK = "# exercise: rejection_rule\n"
WRONG = filled(residual="p")


def test_the_filled_stub_is_found_by_name_and_taken_apart() -> None:
    result = find(filled())
    assert (result["found_by"], result["mode"], result["place"]) == ("name", "blanks", [0, 1])
    assert result["blanks"] == {"1": ACCEPT, "2": RESIDUAL}
    assert result["source"] == filled() and result["alternative"] == "" and result["changed_lines"] == []
    assert is_right(result)


@pytest.mark.parametrize(
    ("answer", "rule_name"),
    [
        (cell(MARK + filled()), "marker"),
        (cell("#Exercise:rejection_rule \n" + filled()), "marker"),
        (cell(filled(), marker="rejection_rule"), "metadata"),
        (cell(filled(), identity="answer-rejection_rule"), "id"),
        (cell(filled()), "name"),
        (cell(MARK + filled().replace("def rejection_rule(", "def my_rule(")), "position"),
    ],
)
def test_the_stronger_rule_is_reported(answer: dict[str, Any], rule_name: str) -> None:
    result = find("x = 1", answer)
    assert result["found_by"] == rule_name and is_right(result)
    assert f"found_{rule_name}" in codes(result)


def test_a_marked_cell_goes_before_a_later_unmarked_one() -> None:
    result = find(MARK + filled(), WRONG)
    assert result["found_by"] == "marker" and is_right(result)
    assert {"code": "duplicate", "place": [1, 1]} in result["notes"]


def test_of_several_definitions_the_last_counts() -> None:
    result = find(MARK + WRONG, MARK + filled(), "x = 1")
    assert is_right(result) and result["place"] == [1, 2]
    assert find(MARK + filled(), MARK + WRONG)["blanks"]["2"] == "p"


def test_a_filled_answer_goes_before_a_marked_cell_with_open_blanks() -> None:
    for cells in ((MARK + STUB, filled()), (filled(), MARK + STUB)):
        result = find(*cells)
        assert is_right(result) and "unfilled_copy" in codes(result)


def test_an_answer_below_the_cell_that_uses_it_is_told() -> None:
    assert "below_checks" in codes(find("print(rejection_rule([1.0], [1.0], 0))", filled()))
    assert "below_checks" not in codes(find(filled(), "print(rejection_rule([1.0], [1.0], 0))"))


# Split, broken and foreign cells


@pytest.mark.parametrize("line", [5, 12, FIRST - 5, FIRST - 1, FIRST, FIRST + 2, FIRST + 4])
def test_an_answer_split_between_lines_is_joined(line: int) -> None:
    lines = (MARK + filled()).split("\n")
    result = find("x = 1", "\n".join(lines[:line]), cell("prose", kind="markdown"), "\n".join(lines[line:]), "y = 2")
    assert is_right(result) and "split" in codes(result)
    assert result["place"] == [1, 2]


def test_places_in_a_split_answer_are_those_of_the_cells() -> None:
    lines = filled(residual="______").split("\n")
    result = find("\n".join(lines[: SECOND - 4]), "\n".join(lines[SECOND - 4 :]))
    assert result["status"] == "missing" and result["reason"]["place"] == [1, 4]


def test_neighbouring_broken_cells_are_not_joined_for_nothing() -> None:
    result = find("for i in", "x = (", filled(), "1)")
    assert is_right(result) and codes(result).count("broken_cell") == 3 and "split" not in codes(result)


def test_notebook_commands_are_left_out_and_told() -> None:
    commands = "%matplotlib inline\n!pip install x \\\n  y\nfiles = !ls\nmax?\n?min"
    result = find(commands, "%%bash\nrm -rf /", "%%time\n" + filled())
    assert is_right(result) and result["place"] == [2, 2]
    told = [(note["code"], note["line"], note["place"]) for note in result["notes"] if "line" in note]
    assert told == [
        ("magic", "%matplotlib inline", [0, 1]),
        ("shell", "!pip install x \\", [0, 2]),
        ("shell", "!ls", [0, 4]),
        ("magic", "max?", [0, 5]),
        ("magic", "?min", [0, 6]),
        ("foreign_cell", "%%bash", [1, 1]),
        ("magic", "%%time", [2, 1]),
    ]


def test_a_percent_that_goes_on_an_expression_is_no_command() -> None:
    result = find("n = (7\n     % 4)\n", filled(residual="max(p - q, 0.0) * (n - 2)"))
    assert is_right(result) and "magic" not in codes(result)


@pytest.mark.parametrize(
    "scratch",
    ["x = = 1", "(" * 300, "-" * 50_000 + "1", "\tx\n  y", "'", "x = 1\0", "\ufeffx", "é = \ud800", "a" * 70_000],
)
def test_scratch_cells_never_matter(scratch: str) -> None:
    assert is_right(find(scratch, filled(), scratch))


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_any_line_end_is_one_to_python_and_to_us(end: str) -> None:
    assert is_right(find(filled().replace("\n", end)))
    mixed = f"# a note{end}# and more\n{filled()}"
    result = find(mixed)
    assert is_right(result) and result["place"] == [0, 3] and "nul_removed" not in codes(result)


def test_null_bytes_in_the_answer_are_left_out_and_told() -> None:
    result = find(filled().replace("qx = ", "qx\0 = "))
    assert is_right(result) and "nul_removed" in codes(result)


# What the answer needs from elsewhere


def test_only_what_is_needed_is_taken_over_in_an_order_that_runs() -> None:
    result = find(
        "boom = 1 / 0\nimport antigravity",
        "LIMIT = bound()\nLIMIT += 0.0",
        filled("capped(target_probs[draft_token] / qx)"),
        "from math import inf, pi\ndef bound():\n    return min(1.0, inf)\n\ndef capped(x):\n    return min(LIMIT, x)",
    )
    assert is_right(result)
    assert "boom" not in result["source"] and "antigravity" not in result["source"]
    assert [note["name"] for note in result["notes"] if note["code"] == "helper"] == [
        ["inf", "pi"], ["bound"], ["LIMIT"], ["LIMIT"], ["capped"]
    ]  # fmt: skip


def test_the_last_definition_of_a_helper_counts() -> None:
    result = find("def cut(x): return 9.0", "def cut(x): return max(x, 0.0)", filled(residual="cut(p - q)"))
    assert is_right(result)


def test_star_imports_are_taken_where_a_name_is_found_nowhere_else() -> None:
    result = find("from math import *", filled(residual="fabs(max(p - q, 0.0))"))
    assert is_right(result) and "from math import *" in result["source"]


def test_builtins_overwritten_in_scratch_cells_don_t_reach_the_answer() -> None:
    assert is_right(find("sum = 0\nmax = list = None", filled()))


def test_a_helper_beside_an_import_from_the_future_is_taken_over_alone() -> None:
    helper = "from __future__ import annotations\ndef cut(x): return max(x, 0.0)"
    assert is_right(find(helper, filled(residual="cut(p - q)")))


def test_a_main_guard_is_never_taken_over() -> None:
    result = find("if __name__ == '__main__':\n    eps = 1\n\n" + filled(residual="max(p - q, eps)"))
    assert result["status"] == "ok" and "__main__" not in result["source"]


# Locked lines


def test_white_space_comments_and_the_docstring_are_free() -> None:
    own = filled().replace("    qx =", "\n    # mine\n    qx   =").replace("The rejection rule for", "My rule for")
    assert find(own)["changed_lines"] == []


def test_changed_locked_lines_are_told_and_the_original_is_used() -> None:
    own = filled().replace("total_mass == 0.0", "total_mass < 1e-15").replace("    qx = draft_probs[draft_token]\n", "")
    own = own.replace("    total_mass =", "    print(residual_mass)\n    total_mass =")
    result = find(own)
    assert result["source"] == filled() and result["alternative"].startswith("def rejection_rule")
    told = {change["code"]: change for change in result["changed_lines"]}
    assert told["removed_line"]["was"] == "qx = draft_probs[draft_token]"
    assert told["added_line"]["now"] == "print(residual_mass)"
    assert told["changed_line"]["was"] == "if total_mass == 0.0:"
    assert told["changed_line"]["now"] == "if total_mass < 1e-15:"


def test_a_change_inside_a_long_statement_shows_its_line() -> None:
    result = find(filled().replace('"both must have', '"they must have'))
    assert result["changed_lines"][0]["was"] == '"both must have the same length, at least 1"'


def test_a_changed_loop_around_the_blank_costs_nothing() -> None:
    result = find(filled().replace("in zip(target_probs, draft_probs)]", "in list(zip(target_probs, draft_probs))]"))
    assert result["mode"] == "blanks" and is_right(result) and "changed_line" in codes(result)


# Functions of the learner's own


def test_renamed_loop_variables_are_judged_as_written() -> None:
    result = find(filled(residual="max(a - b, 0.0)").replace("for p, q in", "for a, b in"))
    assert result["mode"] == "as written" and is_right(result)
    assert {"code": "own_names", "names": ["a", "b"]} in result["notes"]


def test_an_own_line_before_the_blank_is_judged_as_written() -> None:
    ratio = "    ratio = target_probs[draft_token] / qx\n"
    assert is_right(find(filled("min(1.0, ratio)").replace("    accept_pro", ratio + "    accept_pro", 1)))


def test_a_blank_that_is_only_a_first_value_is_judged_as_written() -> None:
    second = "    if target_probs[draft_token] < qx:\n        accept_probability = target_probs[draft_token] / qx\n"
    result = find(filled("1.0").replace("    residual_mass", second + "    residual_mass", 1))
    assert result["mode"] == "as written" and is_right(result)


@pytest.mark.parametrize(
    "own",
    [
        "def rejection_rule(t, d, x):\n    return min(1.0, t[x] / d[x]), [float(a > b) for a, b in zip(t, d)]",
        "rejection_rule = lambda t, d, x: (min(1.0, t[x] / d[x]), [float(a > b) for a, b in zip(t, d)])",
        "def g(t, d, x):\n    return min(1.0, t[x] / d[x]), [float(a > b) for a, b in zip(t, d)]\n\nrejection_rule = g",
        "import functools\n\n@functools.cache\ndef one(): return 1.0\n\nif True:\n    def rejection_rule(t, d, x):\n"
        "        return min(one(), t[x] / d[x]), [float(a > b) for a, b in zip(t, d)]",
    ],
)
def test_rewritten_functions_are_judged_as_written(own: str) -> None:
    result = find(own)
    assert result["mode"] == "as written" and is_right(result)


def test_a_function_that_only_looks_named_right_is_judged_and_named() -> None:
    result = find(filled().replace("def rejection_rule(", "def rejеction_rule("))
    assert is_right(result) and result["changed_lines"] == []
    note = next(note for note in result["notes"] if note["code"] == "lookalike")
    assert note["characters"] == ["U+0435 CYRILLIC SMALL LETTER IE"] and note["wanted"] == "rejection_rule"


def test_a_lookalike_inside_a_blank_is_named_with_its_line() -> None:
    result = find(filled(accept=ACCEPT.replace("target_probs", "tаrget_probs")))
    note = next(note for note in result["notes"] if note["code"] == "lookalike")
    assert (note["wanted"], note["place"]) == ("target_probs", [0, FIRST])


def test_a_renamed_function_gets_the_name_that_is_called() -> None:
    result = find(MARK + "def f(t, d, x):\n    return min(1.0, t[x] / d[x]), [float(a > b) for a, b in zip(t, d)]")
    assert is_right(result) and "renamed" in codes(result) and callable(rule(result))


# Nothing to judge


@pytest.mark.parametrize(
    ("source", "open_blanks", "line"),
    [
        (STUB, ["1", "2"], FIRST),
        (filled(residual="______"), ["2"], SECOND),
        (filled("min(1.0, ______)"), ["1"], FIRST),
        (filled("_____"), ["1"], FIRST),
        (filled("..."), ["1"], FIRST),
        (filled().replace(f"accept_probability = {ACCEPT}", "pass"), ["1"], FIRST),
        (filled().replace(f"accept_probability = {ACCEPT}", "raise NotImplementedError('todo')"), ["1"], FIRST),
        (filled().replace(f"    accept_probability = {ACCEPT}\n", ""), ["1"], 1),
        ("def rejection_rule(t, d, x):\n    '''doc'''\n    ...", ["1", "2"], 1),
        ("def rejection_rule(t, d, x):\n    raise NotImplementedError", ["1", "2"], 1),
        (filled("______").replace("if qx == 0.0:", "if qx == 0.0"), ["1"], stub_line("if qx == 0.0:")),
    ],
)
def test_open_blanks_are_missing_and_named(source: str, open_blanks: list[str], line: int) -> None:
    result = find(source)
    assert (result["status"], result["unfilled"], result["source"]) == ("missing", open_blanks, "")
    assert result["reason"]["blank"] == [int(name) for name in open_blanks]
    assert result["reason"]["place"] == [0, line]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ([cell(f"```python\n{filled()}\n```", kind="markdown")], {"code": "in_markdown", "place": [0, 2]}),
        ([cell(filled(), kind="raw")], {"code": "in_markdown", "place": [0, 1]}),
        ([cell("x = 1"), cell("# " + filled().replace("\n", "\n# "))], {"code": "commented_out", "place": [1, 1]}),
        ([cell("x = 1")], {"code": "not_found"}),
        ([], {"code": "not_found"}),
    ],
)
def test_a_missing_answer_says_where_it_may_have_gone(cells: list[dict[str, Any]], reason: dict[str, Any]) -> None:
    result = find(*cells)
    assert result["status"] == "missing" and result["reason"] == reason | {"name": "rejection_rule"}


# Answers that don't parse


def test_a_syntax_error_in_a_blank_is_an_error_with_the_line() -> None:
    result = find("x = 1", filled("min(1.0, qx"))
    assert result["status"] == "error" and result["source"] == ""
    error = result["error"]
    assert (error["class"], error["line"], error["cell"]) == ("SyntaxError", FIRST, 1)
    assert error["text"] == "accept_probability = min(1.0, qx" and "never closed" in error["message"]


def test_typographic_quotes_and_full_width_signs_are_pointed_at() -> None:
    quotes = next(note for note in find(filled("min(“1”, qx)"))["notes"] if note["code"] == "smart_quotes")
    assert quotes["characters"][0] == "U+201C LEFT DOUBLE QUOTATION MARK" and quotes["place"] == [0, FIRST]
    wide = next(note for note in find(filled("min（1，qx）"))["notes"] if note["code"] == "odd_character")
    assert "U+FF0C FULLWIDTH COMMA" in wide["characters"]


@pytest.mark.parametrize(
    "slip",
    [("if qx == 0.0:", "if qx == 0.0"), ("    total_mass =", "    total mass ="), ("return accept", "retrun accept")],
)
def test_a_slip_in_a_locked_line_costs_nothing(slip: tuple[str, str]) -> None:
    result = find("def cut(x): return max(x, 0.0)", filled(residual="cut(p - q)").replace(*slip, 1))
    assert is_right(result) and codes(result) == ["syntax_outside", "helper"]


def test_a_broken_later_copy_leaves_the_earlier_definition_as_a_run_would() -> None:
    assert is_right(find(filled(), filled("min(1.0, qx")))


def test_a_broken_answer_goes_before_an_open_one() -> None:
    assert find(MARK + STUB, filled("min(1.0, qx"))["status"] == "error"


@pytest.mark.parametrize(
    "bomb",
    ["(" * 400 + "1" + ")" * 400, "-" * 60_000 + "1", "a" + ".b" * 60_000, "1" + "+1" * 60_000, "9" * 5_000, "x\0y"],
)
def test_deep_and_long_answers_end_in_a_verdict(bomb: str) -> None:
    assert find(filled(bomb))["status"] in ("ok", "error")


def test_a_conflict_inside_the_answer_is_unreadable() -> None:
    own = filled().replace("    qx =", "<<<<<<< ours\n    qx =")
    result = find(own.replace("\n    if qx", "\n=======\n>>>>>>> theirs\n    if qx"))
    place = [0, stub_line("qx = ")]
    assert (result["status"], result["reason"]) == ("unreadable", {"code": "conflict", "place": place})


def test_a_comment_that_swallows_the_rest_of_a_blank_s_line_is_an_error() -> None:
    assert find(filled(residual="max(p - q, 0.0)  # mine"))["status"] == "error"
