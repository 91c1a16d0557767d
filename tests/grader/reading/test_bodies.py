"""Statements in a suite blank: found between the given ones, whatever they are and whatever happened around them."""
from __future__ import annotations

from typing import Any

import pytest

from tests.grader.reading.cases import codes
from tests.grader.reading.suite_cases import FREE, HUNT, MIDDLE, START, TWO, call, find_in, middle


def find(suite: str = "        result += value * value", *others: str) -> dict[str, Any]:
    return find_in(MIDDLE, "total", *others, middle(suite))


@pytest.mark.parametrize(
    ("suite", "text"),
    [
        ("        result += value * value", "result += value * value"),
        ("        result += value * value  # mine", "result += value * value  # mine"),
        ("        square = value * value\n        result += square", "square = value * value\nresult += square"),
        (
            "        def square(x):\n            return x * x\n\n        # add\n        result += square(value)",
            "def square(x):\n    return x * x\n\n# add\nresult += square(value)",
        ),
        ("        if value:\n          result += (value *\nvalue)", "if value:\n  result += (value *\nvalue)"),
        ("        a = value; result += a * value", "a = value; result += a * value"),
        (
            '        note = """a\n  b\n        c"""\n        result += value * value',
            'note = """a\n  b\n        c"""\nresult += value * value',
        ),
        ("        result += \\\n            value * value", "result += \\\n    value * value"),
        ("        while True:\n            result += value * value\n            break", None),
        ("        result += value * value\n        if False:\n            return -1", None),
        ("        @str\n        class A: pass\n        result += value * value", None),
    ],
)
def test_statements_of_every_kind_come_out_dedented(suite: str, text: str | None) -> None:
    result = find(suite)
    assert (result["mode"], result["changed_lines"]) == ("blanks", [])
    assert call(result, "total", [1, 2]) == 5.0
    if text is not None:
        assert result["blanks"] == {"1": text}


def test_a_string_of_several_lines_keeps_its_inside_wherever_it_moves() -> None:
    inside = 'x = f"""\n one {1 +\n  1}\n\t two"""\nreturn x'
    deep = "if True:\n  def free(x):\n      " + inside.replace("\nreturn", "\n      return")
    result = find_in(FREE, "free", deep)
    assert result["blanks"] == {"1": inside}
    assert call(result, "free", 1) == "\n one 2\n\t two"


def test_a_file_with_tabs_is_taken_at_its_own_word() -> None:
    own = middle("        if value:\n            result += value\n            result += value * value - value")
    result = find_in(MIDDLE, "total", own.replace("    ", "\t"))
    assert call(result, "total", [1, 2]) == 5.0 and result["changed_lines"] == []


def test_a_suite_on_the_line_of_its_header() -> None:
    own = middle().replace("values:\n        result +=", "values: a = value; result +=")
    result = find_in(MIDDLE, "total", own)
    assert result["blanks"] == {"1": "a = value; result += value * value"} and result["changed_lines"] == []


@pytest.mark.parametrize(
    "suite",
    [
        "        ______", "        pass", "        ...", "        raise NotImplementedError", "        # later", "",
        "        # one\n        # two\n", "        result += ______", "        pass\n        ...", "        ____",
    ],
)  # fmt: skip
def test_a_blank_without_statements_is_missing(suite: str) -> None:
    result = find(suite)
    assert (result["status"], result["unfilled"]) == ("missing", ["1"])
    assert result["reason"]["blank"] == [1] and result["reason"]["code"] == "unfilled"


@pytest.mark.parametrize(
    "body", ["", "    # todo", '    """Doc."""', '    """Doc."""\n    # todo', "    pass", "    ______"]
)
def test_an_empty_free_body_is_missing(body: str) -> None:
    assert find_in(FREE, "free", f"def free(x):\n{body}\n")["unfilled"] == ["1"]


@pytest.mark.parametrize("head", ['    """Doc."""\n', '    """My own."""\n', "", "    'one' 'two'\n"])
def test_a_free_body_is_everything_after_the_docstring(head: str) -> None:
    result = find_in(FREE, "free", f"def free(x):\n{head}    if x:\n        return 1\n    return 2\n")
    assert result["blanks"] == {"1": "if x:\n    return 1\nreturn 2"} and result["changed_lines"] == []
    assert result["source"] == FREE.replace("______", "if x:\n        return 1\n    return 2")


def test_a_changed_signature_is_told_and_the_whole_kept_as_an_alternative() -> None:
    result = find_in(FREE, "free", "def free(x, more=1):\n    return x + 1\n")
    assert [note["code"] for note in result["changed_lines"]] == ["changed_line"]
    assert "def free(x):" in result["source"] and "def free(x, more=1)" in result["alternative"]


