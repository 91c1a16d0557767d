"""The numbers of “Inside vLLM”: the round's bookkeeping, block verification by enumeration, the shared noise."""
from __future__ import annotations

from functools import cache, partial
from typing import Any

from lessons.figures.kv_slots.build import State, committed
from solutions.block_verification import TOY, block_verify, first_failure, mean_accepted
from solutions.joint_law import Law, Verifier, completed, distance, emitted_law, target_law
from solutions.law import total_variation
from solutions.shared_noise import shared_noise_ledger
from solutions.speculative_step.solution import speculative_step
from solutions.trees import Tree
from tests.lessons.claims.kinds import Claim, Computed, Sourced, Written

FLOATS = Tree(lambda tokens: [float(mass) for mass in TOY.target(tokens)], lambda t: [float(q) for q in TOY.draft(t)])
TARGET, DRAFT = (0.2, 0.4, 0.4), (0.6, 0.3, 0.1)


@cache
def emitted(verifier: Verifier) -> Law:
    return emitted_law(verifier, FLOATS, 2)


STOPPED = partial(block_verify, kept_by=first_failure)


def accepted(verifier: Verifier) -> Computed:
    return Computed(lambda: float(mean_accepted(emitted(verifier))))


def apart(verifier: Verifier) -> Computed:
    return Computed(lambda: distance(completed(emitted(verifier), FLOATS, 3), target_law(FLOATS, 3)))


def after(name: str, computed: int = 10, drafts: int = 3, kept: int = 1) -> Computed:
    def value() -> Any:
        told = committed(State(computed, drafts, kept))
        return told | {"ahead": told["num_computed_tokens"] + told["num_rejected"]}

    return Computed(lambda: float(value()[name]))


def noise_law() -> str:
    return "(" + ", ".join(f"{mass:.3f}" for mass in shared_noise_ledger(TARGET, DRAFT).law) + ")"


NOISE = Computed(lambda: total_variation(shared_noise_ledger(TARGET, DRAFT).law, TARGET))

CLAIMS: dict[str, Claim] = {
    "ahead": after("ahead"),
    "sampled": after("num_sampled"),
    "rejected": after("num_rejected"),
    "corrected": after("num_computed_tokens"),
    "token_accepted": accepted(speculative_step),
    "token_distance": apart(speculative_step),
    "block_accepted": accepted(block_verify),
    "block_distance": apart(block_verify),
    "stopped_accepted": accepted(STOPPED),
    "stopped_distance": apart(STOPPED),
    "noise_law": Written(noise_law),
    "noise_distance": NOISE,
    "noise_rate": Computed(lambda: sum(shared_noise_ledger(TARGET, DRAFT).accepted)),
    "sampler_share": Sourced("2601.11580"),
    "pass_share": Sourced("2601.11580"),
    "early_share": Sourced("vllm/issues/13498"),
    "quiz_ahead": after("ahead", 20, 5, 3),
    "quiz_corrected": after("num_computed_tokens", 20, 5, 3),
    "quiz_distance": NOISE,
}
