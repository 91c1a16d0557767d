"""One check of a graded answer, run again from its result file alone."""
from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from grader import cli, replaying
from grader.catalogue import Exercise, load
from grader.judge import Judge
from grader.known_mistakes import solution_blanks
from grader.replaying import NotReplayable, replay, stored

AS_WRITTEN = """def rejection_rule(target_probs, draft_probs, draft_token):
    ratio = target_probs[draft_token] / draft_probs[draft_token] if draft_probs[draft_token] else 0.0
    return 2.0, [p for p in target_probs]
"""
HELPED = "\n\ndef ratio(p, q):\n    return min(1.0, p / q)\n"


@pytest.fixture(scope="module")
def out(new_class: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of right and wrong answers, each stored in its own way."""
    made = new_class(tmp_path_factory.mktemp("replayed"))
    exercise = load("rejection_rule")
    right = solution_blanks(exercise)
    made.hand_in("right.py", exercise.fill(right))
    made.hand_in("wrong.py", exercise.fill(right | {"residual": "p"}))
    made.hand_in("raises.py", exercise.fill(right | {"accept": "1 / 0"}))
    made.hand_in("helped.py", exercise.fill(right | {"accept": "ratio(target_probs[draft_token], qx)"}) + HELPED)
    made.hand_in("locked.py", exercise.fill(right).replace("<= 1e-9", "<= 1e-3"))
    made.hand_in("written.py", AS_WRITTEN)
    made.hand_in("broken.py", exercise.fill(right | {"residual": "max("}))
    made.hand_in("open.py", exercise.stub)
    made.grade()
    folder: Path = made.out / "results"
    return folder


def entries(file: Path) -> list[dict[str, Any]]:
    return [test["extra_data"] for test in json.loads(file.read_bytes())["tests"]]


@pytest.mark.parametrize("learner", ["right", "wrong", "raises", "helped", "locked", "written"])
def test_every_check_ends_as_it_did_then_with_the_same_values(out: Path, judge: Judge, learner: str) -> None:
    kept = entries(out / f"{learner}.json")
    assert kept
    for entry in kept if learner == "wrong" else kept[::6]:
        now = replay(stored((out / f"{learner}.json").read_bytes(), entry["check"]), judge)
        shown = (now.verdict, now.called, now.returned, now.expected, now.line)
        assert shown == tuple(entry[key] for key in ("verdict", "called", "returned", "expected", "line"))
        assert entry["why"] == (now.why.en if now.why else "")


def test_what_runs_is_what_was_judged(out: Path) -> None:
    programs = {
        name: json.loads((out / f"{name}.json").read_bytes())["extra_data"]["course"]["programs"]["rejection_rule"]
        for name in ("helped", "written", "locked", "open")
    }
    assert "def ratio" in programs["helped"] and "return 2.0" in programs["written"]
    assert "<= 1e-9" in programs["locked"] and programs["open"] == ""


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(cli.main, ["replay", *(str(one) for one in arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


def failing(out: Path) -> dict[str, Any]:
    return next(one for one in entries(out / "wrong.json") if one["verdict"] == "fail")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_command_prints_call_seed_and_both_values(out: Path, language: str) -> None:
    entry = failing(out)
    for name in (entry["check"], f"rejection_rule/{entry['check']}"):
        result = run(out / "wrong.json", name, "--lang", language)
        assert result.exit_code == 0
        for key in ("called", "returned", "expected", "seed"):
            assert str(entry[key]) in result.output
    assert "as when it was graded" in result.output or language == "zh"


def changed(out: Path, tmp_path: Path, change: Any) -> Path:
    data = json.loads((out / "wrong.json").read_bytes())
    change(data)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data), "utf-8")
    return path


def test_another_end_than_stored_is_exit_1_and_shows_both(out: Path, exercise: Exercise, tmp_path: Path) -> None:
    entry = failing(out)

    def repair(data: dict[str, Any]) -> None:
        course = data["extra_data"]["course"]
        course["programs"]["rejection_rule"] = exercise.solution_source
        course["judged_with"]["rejection_rule"] = "another"
        course["learner"] = "\x1b[2Jben"

    result = run(changed(out, tmp_path, repair), entry["check"])
    assert result.exit_code == 1 and "when it was graded it was: wrong value" in result.output
    assert entry["returned"] in result.output and "has changed since" in result.output
    assert "\x1b" not in result.output


@pytest.mark.parametrize(
    ("file", "name", "said"),
    [
        ("wrong.json", "no_such", "no check of this result"),
        ("wrong.json", "other/hidden", "no check of this result"),
        ("open.json", "any", "nothing to replay"),
        ("nowhere.json", "any", "can't be read"),
    ],
)
def test_what_cannot_be_replayed_says_why(out: Path, file: str, name: str, said: str) -> None:
    result = run(out / file, name)
    assert result.exit_code == 2 and said in result.output


def test_an_answer_that_does_not_parse_has_nothing_to_replay(out: Path) -> None:
    kept = entries(out / "broken.json")
    assert kept
    for entry in kept[:2]:
        result = run(out / "broken.json", entry["check"])
        assert result.exit_code == 2 and "nothing to replay" in result.output and "SyntaxError" in result.output


BROKEN: list[Any] = [
    b"", b"{", b"[]", b"null", b'{"tests": []}', b"\xff\xfe\x00", b'{"extra_data": {"course": []}, "tests": [1]}',
    b'{"tests": [], "extra_data": {"course": {"key": "an older version"}}}',
]  # fmt: skip


@pytest.mark.parametrize("data", BROKEN)
def test_a_file_of_another_kind_is_refused(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(data)
    result = run(tmp_path / "x.json", "any")
    assert result.exit_code == 2 and "no result of" in result.output


@pytest.mark.parametrize("key", ["verdict", "seed", "exercise", "called"])
def test_a_damaged_entry_is_refused(out: Path, tmp_path: Path, key: str) -> None:
    name = failing(out)["check"]

    def damage(data: dict[str, Any]) -> None:
        for test in data["tests"]:
            del test["extra_data"][key]

    assert run(changed(out, tmp_path, damage), name).exit_code == 2


def test_a_check_of_several_exercises_needs_its_exercises_name(out: Path, tmp_path: Path) -> None:
    name = failing(out)["check"]

    def twice(data: dict[str, Any]) -> None:
        data["tests"] += json.loads(json.dumps(data["tests"]))
        for test in data["tests"][: len(data["tests"]) // 2]:
            test["extra_data"]["exercise"] = "another"

    path = changed(out, tmp_path, twice)
    unclear = run(path, name)
    assert unclear.exit_code == 2 and f"another/{name}, rejection_rule/{name}" in unclear.output
    assert run(path, f"rejection_rule/{name}").exit_code == 0
    gone = run(path, f"another/{name}")
    assert gone.exit_code == 2 and "no longer part" in gone.output


def test_a_check_that_cannot_decide_is_no_verdict(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = replaying.load

    def broken(exercise_id: str) -> Any:
        exercise = real(exercise_id)
        checks = tuple(dataclasses.replace(one, function=lambda rule: 1 // 0) for one in exercise.checks)
        return dataclasses.replace(exercise, checks=checks)

    monkeypatch.setattr(replaying, "load", broken)
    result = run(out / "wrong.json", failing(out)["check"])
    assert result.exit_code == 2 and "could not decide" in result.output


def test_a_result_without_a_judged_check_has_no_check_to_find(out: Path) -> None:
    with pytest.raises(NotReplayable):
        stored((out / "open.json").read_bytes(), "any")
