"""How fast a batch is verified, beside other ways to do it: `python -m tests.benchmarks.verification`.

One process, one thread, in turns of some milliseconds, so that all see the same machine. Each call gets the next of
many batches, 128 MB of them, so that its rows come from memory and not from the cache. Uniforms are drawn within the
timing by all. The engine is given probabilities, and trusts them. transformers' function takes logits, so its softmax
is in its time; a column beside it says how much that is.

The floor is the time that memory needs to bring the rows that must be read, two for a rejected request and one for the
others, at the best read bandwidth that was seen anywhere in the run. Needs PyPI at the first run: transformers goes
into an environment of its own, build/transformers-venv, which takes PyTorch and NumPy from this one.
"""
from __future__ import annotations

import argparse
import itertools
import os
import platform
import shutil
import statistics
import subprocess
import sys
import sysconfig
import time
import venv
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
TRANSFORMERS = "transformers==5.24.0"
ENVIRONMENT = ROOT / "build" / "transformers-venv"
SHAPES = ((1, 4, 32000), (16, 4, 32000), (64, 4, 32000), (256, 4, 8192), (4096, 4, 16), (64, 8, 128256))
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
TIMES_TRANSFORMERS, TIMES_NAIVE, OF_FLOOR = 30, 10, 0.4
TURN = 0.02  # seconds at least of one verifier, then it is the next one's turn


@dataclass
class Shape:
    """What was measured on one shape: seconds of every call by verifier, and how many rows had to be read in a call."""

    name: tuple[int, int, int]
    seconds: dict[str, list[float]] = field(default_factory=dict)
    rows: list[int] = field(default_factory=list)

    def best(self, *names: str) -> float:
        return min(min(self.seconds[name]) for name in names if name in self.seconds)

    def floor(self, bandwidth: float) -> float:
        return statistics.fmean(self.rows) * 4 * self.name[2] / bandwidth


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=20.0, help="how long each shape is raced, at least 8 rounds")
    given = options.parse_args()
    inside = ENVIRONMENT / "bin" / "python"
    if Path(sys.prefix) != ENVIRONMENT:
        install()
        command = [str(inside), "-m", "tests.benchmarks.verification", *sys.argv[1:]]
        sys.exit(subprocess.run(command, cwd=ROOT, env=os.environ | ONE_THREAD).returncode)
    race(given.seconds)


