"""The editor as Python sees it: what it sends, what it believes, and that its bundle is built from its source."""
from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from grader.store.export import LETTERS
from lessons.pages import editor

FOLDER = Path(editor.__file__).parent
BUNDLE = editor.ASSETS / "editor.js"


def test_segments_are_locked_text_and_blanks_in_turn() -> None:
    made = editor.segments(["a = ", "\nb = [", "]"], {"one": "1"}, {"one": "first", "two": "second"}, [None, None])
    assert made == [
        {"text": "a = "},
        {"id": "one", "label": "first", "text": "1"},
        {"text": "\nb = ["},
        {"id": "two", "label": "second", "text": ""},
        {"text": "]"},
    ]


def test_statements_stand_at_their_column_in_the_editor_and_come_back_dedented() -> None:
    text = 'if x:\n    y = """\n  z"""\n\nreturn y'
    made = editor.segments(["def f(x):\n    ", "\n"], {"one": text}, {"one": "first"}, [4])
    shown = 'if x:\n        y = """\n  z"""\n\n    return y'
    assert made[1] == {"id": "one", "label": "first", "text": shown, "column": 4}
    assert editor._dedented({"one": shown, "other": "  1"}, {"one": 4}) == {"one": text, "other": "  1"}


def test_the_browsers_word_on_the_length_is_not_trusted() -> None:
    typed = {"one": "y = 1\n" * 1_000_000, "other": "1" * 1_000_000}
    assert all(len(text) <= LETTERS for text in editor._dedented(typed, {"one": 4}).values())


def test_segments_refuse_a_stub_with_another_number_of_blanks() -> None:
    with pytest.raises(ValueError, match="the stub has 1 blanks, 2 labels were given"):
        editor.segments(["a = ", ""], {}, {"one": "first", "two": "second"}, [None, None])


@pytest.mark.parametrize(
    "typed", [None, "text", {"rev": 3}, {"rev": 2, "blanks": {"one": "old"}}, {"rev": 3, "blanks": 1}]
)
def test_what_the_browser_sends_is_taken_only_in_the_right_shape_and_revision(typed: object) -> None:
    assert editor._current(typed, 3) is None


def test_what_the_browser_sends_becomes_text() -> None:
    assert editor._current({"rev": 3, "blanks": {"one": 1}}, 3) == {"one": "1"}


def test_the_bundle_names_the_sources_it_was_built_from() -> None:
    """Runs without node: a change in the source without a new build fails here."""
    names = ["build.mjs", "package-lock.json", "package.json"]
    names += [f"src/{path.name}" for path in sorted((FOLDER / "src").iterdir())]
    digest = hashlib.sha256()
    for name in names:
        digest.update(f"{name}\0".encode() + (FOLDER / name).read_bytes() + b"\0")
    named = re.match(r"/\* Built from lessons/pages/editor; sources sha256:([0-9a-f]{64});", BUNDLE.read_text("utf-8"))
    assert named and named[1] == digest.hexdigest(), "the bundle is older than its source: run npm ci && npm run build"


def test_a_fresh_build_gives_the_same_bytes(tmp_path: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("node and npm are not installed: the bundle was not rebuilt from its source")
    copy = tmp_path / "editor"
    shutil.copytree(FOLDER, copy, ignore=shutil.ignore_patterns("node_modules", "__pycache__"))
    fetched = subprocess.run([npm, "ci", "--ignore-scripts"], cwd=copy, capture_output=True, text=True, timeout=300)
    if fetched.returncode and not os.environ.get("CI"):
        pytest.skip(f"npm could not fetch the editor's packages, so the bundle was not rebuilt:\n{fetched.stderr}")
    assert fetched.returncode == 0, fetched.stderr
    build = ["node", "build.mjs", str(tmp_path / "built")]
    subprocess.run(build, cwd=copy, check=True, capture_output=True, timeout=120)
    for name in ("editor.js", "editor.licences.txt"):
        assert (tmp_path / "built" / name).read_bytes() == (editor.ASSETS / name).read_bytes(), name


def test_every_dependency_is_pinned_and_the_lock_names_no_host() -> None:
    package = json.loads((FOLDER / "package.json").read_text("utf-8"))
    lock = json.loads((FOLDER / "package-lock.json").read_text("utf-8"))
    pins = {**package["dependencies"], **package["devDependencies"]}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", pin) for pin in pins.values()), pins
    assert not [name for name, entry in lock["packages"].items() if "resolved" in entry]
    assert not re.search(r"https?://", (FOLDER / "package-lock.json").read_text("utf-8"))


def test_the_bundle_asks_nothing_of_other_hosts() -> None:
    """Offline: no address in it but the names of XML name spaces."""
    addresses = set(re.findall(r"https?://[\w./-]+", BUNDLE.read_text("utf-8")))
    assert all(address.startswith("http://www.w3.org/") for address in addresses), addresses


def test_the_address_of_the_bundle_changes_with_its_content() -> None:
    assert editor.version() == hashlib.sha256(BUNDLE.read_bytes()).hexdigest()[:12]
    assert f"assets/editor.js?v={editor.version()}" in editor._LOADER.format(version=editor.version())
