"""Folders and zips to learners: nobody goes missing, nothing is followed, the newest attempt counts."""
from __future__ import annotations

import io
import os
import random
import stat
import struct
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reading import archive, disk
from grader.reading.decode import Unreadable
from grader.reading.folders import Entry, entries
from grader.reading.learners import owner, without_copy_marks


def tree(root: Path, *names: str) -> Path:
    """Files whose content is their own name."""
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return root


def zipped(*names: str, **contents: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as target:
        for name in names:
            target.writestr(name, contents.get(name, name.encode()))
    return buffer.getvalue()


def listed(found: list[Entry]) -> dict[str, list[str]]:
    return {entry.learner: [name for name, _ in entry.files] for entry in found}


def reasons(entry: Entry) -> list[str]:
    return [reason.en for _, reason in entry.load()[1]]


# Names


@pytest.mark.parametrize(
    ("path", "learner"),
    [
        ("zhang.ipynb", "zhang"),
        ("zhang (1).ipynb", "zhang"),
        ("zhang(12).ipynb", "zhang"),
        ("Copy of zhang.ipynb", "zhang"),
        ("Copy of Copy of zhang (2).ipynb", "zhang"),
        ("zhang - Copy.ipynb", "zhang"),
        ("zhang - Copy (2).ipynb", "zhang"),
        ("zhang copy 3.py", "zhang"),
        ("“zhang”的副本.ipynb", "zhang"),
        ("张三 - 副本.ipynb", "张三"),
        ("zhang.ipynb.txt", "zhang"),
        ("student-1.ipynb", "student-1"),
        ("copy.ipynb", "copy"),
        ("(1).ipynb", "(1)"),
        ("a.b.ipynb", "a.b"),
        ("zhang/hw.ipynb", "zhang"),
        ("zhang/week 1/hw (1).ipynb", "zhang"),
        ("student (2)/hw.ipynb", "student (2)"),
        ("doejane_12345_67890_hw-2.ipynb", "doejane_12345"),
        ("doejane_LATE_12345_67890_hw.ipynb", "doejane_12345"),
        ("lastname_123_late_456_hw-2.ipynb", "lastname_123"),
        ("Jane Doe_12345_assignsubmission_file_/hw.ipynb", "Jane Doe_12345"),
        ("Jane Doe_12345_assignsubmission_file/deep/hw.ipynb", "Jane Doe_12345"),
        ("Jane Doe_12345_assignsubmission_file_hw.ipynb", "Jane Doe_12345"),
        ("e\u0301va.ipynb", "\u00e9va"),
    ],
)
def test_the_learner_is_read_from_the_name(path: str, learner: str) -> None:
    assert owner(tuple(path.split("/"))).learner == learner


@given(st.text(min_size=1, max_size=30).filter(lambda name: "/" not in name))
def test_any_name_gives_a_learner_and_keeps_its_suffix(name: str) -> None:
    assert owner((name,)).learner and owner((name, name)).learner
    assert without_copy_marks(name + ".ipynb")[0].endswith(".ipynb")


# Folders


def test_one_entry_a_learner_in_order(tmp_path: Path) -> None:
    tree(tmp_path, "b.ipynb", "a.py", "cai/hw.ipynb", "cai/deep/helper.py", "doe_12_34_hw.ipynb")
    assert listed(entries(tmp_path)) == {
        "a": ["a.py"], "b": ["b.ipynb"], "cai": ["cai/deep/helper.py", "cai/hw.ipynb"], "doe_12": ["doe_12_34_hw.ipynb"]
    }  # fmt: skip
    assert [name for entry in entries(tmp_path) for name, data in entry.load()[0] if data.decode() != name] == []


def test_junk_is_skipped_and_nothing_else(tmp_path: Path) -> None:
    tree(tmp_path, "EXPECTED.toml", "README.md", ".DS_Store", "desktop.ini", "__MACOSX/a.ipynb", "._a.ipynb")
    tree(tmp_path, ".gitignore", "a/.ipynb_checkpoints/hw-checkpoint.ipynb", "a/Thumbs.db", "a/hw.ipynb")
    tree(tmp_path, "b/README.md", ".ipynb", "odd.xyz")
    assert listed(entries(tmp_path)) == {
        ".ipynb": [".ipynb"], "a": ["a/hw.ipynb"], "b": ["b/README.md"], "odd.xyz": ["odd.xyz"]
    }  # fmt: skip


def test_other_files_beside_an_answer_are_left_out_and_told(tmp_path: Path) -> None:
    tree(tmp_path, "a/hw.ipynb", "a/notes.txt", "b/notes.txt")
    first, second = entries(tmp_path)
    assert [note.en for note in first.notes] == ["a/notes.txt is neither a notebook nor a Python file; left out."]
    assert listed([first, second]) == {"a": ["a/hw.ipynb"], "b": ["b/notes.txt"]}


def test_of_several_attempts_the_newest_counts_and_the_others_are_told(tmp_path: Path) -> None:
    tree(tmp_path, "a.ipynb", "a (2).ipynb", "a (10).ipynb", "b/hw.ipynb", "b/hw (1).ipynb")
    tree(tmp_path, "doe_12_99_hw.ipynb", "doe_12_100_hw.ipynb")
    found = entries(tmp_path)
    assert listed(found) == {"a": ["a (10).ipynb"], "b": ["b/hw (1).ipynb"], "doe_12": ["doe_12_100_hw.ipynb"]}
    assert [note.en.split(": ")[1].split(" is ")[0] for note in found[0].notes] == ["a.ipynb", "a (2).ipynb"]


def test_numbered_files_in_a_folder_are_all_kept_the_highest_last(tmp_path: Path) -> None:
    tree(tmp_path, "a/hw-10.ipynb", "a/hw-2.ipynb", "a/hw.py")
    assert listed(entries(tmp_path)) == {"a": ["a/hw-2.ipynb", "a/hw-10.ipynb", "a/hw.py"]}


def test_an_empty_folder_is_a_learner_with_a_reason(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "b/.DS_Store")
    (tmp_path / "c" / "d").mkdir(parents=True)
    assert listed(entries(tmp_path)) == {"a": ["a.py"], "b": [], "c": []}
    assert "no file" in entries(tmp_path)[1].notes[0].en


@pytest.mark.parametrize("top", ["submissions", "hw1 submissions", "提交的作业"])
def test_the_one_folder_around_everything_is_opened(tmp_path: Path, top: str) -> None:
    tree(tmp_path, f"{top}/a.ipynb", f"{top}/b.ipynb")
    assert list(listed(entries(tmp_path))) == ["a", "b"]


def test_a_single_learner_s_folder_stays_one(tmp_path: Path) -> None:
    tree(tmp_path, "zhang/a.ipynb", "zhang/b.py")
    assert listed(entries(tmp_path)) == {"zhang": ["zhang/a.ipynb", "zhang/b.py"]}


def test_links_are_refused_and_told(tmp_path: Path) -> None:
    secret = tree(tmp_path / "out", "secret.py") / "secret.py"
    tree(tmp_path / "in", "b.py")
    (tmp_path / "in" / "a.ipynb").symlink_to(secret)
    (tmp_path / "in" / "c").symlink_to(tmp_path / "out", target_is_directory=True)
    (tmp_path / "in" / "d.py").symlink_to("d.py")
    found = {entry.learner: entry for entry in entries(tmp_path / "in")}
    assert list(found) == ["a", "b", "c", "d"]
    assert all("is a link" in reasons(found[name])[0] for name in "acd") and not reasons(found["b"])


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes are a POSIX thing")
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.ipynb")
    assert "no regular file" in reasons(entries(tmp_path)[0])[0]


def test_a_file_swapped_for_a_link_after_listing_is_refused(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "secret")
    (entry, _) = entries(tmp_path)
    (tmp_path / "a.py").unlink()
    (tmp_path / "a.py").symlink_to(tmp_path / "secret")
    assert "is a link" in reasons(entry)[0]


def test_large_deep_and_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "MAX_BYTES", 1 << 20)
    with (tmp_path / "a.py").open("wb") as file:
        file.truncate(5 << 20)
    tree(tmp_path, "/".join(["b", *"123456789abcdef", "hw.py"]))
    large, deep = entries(tmp_path)
    assert "5 MiB" in reasons(large)[0] and "12 folders deep" in reasons(deep)[0]
    monkeypatch.setattr(disk, "MAX_FILES", 3)
    with pytest.raises(Unreadable, match="more than 3"):
        entries(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="file names are text on other systems")