def install() -> None:
    """An environment with transformers that sees the packages of this one."""
    if not any(ENVIRONMENT.glob("lib/*/site-packages/transformers")):
        venv.create(ENVIRONMENT, with_pip=True)
        packages = next(ENVIRONMENT.glob("lib/*/site-packages"))
        (packages / "course.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
        subprocess.run([ENVIRONMENT / "bin" / "pip", "install", "-q", TRANSFORMERS], check=True)


def race(seconds: float) -> None:
    import torch

    from solutions.lab import memory

    torch.set_num_threads(1)
    reads = memory.readers()
    bandwidth, shapes = 0.0, []
    for name in SHAPES:
        print(f"racing {name}", file=sys.stderr, flush=True)
        shape = Shape(name)
        bandwidth = max(bandwidth, race_on(shape, reads, seconds))
        shapes.append(shape)
    report(shapes, bandwidth)


def race_on(shape: Shape, reads: list[tuple[int, Callable[[], Any]]], seconds: float) -> float:
    """Fill in the shape's times; returns the best read bandwidth that was seen, in bytes a second."""
    from tests.benchmarks.verifiers import ENGINE, OTHERS, copies

    given = copies(*shape.name)
    compiler = shutil.which(os.environ.get("CXX", "c++")) or shutil.which("g++")
    engine = {name: make for name, make in ENGINE.items() if compiler or "compiled" not in name}
    verifiers = {name: itertools.cycle([make(one) for one in given]) for name, make in (engine | OTHERS).items()}
    check_equal(given[0], bool(compiler))
    shape.seconds = {name: [] for name in verifiers}
    bandwidth, started, rounds = 0.0, time.monotonic(), 0
    while rounds < 8 or time.monotonic() - started < seconds:
        rounds += 1
        for size, read in reads:
            bandwidth = max(bandwidth, size / timed(read)[0])
        for name, calls in verifiers.items():
            shape.seconds[name] += turn(shape, calls, counts=name == "engine, NumPy")
    return bandwidth


def turn(shape: Shape, calls: Iterator[Callable[[], Any]], counts: bool) -> list[float]:
    """Seconds of each call, one at least; the first of several meets a cold processor and does not count."""
    times: list[float] = []
    while sum(times) < TURN:
        taken, answer = timed(next(calls))
        times.append(taken)
        if counts:  # a rejected request reads two rows, another one
            shape.rows.append(shape.name[0] + int((answer[1] <= shape.name[1]).sum()))
    return times[1:] or times


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    started = time.perf_counter()
    answer = call()
    return time.perf_counter() - started, answer


def check_equal(given: Any, compiled: bool) -> None:
    """The engine's paths give the same counts; hardly ever another last token, where float32 sums straddle a draw."""
    import torch

    from solutions.batch import fast_numpy, fast_torch
    from solutions.batch.batch import Batch
    from tests.benchmarks.verifiers import flat

    batch = flat(given, np.random.default_rng(3))
    tokens, counts = fast_numpy.verify(batch)
    tensors = Batch(*map(torch.from_numpy, batch))
    for step in (fast_torch.verify, *([fast_torch.verify_compiled] if compiled else [])):
        others, theirs = step(tensors)
        assert (theirs.numpy() == counts).all(), step
        assert (others.numpy() != tokens).sum() <= 1 + len(counts) // 500, step


# --- the result ------------------------------------------------------------------------------------------------------


def report(shapes: list[Shape], bandwidth: float) -> None:
    print(f"{machine()}; {bandwidth / 1e9:.1f} GB/s read\n")
    names = [name for name in shapes[0].seconds]
    print("Microseconds a call, best (median):\n")
    print_table(["B, K, V", *names], [[label(shape), *(spent(shape, name) for name in names)] for shape in shapes])
    print("\nThe engine's best path:\n")
    head = ["B, K, V", "path", "µs", "floor µs", "of the floor", "× transformers", "× naive loop", "draft tokens/s"]
    print_table(head, [result(shape, bandwidth) for shape in shapes])
    print("\n" + "\n".join(targets(shapes, bandwidth)))


def print_table(head: list[str], rows: list[list[str]]) -> None:
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def label(shape: Shape) -> str:
    return ", ".join(map(str, shape.name))


def spent(shape: Shape, name: str) -> str:
    times = shape.seconds[name]
    return f"{1e6 * min(times):,.0f} ({1e6 * statistics.median(times):,.0f})"


def engine_paths(shape: Shape) -> list[str]:
    return [name for name in shape.seconds if name.startswith("engine")]


def result(shape: Shape, bandwidth: float) -> list[str]:
    best = shape.best(*engine_paths(shape))
    path = next(name for name in engine_paths(shape) if shape.best(name) == best).removeprefix("engine, ")
    floor = shape.floor(bandwidth)
    ratios = [f"{shape.best(name) / best:.1f}" for name in ("transformers", "naive loop")]
    times = [f"{1e6 * best:,.0f}", f"{1e6 * floor:,.1f}", f"{floor / best:.0%}"]
    return [label(shape), path, *times, *ratios, f"{shape.name[0] * shape.name[1] / best:,.0f}"]


def targets(shapes: list[Shape], bandwidth: float) -> list[str]:
    return [f"({label(shape)}): " + ("; ".join(missed(shape, bandwidth)) or "all targets reached") for shape in shapes]


def missed(shape: Shape, bandwidth: float) -> list[str]:
    best = shape.best(*engine_paths(shape))
    aims = [("transformers", TIMES_TRANSFORMERS), ("naive loop", TIMES_NAIVE)]
    times = [(name, shape.best(name) / best, aim) for name, aim in aims]
    found = [f"{got:.1f} times {name}, not {aim}" for name, got, aim in times if got < aim]
    of_floor = shape.floor(bandwidth) / best
    if shape.name[0] >= 16 and shape.name[2] >= 32000 and of_floor < OF_FLOOR:
        found.append(f"{of_floor:.0%} of the floor, not {OF_FLOOR:.0%}")
    return found


def machine() -> str:
    import torch
    import transformers

    names = [line for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")]
    processor = names[0].partition(":")[2].strip() if names else platform.processor()
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}, PyTorch {torch.__version__}"
    load = ", ".join(f"{one:.1f}" for one in os.getloadavg())
    return f"{os.cpu_count()} x {processor}, load {load}; {versions}, transformers {transformers.__version__}; 1 thread"


if __name__ == "__main__":
    main()
