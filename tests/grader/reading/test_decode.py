"""Bytes to text: what editors, mail programs and disks do to a file."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.reading import decode as module
from grader.reading.decode import Unreadable, decode, whole


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le"])
def test_unicode_files_read_alike(encoding: str) -> None:
    assert decode("x = 'é拒'\n".encode(encoding))[0] == "x = 'é拒'\n"


def test_a_byte_order_mark_is_noted() -> None:
    assert [note.en for note in decode(b"\xef\xbb\xbfx = 1")[1]] == [
        "The file is stored as UTF-8 with a byte order mark; read all the same."
    ]


@pytest.mark.parametrize("newline", ["\r\n", "\r", "\n"])
def test_every_newline_becomes_one(newline: str) -> None:
    assert decode(newline.join("abc").encode())[0] == "a\nb\nc"


def test_stray_western_bytes_are_read_and_located() -> None:
    text, notes = decode("à = 1\n".encode() + b"# it\x92s 5 \x80 \x81\n")
    assert text == "à = 1\n# it’s 5 € \x81\n"
    assert "From line 2 on" in notes[0].en and "第 2 行" in notes[0].zh


def test_chinese_encodings_are_recognised() -> None:
    source = "# 拒绝规则：接受概率是目标与草稿之比，最多为 1\nx = 1  # 词元\n"
    text, notes = decode(source.encode("gb18030"))
    assert text == source and "GB18030" in notes[0].en


def test_utf8_text_with_one_stray_byte_is_not_taken_for_chinese() -> None:
    text, _ = decode("# café, naïve, Zoë: déjà vu\n".encode() + b"# don\x92t\n")
    assert text == "# café, naïve, Zoë: déjà vu\n# don’t\n"


def test_zero_padding_is_cut_off_and_counted() -> None:
    text, notes = decode(b"x = 1\n" + b"\0" * 512)
    assert text == "x = 1\n" and "512" in notes[0].en


@pytest.mark.parametrize("data", [b"", b" \n", b"\0" * 99, b"\xef\xbb\xbf"])
def test_empty_files_are_named_so(data: bytes) -> None:
    with pytest.raises(Unreadable, match="is empty"):
        decode(data)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"%PDF-1.7\n", "PDF"),
        (b"PK\x03\x04....", "ZIP"),
        (b"\x89PNG\r\n", "PNG"),
        (b"{\\rtf1 x}", "RTF"),
        (b"\n<!DOCTYPE html><html>", "HTML"),
        (b"\xef\xbb\xbf<!-- saved -->\n<html lang='en'>", "HTML"),
        ("<html>".encode("utf-16"), "HTML"),
    ],
)
def test_other_formats_are_named(data: bytes, kind: str) -> None:
    with pytest.raises(Unreadable, match=f"content is {kind}"):
        decode(data)


def test_a_file_over_the_cap_is_refused_with_its_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 2 << 20)
    with pytest.raises(Unreadable, match="3 MiB; at most 2 MiB"):
        decode(b"x" * (3 << 20))


def test_surrogates_are_paired_or_replaced() -> None:
    assert whole("a\ud83d\ude00b\ud83dc\ude00") == "a😀b\ufffdc\ufffd"


@given(st.binary(max_size=300) | st.text(max_size=99).map(lambda text: text.encode("utf-16", "surrogatepass")))
def test_any_bytes_give_writable_text_or_unreadable(data: bytes) -> None:
    try:
        text, _ = decode(data)
    except Unreadable as problem:
        assert problem.reason.en and problem.reason.zh
    else:
        assert text.encode("utf-8").decode("utf-8") == text and "\r" not in text
