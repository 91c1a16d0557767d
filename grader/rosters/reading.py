"""The bytes of a platform's exported CSV to a Roster."""
from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Sequence

from grader.rosters.canvas import read_canvas
from grader.rosters.model import BadRoster, Roster
from grader.rosters.moodle import read_moodle

UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def read_roster(data: bytes, name: str, format_: str, exercises: Sequence[str], column: str | None = None) -> Roster:
    """The roster of the given format (canvas or moodle). Raises BadRoster.

    column: the header of the column for the points of all exercises together. Without it Canvas's columns are found by
    an exercise's id or title, or there is only one; Moodle's worksheet has one by itself.
    """
    text = _text(data, name)
    delimiter = max(",;\t", key=text.partition("\n")[0].count)
    try:
        cells = tuple(tuple(row) for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise BadRoster("not_csv", name=name, rule=error) from None
    if not cells:
        raise BadRoster("empty", name=name)
    parts = read_canvas(cells, name, exercises, column) if format_ == "canvas" else read_moodle(cells, name, column)
    if not parts.people:
        raise BadRoster("empty", name=name)
    end = "\r\n" if "\r\n" in text else "\n"
    return Roster(format_, cells, parts, delimiter, end, data.startswith((codecs.BOM_UTF8, *UTF16)))


def _text(data: bytes, name: str) -> str:
    """Line ends inside cells stay as they are. Any other encoding would have to be guessed, and names with it."""
    try:
        return data.decode("utf-16" if data.startswith(UTF16) else "utf-8-sig")
    except UnicodeDecodeError as error:
        rule = f"byte {error.start} is not {error.encoding.upper()}"
        raise BadRoster("not_csv", name=name, rule=rule) from None
