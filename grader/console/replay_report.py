"""What `replay` prints: the call, the seed, both values, and whether it ended as it did when it was graded."""
from __future__ import annotations

from exercises.expect import Text
from grader.language import Words
from grader.plain import printable
from grader.replaying import Stored, full_name
from grader.verdicts import CheckResult
from grader.wording import wording


def as_text(stored: Stored, now: CheckResult, tier: str, language: str) -> str:
    """Plain text. Everything of a student's making is printable, so a terminal can't be told anything."""
    words = wording(language)
    name = full_name(stored.exercise.id, stored.check.id)
    lines = [
        f"{printable(stored.learner)} · {name}: {stored.check.title.within(language)}",
        *_facts(now, words),
        f"  {words('feedback.seed', seed=stored.seed)}",
        f"  {words('cli.tier', tier=tier)}",
        _comparison(stored, now, words),
    ]
    if now.verdict is not stored.verdict:
        kept = {key: value for key, value in stored.facts.items() if value}
        lines += [f"    {words('replay.then')} {words(f'feedback.{key}')}: {_plain(kept[key])}" for key in kept]
    if not stored.is_current:
        lines.append(f"  · {words('replay.other_content')}")
    return "\n".join(lines)


def _facts(now: CheckResult, words: Words) -> list[str]:
    why: Text | None = now.why
    facts = now.facts | ({"why": why.within(words.language)} if why else {})
    return [f"  {words(f'feedback.{key}')}: {_plain(value)}" for key, value in facts.items()]


def _plain(text: str) -> str:
    return printable(text, keep="\n")


def _comparison(stored: Stored, now: CheckResult, words: Words) -> str:
    ended = f"{now.verdict.sign} {words(f'verdict.{now.verdict}')}"
    if now.verdict is stored.verdict:
        return f"  {ended}: {words('replay.same')}"
    return f"  {ended}: {words('replay.different', was=words(f'verdict.{stored.verdict}'))}"
