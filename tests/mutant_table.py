"""The table of mutants in CONTRIBUTING.md: `python -m tests.mutant_table` writes it anew.

For each wrong way to verify of tests/mutants.toml it names the exercises that have it, as a known mistake or as another
wrong answer, and the checks that it fails. Those are read where the content gate records and recomputes them: in
tests/golden/<id>.json for known mistakes, in tests/solutions/answers/<id>.toml for other answers.
"""
from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from grader.catalogue import Exercise, exercise_ids, load

HERE = Path(__file__).resolve().parent
PAGE = HERE.parent / "CONTRIBUTING.md"
BEGIN, END = "<!-- mutants: begin -->\n", "<!-- mutants: end -->\n"
SHOWN = 2  # checks named for one answer, the most telling ones; the others are counted


class Cover(NamedTuple):
    """One answer that is a mutant: where it is, what it is called there, and the checks that it fails."""

    exercise: str
    answer: str
    checks: tuple[str, ...]
    right: bool  # it is listed among the right answers, and fails none


def mutants() -> dict[str, dict[str, str]]:
    """Each mutant by its id, as {"is": what it does, "harm": what that does to the text}."""
    found: dict[str, dict[str, str]] = tomllib.loads((HERE / "mutants.toml").read_text("utf-8"))
    return found


def covers() -> dict[str, list[Cover]]:
    """The answers that say they are a mutant, by its id, in course order; also under ids that mutants.toml lacks."""
    found: dict[str, list[Cover]] = {name: [] for name in mutants()}
    for exercise in map(load, exercise_ids()):
        for name, cover in (*_of_mistakes(exercise), *_of_answers(exercise)):
            found.setdefault(name, []).append(cover)
    return found


def _of_mistakes(exercise: Exercise) -> Iterator[tuple[str, Cover]]:
    golden = json.loads((HERE / "golden" / f"{exercise.id}.json").read_text("utf-8"))
    for mistake in exercise.mistakes:
        told = golden[mistake.id]
        cover = Cover(exercise.id, mistake.id, (*told["hidden"], *told["visible"]), right=False)
        yield from ((name, cover) for name in mistake.mutants)


def _of_answers(exercise: Exercise) -> Iterator[tuple[str, Cover]]:
    answers = tomllib.loads((HERE / "solutions/answers" / f"{exercise.id}.toml").read_text("utf-8"))
    for kind in ("wrong", "right"):
        for answer in answers[kind]:
            cover = Cover(exercise.id, answer["why"], tuple(answer.get("fails", ())), right=kind == "right")
            yield from ((name, cover) for name in answer.get("mutants", ()))


def table() -> str:
    """The Markdown table of all mutants."""
    known = covers()
    fails = Counter((cover.exercise, check) for found in known.values() for cover in found for check in cover.checks)
    rows = [
        f"| {name} | {mutant['is']} | {mutant['harm']} | {'; '.join(_shown(known[name], fails)) or '**nothing yet**'} |"
        for name, mutant in mutants().items()
    ]
    return "\n".join(["| | the mistake | harm | caught in, by |", "|---|---|---|---|", *rows]) + "\n"


def _shown(found: list[Cover], fails: Counter[tuple[str, str]]) -> Iterator[str]:
    """Once for each exercise, from the answer there that fails the fewest checks; those that few mutants fail first."""
    for exercise in dict.fromkeys(cover.exercise for cover in found):
        checks = min((cover.checks for cover in found if cover.exercise == exercise), key=len)
        telling = sorted(checks, key=lambda check: fails[exercise, check])
        more = f" and {len(checks) - SHOWN} more" if len(checks) > SHOWN else ""
        yield f"{exercise}: " + (", ".join(f"`{check}`" for check in telling[:SHOWN]) + more or "right, and passes")


def page() -> str:
    """CONTRIBUTING.md with the table as it is now."""
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    return before + BEGIN + table() + END + rest.split(END)[1]


def main() -> None:
    PAGE.write_text(page(), "utf-8")
    missing = [name for name, found in covers().items() if not found]
    print(f"{PAGE.name}: {len(mutants())} mutants" + (f", not covered: {' '.join(missing)}" if missing else ""))


if __name__ == "__main__":
    main()
