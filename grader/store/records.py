"""What the course remembers of a learner: attempts, typed drafts and progress. SQLite, or any SQLAlchemy database.

Every writing method returns after the commit, so what a page acknowledges is on disk.
"""
from __future__ import annotations

import enum
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from grader.catalogue import ROOT
from grader.plain import writable
from grader.store.export import Portable, as_time, read_portable
from grader.store.tables import AttemptRow, Base, DraftRow, ProgressRow, engine
from grader.verdicts import Report

DEFAULT_URL = f"sqlite:///{ROOT / 'data' / 'course.db'}"


class Mastery(enum.StrEnum):
    """How far a learner is with an item. In order: a mark only ever moves forward."""

    NOT_STARTED = "not_started"
    IN_PROGRESS = "in_progress"
    MASTERED = "mastered"


STATES = tuple(str(state) for state in Mastery)


@dataclass(frozen=True)
class Attempt:
    """One submitted answer. `verdict`, `earned`, `possible`, `mistakes` (ids) are what the judge said then."""

    exercise_id: str
    at: datetime
    blanks: dict[str, str]
    verdict: str
    earned: float
    possible: float
    mistakes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.verdict == "pass"


class Store:
    """One database. Safe for many threads and for several processes on the same SQLite file."""

    def __init__(self, url: str = DEFAULT_URL) -> None:
        """url: an SQLAlchemy database address. Creates the SQLite file's folder and the tables where they lack."""
        self._engine = engine(url)
        with self._writing() as session:
            Base.metadata.create_all(session.connection())

    def save_attempt(self, learner: str, exercise_id: str, blanks: Mapping[str, str], report: Report) -> Attempt:
        """Keep one attempt; returns it once it is on disk."""
        outcome = {
            "verdict": str(report.verdict),
            "earned": report.earned,
            "possible": sum(check.points for check in report.checks),
            "mistakes": [mistake_id for mistake_id, _ in report.mistakes],
            "checks": {check.check_id: str(check.verdict) for check in report.checks},
            "seed": report.seed,
            "tier": report.tier,
            "judge_fault": report.judge_fault,
        }
        row = AttemptRow(
            learner=learner, exercise_id=exercise_id, at=_now(), blanks=_texts(blanks), outcome=outcome
        )
        attempt = _attempt(row)
        with self._writing() as session:
            session.add(row)
        return attempt

    def attempts(self, learner: str, exercise_id: str) -> list[Attempt]:
        """The learner's attempts at one exercise, oldest first."""
        chosen = select(AttemptRow).where(AttemptRow.learner == learner, AttemptRow.exercise_id == exercise_id)
        with Session(self._engine) as session:
            return [_attempt(row) for row in session.scalars(chosen.order_by(AttemptRow.at, AttemptRow.id))]

    def save_draft(self, learner: str, exercise_id: str, blanks: Mapping[str, str]) -> None:
        """Keep the text typed so far, by blank id; replaces the earlier draft."""
        self._put(DraftRow(learner=learner, exercise_id=exercise_id, at=_now(), blanks=_texts(blanks)))

    def draft(self, learner: str, exercise_id: str) -> dict[str, str]:
        """The text typed so far, by blank id; empty where nothing was typed."""
        with Session(self._engine) as session:
            row = session.get(DraftRow, (learner, exercise_id))
            return dict(row.blanks) if row else {}

    def mark(self, learner: str, item: str, state: str) -> None:
        """Note progress on an item; a state never falls back. Raises ValueError on an unknown state."""
        if state not in STATES:
            raise ValueError(f"progress state {state!r} of {item}; it must be one of {', '.join(STATES)}")
        with Session(self._engine) as session:
            if not _is_further(session, learner, item, state):
                return  # pages say it again at each rerun: no writer has to wait for that
        with self._writing() as session:
            if _is_further(session, learner, item, state):
                session.merge(ProgressRow(learner=learner, item=item, state=str(state)))

    def states(self, learner: str) -> dict[str, str]:
        """Progress by item."""
        with Session(self._engine) as session:
            rows = session.scalars(select(ProgressRow).where(ProgressRow.learner == learner))
            return {row.item: row.state for row in rows}

    def export(self, learner: str) -> dict[str, Any]:
        """All that is kept of a learner, as plain JSON data that `import_` reads."""
        with Session(self._engine) as session:
            attempts = session.scalars(
                select(AttemptRow).where(AttemptRow.learner == learner).order_by(AttemptRow.at, AttemptRow.id)
            )
            drafts = session.scalars(
                select(DraftRow).where(DraftRow.learner == learner).order_by(DraftRow.exercise_id)
            )
            return Portable(
                attempts=tuple(
                    {"exercise": row.exercise_id, "at": row.at, "blanks": row.blanks, "outcome": row.outcome}
                    for row in attempts
                ),
                drafts=tuple({"exercise": row.exercise_id, "at": row.at, "blanks": row.blanks} for row in drafts),
                progress=dict(sorted(self.states(learner).items())),
            ).as_json()

    def import_(self, learner: str, data: object) -> None:
        """Merge an export into what is kept: attempts once each, the newer draft, the further progress.

        Raises NotAnExport, with nothing changed.
        """
        portable = read_portable(data, STATES)
        with self._writing() as session:
            known = {
                (row.exercise_id, row.at)
                for row in session.scalars(select(AttemptRow).where(AttemptRow.learner == learner))
            }
            for entry in portable.attempts:
                if (entry["exercise"], entry["at"]) not in known:
                    session.add(AttemptRow(learner=learner, **_columns(entry)))
            for entry in portable.drafts:
                kept = session.get(DraftRow, (learner, entry["exercise"]))
                if kept is None or kept.at < entry["at"]:
                    session.merge(DraftRow(learner=learner, **_columns(entry)))
            for item, state in portable.progress.items():
                if _is_further(session, learner, item, state):
                    session.merge(ProgressRow(learner=learner, item=item, state=state))

    def reset(self, learner: str) -> None:
        """Forget everything about a learner."""
        with self._writing() as session:
            for table in (AttemptRow, DraftRow, ProgressRow):
                session.execute(delete(table).where(table.learner == learner))

    def close(self) -> None:
        self._engine.dispose()

    def _put(self, row: Base) -> None:
        """Insert or replace. Where a database lets two first writers collide, the later one tries again."""
        try:
            with self._writing() as session:
                session.merge(row)
        except IntegrityError:
            with self._writing() as session:
                session.merge(row)

    @contextmanager
    def _writing(self) -> Iterator[Session]:
        with Session(self._engine.execution_options(writes=True)) as session, session.begin():
            yield session


def open_store() -> Store:
    """The store that COURSE_DATABASE_URL names, else data/course.db beside the code."""
    return Store(os.environ.get("COURSE_DATABASE_URL") or DEFAULT_URL)


def _attempt(row: AttemptRow) -> Attempt:
    outcome = row.outcome
    return Attempt(
        exercise_id=row.exercise_id,
        at=as_time(row.at),
        blanks=dict(row.blanks),
        verdict=outcome["verdict"],
        earned=outcome["earned"],
        possible=outcome["possible"],
        mistakes=tuple(outcome["mistakes"]),
    )


def _is_further(session: Session, learner: str, item: str, state: str) -> bool:
    row = session.get(ProgressRow, (learner, item))
    return row is None or STATES.index(state) > STATES.index(row.state)


def _columns(entry: Mapping[str, Any]) -> dict[str, Any]:
    """An entry of an export by the names of the table's columns."""
    return {"exercise_id" if key == "exercise" else key: value for key, value in entry.items()}


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="microseconds")


def _texts(blanks: Mapping[str, str]) -> dict[str, str]:
    return {name: writable(text) for name, text in blanks.items()}
