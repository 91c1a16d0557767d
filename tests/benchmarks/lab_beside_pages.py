"""Does a lab run make other readers' pages slow? `python -m tests.benchmarks.lab_beside_pages`.

The ten readers of `tests.benchmarks.load`, at the server, and an eleventh at the lab, who has it run for some seconds,
without a pause, then cancels and only reads, in the order off, on, on, off, so that a machine that gets busier or
quieter meanwhile favours neither. The lab's reader looks at the run every second as the browser does. All share the
cores.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from collections import defaultdict
from pathlib import Path

from tests.benchmarks.load import CHANGE, crowd, warm_up
from tests.benchmarks.load_screen import Times
from tests.benchmarks.reader import Reader
from tests.browser.driver import Server

READERS = 10
NAMES = {False: "without a lab run", True: "with a lab run"}
ORDER = (False, True, True, False)
SETTLED = 6.0  # seconds: until the readers have come, or a cancelled run is gone


async def keep_running(reader: Reader, until: float) -> None:
    """Run after run, then Cancel."""
    while time.monotonic() < until:
        await reader.press(reader.named("lab_run"))
        await reader.rerun("")  # the whole page, as the button asks for
        while reader.named("lab_run").element.disabled and time.monotonic() < until:
            await asyncio.sleep(1.0)
            await reader.rerun(reader.named("lab_cancel").fragment)
    if reader.named("lab_run").element.disabled:
        await reader.press(reader.named("lab_cancel"))
    while reader.named("lab_run").element.disabled:
        await asyncio.sleep(0.5)
        await reader.rerun("")


async def alternate(address: str, seconds: float, rounds: int, times: Times) -> dict[bool, list[float]]:
    """Seconds of the changes that ended without and with a lab run."""
    reader = Reader(address, random.Random(0))
    await reader.connect("")
    await reader.open("lab")
    found: dict[bool, list[float]] = {False: [], True: []}
    for lab in ORDER * rounds:
        await asyncio.sleep(SETTLED)
        done, until = len(times[CHANGE]), time.monotonic() + seconds
        if lab:
            running = asyncio.create_task(keep_running(reader, until))
        await asyncio.sleep(seconds)
        found[lab] += times[CHANGE][done:]
        print(f"{NAMES[lab]}: {told(times[CHANGE][done:])}; load {os.getloadavg()[0]:.1f}", flush=True)
        if lab:
            await running
    await reader.close()
    return found


async def measure(address: str, seconds: float, rounds: int) -> dict[bool, list[float]]:
    times: Times = defaultdict(list)
    length = (seconds + SETTLED + 2.0) * len(ORDER) * rounds
    reading = asyncio.create_task(crowd(address, READERS, length, times))
    found = await alternate(address, seconds, rounds, times)
    reading.cancel()
    return found


def told(times: list[float]) -> str:
    p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
    return f"{len(times)} changes, median {1000 * statistics.median(times):.0f} ms, p95 {1000 * p95:.0f} ms"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=15.0, help="of each block")
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        try:
            server.start()
            asyncio.run(warm_up(server.url))
            found = asyncio.run(measure(server.url, given.seconds, given.rounds))
        finally:
            server.stop()
    for lab, times in found.items():
        print(f"all {NAMES[lab]}: {told(times)}")


if __name__ == "__main__":
    main()