def test_names_that_are_no_text_are_kept_apart(tmp_path: Path) -> None:
    for name in (b"a\xff.py", b"a\xfe.py"):
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)).write_text("x")
    found = entries(tmp_path)
    assert len(found) == 2 and all(entry.learner.encode() and entry.load()[0] for entry in found)


def test_a_single_file_is_an_entry_and_a_missing_one_a_reason(tmp_path: Path) -> None:
    tree(tmp_path, "zhang (1).py")
    assert listed(entries(tmp_path / "zhang (1).py")) == {"zhang": ["zhang (1).py"]}
    with pytest.raises(Unreadable, match="no such file"):
        entries(tmp_path / "nothing")


# Archives


def from_zip(tmp_path: Path, data: bytes, name: str = "hw1.zip") -> list[Entry]:
    (tmp_path / name).write_bytes(data)
    return entries(tmp_path / name)


def test_a_zip_is_read_like_a_folder(tmp_path: Path) -> None:
    found = from_zip(tmp_path, zipped("a.py", "b/hw.ipynb", "__MACOSX/._a.py", "doe_12_34_hw.ipynb", "empty/"))
    assert listed(found) == {"a": ["a.py"], "b": ["b/hw.ipynb"], "doe_12": ["doe_12_34_hw.ipynb"], "empty": []}
    assert found[1].load() == ([("b/hw.ipynb", b"b/hw.ipynb")], [])


