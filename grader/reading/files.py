"""One handed-in file as cells: notebooks of any version and editor, and plain .py files."""
from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from exercises.expect import Text
from grader.reading.decode import Unreadable, decode, unreadable, whole
from grader.reading.notes import text
from grader.reading.outputs import without_outputs

__all__ = ["Cell", "Submission", "Unreadable", "combine", "read_submission"]

MAX_SOURCE = 8 << 20  # characters of a notebook without its outputs
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7})(?: .*)?$", re.M)
_MARKDOWN = frozenset({"markdown", "heading", "html"})  # heading: nbformat 3; html: nbformat 2


@dataclass(frozen=True)
class Cell:
    """One cell; a .py file is one code cell. `index` counts all cells of the submission from 0."""

    source: str
    kind: Literal["code", "markdown", "raw"]
    marker: str | None  # the exercise id in the cell's metadata, `course.exercise`
    id: str | None
    index: int
    release: str | None = None  # of the exercise the notebook was made from: `course.release`


@dataclass(frozen=True)
class Submission:
    cells: tuple[Cell, ...]
    notes: tuple[Text, ...]

    def plain(self) -> list[dict[str, str | int | None]]:
        """The cells as `answer.find_answer` takes them, in types that travel into the isolated process."""
        return [vars(cell).copy() for cell in self.cells]


def read_submission(data: bytes, name: str) -> Submission:
    """The cells of one file. The content decides what it is, the name only where the content can't.

    Raises Unreadable, and nothing else, for anything that isn't a notebook or a Python file.
    """
    source, notes = decode(data)
    cells, more = _notebook(source) if _is_notebook(source, name) else _python(source)
    if any("\ufffd" in cell.source for cell in cells):
        more.append(text("mended.replaced"))
    return Submission(tuple(cells), tuple(notes + more))


def combine(submissions: Sequence[Submission]) -> Submission:
    """Several files of one learner as one, in the given order."""
    cells = [cell for submission in submissions for cell in submission.cells]
    return Submission(
        tuple(replace(cell, index=index) for index, cell in enumerate(cells)),
        tuple(note for submission in submissions for note in submission.notes),
    )


def _is_notebook(source: str, name: str) -> bool:
    if source.lstrip().startswith("{"):
        return not name.lower().endswith(".py") or '"cells"' in source
    # Python pasted into a file with a notebook's name is still an answer
    return bool(re.search(r"\.(ipynb|json)\b", name.lower())) and not re.search(r"^def \w+\(", source, re.M)


def _python(source: str) -> tuple[list[Cell], list[Text]]:
    conflict = _conflict_line(source)
    if conflict:
        raise unreadable("conflict", line=conflict)
    if len(source) > MAX_SOURCE:
        raise unreadable("too_large", size=len(source) >> 20, limit=MAX_SOURCE >> 20)
    return [Cell(source, "code", None, None, 0)], []


def _notebook(source: str) -> tuple[list[Cell], list[Text]]:
    try:
        parsed = _parsed(source)
    except Unreadable:
        conflict = _conflict_line(source)  # the reason behind the broken JSON
        if conflict:
            raise unreadable("conflict", line=conflict) from None
        raise
    if not isinstance(parsed, dict):
        raise unreadable("not_a_notebook")
    raw = list(_raw_cells(parsed))
    if not raw:
        raise unreadable("no_cells")
    return [_cell(cell, index) for index, cell in enumerate(raw)], _about(parsed)


def _parsed(source: str) -> Any:
    source = without_outputs(source)
    if len(source) > MAX_SOURCE:
        raise unreadable("too_large", size=len(source) >> 20, limit=MAX_SOURCE >> 20)
    try:
        return json.loads(source, strict=False, parse_int=_small_int)
    except json.JSONDecodeError as error:
        raise unreadable("not_json", line=error.lineno, column=error.colno, rule=error.msg) from None
    except (ValueError, RecursionError) as error:
        raise unreadable("not_json", line=1, column=1, rule=str(error)) from None


def _small_int(digits: str) -> int:
    return int(digits) if len(digits) < 20 else 0  # no number of a notebook matters to an answer; long ones cost time


def _conflict_line(source: str) -> int:
    """The line of the first complete git conflict (<<<<<<<, =======, >>>>>>>), 0 where there is none."""
    start, wanted = 0, "<"
    for mark in _CONFLICT.finditer(source):
        if mark[1][0] == "<":
            start, wanted = mark.start(), "="
        elif mark[1][0] == wanted == "=":
            wanted = ">"
        elif mark[1][0] == wanted == ">":
            return source.count("\n", 0, start) + 1
    return 0


def _raw_cells(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The cells of nbformat 4 (`cells`) and of 2 and 3 (`worksheets`, each with its cells)."""
    sheets = [notebook, *_listed(notebook.get("worksheets"))]
    for sheet in sheets:
        if isinstance(sheet, dict):
            yield from (cell for cell in _listed(sheet.get("cells")) if isinstance(cell, dict))


def _cell(raw: dict[str, Any], index: int) -> Cell:
    source = raw.get("source", raw.get("input", raw.get("code", "")))  # input: nbformat 2 and 3
    metadata = raw.get("metadata")
    course = metadata.get("course") if isinstance(metadata, dict) else None
    marker = course.get("exercise") if isinstance(course, dict) else None
    release = course.get("release") if isinstance(course, dict) else None
    identity = raw.get("id")
    return Cell(
        source=whole(_joined(source)).replace("\r\n", "\n").replace("\r", "\n"),
        kind=_kind(raw),
        marker=whole(marker) if isinstance(marker, str) else None,
        id=whole(identity) if isinstance(identity, str) else None,
        index=index,
        release=whole(release) if isinstance(release, str) else None,
    )


def _kind(raw: dict[str, Any]) -> Literal["code", "markdown", "raw"]:
    kind = raw.get("cell_type", "code" if "outputs" in raw else None)
    if kind == "code":
        return "code"
    return "markdown" if isinstance(kind, str) and kind in _MARKDOWN else "raw"


def _joined(source: object) -> str:
    if isinstance(source, str):
        return source
    return "".join(part for part in _listed(source) if isinstance(part, str))


def _about(notebook: dict[str, Any]) -> list[Text]:
    notes = []
    version = notebook.get("nbformat")
    if isinstance(version, int) and version < 4:
        notes.append(text("mended.old_format", version=version))
    metadata = notebook.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    language = kernel.get("language") if isinstance(kernel, dict) else None
    if isinstance(language, str) and language.lower() not in ("", "python"):
        notes.append(text("mended.other_language", language=whole(language)))
    return notes


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
