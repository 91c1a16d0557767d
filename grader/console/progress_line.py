"""The line on stderr that says how far a batch is and how long it will still take."""
from __future__ import annotations

import time
from types import TracebackType
from typing import TextIO

from grader.plain import printable
from grader.wording import wording

EVERY = 5.0  # seconds between lines where stderr is no terminal
WIDTH = 78


class ProgressLine:
    """Called as progress(done, total, learner). A terminal sees one line rewritten, a log a line every few seconds."""

    def __init__(self, stream: TextIO, language: str) -> None:
        self._stream, self._words = stream, wording(language)
        self._live = stream.isatty()
        self._start = self._said = time.monotonic()

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live:
            self._stream.write("\n")

    def __call__(self, done: int, total: int, learner: str) -> None:
        now = time.monotonic()
        if not self._live and done < total and now - self._said < EVERY:
            return
        self._said = now
        parts = [f"{done}/{total}", self.estimate((now - self._start) / done * (total - done)), printable(learner)]
        text = " · ".join(parts if done < total else parts[:1])
        self._stream.write(f"\r{text[:WIDTH]:<{WIDTH}}" if self._live else f"{text}\n")
        self._stream.flush()

    def estimate(self, seconds: float) -> str:
        if seconds < 90:
            return self._words("cli.remaining_seconds", count=round(seconds))
        return self._words("cli.remaining_minutes", count=round(seconds / 60))
