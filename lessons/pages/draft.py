"""The code a reader has typed into one exercise. The store holds it, so that it outlives page, tab and server."""
from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from typing import Any

from grader.store import Store
from grader.store.export import LETTERS
from lessons.progress import Mastery, exercise_item


class Draft:
    """The blanks of one exercise by id. `revision` grows when the text is replaced by other means than typing."""

    def __init__(
        self,
        exercise_id: str,
        learner: str,
        store: Store,
        memory: MutableMapping[Any, Any],
        starts: Mapping[str, str] | None = None,
    ) -> None:
        """`memory` is the session's: it holds the revision. `starts`: what blanks hold before anything is typed."""
        self._starts = dict(starts or {})
        self._exercise, self._learner, self._store, self._memory = exercise_id, learner, store, memory
        self._key = f"revision.{exercise_id}"
        self.blanks = self._starts | store.draft(learner, exercise_id)

    @property
    def revision(self) -> int:
        return int(self._memory.get(self._key, 0))

    def keep(self, blanks: dict[str, str]) -> None:
        """Save what is typed now; the first text makes the exercise one in progress. Writes only what changed.

        A text is cut at what an export may hold: the browser's word on its length is not trusted.
        """
        blanks = {name: text[:LETTERS] for name, text in blanks.items()}
        if self._typed(blanks) == self._typed(self.blanks):
            return
        own = {name: text for name, text in blanks.items() if name not in self._starts or text != self._starts[name]}
        self._store.save_draft(self._learner, self._exercise, own)
        self._store.mark(self._learner, exercise_item(self._exercise), Mastery.IN_PROGRESS)
        self.blanks = blanks

    def _typed(self, blanks: dict[str, str]) -> dict[str, str]:
        """What differs from what was handed out: a start text that was deleted does."""
        return {name: text for name, text in blanks.items() if text != self._starts.get(name, "")}

    def clear(self) -> None:
        """Put every blank back as it was handed out, in the editor too."""
        self.keep(self._starts)
        self.renew()

    def renew(self) -> None:
        """Make the editor take its text from here: it was changed elsewhere."""
        self._memory[self._key] = self.revision + 1
