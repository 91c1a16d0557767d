"""Does a lab run make other readers' pages slow? `python -m tests.benchmarks.lab_beside_pages`.

Ten readers of a lesson with three figures let it run again, whole, every one to three seconds: how long from the
request until the server has sent the page. Blocks of half a minute without a lab run and with one after the other take
turns, so that both see the same machine. Readers are clients of Streamlit's protocol in one process, on the same
processors as the server; nothing is drawn. The lab's reader presses Run again as soon as a run has ended.
"""
from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))
from driver import Server

LESSON, LAB = "why-exact", "lab"
NAMES = {False: "without a lab run", True: "with lab runs"}
READERS = 10
THINK = (1.0, 3.0)  # seconds
PATIENCE = 120.0


class Reader:
    """One session at one page. `buttons`: their ids by key; `polls`: fragments that want to be rerun every second."""

    def __init__(self, port: int, page: str) -> None:
        self._port, self._page = port, page
        self.buttons: dict[str, str] = {}
        self.polls: set[str] = set()
        self._asked: set[str] = set()

    async def __aenter__(self) -> Reader:
        self._socket = await websockets.connect(
            f"ws://127.0.0.1:{self._port}/_stcore/stream", subprotocols=["streamlit"],  # type: ignore[list-item]
            max_size=None, origin=f"http://127.0.0.1:{self._port}", compression=None,  # type: ignore[arg-type]
        )  # fmt: skip
        await self.rerun()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._socket.close()

    async def rerun(self, fragment: str = "", pressed: str = "", patience: float = PATIENCE) -> float:
        """Seconds until the script has finished."""
        with contextlib.suppress(TimeoutError):  # a rerun that the page has asked for itself
            while True:
                self._told(await asyncio.wait_for(self._socket.recv(), 0.01))
        message = BackMsg()
        asked = message.rerun_script
        asked.query_string, asked.page_name, asked.fragment_id = "lang=en", self._page, fragment
        if pressed:
            widget = asked.widget_states.widgets.add()
            widget.id, widget.trigger_value = pressed, True
        started = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        while not self._told(await asyncio.wait_for(self._socket.recv(), patience)):
            pass
        return time.perf_counter() - started

    def _told(self, data: Any) -> bool:
        """Takes one message in; whether it was the last of a run."""
        message = ForwardMsg.FromString(data)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self._asked = set()
        elif kind == "auto_rerun":
            self._asked.add(message.auto_rerun.fragment_id)
        elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
            self.polls = self._asked  # of the whole page
        elif kind == "delta":
            element = message.delta.new_element
            if element.WhichOneof("type") == "exception":
                raise RuntimeError(element.exception.message)
            if element.WhichOneof("type") == "button":
                self.buttons[element.button.id.rpartition("-")[2]] = element.button.id
        return kind == "script_finished"


async def read(port: int, until: float, times: list[float]) -> None:
    rng = random.Random(len(times))
    async with Reader(port, LESSON) as reader:
        while time.monotonic() < until:
            await asyncio.sleep(rng.uniform(*THINK))
            times.append(await reader.rerun())


async def use_the_lab(port: int, until: float, runs: list[float]) -> None:
    """Run after run, looking every second as the page does."""
    async with Reader(port, LAB) as reader:
        while time.monotonic() < until:
            started = time.monotonic()
            await reader.rerun(pressed=reader.buttons["lab_run"])
            while reader.polls:
                await asyncio.sleep(1.0)
                for poll in list(reader.polls):
                    with contextlib.suppress(TimeoutError):  # Streamlit may make one rerun of two requests
                        await reader.rerun(poll, patience=5.0)
                if time.monotonic() > until:
                    return  # the reader leaves, and the run ends
            runs.append(time.monotonic() - started)


async def block(port: int, seconds: float, lab: bool) -> tuple[list[float], list[float]]:
    times: list[float] = []
    runs: list[float] = []
    until = time.monotonic() + seconds
    everyone = [read(port, until, times) for _ in range(READERS)]
    await asyncio.gather(*everyone, *([use_the_lab(port, until, runs)] if lab else []))
    return times, runs


def p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=30.0)
    options.add_argument("--pairs", type=int, default=3)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as data, contextlib.ExitStack() as stack:
        server = Server(Path(data))
        stack.callback(server.stop)
        server.start()
        asyncio.run(block(server.port, 5.0, lab=False))  # warm
        found: dict[bool, list[float]] = {False: [], True: []}
        for _ in range(given.pairs):
            for lab in (False, True):
                times, runs = asyncio.run(block(server.port, given.seconds, lab))
                found[lab] += times
                load = f"load {os.getloadavg()[0]:.1f}"
                print(f"{NAMES[lab]}: {told(times)}; {len(runs)} lab runs ended; {load}", flush=True)
    for lab, times in found.items():
        print(f"all {NAMES[lab]}: {told(times)}")


def told(times: list[float]) -> str:
    return f"{len(times)} reruns, median {1e3 * statistics.median(times):.0f} ms, p95 {1e3 * p95(times):.0f} ms"


if __name__ == "__main__":
    main()
