"""The text that target and drafts learned from: the Jargon File 4.4.7, cleaned. Where it's from: README.md."""
from __future__ import annotations

import gzip
from pathlib import Path

from lessons.models.alphabet import Tokens, encode

TEXT = Path(__file__).parent / "jargon.txt.gz"
EVERY = 20  # each twentieth entry is held out


def split() -> tuple[Tokens, Tokens]:
    """What the models learn from, and what is held out to measure them."""
    entries = gzip.decompress(TEXT.read_bytes()).decode("ascii").splitlines(keepends=True)
    held_out = "".join(entries[::EVERY])
    learned = "".join(entry for number, entry in enumerate(entries) if number % EVERY)
    return encode(learned), encode(held_out)
