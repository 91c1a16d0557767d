"""What an experiment finds."""
from __future__ import annotations

from typing import NamedTuple


class Finding(NamedTuple):
    """One run. computed: what came out, None where an error was raised instead; raised: that error's text.

    predicted: what a line of arithmetic foretells, None where there is none. extra: a second number, which the
    experiment names; None where it has none.
    """

    computed: float | None
    predicted: float | None = None
    extra: float | None = None
    raised: str = ""
