"""The house rules: who imports whom, where Streamlit and PyTorch may be, how long a module is, what no file names."""
from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("exercises", "solutions", "grader", "lessons", "app")
ALLOWED = {
    "exercises": {"exercises"},
    "solutions": {"solutions", "exercises"},
    "grader": {"grader", "solutions", "exercises"},
    "lessons": {"lessons", "grader", "solutions", "exercises"},
    "app": set(OURS),
}
STREAMLIT_ROOMS = ("app.py", "lessons/pages/", "lessons/figures/controls/", "grader/instructor/page.py")
FIGURE_CONTROLS = re.compile(r"lessons/figures/\w+/controls\.py")
RUN_WHEN_CALLED = re.compile(  # not when an exercise is read
    r"exercises/\w+/stub\.py|solutions/\w+/solution\.py|solutions/\w+/\w+_torch\.py|lessons/models/making/train\.py"
)
NEEDS_TORCH = re.compile(r"torch|solutions\.\w+\.\w+_torch")
LONGEST_MODULE = 400
NOT_OURS = {"node_modules", "submissions"}  # tests/submissions are students' files: they may say anything
OURS_THOUGH_HIDDEN = {".ci", ".streamlit", ".gitignore"}
MADE_HERE = {"build", "data"}  # what a run leaves behind
TEXT_FILES = {".py", ".md", ".toml", ".js", ".mjs", ".css", ".json", ".txt", ".cfg", ".yml", ".yaml", ""}
# Put together here, so that this file doesn't name them either.
NAMED_NOWHERE = ("pypi." + "org", "registry." + "npmjs", "/" + "work/", "shared" + "/")


def modules() -> list[Path]:
    """Our Python modules outside tests/; a stub is handed out with blanks in it, but is still Python."""
    return [ROOT / "app.py", *(path for room in OURS[:-1] for path in sorted((ROOT / room).rglob("*.py")))]


@cache
def imports(path: Path) -> tuple[tuple[str, bool], ...]:
    """Every imported name, from-imports as `module.name`, and whether the import runs when the module is imported."""
    package = relative(path.parent).replace("/", ".")
    return tuple(_imports(ast.parse(path.read_text("utf-8")), package, lazy=False))


def _imports(node: ast.AST, package: str, lazy: bool) -> Iterator[tuple[str, bool]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from ((alias.name, lazy) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            yield from ((f"{_origin(child, package)}.{alias.name}", lazy) for alias in child.names)
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            yield from _imports(child, package, lazy=True)
        else:
            yield from _imports(child, package, lazy)


def _origin(node: ast.ImportFrom, package: str) -> str:
    """The absolute name of the module that is imported from."""
    parents = package.split(".")[: 1 - node.level or None] if node.level else []
    return ".".join([*parents, *([node.module] if node.module else [])])


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def broken_tower(path: Path, names: list[str]) -> list[str]:
    """The imports of `names` that the room of `path` may not have."""
    room = relative(path).split("/")[0].removesuffix(".py")
    ours = [name for name in names if name.split(".")[0] in OURS]
    if room == "solutions":
        return [name for name in ours if not name.startswith(("solutions", "exercises.expect"))]
    return [name for name in ours if name.split(".")[0] not in ALLOWED[room]]


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_rooms_import_only_lower_rooms(path: Path) -> None:
    assert not broken_tower(path, [name for name, _ in imports(path)])


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("exercises/expect.py", "grader.verdicts"),
        ("solutions/law.py", "exercises.rejection_rule.checks"),
        ("grader/judge.py", "lessons.progress"),
        ("lessons/progress.py", "app"),
    ],
)
def test_the_rule_sees_a_forbidden_import(path: str, name: str) -> None:
    assert broken_tower(ROOT / path, [name]) == [name]


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_streamlit_stays_in_pages_and_controls(path: Path) -> None:
    place = relative(path)
    if place.startswith(STREAMLIT_ROOMS) or FIGURE_CONTROLS.fullmatch(place):
        return
    assert not [name for name, _ in imports(path) if name.split(".")[0] == "streamlit"]


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_torch_is_imported_only_when_it_is_needed(path: Path) -> None:
    if RUN_WHEN_CALLED.fullmatch(relative(path)):
        return
    assert not [name for name, lazy in imports(path) if NEEDS_TORCH.match(name) and not lazy]


def test_reading_the_exercises_imports_no_torch() -> None:
    read = "import sys, grader.catalogue as c; [c.load(name) for name in c.exercise_ids()]"
    code = f"{read}; sys.exit('torch' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


@pytest.mark.parametrize("path", modules(), ids=relative)
def test_modules_are_short(path: Path) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    assert lines <= LONGEST_MODULE, f"{lines} lines; split it"


@cache
def text_files() -> tuple[Path, ...]:
    """The tree as it is handed out."""
    tops = [top for top in ROOT.iterdir() if is_ours(top) and top.name not in MADE_HERE]
    files = (path for top in tops for path in (top, *top.rglob("*")) if is_ours(path) and path.suffix in TEXT_FILES)
    return tuple(path for path in files if path.is_file())


def is_ours(path: Path) -> bool:
    parts = set(path.relative_to(ROOT).parts)
    hidden = {part for part in parts if part.startswith(".")}
    return not parts & NOT_OURS and hidden <= OURS_THOUGH_HIDDEN


@pytest.mark.parametrize("text", NAMED_NOWHERE)
def test_no_file_names_a_registry_or_a_place_outside_the_tree(text: str) -> None:
    place = re.compile(rf"(?<![\w./-]){re.escape(text)}") if text.endswith("/") else re.compile(re.escape(text))
    naming = [relative(path) for path in text_files() if place.search(path.read_text("utf-8", "replace"))]
    assert len(text_files()) > 100, "the search looks at the wrong place"
    assert not naming
