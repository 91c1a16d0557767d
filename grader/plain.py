"""Text from outside (names, values, answers) made harmless to write and to print."""
from __future__ import annotations


def printable(text: str, keep: str = "") -> str:
    """Control characters, direction marks and lone surrogates as escapes (`\\x1b`); those in `keep` stay."""
    return "".join(one if one.isprintable() or one in keep else ascii(one)[1:-1] for one in text)


def writable(text: str) -> str:
    """The text with lone surrogates (a broken paste) as question marks: no file, page or database takes them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def cut(text: str, size: int) -> str:
    """The text's beginning in at most `size` bytes of UTF-8: file systems count bytes, not letters."""
    return text.encode("utf-8", "replace")[:size].decode("utf-8", "ignore")
