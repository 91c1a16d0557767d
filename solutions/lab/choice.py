"""What a lab run is asked for, what it will take of memory, and what fits. Imports neither NumPy nor PyTorch."""
from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

REQUESTS = (1, 4, 16, 64, 256, 1024, 4096)
DRAFTS = (1, 2, 4, 8, 16)
SIZES = (16, 1000, 8192, 32000, 128256)  # the last two are Llama 2's and Llama 3's vocabularies
DTYPES = {"float32": 4, "bfloat16": 2, "float16": 2, "float64": 8}  # bytes an entry
ALPHAS = (0.3, 0.5, 0.7, 0.8, 0.9)
DEVICES = ("cpu", "cuda")
CPU_RUNS = ("naive", "textbook", "numpy", "eager", "compiled", "own")
RUNS = {"cpu": CPU_RUNS, "cuda": ("naive", "textbook", "eager", "compiled", "triton")}
IN_NUMPY = ("naive", "textbook", "numpy")  # on the CPU

MIB = 1 << 20
GIB = 1 << 30
COLD = {"cpu": 128 * MIB, "cuda": 512 * MIB}  # of rows that are gone through before a batch comes again
MOST_COPIES = 128
OWN_LIMIT = 64 * MIB  # of rows in one call of the reader's own function: they are copied into its process and back


class NotAChoice(ValueError):
    """Something that the lab doesn't offer; the message names it and what there is instead."""


@dataclass(frozen=True)
class Choice:
    """B = requests, K = drafts (the most of a request where ragged), V = size; alpha of the synthetic pair."""

    device: str = "cpu"
    requests: int = 16
    drafts: int = 4
    size: int = 32000
    dtype: str = "float32"
    alpha: float = 0.8
    ragged: bool = False
    logits: bool = False
    runs: tuple[str, ...] = ("naive", "textbook", "numpy", "eager")

    def __post_init__(self) -> None:
        offers: tuple[tuple[str, Any, Iterable[Any]], ...] = (
            ("device", self.device, DEVICES), ("requests", self.requests, REQUESTS), ("drafts", self.drafts, DRAFTS),
            ("size", self.size, SIZES), ("dtype", self.dtype, DTYPES), ("alpha", self.alpha, ALPHAS),
            ("ragged", self.ragged, (False, True)), ("logits", self.logits, (False, True)),
        )  # fmt: skip
        for name, value, offered in offers:
            if value not in offered:
                raise NotAChoice(f"{name} is {value!r}; it must be one of {', '.join(map(str, offered))}")
        others = [run for run in self.runs if run not in RUNS[self.device]]
        if others or not self.runs:
            rule = f"on {self.device} there are {', '.join(RUNS[self.device])}"
            raise NotAChoice(f"runs are {list(self.runs)}; at least one is needed, and {rule}")

    def as_data(self) -> dict[str, Any]:
        return dataclasses.asdict(self)

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Choice:
        """From JSON. Raises NotAChoice, also for missing and unknown names."""
        names = {field.name for field in dataclasses.fields(cls)}
        if set(data) != names:
            raise NotAChoice(f"a choice has {sorted(names)}, not {sorted(data)}")
        return cls(**{**data, "runs": tuple(data["runs"])})

    @property
    def rows(self) -> int:
        """Of both models, at most."""
        return self.requests * (2 * self.drafts + 1)

    @property
    def row_bytes(self) -> int:
        return self.size * DTYPES[self.dtype]

    @property
    def copies(self) -> int:
        """How many different batches are gone through, so that rows come from memory, not from a cache."""
        return max(1, min(MOST_COPIES, -(-COLD[self.device] // (self.rows * self.row_bytes))))

    @property
    def needed(self) -> int:
        """Bytes of memory at the worst moment: all batches, and what the most wasteful run makes of one of them.

        While one is made, its rows are there in float32 once more, and their softmax; the textbook's batch makes the
        residual rows of all draft tokens, with the bonus rows, and their running sums. From logits it has to make
        probabilities of all rows first.
        """
        one = self.rows * self.size * max(4, DTYPES[self.dtype])
        return self.copies * self.rows * self.row_bytes + (4 if self.logits else 3) * one


def fitting(choice: Choice, limit: int) -> Choice | None:
    """The same with as many requests as fit into `limit` bytes, else with a smaller vocabulary too, or None."""
    sizes = [size for size in reversed(SIZES) if size <= choice.size]
    for size in sizes:
        for requests in reversed([count for count in REQUESTS if count <= choice.requests]):
            smaller = dataclasses.replace(choice, size=size, requests=requests)
            if smaller.needed <= limit:
                return smaller
    return None
