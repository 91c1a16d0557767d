"""The exhibits in the order shown: what each is, and its public reports. The laws are in laws.py.

States of reports are those of the stored copies that were read in November 2026.
"""
from __future__ import annotations

from typing import NamedTuple

CLASSES = ("laws", "accept", "randomness", "residual", "placeholders", "state")


class Report(NamedTuple):
    """kind: pull or issues, as in the address. state: open, merged or closed."""

    repository: str
    number: int
    kind: str
    state: str

    @property
    def name(self) -> str:
        return f"{self.repository.rpartition('/')[2]}#{self.number}"

    @property
    def address(self) -> str:
        return f"https://github.com/{self.repository}/{self.kind}/{self.number}"


class Exhibit(NamedTuple):
    """case: exhibits of one case have the same target and draft, so their pictures can be compared."""

    id: str
    group: str
    case: str
    reports: tuple[Report, ...]


def _pull(repository: str, number: int, state: str = "merged") -> Report:
    return Report(repository, number, "pull", state)


def _issue(repository: str, number: int, state: str = "closed") -> Report:
    return Report(repository, number, "issues", state)


VLLM, ASCEND, SGLANG = "vllm-project/vllm", "vllm-project/vllm-ascend", "sgl-project/sglang"
TRANSFORMERS, TENSORRT = "huggingface/transformers", "NVIDIA/TensorRT-LLM"
EXHIBITS = (
    Exhibit("greedy_scored", "laws", "greedy", (_issue(TRANSFORMERS, 32867), _pull(TRANSFORMERS, 33534))),
    Exhibit("raw_scores", "laws", "four", (_issue(TRANSFORMERS, 47932), _pull(TRANSFORMERS, 47961, "closed"))),
    Exhibit("draft_dropped", "laws", "four", (_pull(VLLM, 40269),)),
    Exhibit("request_forgotten", "laws", "request", (_pull(VLLM, 10198),)),
    Exhibit("softmax_twice", "laws", "scores", (_pull(ASCEND, 6685),)),
    Exhibit("wrong_row", "laws", "four", (_pull(TENSORRT, 15098),)),
    Exhibit("argmax_verifier", "accept", "four", (_pull(SGLANG, 32495), _pull(SGLANG, 39253, "open"))),
    Exhibit("constant_coin", "accept", "four", (_pull(ASCEND, 13470),)),
    Exhibit("closed_at_zero", "accept", "edge", (_issue(SGLANG, 35771), _pull(SGLANG, 35798))),
    Exhibit("block_token_residual", "accept", "block", (_pull(ASCEND, 7808),)),
    Exhibit("shared_noise", "randomness", "noise", (_pull(VLLM, 47386, "closed"), _pull(VLLM, 54282))),
    Exhibit("coin_reused", "randomness", "four", (_pull(ASCEND, 16370, "open"),)),
    Exhibit("token_zeroed", "residual", "four", (_issue("SafeAILab/EAGLE", 20),)),
    Exhibit("softmax_residual", "residual", "four", (_pull(TRANSFORMERS, 28508),)),
    Exhibit("residual_floor", "residual", "edge", (_pull(VLLM, 13933),)),
    Exhibit("pad_as_token", "placeholders", "edge", (_pull(VLLM, 54137, "closed"),)),
    Exhibit("pad_residual", "placeholders", "edge", (_pull(VLLM, 46533), _pull(VLLM, 50939))),
    Exhibit("end_inside", "placeholders", "end", (_issue(TRANSFORMERS, 47912), _pull(TRANSFORMERS, 47931))),
    Exhibit("bonus_unmasked", "placeholders", "mask", (_pull(VLLM, 44292, "closed"), _pull(VLLM, 44297))),
    Exhibit("penalties_forgotten", "state", "penalty", (_pull(VLLM, 19482), _pull(TENSORRT, 17701))),
    Exhibit("last_token_counted", "state", "penalty_counts", (_pull(SGLANG, 33643, "open"),)),
    Exhibit("stale_draft_row", "state", "four", (_pull(VLLM, 37639),)),
    Exhibit("stale_state", "state", "urn", (_pull("ml-explore/mlx-lm", 1109),)),
)  # fmt: skip
IDS = [exhibit.id for exhibit in EXHIBITS]
OFFERED = 4  # faults that the reader chooses from
# Not offered there, for with other numbers they could give the very same picture: another row of the target can be any
# law (with the same rate, too), top-k with k = 1 is the most likely token, and a penalty's strength isn't shown.
TOO_ALIKE = {
    "greedy_scored": "raw_scores", "raw_scores": "wrong_row", "request_forgotten": "wrong_row",
    "softmax_twice": "wrong_row", "stale_draft_row": "wrong_row", "penalties_forgotten": "last_token_counted",
}  # fmt: skip


def offered(place: int) -> list[str]:
    """The faults to choose from at one exhibit: its own, and others, of the same case first. Always the same ones."""
    exhibit = EXHIBITS[place]
    behind = [other for other in (*EXHIBITS[place + 1 :], *EXHIBITS[:place]) if other.id != TOO_ALIKE.get(exhibit.id)]
    others = sorted(behind, key=lambda other: other.case != exhibit.case)[: OFFERED - 1]
    names = [other.id for other in others]
    names.insert(place * 7 % OFFERED, exhibit.id)
    return names
