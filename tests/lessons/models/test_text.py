"""What the models learned from, and what they bring along: size, licence, no PyTorch."""
from __future__ import annotations

import gzip
import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

import lessons.models.text as text_module
from lessons.models.alphabet import ALPHABET, SIZE, decode, encode
from lessons.models.making.clean import SOURCE_SHA256, is_coarse
from lessons.models.text import TEXT, split

MODELS = Path(text_module.__file__).parent
NOTE = (MODELS / "README.md").read_text(encoding="utf-8")


def test_the_text_is_the_one_that_the_note_pins() -> None:
    content = gzip.decompress(TEXT.read_bytes())
    assert hashlib.sha256(content).hexdigest() in NOTE
    assert SOURCE_SHA256 in NOTE and "Jargon File 4.4.7" in NOTE and "public domain" in NOTE


def test_no_coarse_entry_is_left() -> None:
    entries = gzip.decompress(TEXT.read_bytes()).decode("ascii").splitlines()
    assert len(entries) > 1900
    assert not [entry for entry in entries if is_coarse(entry)]


@pytest.mark.parametrize("coarse", ["a crapped out disk", "SUCKS: rots", "it was all drugs", "screw it"])
def test_coarse_words_are_known(coarse: str) -> None:
    assert is_coarse(coarse)


def test_words_that_only_begin_like_a_coarse_one_stay() -> None:
    assert not is_coarse("assembler: a class of screwdriver for buttons, hello")


def test_every_character_is_a_token_and_comes_back() -> None:
    learned, held_out = split()
    assert len(learned) > 15 * len(held_out) > 0
    assert decode(encode(ALPHABET)) == ALPHABET and SIZE == 96
    with pytest.raises(ValueError, match="'é' is no token"):
        encode("café")


def test_everything_together_is_below_four_megabytes() -> None:
    files = [file for file in MODELS.rglob("*") if file.is_file() and "__pycache__" not in file.parts]
    assert sum(file.stat().st_size for file in files) < 4_000_000


def test_the_models_run_without_pytorch_and_without_a_network() -> None:
    program = (
        "import socket, sys; socket.socket = None\n"
        "from lessons.figures.real_text.state import State, rounds\n"
        "rounds(State()); print('torch' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "False"
