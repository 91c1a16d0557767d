"""The commands: exit codes, JSON, plain errors. In the same process, but for one run of `python -m grader` itself."""
from __future__ import annotations

import dataclasses
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from grader import cli
from grader.catalogue import ROOT, Exercise, exercise_ids
from grader.console.doctor_report import as_text
from grader.console.progress_line import ProgressLine
from grader.sandbox import SandboxUnavailable, Tier, doctor
from grader.wording import wording


@pytest.fixture
def file(tmp_path: Path, exercise: Exercise, right: dict[str, str]) -> Path:
    path = tmp_path / "answer.py"
    path.write_text(exercise.fill(right), "utf-8")
    return path


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(cli.main, [str(one) for one in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result


@pytest.fixture
def no_isolation(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(allow_basic: bool = False) -> Tier:
        raise SandboxUnavailable("Landlock is missing.", "Use a newer kernel.")

    monkeypatch.setattr("grader.judge.detect", refuse)


def test_python_dash_m_grader_is_the_same_command(file: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "grader", "check", str(file)], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0 and "3 of 3 points" in done.stdout and done.stderr == ""


def test_check_passes_fails_and_cannot_read(file: Path, exercise: Exercise, right: dict[str, str]) -> None:
    assert run("check", file).exit_code == 0
    file.write_text(exercise.fill(right | {"residual": "p"}), "utf-8")
    failed = run("check", file)
    assert failed.exit_code == 1 and "✕" in failed.output and "returned" in failed.output and "→" in failed.output
    file.write_text(exercise.stub, "utf-8")
    assert run("check", file).exit_code == 1
    file.write_bytes(b"%PDF-1.4")
    assert run("check", file).exit_code == 2
    file.unlink()
    assert run("check", file).exit_code == 2


def test_check_json_is_what_its_help_says(file: Path, exercise: Exercise, right: dict[str, str]) -> None:
    file.write_text(exercise.fill(right | {"residual": "p"}), "utf-8")
    data = json.loads(run("check", file, "--json").output)
    assert set(data) == {"file", "passed", "tier", "problem", "notes", "exercises"} and data["passed"] is False
    (found,) = data["exercises"]
    assert set(found) == {
        "exercise", "verdict", "earned", "possible", "seed", "judge_fault", "blanks", "notes", "mistakes", "checks",
    }  # fmt: skip
    assert (found["verdict"], found["possible"]) == ("fail", 3)
    assert set(found["checks"][0]) == {
        "id", "title", "verdict", "earned", "points", "called", "returned", "expected", "why", "line",
    }  # fmt: skip
    assert [check["id"] for check in found["checks"]] == [check.id for check in exercise.visible]
    help_text = run("check", "--help").output
    for key in (*data, *found, *found["checks"][0]):
        assert key in help_text


def test_check_json_of_an_unreadable_file_is_json_too(file: Path) -> None:
    file.write_bytes(b"%PDF-1.4")
    result = run("check", file, "--json")
    data = json.loads(result.output)
    assert result.exit_code == 2 and "PDF" in data["problem"] and data["exercises"] == []


def test_check_takes_a_known_exercise_only(file: Path) -> None:
    assert run("check", file, "--exercise", "rejection_rule").exit_code == 0
    unknown = run("check", file, "--exercise", "no_such")
    assert unknown.exit_code == 2 and "no_such" in unknown.output and "rejection_rule" in unknown.output


def test_check_speaks_chinese(file: Path) -> None:
    assert "全部检查通过" in run("check", file, "--lang", "zh").output


def test_check_without_isolation_asks_for_an_explicit_yes(file: Path, no_isolation: None) -> None:
    refused = run("check", file)
    assert refused.exit_code == 2 and "--own-code" in refused.output and "Landlock is missing" in refused.output
    own = run("check", file, "--own-code")
    assert own.exit_code == 0 and "no sandbox" in own.output and "isolation tier: basic" in own.output


@pytest.mark.parametrize(("answer", "code"), [(True, 0), (False, 2)])
def test_check_asks_on_a_terminal(
    file: Path, no_isolation: None, monkeypatch: pytest.MonkeyPatch, answer: bool, code: int
) -> None:
    monkeypatch.setattr(cli, "_is_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", lambda *_, **__: answer)
    assert run("check", file).exit_code == code


def test_grade_refuses_without_isolation_whatever_is_said(file: Path, tmp_path: Path, no_isolation: None) -> None:
    refused = run("grade", file.parent, "--out", tmp_path.parent / f"{tmp_path.name}-out")
    assert refused.exit_code == 2 and "Landlock is missing" in refused.output and "doctor" in refused.output
    assert "own-code" not in run("grade", "--help").output


def test_grade_exit_codes(file: Path, tmp_path: Path, exercise: Exercise) -> None:
    out = tmp_path.parent / f"{tmp_path.name}-out"
    assert run("grade", tmp_path, "--out", out, "--jobs", 1).exit_code == 0
    (tmp_path / "open.py").write_text(exercise.stub)
    result = run("grade", tmp_path, "--out", out, "--jobs", 1)
    assert result.exit_code == 1 and "2 graded, 1 unchanged" in result.output and "2/2" in result.output
    assert (out / "gradebook.csv").exists() and (out / "summary.json").exists()


@pytest.mark.parametrize(
    "arguments",
    [["nowhere", "--out", "x"], [".", "--out", "./inside"], [".", "--out", "x", "--jobs", "0"], ["."],
     [".", "--out", "x", "--lang", "de"]],
)  # fmt: skip
def test_grade_refuses_bad_usage(arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("grade", *arguments).exit_code == 2


def test_grade_refuses_a_file_that_is_no_archive(tmp_path: Path) -> None:
    broken = tmp_path / "class.zip"
    broken.write_bytes(b"PK\x03\x04 broken")
    result = run("grade", broken, "--out", tmp_path / "out")
    assert result.exit_code == 2 and "class.zip" in result.output


def test_grade_says_when_the_results_cannot_be_written(file: Path, tmp_path: Path) -> None:
    blocked = tmp_path.parent / f"{tmp_path.name}-file"
    blocked.write_text("a file where the folder should be")
    result = run("grade", tmp_path, "--out", blocked)
    assert result.exit_code == 2 and str(blocked) in result.output


def test_notebooks_writes_one_file_an_exercise(tmp_path: Path) -> None:
    assert run("notebooks", tmp_path / "en").exit_code == 0
    assert {path.name for path in (tmp_path / "en").iterdir()} == {f"{name}.ipynb" for name in exercise_ids()}


def test_doctor_says_what_this_machine_gives() -> None:
    expected = doctor()
    text, data = run("doctor"), run("doctor", "--json")
    assert text.exit_code == data.exit_code == (0 if expected.tier is Tier.FULL else 1)
    parsed = json.loads(data.output)
    assert parsed["tier"] == expected.tier and {tier["tier"] for tier in parsed["tiers"]} == {*Tier}
    help_text = run("doctor", "--help").output
    assert all(key in help_text for key in parsed) and all(tier in text.output for tier in Tier)


def test_doctor_tells_less_than_full_by_its_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    lesser = dataclasses.replace(doctor(), tier=Tier.KERNEL)
    monkeypatch.setattr(cli, "doctor", lambda: lesser)
    assert run("doctor").exit_code == 1


def test_doctor_says_why_a_tier_is_missing_and_what_to_do() -> None:
    found = doctor()
    broken = dataclasses.replace(found.tiers[0], works=False, reason="No bwrap here.", fix="Install bubblewrap.")
    lesser = dataclasses.replace(found, tier=Tier.KERNEL, tiers=(broken, *found.tiers[1:]), bubblewrap="")
    text = as_text(lesser, wording("en"))
    for part in ("✕ full", "why not: No bwrap here.", "what to do: Install bubblewrap.", "bubblewrap: not found"):
        assert part in text
    assert "✓ kernel" in text
    assert "解决办法: Install bubblewrap." in as_text(lesser, wording("zh"))


def test_doctor_says_whether_answers_have_control_groups() -> None:
    found = doctor()
    without = as_text(dataclasses.replace(found, no_groups="no cgroup v2 here"), wording("en"))
    assert "none (no cgroup v2 here)" in without and "Delegate=yes" in without
    assert "each answer has one" in as_text(dataclasses.replace(found, no_groups=""), wording("en"))
    assert found.no_forks == "" and "forked" in as_text(found, wording("en"))
    assert "one by one (no userns)" in as_text(dataclasses.replace(found, no_forks="no userns"), wording("en"))


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_rewrites_one_line_on_a_terminal_and_never_obeys_a_name() -> None:
    terminal, log = Terminal(), io.StringIO()
    for stream in (terminal, log):
        with ProgressLine(stream, "en") as progress:
            progress(1, 3, "ann")
            progress(2, 3, "\x1b[2Jben\n")
            progress(3, 3, "名")
    assert terminal.getvalue().count("\r") == 3 and "\x1b" not in terminal.getvalue()
    assert "2/3 · about 0 s left" in terminal.getvalue() and log.getvalue() == "3/3\n"


@pytest.mark.parametrize(("seconds", "said"), [(0.4, "about 0 s"), (89, "about 89 s"), (150, "about 2 min")])
def test_the_estimate_is_in_seconds_then_minutes(seconds: float, said: str) -> None:
    assert ProgressLine(io.StringIO(), "en").estimate(seconds).startswith(said)


def test_every_command_is_documented() -> None:
    assert set(cli.main.commands) == {"check", "grade", "replay", "notebooks", "doctor"}
    for name, command in cli.main.commands.items():
        assert command.help and "Exit code" in command.help or name == "notebooks"