def test_a_parameter_of_another_name_is_judged_as_written() -> None:
    assert call(find_in(FREE, "free", "def free(y):\n    return y + 1\n"), "free", 1) == 2


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("    result = 0.0\n", "    result = 0\n", "changed_line"),
        ("    for value in values:\n", "    for value in list(values):\n", "changed_line"),
        ("    if result > LIMIT:\n", "    if result > 4:\n", "changed_line"),
        ("    return result\n", "    return float(result)\n", "changed_line"),
        ("    values = checked(values)\n", "", "removed_line"),
        ("    if result > LIMIT:\n        result = float(result)\n", "", "removed_line"),
        ("    result = 0.0\n", "    result = 0.0\n    print(values)\n", "added_line"),
    ],
)
def test_changed_neighbours_cost_nothing(old: str, new: str, code: str) -> None:
    assert old in middle()
    result = find_in(MIDDLE, "total", middle().replace(old, new))
    assert result["source"] == middle() and result["alternative"]
    assert code in [note["code"] for note in result["changed_lines"]]


def test_a_function_written_another_way_is_judged_as_written() -> None:
    own = "import math\n\ndef total(values):\n    return math.fsum(v * v for v in checked(values)) if values else 0\n"
    result = find_in(MIDDLE, "total", own)
    assert result["mode"] == "as written" and call(result, "total", [1, 2]) == 5.0


def test_what_is_locked_at_the_top_stays_as_given() -> None:
    own = middle().replace('raise ValueError("no values")', "pass").replace("LIMIT = 3", "LIMIT = 1 / 0")
    result = find_in(MIDDLE, "total", own)
    assert result["source"] == middle() and result["alternative"] == ""
    assert [(note["was"], note["now"]) for note in result["changed_lines"]] == [
        ("LIMIT = 3", "LIMIT = 1 / 0"), ('raise ValueError("no values")', "pass")
    ]  # fmt: skip


def test_a_helper_is_taken_over_with_what_it_needs_of_the_stub() -> None:
    helper = "def square(x):\n    return math.pow(x, 2) + LIMIT - 3 + 0 * len(checked([x]))\n"
    result = find("        result += square(value)", helper)
    assert call(result, "total", [1, 2]) == 5.0
    assert [note["name"] for note in result["notes"] if note["code"] == "helper"] == [["square"]]


def test_a_local_name_of_the_blank_is_not_looked_for_outside() -> None:
    result = find("        square = value * value\n        result += square", "square = 1 / 0")
    assert "1 / 0" not in result["source"]


def test_an_expression_blank_beside_a_suite_blank() -> None:
    stub = "def f(x):\n    ______\n    return ______\n"
    result = find_in(stub, "f", "def f(x):\n    if x < 0:\n        return 0\n    y = x\n    return y + 1\n")
    assert result["blanks"] == {"1": "if x < 0:\n    return 0\ny = x", "2": "y + 1"}
    assert find_in(stub, "f", "def f(x):\n    y = 1\n    return ______\n")["unfilled"] == ["2"]


def test_suites_in_several_bodies() -> None:
    heads = ["def f(x):\n    try:", "    except ValueError:", "    else:"]
    parts = [heads[0] + "\n        ", f"\n{heads[1]}\n        ", f"\n{heads[2]}\n        ", "\n    return x"]
    stub = "______".join(parts)
    own = "".join([parts[0], "x = int(x)", parts[1], "x = -1\n        x -= 1", parts[2], "x += 1", parts[3]])
    result = find_in(stub, "f", own)
    assert result["blanks"] == {"1": "x = int(x)", "2": "x = -1\nx -= 1", "3": "x += 1"} and result["source"] == own


# Start texts


@pytest.mark.parametrize("text", [START, START.replace("    ", "  "), f"{START}  # why?", f"# why?\n\n{START}"])
def test_a_start_text_that_was_not_changed_is_missing(text: str) -> None:
    body = text.replace("\n", "\n    ")
    own = HUNT.replace("______", body)
    assert find_in(HUNT, "hunt", own, starts=(START,))["unfilled"] == ["1"]


def test_a_repaired_start_text_is_an_answer_and_goes_before_the_pristine_cell() -> None:
    own, given = (HUNT.replace("______", text.replace("\n", "\n    ")) for text in (START.replace("2", "1"), START))
    for cells in ((own, given), (given, own)):
        result = find_in(HUNT, "hunt", *cells, starts=(START,))
        assert call(result, "hunt", [1, 2]) == 2 and "unfilled_copy" in codes(result)


