"""The Jargon File as Debian packs it -> plain ASCII paragraphs, one dictionary entry each, coarse entries left out."""
from __future__ import annotations

import gzip
import hashlib
import re
from pathlib import Path

# Of jargon.dict.dz in Debian's dict-jargon 4.4.7-3.1.
SOURCE_SHA256 = "856ced964d3a3cfd79a3dc251df04365eefd848966e3ae94e58f2671d6e79ca5"
COARSE = Path(__file__).parent / "coarse.txt"
_PLAIN = str.maketrans(
    {
        "‘": "'", "’": "'", "“": '"', "”": '"', "—": "--", "´": "'", "·": ".", "\N{SOFT HYPHEN}": "", "−": "-",
        "™": "(TM)", "×": "x", "ö": "o", "ü": "u", "é": "e", "ê": "e", "è": "e", "ä": "a", "à": "a", "ï": "i",
        "É": "E", "Ø": "O", "æ": "ae", "ß": "ss", "µ": "u", "{": "", "}": "",
    }
)
_DRAWING = re.compile(r"[│┼┤├┴┬┘└┐┌─□]")


def clean(packed: Path) -> str:
    """The text, entries in the source's order, one a line: `headword: definition`.

    packed: jargon.dict.dz. Raises ValueError where it's another version's.
    """
    found = hashlib.sha256(packed.read_bytes()).hexdigest()
    if found != SOURCE_SHA256:
        raise ValueError(f"{packed} has SHA-256 {found}; jargon.dict.dz of dict-jargon 4.4.7-3.1 has {SOURCE_SHA256}")
    with gzip.open(packed, "rt", encoding="utf-8") as file:
        entries = re.split(r"\n(?=[^\s])", file.read())
    return "".join(f"{text}\n" for text in map(_entry, entries) if text and not is_coarse(text))


def _entry(raw: str) -> str:
    """One entry as a line of printable ASCII; empty where there is nothing to read (headers, drawings, tables)."""
    head, _, body = raw.strip().partition("\n")
    if head.startswith(("00-database", "http://", "The original data")) or _DRAWING.search(raw):
        return ""
    body = re.sub(r"^ *(/[^\n]*/)?,? *([a-z./ ]+\.)? *\n", "", body, count=1)  # pronunciation and part of speech
    text = re.sub(r"(?<=[“‘({\[])\s+|\s+(?=[”’)}\]])", "", f"{head}: {body}").translate(_PLAIN)
    text = re.sub(r"\s+", " ", text).strip()
    return text if text.isascii() and text.isprintable() and len(text) > len(head) + 20 else ""


def is_coarse(text: str) -> bool:
    return _COARSE.search(text) is not None


def _pattern() -> re.Pattern[str]:
    lines = COARSE.read_text(encoding="ascii").splitlines()
    words = [re.escape(line.rstrip("*")) + r"\w*" * line.endswith("*") for line in lines if not line.startswith("#")]
    return re.compile(rf"(?<!\w)(?:{'|'.join(words)})(?!\w)", re.IGNORECASE)


_COARSE = _pattern()
