"""Lesson files: what is read, and that an error names the file, the line and the rule."""
from __future__ import annotations

from pathlib import Path

import pytest

from grader import catalogue
from grader.language import LANGUAGES
from lessons.figures.registry import FIGURES
from lessons.lesson_file import Lesson, LessonError, Part, lessons, read

FRONT = "---\ntitle: A title: with a colon\norder: 3\nexercise: some_exercise\nsummary: What it says.\n---\n"


def lesson(tmp_path: Path, body: str, front: str = FRONT) -> Lesson:
    file = tmp_path / "en" / "sample.md"
    file.parent.mkdir(exist_ok=True)
    file.write_text(front + body, "utf-8")
    return read(file)


def test_a_lesson_is_taken_apart(tmp_path: Path) -> None:
    body = "One.\n\n::figure{dart}\nTwo $x$.\n::note{A wrong idea}\nWhy.\n::end\n::exercise{rule}\n"
    read_lesson = lesson(tmp_path, body)
    assert (read_lesson.id, read_lesson.language, read_lesson.order) == ("sample", "en", 3)
    assert (read_lesson.title, read_lesson.exercise) == ("A title: with a colon", "some_exercise")
    assert read_lesson.parts == (
        Part("text", "", "One.", 7),
        Part("figure", "dart", "", 9),
        Part("text", "", "Two $x$.", 10),
        Part("note", "A wrong idea", "Why.", 11),
        Part("exercise", "rule", "", 14),
    )
    assert read_lesson.figures == ("dart",)
    assert read_lesson.directives == (("figure", "dart"), ("note", ""), ("exercise", "rule"))


@pytest.mark.parametrize(("body", "message"), [
    ("text\n::figur{dart}\n", r"sample\.md:8 reads '::figur\{dart\}'"),
    ("::figure{}\n", r"sample\.md:7 reads"),
    ("::end\n", r"sample\.md:7 has '::end' without a ::note"),
    ("::note{A}\n::figure{dart}\n::end\n", r"sample\.md:8 has '::figure\{dart\}' inside a note"),
    ("::note{A}\n::note{B}\n::end\n", r"sample\.md:8 has '::note\{B\}' inside a note"),
    ("::note{A}\nnever closed\n", r"sample\.md:7 opens a note that is never closed"),
])  # fmt: skip
def test_a_wrong_directive_is_named_with_its_line(tmp_path: Path, body: str, message: str) -> None:
    with pytest.raises(LessonError, match=message):
        lesson(tmp_path, body)


@pytest.mark.parametrize(("front", "message"), [
    ("", r"sample\.md:1 has no front matter"),
    ("---\ntitle: T\n", r"sample\.md:1 has no front matter"),
    ("---\ntitel: T\n---\n", r"sample\.md:2 reads 'titel: T'; the keys are title, order, exercise, summary"),
    ("---\ntitle: T\norder: 1\n---\n", r"sample\.md:4 closes the front matter without exercise, summary"),
    (FRONT.replace("order: 3", "order: third"), r"sample\.md has order 'third'; order is a whole number"),
])  # fmt: skip
def test_wrong_front_matter_is_named_with_its_line(tmp_path: Path, front: str, message: str) -> None:
    with pytest.raises(LessonError, match=message):
        lesson(tmp_path, "text\n", front)


def test_lessons_come_in_course_order(tmp_path: Path) -> None:
    for name, order in (("b", 1), ("a", 2), ("c", 1)):
        lesson(tmp_path, "", FRONT.replace("order: 3", f"order: {order}"))
        (tmp_path / "en" / "sample.md").rename(tmp_path / "en" / f"{name}.md")
    assert [item.id for item in lessons("en", tmp_path)] == ["b", "c", "a"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_course_places_only_what_exists(language: str) -> None:
    exercises = set(catalogue.exercise_ids())
    for item in lessons(language):
        assert set(item.figures) <= set(FIGURES), item.id
        placed = {part.value for part in item.parts if part.kind == "exercise"}
        assert placed <= exercises and ({item.exercise} - {""}) <= placed, item.id
        own = {name for name in exercises if catalogue.load(name).lesson == item.id}
        assert own <= placed, f"{item.id} doesn't lead to {own - placed}"
        assert not item.exercise or catalogue.load(item.exercise).lesson == item.id, "the exercise names another lesson"