def test_the_start_text_of_an_expression() -> None:
    stub = "def f(x):\n    y = ______\n    return y\n"
    assert find_in(stub, "f", stub.replace("______", "x + 1"), starts=("x+1",))["status"] == "missing"
    assert find_in(stub, "f", stub.replace("______", "x + 2"), starts=("x+1",))["status"] == "ok"


# Several functions


AREA, VOLUME = TWO.replace("______", "r * r", 1).split("def volume")[0], "def volume(r, h):\n    return area(r) * h\n"


def test_blanks_of_two_functions_in_one_cell_or_in_several() -> None:
    for cells in ((AREA + VOLUME,), (AREA, VOLUME), (VOLUME, AREA)):
        result = find_in(TWO, "area", *cells)
        assert result["blanks"] == {"1": "r * r", "2": "return area(r) * h"} and result["unfilled"] == []
        assert round(call(result, "volume", 1, 2), 4) == 6.2832


def test_of_two_functions_one_answered_is_judged_and_the_other_says_so_when_called() -> None:
    for cells, unfilled, answered in (([AREA], ["2"], "area"), ([VOLUME], ["1"], "volume")):
        result = find_in(TWO, "area", *cells)
        assert (result["status"], result["unfilled"]) == ("ok", unfilled)
        assert any(note["code"] in ("not_found", "unfilled") for note in result["notes"])
        with pytest.raises(NotImplementedError, match="not filled in"):
            call(result, "area" if answered == "volume" else "volume", *([1] if answered == "volume" else [1, 2]))


def test_none_of_two_functions_answered_is_missing_with_every_blank() -> None:
    result = find_in(TWO, "area", TWO)
    assert (result["status"], result["unfilled"], result["reason"]["blank"]) == ("missing", ["1", "2"], [1, 2])
    assert find_in(TWO, "area", "x = 1")["reason"] == {"code": "not_found", "name": "area"}


def test_a_broken_function_leaves_the_other_judged() -> None:
    result = find_in(TWO, "area", AREA, "def volume(r, h):\n    return (r\n")
    assert result["status"] == "ok" and "syntax" in codes(result)
    with pytest.raises(SyntaxError):
        call(result, "volume", 1, 2)


def test_the_other_function_in_the_marked_cell_is_not_taken_for_a_renamed_answer() -> None:
    result = find_in(TWO, "area", "# exercise: area\n" + VOLUME, AREA)
    assert result["blanks"]["1"] == "r * r"
    assert find_in(TWO, "area", "# exercise: area\n" + VOLUME)["unfilled"] == ["1"]


def test_one_function_as_written_beside_one_with_blanks() -> None:
    result = find_in(TWO, "area", "def area(radius):\n    return 3.0 * radius ** 2\n", VOLUME)
    assert result["mode"] == "as written" and call(result, "volume", 1, 2) == 6.0


# Answers that don't parse


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    for value in values:\n", "    for value in values\n"),
        ("    if result > LIMIT:\n", "    if result > LIMIT\n"),
        ("    return result\n", "    retrun result\n"),
        ("    result = 0.0\n", "    result = = 0.0\n"),
        ("    return result\n", "    return result\n\nprint(total([1])\n"),
        ("def total(values):\n", "def total(values)\n"),
    ],
)
def test_a_slip_in_a_locked_line_costs_nothing(old: str, new: str) -> None:
    suite = "        square = value * value\n\n        # add\n        result += square"
    result = find_in(MIDDLE, "total", middle(suite).replace(old, new))
    assert call(result, "total", [1, 2]) == 5.0 and "syntax_outside" in codes(result)
    assert result["blanks"] == {"1": "square = value * value\n\n# add\nresult += square"}


def test_a_slip_in_the_statements_is_an_error_with_its_line() -> None:
    result = find("        result += value *")
    assert result["status"] == "error"
    assert (result["error"]["class"], result["error"]["text"]) == ("SyntaxError", "result += value *")


def test_a_slip_beside_a_free_body_costs_nothing() -> None:
    helper = "def more(x):\n    return x + 1"
    result = find_in(FREE, "free", helper, 'def free(x):\n    """Doc."""\n    return more(x)\n\nprint(free(1)\n')
    assert call(result, "free", 1) == 2


def test_a_start_text_in_a_cell_that_does_not_parse_is_still_missing() -> None:
    own = HUNT.replace("______", START.replace("\n", "\n    ")) + "\nprint(hunt([1])\n"
    assert find_in(HUNT, "hunt", own, starts=(START,))["unfilled"] == ["1"]
