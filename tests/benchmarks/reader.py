"""A virtual reader: speaks Streamlit's protocol over a websocket as the browser does, and draws nothing.

It holds one connection with the learner's cookie, knows the widgets of its page from the messages, and answers with the
same messages as the browser: all widget values set so far, the fragment, the hashes of the messages that it keeps.
"""
from __future__ import annotations

import asyncio
import random
import time
import urllib.request
from dataclasses import dataclass, field
from typing import Any

import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

LONGEST_S = 60.0
MOVED = ("slider", "selectbox", "number_input", "button")  # the kinds of widgets that a reader of a figure moves
LEFT_ALONE = ("show", "hide", "answer")  # buttons of a figure's question


@dataclass(frozen=True)
class Widget:
    kind: str
    fragment: str
    element: Any  # the element's protobuf message

    @property
    def key(self) -> str:
        """The key that our code gave it: Streamlit's id is $$ID-<hash>-<key>."""
        return str(self.element.id).split("-", 2)[-1]


@dataclass
class Reader:
    address: str  # of the server, http://127.0.0.1:PORT
    chance: random.Random
    widgets: dict[str, Widget] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)  # Streamlit's hash of a page, by its slug
    received: int = 0  # bytes
    _page: str = ""
    _values: dict[str, Any] = field(default_factory=dict)
    _kept: dict[str, ForwardMsg] = field(default_factory=dict)

    async def connect(self, slug: str) -> float:
        """A fresh tab: seconds from opening the connection to the end of the page's first run."""
        cookie = await asyncio.to_thread(self._cookie)
        started = time.perf_counter()
        self._socket = await websockets.connect(
            self.address.replace("http", "ws") + "/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]
            origin=self.address,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookie},
            max_size=None,
        )
        await self._run(page_name=slug)
        return time.perf_counter() - started

    async def close(self) -> None:
        await self._socket.close()

    async def open(self, slug: str) -> float:
        """A click in the menu: seconds to the end of the page's run."""
        self.widgets.clear()
        self._page = self.pages[slug]
        return await self._run()

    async def show_outcomes(self) -> None:
        while waiting := [one for one in self.widgets.values() if one.kind == "button" and one.key.endswith(".show")]:
            for button in waiting:
                del self.widgets[button.element.id]
                await self._press(button)

    def choices(self) -> list[Widget]:
        """What a reader may move in the page's figures."""
        mine = [one for one in self.widgets.values() if one.key.startswith("figure.") and one.kind in MOVED]
        return [one for one in mine if not one.key.endswith(LEFT_ALONE) and ".quiz." not in one.key]

    async def move(self, widget: Widget) -> float:
        """Change the widget, or press it: seconds to the end of the figure's run."""
        if widget.kind == "button":
            return await self._press(widget)
        self._values[widget.element.id] = _other_value(widget, self.chance)
        return await self._run(fragment_id=widget.fragment)

    async def _press(self, button: Widget) -> float:
        return await self._run(fragment_id=button.fragment, pressed=button.element.id)

    def _cookie(self) -> str:
        with urllib.request.urlopen(self.address, timeout=LONGEST_S) as answer:
            return str(answer.headers["Set-Cookie"]).partition(";")[0]

    async def _run(self, page_name: str = "", fragment_id: str = "", pressed: str = "") -> float:
        message = BackMsg()
        run = message.rerun_script
        run.query_string, run.page_name, run.fragment_id = "lang=en", page_name, fragment_id
        run.page_script_hash = self._page
        run.context_info.url = f"{self.address}/{page_name}"
        run.cached_message_hashes.extend(self._kept)
        for widget, value in self._values.items():
            _set(run.widget_states.widgets.add(), widget, value)
        if pressed:
            state = run.widget_states.widgets.add()
            state.id, state.trigger_value = pressed, True
        started = time.perf_counter()
        await self._socket.send(message.SerializeToString())
        await asyncio.wait_for(self._until_finished(), LONGEST_S)
        return time.perf_counter() - started

    async def _until_finished(self) -> None:
        while True:
            data = await self._socket.recv()
            self.received += len(data)
            message = ForwardMsg()
            message.ParseFromString(data)  # type: ignore[arg-type]
            kind = message.WhichOneof("type")
            if kind == "ref_hash":
                message = self._kept[message.ref_hash]
                kind = message.WhichOneof("type")
            elif message.metadata.cacheable:
                self._kept[message.hash] = message
            if kind == "delta":
                self._take(message)
            elif kind == "navigation":
                self.pages = {page.url_pathname: page.page_script_hash for page in message.navigation.app_pages}
            elif kind == "new_session":
                self._page = message.new_session.page_script_hash
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return

    def _take(self, message: ForwardMsg) -> None:
        element = message.delta.new_element
        kind = element.WhichOneof("type")
        if kind == "exception":
            raise RuntimeError(f"the page shows an exception: {element.exception.message}")
        if kind in MOVED:
            widget = Widget(kind, message.delta.fragment_id, getattr(element, kind))
            self.widgets[widget.element.id] = widget


def _other_value(widget: Widget, chance: random.Random) -> Any:
    """A value that the widget allows, at random."""
    element = widget.element
    if element.options if widget.kind != "number_input" else ():
        option = chance.choice(list(element.options))
        return [option] if widget.kind == "slider" else option
    if widget.kind == "slider":
        steps = round((element.max - element.min) / element.step)
        return [element.min + element.step * chance.randint(0, steps)]
    return element.min + element.step * chance.randint(0, min(999, round((element.max - element.min) / element.step)))


def _set(state: Any, widget: str, value: Any) -> None:
    state.id = widget
    if isinstance(value, list) and isinstance(value[0], str):
        state.string_array_value.data.extend(value)
    elif isinstance(value, list):
        state.double_array_value.data.extend(value)
    elif isinstance(value, str):
        state.string_value = value
    else:
        state.double_value = value
