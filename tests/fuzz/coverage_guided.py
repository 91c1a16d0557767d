"""The readers' promises under atheris, which looks for inputs that reach new code. Not part of the tests.

    python3 -m venv build/atheris && build/atheris/bin/pip install atheris==3.0.0 -r requirements.txt
    build/atheris/bin/python -m tests.fuzz.coverage_guided files -max_total_time=300

First argument: files, archives or answers; the others are libFuzzer's. It stops at the first broken promise and leaves
the input in a file `crash-...`. Inputs that reached new code are kept in build/fuzz, from where the next run goes on.
"""
from __future__ import annotations

import io
import sys
import zipfile

import atheris

with atheris.instrument_imports(include=["grader"]):
    from tests.fuzz import targets

with atheris.instrument_imports(include=["zipfile"]):
    from grader.catalogue import ROOT
    from tests.grader.reading.cases import code, filled, notebook

NAMES = ("a.ipynb", "a.py", "a.txt", "")


def files(data: bytes) -> None:
    targets.read_file(data[1:], NAMES[data[0] % len(NAMES)] if data else "")


def answers(data: bytes) -> None:
    targets.align(data.decode("utf-8", "surrogateescape").split("\x1e"))


def archive() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as written:
        written.writestr("ann/a.py", filled())
        written.writestr("ben/", b"")
    return file.getvalue()


TARGETS = {  # and an input to begin with
    "files": (files, b"\0" + notebook(code(filled()))),
    "archives": (targets.read_archive, archive()),
    "answers": (answers, filled().encode()),
}

if __name__ == "__main__":
    name = sys.argv.pop(1)
    target, first = TARGETS[name]
    corpus = ROOT / "build" / "fuzz" / name
    corpus.mkdir(parents=True, exist_ok=True)
    (corpus / "first").write_bytes(first)
    atheris.Setup([*sys.argv, str(corpus)], target)
    atheris.Fuzz()
