"""Import files for Canvas and Moodle: only points change, nobody is guessed, hostile names stay in their cells."""
from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grader import cli
from grader.catalogue import Exercise, exercise_ids
from grader.reports.gradebook import FORMULA_STARTS
from grader.reports.rows import Marked, Row
from grader.rosters import BadRoster, Filled, Roster, fill, read_roster
from grader.rosters.matching import Person, matches

POINTS = {"rejection_rule": 20.0}
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,The rule (417),Essay (418),Current Score,Final Score
,,,,,Manual Posting,,,
    Points Possible,,,,,20,10,(read only),(read only)
"Lee, Ann",20418,s1,ann,"Class 1, A",,7,70,35
"Quinn, John",20419,s2,john@x.org,Class 1,5,,,
"Müller, Eva",20420,,,Class 1,,,,
"Student, Test",20421,,abc,Class 1,,,,
"""
MOODLE = """Identifier,"Full name","ID number","Email address",Status,Grade,"Maximum grade","Grade can be changed",Notes
"Participant 12345","Hanna Schmidt",77,hanna@x.org,"Submitted - ",,20.00,Yes,"<p>=1, ""so""
</p>"
"Participant 12346","王小明",78,ming@x.org,"No submission - ",3.00,20.00,Yes,
"Participant 12347","Ana Lopez",79,ana@x.org,"No submission - ",,20.00,Yes,
"""


def row(learner: str, points: float | None, exercise_id: str = "rejection_rule") -> Row:
    mark = Marked("pass", points, 20, "" if points is not None else "why", (), {})
    return Row(learner, learner, {exercise_id: mark})


def read(text: str, format_: str, column: str | None = None) -> Roster:
    return read_roster(text.encode(), "roster.csv", format_, exercise_ids(), column)


def table(text: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline="")))


def changes(before: str, after: str) -> dict[tuple[int, int], str]:
    old, new = table(before), table(after)
    assert [len(one) for one in old] == [len(one) for one in new]
    return {
        (r, c): new[r][c] for r in range(len(old)) for c in range(len(old[r])) if new[r][c] != old[r][c]
    }


def filled(text: str, format_: str, *rows: Row, column: str | None = None) -> Filled:
    return fill(read(text, format_, column), rows, POINTS)


def test_canvas_keeps_every_cell_but_the_points() -> None:
    graded = [row("leeann_20418", 18.5), row("john@x.org", 20), row("müller_eva", None), row("stranger", 1)]
    done = filled(CANVAS, "canvas", *graded, column="The rule (417)")
    assert changes(CANVAS, done.text) == {(3, 5): "18.5", (4, 5): "20"}
    assert done.count == 2 and [who for who, _ in done.unmatched] == ["stranger"]
    assert done.without == ("Student, Test",)
    assert not done.warnings


def test_canvas_without_a_named_column_goes_by_the_exercise_or_the_only_column(exercise: Exercise) -> None:
    for title in (exercise.id, exercise.title.en, exercise.title.zh):
        text = CANVAS.replace("The rule (417)", f'"{title} (417)"')
        assert changes(text, filled(text, "canvas", row("ann", 4)).text) == {(3, 5): "4"}
    with pytest.raises(BadRoster, match="Which column .*“The rule .417.”, “Essay"):
        read(CANVAS, "canvas")
    only = CANVAS.replace("Essay (418)", "Essay Current Score")
    assert changes(only, filled(only, "canvas", row("ann", 4)).text) == {(3, 5): "4"}


def test_an_exercise_without_a_column_is_told(exercise: Exercise) -> None:
    text = CANVAS.replace("The rule", exercise.id)
    done = filled(text, "canvas", row("ann", 4), row("john@x.org", 5, "another"))
    assert changes(text, done.text) == {(3, 5): "4"} and done.count == 1
    assert [warning.en for warning in done.warnings if "no column for another" in warning.en]


def test_canvas_with_first_and_last_names_apart() -> None:
    text = "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section,Notes,HW (1)\n"
    text += "Lee,Ann,7,s,a,C,=1,\n=Q,+J,8,s2,b,C,,\n"
    done = filled(text, "canvas", row("Ann Lee", 3), row("x_8", 2))
    assert changes(text, done.text) == {(1, 7): "3", (2, 7): "2", (2, 0): "'=Q", (2, 1): "'+J"}


def test_moodle_keeps_every_cell_but_the_grade() -> None:
    graded = [row("Hanna Schmidt_12345", 12), row("王小明_12346", None), row("lopez_ana", 0.25)]
    done = filled(MOODLE, "moodle", *graded)
    assert changes(MOODLE, done.text) == {(1, 5): "12", (3, 5): "0.25"}
    assert done.count == 2 and not done.unmatched and not done.without and not done.warnings


def test_moodle_in_chinese_or_with_a_column_named() -> None:
    chinese = "标识符,全名,电子邮件地址,状态,成绩,最高成绩\n参与者12345,王小明,m@x.org,,,20.00\n"
    assert changes(chinese, filled(chinese, "moodle", row("王小明_12345", 20)).text) == {(1, 4): "20"}
    german = "ID,Vollständiger Name,Status,Bewertung\nTeilnehmer/in12345,Eva,,\n"
    with pytest.raises(BadRoster, match="“Bewertung”"):
        read(german, "moodle")
    done = filled(german, "moodle", row("12345", 20), column="Bewertung")
    assert changes(german, done.text) == {(1, 3): "20"}


PEOPLE = [
    Person("20418", "Lee, Ann", ("s1", "ann")),
    Person("20419", "Quinn, John", ("s2", "quinn@x.org")),
    Person("20420", "Quinn, John", ("s3", "john")),
    Person("20421", "Müller, Eva", ("20418", "eva")),
    Person("20422", "Nguyễn, Linh", ("s5", "")),
    Person("20423", "王小明", ("s6", "")),
    Person("20424", "O'Leary, Sean", ()),
]


@pytest.mark.parametrize(
    ("learner", "found"),
    [
        ("leeann_20418", 0), ("Ann Lee_20418", 0), ("anything_20418", 0), ("20423", 5), ("S1", 0), ("ann", 0),
        ("QUINN@x.org", 1), ("john", 2), ("eva_mueller", None), ("muller_eva", None), ("eva_müller", 3),
        ("müllereva", 3), ("evamüller", None), ("mülle_reva", None), ("Mu\u0308ller Eva", 3),
        ("nguyễn_linh", 4), ("王小明", 5), ("oleary_sean", 6), ("o_leary_sean", None),
        ("quinn_john", None), ("20418", None), ("quinnjohn_20419", 1), ("leeann_20420", None), ("leeann_999", None),
        ("", None), ("_", None), ("Lee", None), ("lee_ann_2", None), ("x_٢٠٤١٨", None),
    ],
)  # fmt: skip
def test_who_is_matched_and_who_is_not(learner: str, found: int | None) -> None:
    match = matches([learner], PEOPLE)[learner]
    assert match.row == found and (match.reason is None) == (found is not None), match


def test_the_reasons_name_the_rows() -> None:
    found = matches(["quinn_john", "leeann_20420", "stranger"], PEOPLE)
    reasons = {learner: match.reason.en for learner, match in found.items() if match.reason}
    assert "(20419)" in reasons["quinn_john"] and "(20420)" in reasons["quinn_john"]
    assert "Quinn, John (20420)" in reasons["leeann_20420"] and "Lee, Ann (20418)" in reasons["leeann_20420"]
    assert reasons["stranger"] == "fits no row"


def test_two_submissions_of_one_person_are_both_left_out() -> None:
    done = filled(CANVAS, "canvas", row("ann", 3), row("leeann_20418", 20), column="Essay")
    assert not changes(CANVAS, done.text) and done.count == 0
    assert [who for who, _ in done.unmatched] == ["ann", "leeann_20418"]


HOSTILE = [
    '=HYPERLINK("http://x","y")', "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "＝1+1", 'a,b",c',
    "two\nlines", "a\r\nb", "<script>", "\x1b[31mred", "\u202egnp",
    "'quoted'", '"', "", "  padded  ", "名字", "e\u0301", "a;b\tc", "\ufeff",
]  # fmt: skip


@pytest.mark.parametrize("format_", ["canvas", "moodle"])
def test_hostile_names_come_back_as_they_were_but_for_formulas(format_: str) -> None:
    header = {
        "canvas": ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "HW (1)"],
        "moodle": ["Identifier", "Full name", "Email address", "Status", "Grade", "Feedback comments"],
    }[format_]
    written = io.StringIO(newline="")
    writer = csv.writer(written, lineterminator="\r\n")
    writer.writerow(header)
    for at, name in enumerate(HOSTILE, 100):
        cells = [name, str(at), name, name, name, ""]
        writer.writerow(cells if format_ == "canvas" else [f"Participant {at}", name, name, name, "", name])
    before = written.getvalue()
    done = filled(before, format_, *(row(f"somebody_{at}", 1) for at in range(100, 100 + len(HOSTILE))))
    grade, shown = (5, 0) if format_ == "canvas" else (4, 1)
    assert done.count == len(HOSTILE) and not done.unmatched
    for (_, column), now in changes(before, done.text).items():
        assert (column == grade and now == "1") or (column == shown and now.startswith("'"))
    names = [cells[shown] for cells in table(done.text)[1:]]
    assert not [name for name in names if name.lstrip().startswith(FORMULA_STARTS)]


def test_a_name_that_the_platform_needs_to_find_the_person_is_left_alone() -> None:
    text = "Student,ID,SIS Login ID,Section,HW (1)\n=Ann,,ann,C,\n"
    done = filled(text, "canvas", row("ann", 1))
    assert changes(text, done.text) == {(1, 4): "1"}


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_delimiter_line_ends_and_mark_stay(delimiter: str, end: str, encoding: str) -> None:
    text = f"Student,ID,SIS Login ID,Section,HW (1){end}Ann,7,ann,C,{end}".replace(",", delimiter)
    roster = read_roster(text.encode(encoding), "r.csv", "canvas", exercise_ids())
    done = fill(roster, [row("ann", 2.5)], POINTS)
    wanted = text.removesuffix(end) + f"2.5{end}"
    assert done.text.encode() == wanted.encode("utf-8" if encoding == "utf-8" else "utf-8-sig")


def test_a_row_that_is_too_short_is_filled_up() -> None:
    text = "Student,ID,SIS Login ID,Section,A (1),B (2)\nAnn,7,ann,C\n"
    assert table(filled(text, "canvas", row("ann", 2), column="B").text)[1] == ["Ann", "7", "ann", "C", "", "2"]


def test_other_points_possible_are_told_and_never_scaled() -> None:
    done = filled(CANVAS, "canvas", row("ann", 20), column="Essay")
    assert changes(CANVAS, done.text) == {(3, 6): "20"}
    assert "10 points possible in the roster, 20 here" in done.warnings[0].en
    assert "100" in filled(MOODLE.replace("20.00", "100,00").replace(",100,00", ',"100,00"'), "moodle").warnings[0].en


@pytest.mark.parametrize(
    ("text", "format_", "said"),
    [
        ("", "canvas", "no row"), ("\n", "canvas", "no gradebook"), (MOODLE, "canvas", "no gradebook"),
        (CANVAS, "moodle", "no grading worksheet"), ("Student,ID,Section,A (1)\n", "canvas", "no row"),
        ("Student,ID,Section,Final Score\nAnn,1,C,5\n", "canvas", "no column for points"),
        ("Identifier,Full name,Grade\n", "moodle", "no row"), ('Student,ID,Section,"A\n', "canvas", "as CSV"),
        ("Identifier,Full name\nParticipant 1,Ann\n", "moodle", "Which column"),
    ],
)  # fmt: skip
def test_a_roster_that_does_not_do_says_why(text: str, format_: str, said: str) -> None:
    with pytest.raises(BadRoster, match=said):
        read(text, format_)


@pytest.mark.parametrize("data", [b"Student,ID\n\xff\xfe", b"\xff\xfe\x00", b"PK\x03\x04\x00\x9c", b"x" * 200_000])
def test_bytes_that_are_no_roster_raise_the_typed_error_only(data: bytes) -> None:
    for format_ in ("canvas", "moodle"):
        with pytest.raises(BadRoster):
            read_roster(data, "r", format_, exercise_ids())


def grade(a_class: Any, *arguments: object) -> Result:
    command = ["grade", a_class.submissions, "--out", a_class.out, "--jobs", 2, *arguments]
    result = CliRunner().invoke(cli.main, [str(one) for one in command])
    assert "Traceback" not in result.output
    return result


def test_the_command_writes_the_file_and_lists_who_is_not_in_it(
    a_class: Any, exercise: Exercise, right: dict[str, str], tmp_path: Path
) -> None:
    a_class.hand_in("leeann_20418_88_rejection_rule.py", exercise.fill(right))
    a_class.hand_in("quinnjohn_20419_89_rejection_rule.py", exercise.stub)
    a_class.hand_in("\u202estranger.py", exercise.fill(right))
    roster = tmp_path / "roster.csv"
    roster.write_text(CANVAS, "utf-8")
    result = grade(a_class, "--format", "canvas", "--roster", roster, "--column", "The rule (417)")
    assert result.exit_code == 1 and "not in the import file: \\u202estranger (fits no row)" in result.output
    assert changes(CANVAS, (a_class.out / "canvas.csv").read_text("utf-8")) == {(3, 5): "20"}  # the 5 stays
    said = json.loads((a_class.out / "summary.json").read_text("utf-8"))["import"]
    assert said["file"] == "canvas.csv" and said["filled"] == 1
    assert said["unmatched"] == [{"learner": "\u202estranger", "reason": "fits no row"}]
    assert said["without_a_submission"] == ["Müller, Eva", "Student, Test"]
    assert roster.read_text("utf-8") == CANVAS


@pytest.mark.parametrize(
    "arguments",
    [["--format", "canvas"], ["--roster", "r.csv"], ["--column", "x"],
     ["--format", "moodle", "--roster", "nowhere.csv"], ["--format", "canvas", "--roster", __file__],
     ["--format", "excel", "--roster", __file__]],
)  # fmt: skip
def test_bad_usage_is_told_before_anything_is_judged(a_class: Any, arguments: list[str]) -> None:
    a_class.hand_in("ann.py", "x = 1\n")
    assert grade(a_class, *arguments).exit_code == 2 and not a_class.out.exists()
