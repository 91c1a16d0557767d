"""The page that a student opens: one HTML file, no script, every value escaped.

The strict Content-Security-Policy lets nothing run or load but the page's own style sheet (by its hash). Of a hidden
check the page shows title, idea and verdict, never a number.
"""
from __future__ import annotations

import base64
import functools
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markdown_it import MarkdownIt
from markupsafe import Markup

from exercises.expect import Text
from grader.catalogue import Exercise
from grader.language import Words
from grader.leniency import told
from grader.plain import printable
from grader.reports.gradebook import number
from grader.reports.rows import Row
from grader.verdicts import CheckResult, Report, Verdict

FOLDER = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Card:
    """One check, ready to show."""

    title: str
    idea: str
    mark: str
    ended: str
    tone: str  # pass, fail or other: the class that the style sheet knows
    points: str
    hidden: bool
    facts: tuple[tuple[str, str], ...]  # (label, value that a student's code may have made)
    why: str


@dataclass(frozen=True)
class Section:
    """One exercise, ready to show."""

    title: str
    ended: str
    points: str
    person: str
    mistakes: tuple[str, ...]
    cards: tuple[Card, ...]
    notes: tuple[str, ...]
    blanks: tuple[tuple[str, str], ...]
    seed: str
    lenient: str


def page(
    row: Row, judged: Sequence[tuple[Exercise, Report]], notes: Sequence[Text], words: Words, course: Mapping[str, Any]
) -> str:
    """The HTML text of one learner's page."""
    style = (FOLDER / "feedback.css").read_text("utf-8")
    return _template().render(
        language="zh-Hans" if words.language == "zh" else "en",
        style=Markup(style),  # our own file
        policy=policy(style),
        title=words("feedback.title", learner=printable(row.learner)),
        person=words("feedback.person", reason=row.reason) if row.reason else "",
        sections=[_section(row, exercise, report, words) for exercise, report in judged],
        notes=[note.within(words.language) for note in notes],
        isolation=course["isolation"],
        words=words,
    )


def policy(style: str) -> str:
    """Nothing may run or load; the one style sheet is known by its hash."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _section(row: Row, exercise: Exercise, report: Report, words: Words) -> Section:
    language, mark = words.language, row.marks[exercise.id]
    labels = dict(zip(exercise.blank_ids, exercise.blank_labels, strict=True))
    undecided = mark.points is None
    return Section(
        title=exercise.title.within(language),
        ended="" if undecided else words(f"verdict.{report.verdict}"),
        points=words("feedback.points_open")
        if undecided
        else words("feedback.points", earned=number(mark.points), possible=number(mark.possible)),
        person=words("feedback.person", reason=mark.reason) if undecided else "",
        mistakes=tuple(message.within(language) for _, message in report.mistakes),
        cards=tuple(_card(check, words) for check in sorted(report.checks, key=_passed)),  # what to work on comes first
        notes=tuple(note.within(language) for note in report.notes),
        blanks=tuple(
            (labels[name].within(language) if name in labels else name, printable(text, keep="\n\t"))
            for name, text in report.blanks.items()
        ),
        seed=words("feedback.seed", seed=report.seed),
        lenient=told(exercise.lenient, words),
    )


def _passed(check: CheckResult) -> bool:
    return check.verdict is Verdict.PASS


def _card(check: CheckResult, words: Words) -> Card:
    language = words.language
    return Card(
        title=check.title.within(language),
        idea="" if check.visible else check.idea.within(language),
        mark=check.verdict.sign,
        ended=words(f"verdict.{check.verdict}"),
        tone={Verdict.PASS: "pass", Verdict.FAIL: "fail"}.get(check.verdict, "other"),
        points=words("feedback.check_points", earned=number(check.earned), possible=number(check.points)),
        hidden=not check.visible,
        facts=tuple((words(f"feedback.{key}"), value) for key, value in check.facts.items() if check.visible),
        why=check.why.within(language) if check.why and check.visible else "",
    )


@functools.cache
def _template() -> Template:
    environment = Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["ours"] = _ours
    return environment.get_template("feedback.html.j2")


@functools.lru_cache(maxsize=1000)  # a class has few sentences, each on many pages
def _ours(text: str) -> Markup:
    """A text of the course: `code` between backticks, everything else as it is."""
    return Markup(_markdown().renderInline(printable(text, keep="\n")))


@functools.cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("zero").enable("backticks")
