"""A learning platform's own CSV, filled in: read as exported, written back with the same rows and columns.

Only the cells of points change, and of a display name that a spreadsheet would run as a formula, where the platform
finds the person by another column. Whoever has no points here keeps the cell as it was.
"""
from grader.rosters.filling import Filled, fill
from grader.rosters.model import FORMATS, BadRoster, Roster
from grader.rosters.reading import read_roster

__all__ = ["FORMATS", "BadRoster", "Filled", "Roster", "fill", "read_roster"]
