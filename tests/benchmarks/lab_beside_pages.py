"""Does a lab run make other readers' pages slow? `python -m tests.benchmarks.lab_beside_pages`.

The ten readers of `tests.benchmarks.load`, at the server, while an eleventh has the lab run without a pause, and while
nobody does, in blocks that take turns, so that both see the same machine. The lab's reader has the page of the lab open
all the time, and looks at its run every second as the browser does. All share the cores.
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
NAMES = {False: "without a lab run", True: "with lab runs"}


async def use_the_lab(address: str, until: float) -> int:
    """How many runs ended. Nobody looks at the last one any more, so that it ends by itself."""
    reader, runs = Reader(address, random.Random(0)), 0
    await reader.connect("")
    await reader.open("lab")
    while time.monotonic() < until:
        await reader.press(reader.named("lab_run"))
        await reader.rerun("")  # the whole page, as the button asks for
        watched = reader.named("lab_cancel").fragment
        while time.monotonic() < until and reader.named("lab_run").element.disabled:
            await asyncio.sleep(1.0)
            await reader.rerun(watched)
        runs += not reader.named("lab_run").element.disabled
    await reader.close()
    return runs


async def block(address: str, seconds: float, lab: bool) -> tuple[list[float], int]:
    """Seconds of each change in a figure, and how many lab runs ended meanwhile."""
    times: Times = defaultdict(list)
    reading = crowd(address, READERS, seconds, times)
    if not lab:
        await reading
        return times[CHANGE], 0
    _, runs = await asyncio.gather(reading, use_the_lab(address, time.monotonic() + seconds))
    return times[CHANGE], runs


def told(times: list[float]) -> str:
    p95 = statistics.quantiles(times, n=20, method="inclusive")[-1]
    return f"{len(times)} changes, median {1000 * statistics.median(times):.0f} ms, p95 {1000 * p95:.0f} ms"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=20.0, help="of a block")
    options.add_argument("--pairs", type=int, default=5)
    given = options.parse_args()
    found: dict[bool, list[float]] = {False: [], True: []}
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        try:
            server.start()
            asyncio.run(warm_up(server.url))
            for number in range(2 * given.pairs):
                lab = number % 2 == 1
                times, runs = asyncio.run(block(server.url, given.seconds, lab))
                found[lab] += times
                print(f"{NAMES[lab]}: {told(times)}; {runs} ended; load {os.getloadavg()[0]:.1f}", flush=True)
        finally:
            server.stop()
    for lab, times in found.items():
        print(f"all {NAMES[lab]}: {told(times)}")


if __name__ == "__main__":
    main()
