"""What a figure tells about its reader, and asks: was the prediction answered?"""
from __future__ import annotations

from typing import Protocol


class LearnerEvents(Protocol):
    """`figure` is the figure's name in a lesson, such as accept_dart."""

    def answered(self, figure: str, right: bool) -> None: ...

    def was_answered(self, figure: str) -> bool: ...
