"""Every listed way to verify wrongly is an answer to some exercise, fails a check there, and is in CONTRIBUTING.md."""
from __future__ import annotations

import pytest

from tests.mutant_table import PAGE, Cover, covers, mutants, page

HARMS = {"law", "length only", "edge only", "lossless"}
EQUIVALENT = {"M18"}  # right where the draw has no uniform of its own; may stand among the right answers there

COVERS = covers()


def test_the_list_is_whole() -> None:
    assert [*mutants()] == [f"M{n:02}" for n in range(1, 48)] + [f"B{n:02}" for n in range(1, 11)]
    assert all(mutant["harm"] in HARMS and mutant["is"] for mutant in mutants().values())


def test_answers_name_only_mutants_of_the_list() -> None:
    assert set(COVERS) == set(mutants())


@pytest.mark.parametrize("mutant", mutants())
def test_every_mutant_is_covered_and_none_survives(mutant: str) -> None:
    assert COVERS[mutant], f"{mutant}: {mutants()[mutant]['is']}: no known mistake and no [[wrong]] answer is it"
    assert all(killed(cover) or mutant in EQUIVALENT and cover.right for cover in COVERS[mutant])


def killed(cover: Cover) -> bool:
    return bool(cover.checks) and not cover.right


def test_the_table_is_the_one_that_is_shown() -> None:
    assert PAGE.read_text("utf-8") == page(), "run `python -m tests.mutant_table` and read the difference"
