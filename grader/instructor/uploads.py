"""A graded batch held in memory, for the instructor's page: uploads in, the same files as `grade` writes out."""
from __future__ import annotations

import functools
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from grader.batch import Progress, grade_folder
from grader.judge import Judge
from grader.plain import cut
from grader.reports.rows import Row

MOST_BYTES = 128 << 20  # of one batch: it is held in memory, some of it twice; bigger ones go through the command line
LONGEST_NAME = 180  # bytes of an uploaded file's name that are kept
ZIP_TIME = (1980, 1, 1, 0, 0, 0)  # the same files give the same archive


@dataclass(frozen=True)
class GradedBatch:
    rows: tuple[Row, ...]
    gradebook: bytes
    results: dict[str, bytes]  # by file name
    pages: dict[str, bytes]

    def result(self, row: Row) -> dict[str, Any]:
        """The learner's results.json as data."""
        data: dict[str, Any] = json.loads(self.results[f"{row.stem}.json"])
        return data

    @functools.cached_property
    def flags(self) -> dict[str, dict[str, list[str]]]:
        """What was noticed about answers, by exercise id, for each row (by stem) that has any."""
        every = {row.stem: self.result(row)["extra_data"]["course"]["flags"] for row in self.rows}
        return {stem: flags for stem, flags in every.items() if flags}

    def page(self, row: Row) -> bytes:
        return self.pages[f"{row.stem}.html"]


def grade_uploads(
    files: Sequence[tuple[str, bytes]], jobs: int, language: str, judge: Judge, progress: Progress
) -> GradedBatch:
    """Grade uploaded files (one zip, or several files): `grade_folder` on a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="graded-") as folder:
        submissions, out = Path(folder, "submissions"), Path(folder, "out")
        submissions.mkdir()
        source = _save(files, submissions)
        result = grade_folder(source, out, jobs, language, judge, progress)
        return GradedBatch(
            rows=result.rows,
            gradebook=(out / "gradebook.csv").read_bytes(),
            results=_contents(out / "results"),
            pages=_contents(out / "feedback"),
        )


def zipped(files: Iterable[tuple[str, bytes]]) -> bytes:
    """A zip of the files, in the order of their names."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, ZIP_TIME), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _save(files: Sequence[tuple[str, bytes]], folder: Path) -> Path:
    """Write the uploads; a single zip is read as it is. Names are data: only their last part is used."""
    used: set[str] = set()
    for name, data in files:
        plain = _plain(name)
        stem, dot, ending = plain.rpartition(".")
        count = 1
        while plain.casefold() in used:  # "hw.ipynb" twice: learners' ids ignore the (2)
            count += 1
            plain = f"{stem} ({count}){dot}{ending}"
        used.add(plain.casefold())
        (folder / plain).write_bytes(data)
    only = next(iter(folder.iterdir())) if len(files) == 1 else None
    return only if only is not None and only.suffix.lower() == ".zip" else folder


def _plain(name: str) -> str:
    last = PurePosixPath(name.replace("\\", "/")).name
    clean = re.sub(r"[\x00-\x1f\x7f/:]", "_", last.encode("utf-8", "replace").decode("utf-8"))
    stem, dot, ending = clean.strip(" ").rpartition(".")
    return f"{cut(stem, LONGEST_NAME)}{dot}{cut(ending, 10)}".lstrip(".") or "file"


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}
