"""What an exercise takes in place of what it asks for: told with the task, in the notebook and in feedback."""
from __future__ import annotations

from collections.abc import Collection

from exercises.expect import LENIENCIES
from grader.language import Words


def told(accepted: Collection[str], words: Words) -> str:
    """One sentence. accepted: `Exercise.lenient`."""
    named = [words(f"lenient.{name}") for name in LENIENCIES if name in accepted]
    return words("lenient.also", what=words("lenient.and").join(named)) if named else words("lenient.nothing")