def test_the_folder_that_zip_programs_add_is_opened(tmp_path: Path) -> None:
    assert list(listed(from_zip(tmp_path, zipped("hw1/a.py", "hw1/__MACOSX/x")))) == ["a"]
    assert list(listed(from_zip(tmp_path, zipped("class/a.py", "class/b.py"), "x.zip"))) == ["a", "b"]
    assert list(listed(from_zip(tmp_path, zipped("zhang/a.py"), "y.zip"))) == ["zhang"]


def test_a_zip_inside_is_opened_once(tmp_path: Path) -> None:
    inner = zipped("hw/a.py", "in.zip", **{"in.zip": zipped("b.py")})
    (found,) = from_zip(tmp_path, zipped("zhang.zip", **{"zhang.zip": inner}))
    assert (found.learner, [name for name, _ in found.files]) == ("zhang", ["zhang/hw/a.py"])
    tree(tmp_path / "in", "x.py")
    (tmp_path / "in" / "li.zip").write_bytes(zipped("q.py"))
    assert listed(entries(tmp_path / "in")) == {"li": ["li/q.py"], "x": ["x.py"]}


@pytest.mark.parametrize("name", ["../../up.py", "/etc/abs.py", "C:\\win.py", "a/../../b.py", "..\\back.py"])
def test_names_that_climb_out_are_refused_and_told(tmp_path: Path, name: str) -> None:
    found = from_zip(tmp_path, zipped("ok.py", name))
    assert len(found) == 2 and sum("points outside" in reason for entry in found for reason in reasons(entry)) == 1


