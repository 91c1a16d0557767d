"""Ten readers at once on the real server: `python -m tests.benchmarks.load`.

It starts the course on a port of its own with an empty database, and goes through every lesson that there is. Two
rounds, both with `--readers` readers (10) who each change something in a figure about once a second, and go on to the
next lesson after ten changes:

1. **at the server**: all readers speak Streamlit's protocol. From the sent change to the end of the figure's run, its
   messages received and unpacked: what ten people wait for the server. Drawing in the browser is not included.
2. **on the screen**: one of them is a real Chromium without a GPU, on the same cores. From the click to the changed
   text in the page: everything a person waits for, network excepted. Steps of a stepper are measured apart: they never
   ask the server.

Every lesson was opened once before: warm means that. A time is bounded by --seconds for each round (60).
The goals: 95 of 100 changes in less than 300 ms, a lesson in less than 1.5 s.
"""
from __future__ import annotations

import argparse
import asyncio
import os
import platform
import random
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import plotly
import psutil
import streamlit

from lessons.lesson_file import lessons
from tests.benchmarks.load_screen import Times, watch
from tests.benchmarks.reader import Reader
from tests.browser.driver import Server

CHANGES_A_LESSON = 10
PAUSE_S = (0.5, 1.5)  # between an answer and the next change
CHANGE, OPEN, TAB = "a change in a figure", "a lesson from the menu", "the first page of a fresh tab"


def slugs() -> list[str]:
    return [lesson.id.replace("_", "-") for lesson in lessons("en")]


async def read(address: str, number: int, until: float, times: Times) -> Reader:
    """One reader, from the lesson that its number gives on, until the time is up."""
    reader = Reader(address, random.Random(number))
    await asyncio.sleep(number * 0.1)
    times[TAB].append(await reader.connect(""))
    at = number
    while time.monotonic() < until:
        slug = slugs()[at % len(slugs())]
        times[OPEN].append(await reader.open(slug))
        await reader.show_outcomes()
        for _ in range(CHANGES_A_LESSON):
            await asyncio.sleep(reader.chance.uniform(*PAUSE_S))
            if not reader.choices() or time.monotonic() >= until:
                break
            widget = reader.chance.choice(reader.choices())
            figure = widget.key.split(".")[1]
            took = await reader.move(widget)
            times[CHANGE].append(took)
            times[f"  {figure}"].append(took)
        at += 1
    await reader.close()
    return reader


async def warm_up(address: str) -> None:
    reader = Reader(address, random.Random(0))
    await reader.connect("")
    for slug in slugs():
        await reader.open(slug)
        await reader.show_outcomes()
        for widget in reader.choices():
            if widget.element.id in reader.widgets:  # an earlier change may have taken it away
                await reader.move(widget)
    await reader.close()


async def crowd(address: str, readers: int, seconds: float, times: Times) -> list[Reader]:
    until = time.monotonic() + seconds
    return await asyncio.gather(*(read(address, number, until, times) for number in range(readers)))


async def crowd_and_screen(address: str, readers: int, seconds: float, times: Times) -> None:
    """One reader fewer, and a Chromium in a thread of its own."""
    others: Times = defaultdict(list)
    screen = asyncio.to_thread(watch, address, slugs(), seconds, times)
    await asyncio.gather(crowd(address, readers - 1, seconds, others), screen)


def tell(title: str, times: Times) -> None:
    print(f"\n{title:40} {'n':>6} {'p50':>8} {'p95':>8} {'most':>8}   (ms)")
    for name, values in times.items():
        p95 = statistics.quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]
        cells = (statistics.median(values), p95, max(values))
        print(f"{name:40} {len(values):6} " + " ".join(f"{1000 * cell:8.0f}" for cell in cells))


def ordered(times: Times, first: Sequence[str]) -> Times:
    return {name: times[name] for name in (*first, *sorted(set(times) - set(first))) if times[name]}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--readers", type=int, default=10)
    arguments.add_argument("--seconds", type=float, default=60.0)
    arguments.add_argument("--no-screen", action="store_true", help="without the second round: no Chromium needed")
    chosen = arguments.parse_args()
    print(f"{platform.platform()}, {os.cpu_count()} cores, load before {os.getloadavg()[0]:.1f}; "
          f"Python {platform.python_version()}, Streamlit {streamlit.__version__}, Plotly {plotly.__version__}")
    print(f"{chosen.readers} readers, {len(slugs())} lessons, {chosen.seconds:g} s a round")
    with tempfile.TemporaryDirectory() as data:
        server = Server(Path(data))
        try:
            server.start()
            assert server.process is not None
            process = psutil.Process(server.process.pid)
            asyncio.run(warm_up(server.url))
            _rounds(server.url, process, chosen)
        finally:
            server.stop()


def _rounds(address: str, process: psutil.Process, chosen: argparse.Namespace) -> None:
    times: Times = defaultdict(list)
    before, started = sum(process.cpu_times()[:2]), time.monotonic()
    readers = asyncio.run(crowd(address, chosen.readers, chosen.seconds, times))
    spent, lasted = sum(process.cpu_times()[:2]) - before, time.monotonic() - started
    tell("at the server", ordered(times, (CHANGE, OPEN, TAB)))
    runs = sum(len(times[name]) for name in (CHANGE, OPEN, TAB))
    print(f"server: {spent / lasted:.0%} of one core, {1000 * spent / runs:.0f} ms of processor time a run, "
          f"{sum(reader.received for reader in readers) / runs / 1000:.0f} kB a run, "
          f"{process.memory_info().rss / 2**20:.0f} MiB at the end")
    if not chosen.no_screen:
        seen: Times = defaultdict(list)
        asyncio.run(crowd_and_screen(address, chosen.readers, chosen.seconds, seen))
        tell("on the screen", seen)


if __name__ == "__main__":
    main()
