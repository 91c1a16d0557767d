"""What the course remembers of a learner. Every writing method returns after the commit."""
from grader.store.export import NotAnExport
from grader.store.records import STATES, Attempt, Mastery, Store, open_store

__all__ = ["STATES", "Attempt", "Mastery", "NotAnExport", "Store", "open_store"]
