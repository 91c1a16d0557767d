"""The student notebooks: one an exercise, complete in itself, for any Jupyter without this project."""
from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from exercises.expect import LENIENCIES, Text
from grader.catalogue import RNG, ROOT, Check, ContentError, Exercise, exercise_ids, load
from grader.language import Words
from grader.leniency import told
from grader.release import release
from grader.reports.writing import write
from grader.wording import wording

KERNEL = {"name": "python3", "display_name": "Python 3", "language": "python"}
FOLDED = {"collapsed": True, "jupyter": {"source_hidden": True}}
SEEDED = '__import__("random").Random(0)'  # the answer cell may use the name for something else
FIXED = {"editable": False, "deletable": False}


def write_notebooks(folder: Path, language: str) -> list[Path]:
    """Write `<exercise id>.ipynb` for every exercise; the same content gives the same bytes."""
    written = []
    for exercise_id in exercise_ids():
        path = folder / f"{exercise_id}.ipynb"
        text: str = nbformat.writes(notebook(load(exercise_id), language))  # type: ignore[no-untyped-call]
        write(path, text.encode() + b"\n")
        written.append(path)
    return written


def notebook(exercise: Exercise, language: str) -> Any:
    """One student notebook (nbformat 4.5): task, answer cell, helper cell, a cell for each visible check, hints."""
    words, how = wording(language), "notebook.repair" if any(exercise.start_texts) else "notebook.how"
    made = new_notebook(  # type: ignore[no-untyped-call]
        cells=[
            _markdown("task", f"# {exercise.title.within(language)}\n\n{exercise.prompt.within(language)}"),
            _markdown("how", f"{words(how)}\n\n{told(exercise.lenient, words)}"),
            _answer(exercise),
            _helper(exercise, words),
            *(_check(exercise, check, language) for check in exercise.visible),
            *_hints(exercise, words),
        ],
        metadata={
            "kernelspec": KERNEL,
            "language_info": {"name": "python"},
            "course": {"exercises": [exercise.id], "language": language},
        },
    )
    nbformat.validate(made)
    return made


def _answer(exercise: Exercise) -> Any:
    course = {"exercise": exercise.id, "release": release(exercise.id)}
    source = f"# exercise: {exercise.id}\n{exercise.handed_out.rstrip()}"
    return _code(f"answer-{exercise.id}", source, {"exercise": exercise.id, "course": course, "deletable": False})


def _helper(exercise: Exercise, words: Words) -> Any:
    """exercises/expect.py and what the visible checks share, folded away."""
    expect = (ROOT / "exercises" / "expect.py").read_text("utf-8").strip()
    shared, _ = split_checks(exercise)
    spoken = f"LANGUAGE = {words.language!r}"
    if exercise.lenient != LENIENCIES:
        spoken += f"\n_accepted.set(frozenset({exercise.lenient!r}))"
    source = f"# {words('notebook.helper')}\n{expect}\n\n\n{spoken}\n{shared}".rstrip()
    return _code("helper", source, {"course": {"role": "helper"}, **FOLDED, **FIXED})


def _check(exercise: Exercise, check: Check, language: str) -> Any:
    _, functions = split_checks(exercise)
    title = check.title.within(language)
    arguments = ", ".join([exercise.id, *(SEEDED if name == RNG else name for name in check.asks_for)])
    source = f"{functions[check.id]}\n\n\n{check.id}({arguments})\nprint({f'✓ {title}'!r})"
    return _code(f"check-{check.id}"[:64], source, {"course": {"check": check.id}, **FIXED})


def _hints(exercise: Exercise, words: Words) -> list[Any]:
    return [
        _markdown(f"hint-{number}", _folded(words("notebook.hint", number=number), hint, words.language))
        for number, hint in enumerate(exercise.hints, 1)
    ]


def _folded(summary: str, hint: Text, language: str) -> str:
    return f"<details><summary>{summary}</summary>\n\n{hint.within(language).strip()}\n\n</details>"


def split_checks(exercise: Exercise) -> tuple[str, dict[str, str]]:
    """checks.py taken apart: what the checks share, and the source of each visible check by its id.

    Raises ContentError where checks.py imports something that a notebook doesn't carry.
    """
    path = ROOT / "exercises" / exercise.id / "checks.py"
    source = path.read_text("utf-8")
    visible = {check.id for check in exercise.visible}
    shared, functions = [], {}
    for statement in ast.parse(source).body[_after_docstring(source) :]:
        text = ast.get_source_segment(source, statement) or ""
        if isinstance(statement, ast.FunctionDef) and statement.name in visible:
            functions[statement.name] = text
        elif not _carried(statement, path):
            shared.append(text)
    return "\n".join(shared), functions


def _after_docstring(source: str) -> int:
    return 1 if ast.get_docstring(ast.parse(source)) is not None else 0


def _carried(statement: ast.stmt, path: Path) -> bool:
    """Whether the statement is an import of something that stands in the helper cell anyway."""
    modules = {statement.module or ""} if isinstance(statement, ast.ImportFrom) else set()
    if isinstance(statement, ast.Import):
        modules = {name.name for name in statement.names}
    own = {module for module in modules if module.split(".")[0] in ("exercises", "solutions", "grader", "lessons")}
    if own - {"exercises.expect"}:
        names = ", ".join(sorted(own))
        raise ContentError(f"{path}, line {statement.lineno} imports {names}; a notebook carries only exercises.expect")
    return bool(own) or modules == {"__future__"}


def _markdown(cell_id: str, source: str) -> Any:
    return new_markdown_cell(source.strip(), id=cell_id)  # type: ignore[no-untyped-call]


def _code(cell_id: str, source: str, metadata: dict[str, Any]) -> Any:
    return new_code_cell(source, id=cell_id, metadata=metadata)  # type: ignore[no-untyped-call]
