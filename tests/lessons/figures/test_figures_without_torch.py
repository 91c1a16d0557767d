"""Figures run in the course's server: PyTorch there would take 215 MiB and stop every reader for a second or more."""
from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from streamlit.testing.v1 import AppTest

from lessons.figures.registry import FIGURES

ROOT = Path(__file__).resolve().parents[3]


class Answered:
    """A reader who has guessed before, so that every figure is open at once."""

    def answered(self, figure: str, right: bool) -> None: ...

    def was_answered(self, figure: str) -> bool:
        return True


def page() -> None:
    from grader.language import words
    from lessons.figures.frame import SHARED
    from lessons.figures.registry import FIGURES
    from tests.lessons.figures.test_figures_without_torch import Answered

    for show in FIGURES.values():
        show(words(SHARED, "en"), Answered())


def open_every_figure() -> None:
    """To be run in a process of its own."""
    app = AppTest.from_function(page, default_timeout=120).run()
    assert not app.exception
    assert len(app.table) == len(FIGURES), "some figure isn't open"
    assert "torch" not in sys.modules, "a figure imported torch; let it compute with NumPy"


def test_no_figure_imports_torch() -> None:
    code = "from tests.lessons.figures.test_figures_without_torch import open_every_figure; open_every_figure()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