@pytest.mark.parametrize(("mode", "says"), [(stat.S_IFLNK, "is a link"), (stat.S_IFIFO, "no regular file")])
def test_links_and_pipes_in_a_zip_are_refused_and_told(tmp_path: Path, mode: int, says: str) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as target:
        info = zipfile.ZipInfo("a.ipynb")
        info.external_attr = (mode | 0o777) << 16
        target.writestr(info, "/etc/passwd")
    assert says in reasons(from_zip(tmp_path, buffer.getvalue())[0])[0]


def test_bombs_stop_while_inflating(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MIN_RATIO_BYTES", 1 << 20)
    bomb, noise = bytes(20 << 20), random.Random(1).randbytes(3 << 20)
    found = from_zip(tmp_path, zipped("a.py", "b.py", "c.py", **{"a.py": bomb, "b.py": noise}))
    assert "200 times its size" in reasons(found[0])[0] and not reasons(found[1]) and not reasons(found[2])
    monkeypatch.setattr(archive, "MAX_BYTES", 2 << 20)
    assert "more than 2 MiB" in reasons(found[1])[0]


def test_the_total_is_capped_and_a_file_read_twice_counts_once() -> None:
    data = zipped("a.py", "b.py", **{"a.py": b"x" * 600, "b.py": b"y" * 600})
    first, second = archive.members(data, "z.zip", archive.Budget(1000))
    assert first.read is not None and second.read is not None
    assert first.read() == first.read() == b"x" * 600
    with pytest.raises(Unreadable, match="archive as a whole"):
        second.read()


def test_declared_sizes_are_not_believed(tmp_path: Path) -> None:
    data = bytearray(zipped("a.py", **{"a.py": b"x" * 100_000}))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = (10).to_bytes(4, "little")
    (entry,) = from_zip(tmp_path, bytes(data))
    assert "can't be unpacked" in reasons(entry)[0]


def test_an_endless_list_of_files_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zipfile, "ZipInfo", None)  # no entry is made
    entry = struct.pack("<4s4B4HL2L5H2L", b"PK\1\2", 20, 0, 20, *[0] * 8, 1, *[0] * 6) + b"a"
    listing = entry * 150_000
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 65_535, 65_535, len(listing), 0, 0)
    with pytest.raises(Unreadable, match="20000 files"):
        archive.members(listing + end, "many.zip")


def test_too_many_files_and_encrypted_ones_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bytearray(zipped("a.py", "b.py"))
    at = data.index(b"PK\x01\x02")
    data[at + 8] |= 1
    locked, free = from_zip(tmp_path, bytes(data))
    assert "encrypted" in reasons(locked)[0] and not reasons(free)
    monkeypatch.setattr(archive, "MAX_FILES", 1)
    with pytest.raises(Unreadable, match="more than 1 files"):
        from_zip(tmp_path, bytes(data))


def test_names_in_other_encodings_are_read(tmp_path: Path) -> None:
    for raw in ("张三.py".encode(), "张三.py".encode("gbk")):
        placeholder = "x" * len(raw)
        data = zipped(placeholder).replace(placeholder.encode(), raw)
        assert [entry.learner for entry in from_zip(tmp_path, data)] == ["张三"]


def test_a_damaged_zip_in_a_folder_is_a_learner_with_a_reason(tmp_path: Path) -> None:
    (tmp_path / "li.zip").write_bytes(zipped("a.py")[:40])
    (entry,) = entries(tmp_path)
    assert entry.learner == "li" and "can't be unpacked" in reasons(entry)[0]


GOOD = zipped("a.py", "b/hw.ipynb", "c.zip", **{"c.zip": zipped("q.py"), "a.py": b"x" * 5000})


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), max_size=12), st.integers(0, len(GOOD)))
def test_mutated_zips_raise_nothing_but_unreadable(changes: list[tuple[int, int]], end: int) -> None:
    data = bytearray(GOOD)
    for at, byte in changes:
        data[at] = byte
    try:
        found = archive.members(bytes(data[: end or None]), "z.zip")
    except Unreadable:
        return
    for one in found:
        if one.read is not None:
            try:
                one.read()
            except Unreadable as problem:
                assert problem.reason.en and problem.reason.zh
