"""The database of the course: its tables, and an engine that waits its turn and writes to disk."""
from __future__ import annotations

import os
from typing import Any

from sqlalchemy import JSON, Connection, Engine, String, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

WAIT_SECONDS = 15.0  # how long a writer waits for another one


class Base(DeclarativeBase):
    pass


class AttemptRow(Base):
    __tablename__ = "attempts"

    id: Mapped[int] = mapped_column(primary_key=True)
    learner: Mapped[str] = mapped_column(String(200), index=True)
    exercise_id: Mapped[str] = mapped_column(String(100))
    at: Mapped[str] = mapped_column(String(40))  # ISO 8601, UTC: sorts as text, the same in every database
    blanks: Mapped[dict[str, Any]] = mapped_column(JSON)
    outcome: Mapped[dict[str, Any]] = mapped_column(JSON)


class DraftRow(Base):
    __tablename__ = "drafts"

    learner: Mapped[str] = mapped_column(String(200), primary_key=True)
    exercise_id: Mapped[str] = mapped_column(String(100), primary_key=True)
    at: Mapped[str] = mapped_column(String(40))
    blanks: Mapped[dict[str, Any]] = mapped_column(JSON)


class ProgressRow(Base):
    __tablename__ = "progress"

    learner: Mapped[str] = mapped_column(String(200), primary_key=True)
    item: Mapped[str] = mapped_column(String(300), primary_key=True)
    state: Mapped[str] = mapped_column(String(20))


def engine(url: str) -> Engine:
    """For SQLite: write-ahead log, every commit on disk, writers in turn; the file's folder is made."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return create_engine(address, pool_pre_ping=True)
    if address.database and address.database != ":memory:":
        os.makedirs(os.path.dirname(os.path.abspath(address.database)), exist_ok=True)
    made = create_engine(address, connect_args={"timeout": WAIT_SECONDS})
    event.listen(made, "connect", _prepare_sqlite)
    event.listen(made, "begin", _begin_sqlite)
    return made


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the `begin` event starts transactions itself
    for setting in ("journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {setting}")


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its lock at once: a reader that turns writer could only fail, however long it waited."""
    writes = connection.get_execution_options().get("writes")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
