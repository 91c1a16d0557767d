"""Both languages say the same things: keys, slots, and every key that the code asks for."""
from __future__ import annotations

import ast
import functools
import re
import string
from pathlib import Path

import pytest

from grader.language import LANGUAGES, Words
from lessons import lesson_file
from lessons.choices import quiz
from lessons.lesson_file import lessons, start_page

ROOT = Path(__file__).resolve().parent.parent
SLOT, WORD = re.compile(r"\{.*?\}"), re.compile(r"[A-Za-z]{3,}")
FOLDERS = sorted({path.parent for room in ("grader", "lessons") for path in (ROOT / room).rglob("en.toml")})


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def slots(text: str) -> list[str]:
    return sorted({name for _, name, _, _ in string.Formatter().parse(text) if name is not None})


@pytest.mark.parametrize("folder", FOLDERS, ids=relative)
def test_both_languages_have_the_same_keys_and_slots(folder: Path) -> None:
    english, chinese = (Words(folder, language) for language in LANGUAGES)
    assert english.keys() == chinese.keys()
    different = [key for key in english.keys() if slots(english(key)) != slots(chinese(key))]
    assert not different, "these texts have other {slots} in Chinese"


@pytest.mark.parametrize("folder", FOLDERS, ids=relative)
def test_no_text_is_empty_and_chinese_is_chinese(folder: Path) -> None:
    english, chinese = (Words(folder, language) for language in LANGUAGES)
    assert all(text(key).strip() for text in (english, chinese) for key in text.keys())
    sentences = [key for key in english.keys() if len(WORD.findall(SLOT.sub("", english(key)))) > 3]
    untranslated = [key for key in sentences if not re.search(r"[\u4e00-\u9fff]", chinese(key))]
    assert not untranslated


@functools.cache
def every_key() -> frozenset[str]:
    return frozenset().union(*(Words(folder, "en").keys() for folder in FOLDERS))


def asked_keys(path: Path) -> list[str]:
    """The literal keys of calls such as words("start.map") and text("frame.table") in a module."""
    calls = (node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call))
    firsts = (call.args[0] for call in calls if call.args and _asks_for_a_text(call.func))
    return [first.value for first in firsts if isinstance(first, ast.Constant) and isinstance(first.value, str)]


def _asks_for_a_text(function: ast.expr) -> bool:
    """words(...), text(...), bench.words(...), shell.words()(...), shared(language)(...)."""
    if isinstance(function, ast.Call):
        return _name(function.func) in {"words", "wording", "shared", "page_words"}
    return _name(function) in {"words", "text"}


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


MODULES = [ROOT / "app.py", *(path for room in ("grader", "lessons") for path in sorted((ROOT / room).rglob("*.py")))]
ASKING = [path for path in MODULES if asked_keys(path)]


@pytest.mark.parametrize("path", ASKING, ids=relative)
def test_every_key_that_code_asks_for_exists(path: Path) -> None:
    assert not sorted(set(asked_keys(path)) - every_key())


def test_the_search_for_keys_finds_them() -> None:
    assert "start.map" in asked_keys(ROOT / "lessons/pages/start.py")
    assert len(ASKING) > 3


@pytest.mark.parametrize("folder", FOLDERS, ids=relative)
def test_every_text_is_used(folder: Path) -> None:
    """Its key stands in the code in quotes, or begins as one that the code puts together, such as f"verdict.{...}"."""
    quoted = set(re.findall(r"""["']([a-z][\w.-]*)["']""", all_code()))
    begun = tuple(re.findall(r"""f["']([a-z][\w.-]*[._])\{|["']([a-z]+\.)["'] ~""", all_code()))
    beginnings = tuple(one for pair in begun for one in pair if one)
    assert [key for key in Words(folder, "en").keys() if key not in quoted and not key.startswith(beginnings)] == []


@functools.cache
def all_code() -> str:
    templates = [path for ending in ("jinja", "j2") for path in ROOT.glob(f"[gl]*/**/*.{ending}")]
    return "".join(path.read_text("utf-8") for path in [*MODULES, *templates])


def pages(language: str) -> tuple[lesson_file.Lesson, ...]:
    """The start page's text and every chapter."""
    return (start_page(language), *lessons(language))


def test_every_lesson_is_there_in_both_languages_with_the_same_directives() -> None:
    english, chinese = (pages(language) for language in LANGUAGES)
    assert english[0].order == 0 and len({lesson.order for lesson in english}) == len(english) > 1
    assert [(lesson.id, lesson.order, lesson.exercise) for lesson in english] == [
        (lesson.id, lesson.order, lesson.exercise) for lesson in chinese
    ]
    for one, other in zip(english, chinese, strict=True):
        assert one.directives == other.directives, f"lessons/*/{one.id}.md place other figures or exercises"


@pytest.mark.parametrize("path", sorted((ROOT / "lessons" / "en").glob("*.quiz.toml")), ids=lambda path: path.stem)
def test_a_quiz_asks_the_same_in_both_languages(path: Path) -> None:
    name = path.name.removesuffix(".quiz.toml")
    english, chinese = (quiz(name, language) for language in LANGUAGES)
    for one, other in zip(english, chinese, strict=True):
        assert (one.id, list(one.options), one.right) == (other.id, list(other.options), other.right)
        assert re.search(r"[\u4e00-\u9fff]", other.ask)
    assert len({list(one.options).index(one.right) for one in english}) > 1, "the right option is always in one place"


def test_every_quiz_is_placed_in_a_lesson() -> None:
    for language in LANGUAGES:
        placed = {part.value for lesson in lessons(language) for part in lesson.parts if part.kind == "quiz"}
        files = (ROOT / "lessons" / language).glob("*.quiz.toml")
        assert placed == {path.name.removesuffix(".quiz.toml") for path in files}


@pytest.mark.parametrize("path", sorted((ROOT / "lessons" / "zh").iterdir()), ids=lambda path: path.name)
def test_bold_chinese_is_closed_where_markdown_sees_it(path: Path) -> None:
    """Markdown doesn't close ** after a full stop or bracket where the next sign isn't a space: it would stay as **."""
    pairs = re.findall(r"\*\*([^*\n]+)\*\*(\S?)", path.read_text("utf-8"))
    assert not [bold for bold, after in pairs if bold[-1] in "。，：；！？）”》" and after]


EVERY_LESSON = [item for language in LANGUAGES for item in pages(language)]


@pytest.mark.parametrize("lesson", EVERY_LESSON, ids=lambda item: f"{item.language}-{item.id}")
def test_a_lesson_keeps_the_page_readable(lesson: lesson_file.Lesson) -> None:
    """Display formulas stand between $$ lines of their own, and a page has at most 150 formulas."""
    text = "\n".join(part.text for part in lesson.parts)
    assert not re.findall(r"^\$\$.+\$\$$", text, re.M)
    assert text.count("$") / 2 <= 150
