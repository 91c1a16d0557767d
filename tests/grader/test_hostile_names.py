"""Learners' names and answers that want to be formulas, markup, paths or columns."""
from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from exercises.expect import Text
from grader.batch import about, grade_folder
from grader.catalogue import Exercise, exercise_ids
from grader.judge import Judge
from grader.reading.folders import Entry
from grader.reports import feedback
from grader.reports.gradebook import FORMULA_STARTS, gradebook
from grader.reports.rows import Row, marked
from grader.reports.writing import stems
from grader.submitting import judge_files
from grader.wording import wording

NAMES = [
    "=HYPERLINK(\"http://x\",\"y\")", "+1+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1",
    "a,b\",c\n\"d\",20,20,20,pass", "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "{{7*7}}{%x%}",
    "../../etc/passwd", "..", ".", "/abs", "C:\\x", "CON", "nul.txt", "-rf", "a/b", "x" * 300, "名" * 200, "𠀀" * 90,
    "*?[", "\x1b[31mred", "\u202egnp.exe", "名字",
    "e\u0301", "\u00e9", "Ann", "ANN", "\ud800", "a\0b", "' OR 1=1 --", "",
]  # fmt: skip
ANSWER = """
def rejection_rule(target_probs, draft_probs, draft_token):
    return '<script>alert(2)</script>\\x1b[2J'
"""


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def out(judge: Judge, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A graded class whose learners have the hostile names, straight from the reader of folders."""
    files = [("<b>answer.py", ANSWER.encode())]
    made = [Entry(name, (("answer.py", ANSWER.encode),)) for name in NAMES]
    judged = judge_files(files, exercise_ids(), judge, hidden=True, unread=[("<i>.py", Text("<u>", "<u>"))])
    folder = tmp_path_factory.mktemp("hostile")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("grader.batch.entries", lambda path: made)
        patched.setattr("grader.batch.judge_files", lambda *_, **__: judged)  # the same answer for all, judged once
        grade_folder(folder, folder / "out", 2, "en", judge)
    yield folder / "out"


def test_hostile_names_survive_csv_json_and_html(out: Path) -> None:
    text = (out / "gradebook.csv").read_text("utf-8")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    assert len(rows) == len(NAMES) + 1 and {len(row) for row in rows} == {4 + len(exercise_ids())}
    assert not [row[0] for row in rows if row[0].lstrip().startswith(FORMULA_STARTS)]
    assert not [one for one in text if not one.isprintable() and one != "\n"]
    schema = json.loads((Path(__file__).parent / "results.schema.json").read_text("utf-8"))
    kept = [json.loads(path.read_bytes()) for path in (out / "results").iterdir()]
    assert sorted(data["extra_data"]["course"]["learner"] for data in kept) == sorted(NAMES)
    for data in kept:
        jsonschema.validate(data, schema)


def test_no_page_has_anything_that_runs_or_loads(out: Path) -> None:
    pages = list((out / "feedback").iterdir())
    assert len(pages) == len(NAMES)
    for path in pages:
        page = path.read_text("utf-8")
        tags = Tags()
        tags.feed(page)
        assert not {tag for tag, _ in tags.seen} & {"script", "img", "iframe", "a", "svg", "object", "link", "base"}
        attributes = {name for _, attrs in tags.seen for name in attrs}
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "href", "style")]
        assert "\x1b" not in page and "\u202e" not in page


def test_the_pages_policy_lets_nothing_in_but_its_own_style(out: Path) -> None:
    page = next((out / "feedback").iterdir()).read_text("utf-8")
    style = re.search(r"<style>(.*?)</style>", page, re.DOTALL)
    tags = Tags()
    tags.feed(page)
    meta = next(attrs for tag, attrs in tags.seen if attrs.get("http-equiv") == "Content-Security-Policy")
    assert style and meta["content"] == feedback.policy(style[1])
    assert meta["content"].startswith("default-src 'none'; style-src 'sha256-") and "unsafe" not in meta["content"]


def test_files_stay_inside_the_folder_and_apart_on_any_file_system() -> None:
    made = stems(NAMES)
    assert len({stem.casefold() for stem in made.values()}) == len(NAMES)
    for stem in made.values():
        assert re.fullmatch(r"[\w@+][\w.@+-]*", stem) and len(stem.encode()) <= 200 and not stem.endswith(".")
        assert not re.fullmatch(r"(con|nul)(\..*)?", stem, re.IGNORECASE)


def test_an_ordinary_id_is_its_own_file_name() -> None:
    ids = ["ann", "li.wei_42", "王小明", "a-b@x.org", "Müller"]
    assert stems(ids) == {name: name for name in ids}


def test_a_name_that_is_a_formula_only_after_the_status_stays_text(exercise: Exercise, report: Any) -> None:
    row = Row("x", "x", {exercise.id: marked(report(judge_fault="=1"), 20, "=cmd|x")})
    line = gradebook([row], {exercise.id: 20}).splitlines()[1]
    assert line == "x,,,20,needs a person: =cmd|x"


def test_a_page_shows_hostile_text_as_text(exercise: Exercise, judge: Judge, report: Any) -> None:
    evil = "</code></dd><script>alert(1)</script>{{ 7*7 }}"
    row = Row(evil, "x", {exercise.id: marked(report(), 20, "")})
    page = feedback.page(row, [(exercise, report(blanks={"accept": evil}))], (), wording("en"), about(judge, "en"))
    assert "<script" not in page and "&lt;script&gt;" in page and "{{ 7*7 }}" in page
