"""The instructor's way: the password, the upload, the table, one report, and the downloads."""
from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from driver import Server, click, serve, settle, visit
from playwright.sync_api import Page, expect

from grader.catalogue import load
from grader.known_mistakes import solution_blanks

PASSWORD = "correct horse battery staple"


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with an instructor's password."""
    yield from serve(tmp_path_factory.mktemp("school"), COURSE_INSTRUCTOR_PASSWORD=PASSWORD)


@pytest.fixture
def submissions(tmp_path: Path) -> Path:
    """A zip of three learners: right, a known mistake, and a file that is no Python."""
    exercise = load("rejection_rule")
    mistake = exercise.mistakes[0]
    wrong = solution_blanks(exercise) | mistake.blanks
    file = tmp_path / "submissions.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("ada_right.py", exercise.solution_source)
        archive.writestr("ben_wrong.py", exercise.fill(wrong, mistake.preamble))
        archive.writestr("cleo_broken.py", "def rejection_rule(:\n")
    return file


def enter(page: Page, password: str) -> None:
    page.get_by_label("Instructor's password").fill(password)
    click(page.get_by_role("button", name="Enter"))


def test_without_a_password_on_the_server_the_page_stays_shut(page: Page, base_url: str) -> None:
    visit(page, f"{base_url}/instructor")
    expect(page.get_by_text("COURSE_INSTRUCTOR_PASSWORD").first).to_be_visible()
    expect(page.get_by_label("Instructor's password")).to_have_count(0)


def test_a_wrong_password_opens_nothing(page: Page, school: Server) -> None:
    visit(page, f"{school.url}/instructor")
    enter(page, "guess")
    expect(page.get_by_text("That is not the password.")).to_be_visible()
    expect(page.get_by_test_id("stFileUploader")).to_have_count(0)


def test_from_upload_to_download(page: Page, school: Server, submissions: Path) -> None:
    visit(page, f"{school.url}/instructor")
    enter(page, PASSWORD)
    page.get_by_test_id("stFileUploaderDropzoneInput").set_input_files(submissions)
    expect(page.get_by_role("button", name=f"Remove {submissions.name}")).to_be_visible()
    page.wait_for_timeout(500)  # the form grows by the file's row, and a click on a moving button is lost
    click(page.get_by_role("button", name="Grade", exact=True))
    expect(page.get_by_text(re.compile("3 learners graded"))).to_be_visible(timeout=60_000)

    gradebook = list(csv.DictReader(io.StringIO(download(page, "gradebook.csv").decode("utf-8-sig"))))
    points = load("rejection_rule").points
    by_learner = {row["learner"]: row for row in gradebook}
    assert set(by_learner) == {"ada_right", "ben_wrong", "cleo_broken"}
    assert float(by_learner["ada_right"]["total"]) == points
    assert float(by_learner["ben_wrong"]["total"]) < points
    results = zipfile.ZipFile(io.BytesIO(download(page, "Gradescope results (zip)")))
    assert {"ada_right.json", "ben_wrong.json"} <= {Path(name).name for name in results.namelist()}
    assert all("tests" in json.loads(results.read(name)) for name in results.namelist())
    feedback = zipfile.ZipFile(io.BytesIO(download(page, "Feedback pages (zip)")))
    assert len(feedback.namelist()) == 3

    choose(page, "Report of", "ben_wrong")
    shown = load("rejection_rule").mistakes[0].message.en[:40]
    expect(page.get_by_text(shown).first).to_be_visible()
    click(page.get_by_role("button", name="Leave"))
    expect(page.get_by_label("Instructor's password")).to_be_visible()


def download(page: Page, label: str) -> bytes:
    with page.expect_download() as started:
        click(page.get_by_role("button", name=label))
    return Path(started.value.path()).read_bytes()


def choose(page: Page, label: str, option: str) -> None:
    click(page.get_by_role("combobox", name=re.compile(label)))
    click(page.get_by_role("option", name=option))
    settle(page)
