"""The stations of one round in vLLM's GPU model runner V2: where each is in the code, and in what order they come.

Line numbers are those of COMMIT (7 August 2026); the documentation is that of the newest version.
"""
from __future__ import annotations

from typing import NamedTuple

COMMIT = "72c0d6765793e4c7242c3586274af3e1a8aca170"
CODE = f"https://github.com/vllm-project/vllm/blob/{COMMIT}/vllm/v1"
DOCS = "https://docs.vllm.ai/en/latest/api/vllm/v1"


class Station(NamedTuple):
    """`file`: under vllm/v1. `function`: what stands at `line`. `label`: the function, short enough for its box."""

    id: str
    group: str
    file: str
    line: int
    function: str
    label: str

    @property
    def code(self) -> str:
        return f"{CODE}/{self.file}#L{self.line}"

    @property
    def docs(self) -> str:
        return f"{DOCS}/{self.file.removesuffix('.py')}/"


SCHEDULER, RUNNER, BATCH = "core/sched/scheduler.py", "worker/gpu/model_runner.py", "worker/gpu/input_batch.py"
SAMPLER, KERNELS = (f"worker/gpu/spec_decode/{name}.py" for name in ("rejection_sampler", "rejection_sampler_utils"))
DRAFTER = "worker/gpu/spec_decode/autoregressive/speculator.py"
GROUPS = ("schedule", "prepare", "forward", "verify", "commit", "draft", "correct")
STATIONS = (
    Station("schedule", "schedule", SCHEDULER, 440, "Scheduler.schedule", "schedule"),
    Station("optimistic", "schedule", SCHEDULER, 1326, "Scheduler._update_after_schedule", "after_schedule"),
    Station("layout", "prepare", RUNNER, 962, "GPUModelRunner.prepare_inputs", "prepare_inputs"),
    Station("inputs", "prepare", BATCH, 386, "combine_sampled_and_draft_tokens", "combine_tokens"),
    Station("forward", "forward", RUNNER, 1239, "GPUModelRunner.execute_model", "execute_model"),
    Station("logits", "forward", RUNNER, 1173, "GPUModelRunner.sample", "sample"),
    Station("parameters", "verify", SAMPLER, 129, "RejectionSampler._verify", "_verify"),
    Station("rule", "verify", KERNELS, 922, "rejection_sample", "rejection_sample"),
    Station("count", "commit", BATCH, 460, "get_num_sampled_and_rejected", "num_rejected"),
    Station("commit", "commit", BATCH, 541, "post_update", "post_update"),
    Station("propose", "draft", DRAFTER, 135, "AutoRegressiveSpeculator.propose", "propose"),
    Station("keep", "draft", RUNNER, 1633, "GPUModelRunner.sample_tokens", "draft_tokens"),
    Station("correct", "correct", SCHEDULER, 1679, "Scheduler.update_from_output", "from_output"),
    Station("append", "correct", SCHEDULER, 2114, "Scheduler._update_request_with_output", "update_request"),
)  # fmt: skip
