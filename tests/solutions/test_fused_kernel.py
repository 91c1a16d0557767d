"""The fused Triton kernel: interpreted on a CPU it's exact, it compiles for GPUs that aren't here, and runs on one."""
from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch

pytest.importorskip("triton", reason="triton is not installed: it is there for Linux on x86_64")

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from solutions.batch import fused_triton
from tests.solutions.fused_cases import CASES

ROOT = Path(__file__).resolve().parents[2]
POINTERS = ("tokens", "counts", "drafts", "ends", "coins", "draws")
AMPERE, HOPPER = 80, 90


@pytest.fixture(scope="module")
def problems() -> dict[str, str]:
    """What was wrong with each case under the interpreter."""
    command = [sys.executable, "-m", "tests.solutions.fused_cases"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert ended.returncode == 0, ended.stderr
    found: dict[str, str] = json.loads(ended.stdout)
    return found


@pytest.mark.parametrize("case", CASES)
def test_interpreted_on_a_cpu(problems: dict[str, str], case: str) -> None:
    assert problems[case] == ""


@pytest.mark.parametrize(
    ("logits", "rows", "capability", "tile", "tiles"),
    [(False, "*fp32", AMPERE, 4096, 8), (True, "*fp32", HOPPER, 4096, 32), (True, "*bf16", HOPPER, 16, 1)],
)
def test_it_compiles_for_gpus_that_are_not_here(
    logits: bool, rows: str, capability: int, tile: int, tiles: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The interpreter doesn't know the compiler's rules: the types of a loop's variables, of both ways of an if."""
    monkeypatch.setenv("TRITON_CACHE_DIR", str(tmp_path))
    types = {name: "*fp64" if name in ("coins", "draws") else "*i64" for name in POINTERS}
    types |= {"target": rows, "draft": rows, "size": "i32", "width": "i32"}
    fixed = {"WIDTH": 8, "TILE": tile, "TILES": tiles, "LOGITS": logits, "KIND": tl.float32}
    source = ASTSource(fused_triton._verify, types | dict.fromkeys(fixed, "constexpr"), constexprs=fixed)
    compiled = triton.compile(source, target=GPUTarget("cuda", capability, 32), options={"num_warps": 8})
    assert compiled.asm["cubin"]


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="PyTorch sees no CUDA device")
@pytest.mark.parametrize("case", CASES)
def test_on_a_gpu(case: str) -> None:
    CASES[case]("cuda")
