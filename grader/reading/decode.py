"""Bytes to text, whatever editor, mail program or disk the bytes went through."""
from __future__ import annotations

import codecs
import re
from statistics import median

from exercises.expect import Text
from grader.reading.notes import text

MAX_BYTES = 128 << 20  # a notebook's outputs can be this large; what is left without them has its own cap

_MARKS = (  # the longer byte order marks first: UTF-32's begins with UTF-16's
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DISGUISES = (  # first bytes of other formats saved under a notebook's name
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "GZIP"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"{\\rtf", "RTF"),
    (b"\xd0\xcf\x11\xe0", "Word"),
)
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,500}?-->\s*)?<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)


class Unreadable(Exception):
    """The file can't be read; `reason` says why and where, in both languages."""

    def __init__(self, reason: Text) -> None:
        self.reason = reason
        super().__init__(reason.en)


def unreadable(key: str, **slots: object) -> Unreadable:
    return Unreadable(text(f"unreadable.{key}", **slots))


def decode(data: bytes) -> tuple[str, list[Text]]:
    """The text of a file, newlines as \\n, and notes on what had to be mended.

    Raises Unreadable for an empty file, one that is too large, and one that is another format.
    """
    if len(data) > MAX_BYTES:
        raise unreadable("too_large", size=len(data) >> 20, limit=MAX_BYTES >> 20)
    _refuse_disguises(data)
    content, encoding, notes = _without_mark(data)
    stripped = content if encoding != "utf-8" else content.strip(b"\0")
    if len(stripped) != len(content):
        notes.append(text("mended.nul_padding", count=len(content) - len(stripped)))
    if not stripped.strip():
        raise unreadable("empty", size=len(data))
    decoded, more = _decoded(stripped, encoding)
    return decoded.replace("\r\n", "\n").replace("\r", "\n"), notes + more


def whole(source: str) -> str:
    """Surrogate pairs joined, lone ones replaced by U+FFFD, so that the text can be written anywhere."""
    return source.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _refuse_disguises(data: bytes) -> None:
    for start, kind in _DISGUISES:
        if data.startswith(start):
            raise unreadable("disguised", kind=kind)
    content, encoding, _ = _without_mark(data[:2000])
    begin = content if encoding == "utf-8" else content.decode(encoding, "replace").encode()
    if _HTML.match(begin):
        raise unreadable("disguised", kind="HTML")


def _without_mark(data: bytes) -> tuple[bytes, str, list[Text]]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :], encoding, [text("mended.byte_order_mark", encoding=encoding.upper())]
    first, second = data[:256:2], data[1:256:2]
    if b"\0" not in first and second.count(0) > len(second) / 2:  # Latin text in UTF-16, its mark lost
        return data, "utf-16-le", [text("mended.no_byte_order_mark")]
    return data, "utf-8", []


def _decoded(data: bytes, encoding: str) -> tuple[str, list[Text]]:
    if encoding != "utf-8":
        return whole(data.decode(encoding, "replace")), []
    try:
        return data.decode("utf-8"), []
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
    if _looks_chinese(data):
        return data.decode("gb18030"), [text("mended.gb18030")]
    return data.decode("utf-8", _WESTERN), [text("mended.western_bytes", line=line)]


def _looks_chinese(data: bytes) -> bool:
    """GB18030 text has bytes above 127 in pairs, few of which happen to be UTF-8; a stray Western byte stands alone."""
    runs = [len(run) for run in re.findall(rb"[\x80-\xff]+", data)]
    above = [one for one in data.decode("utf-8", "replace") if ord(one) > 127]
    if median(runs) < 2 or above.count("\ufffd") * 2 < len(above):
        return False
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        return False
    return True


def _western_bytes(error: UnicodeError) -> tuple[str, int]:
    """Decodes what can't be UTF-8 as Windows-1252, or as Latin-1 where that has no character."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    bad = (error.object[at : at + 1] for at in range(error.start, error.end))
    return "".join(one.decode("cp1252", "ignore") or one.decode("latin-1") for one in bad), error.end


_WESTERN = "grader.reading.western-bytes"
codecs.register_error(_WESTERN, _western_bytes)
