"""Reading what people hand in: bytes to cells, folders to learners, cells to the answer. Student code is never run."""
from grader.reading.files import Cell, Submission, Unreadable, combine, read_submission
from grader.reading.inside import FIND_ANSWER, modules
from grader.reading.notes import note

__all__ = ["FIND_ANSWER", "Cell", "Submission", "Unreadable", "combine", "modules", "note", "read_submission"]
