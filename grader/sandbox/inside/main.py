"""The isolated process: lock down, prove it, then answer one request at a time until the pipe closes."""
from __future__ import annotations

import binascii
import gc
import importlib
import io
import json
import marshal
import mmap
import os
import sys
import types
from collections.abc import Callable

from . import codec, frames
from .student import Student, describe
from .watch import Watch

TYPE_CHECKING = False  # importing typing costs every worker three milliseconds
if TYPE_CHECKING:
    from typing import Any

BALLAST = 1 << 20  # bytes let go when memory runs out, so that the error can still be told


def main(loaded: bool = False) -> None:
    """Serve requests from what was standard input, reply to what was standard output.

    loaded: the parent that forked this process has imported the packages.
    """
    requests, replies = _take_over_pipes()
    configuration = frames.receive(requests)
    if configuration is None:
        return
    report = _lock_down(configuration)
    os.chdir(configuration["cwd"])
    if loaded:
        _reseed()
    else:
        load_packages(configuration)
    frames.send(replies, {"ready": report})
    worker = _Worker()
    while (request := frames.receive(requests)) is not None:
        frames.send(replies, {"seq": request["seq"], **worker.answer(request)})


def _take_over_pipes() -> tuple[int, int]:
    """Move the two protocol pipes away from 0 and 1, so that student code reads nothing and prints to descriptor 2."""
    requests, replies = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")
    return requests, replies


def load_packages(configuration: dict[str, Any]) -> None:
    """Import what the exercise needs, and from nowhere else from now on."""
    sys.argv[1:] = []
    sys.path[:] = [entry for entry in sys.path if entry != configuration["inside"]]
    sys.path += configuration["site"]
    for name in configuration["preload"]:
        importlib.import_module(name)
    if "tempfile" in sys.modules:  # nothing is writable: don't search for a place at each call
        vars(sys.modules["tempfile"])["tempdir"] = configuration["cwd"]
    gc.freeze()  # what is loaded by now stays


def _reseed() -> None:
    """Random numbers of its own for a forked process; the standard library's `random` sees to itself."""
    for name in ("numpy.random", "torch"):
        if name in sys.modules:
            sys.modules[name].seed()


def _lock_down(configuration: dict[str, Any]) -> dict[str, Any]:
    if os.name == "nt":
        return {"landlock": 0, "refused": {}}
    from . import lockdown, selftest

    lockdown.become(configuration["uid"])
    strict = configuration["tier"] != "basic"
    lockdown.limit_resources(configuration["limits"], strict)
    if not strict:
        return {"landlock": 0, "refused": {}}
    lockdown.drop_capabilities()
    lockdown.forbid_new_privileges()
    landlock = lockdown.restrict_files(configuration["readable"], configuration["listable"], configuration["writable"])
    lockdown.filter_system_calls(bytes.fromhex(configuration["filter"]))
    return {"landlock": landlock, "refused": selftest.run(configuration["hidden"], configuration["cwd"])}


class _Worker:
    def __init__(self) -> None:
        self._student, self._has_leftovers = Student(), False
        self._ballast: mmap.mmap | None = None
        self._tensors = "torch" in sys.modules
        own = {"worker": _Worker, "student": Student, "codec": codec, "encoder": codec._Encoder, "frames": frames}
        self._watch = Watch(own)
        self._do: dict[str, Callable[[dict[str, Any], list[Any]], object]] = {
            "load": self._load, "call": self._call, "trusted": self._trusted, "look": lambda request, arguments: None
        }  # fmt: skip

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Do one request; whatever it raises becomes part of the reply."""
        arguments: list[Any] = []
        met: list[type] = []
        try:
            self._ballast = self._ballast or mmap.mmap(-1, BALLAST)  # address space only: nothing is written to it
            arguments += (codec.decode(argument, self._tensors) for argument in request["arguments"])
            reply = {"value": codec.encode_or_opaque(self._do[request["do"]](request, arguments), met)}
        except MemoryError as error:
            self._let_go()
            reply = {"error": describe(error)}
        except BaseException as error:  # SystemExit and KeyboardInterrupt end the request, not the judge
            reply = {"error": describe(error)}
        reply["changed"] = _changed(request["arguments"], arguments)
        seen = [] if request["do"] == "trusted" else self._seen(met, request["do"] == "call")
        return {**reply, "seen": seen} if seen else reply

    def _let_go(self) -> None:
        if self._ballast is not None:
            self._ballast.close()
            self._ballast = None

    def _seen(self, met: list[type], after_call: bool) -> list[list[str]]:
        try:
            return self._watch.look(self._student.names, met, after_call)
        except BaseException:  # whatever the program has broken, its value still travels
            return []

    def _load(self, request: dict[str, Any], arguments: list[Any]) -> None:
        if self._has_leftovers:
            gc.collect()
        _prepared.clear()
        self._student.load(request["source"])

    def _call(self, request: dict[str, Any], arguments: list[Any]) -> object:
        return self._student.call(request["name"], arguments)

    def _trusted(self, request: dict[str, Any], arguments: list[Any]) -> object:
        # Functions and their globals refer to each other: only the collector frees them. What a parent has prepared is
        # frozen and stays, unused, as all of the parent's memory does.
        self._has_leftovers = request["modules"] is not None
        return run_trusted(request["modules"], request["function"], arguments)


_prepared: list[types.ModuleType] = []


def prepare_trusted(modules: list[list[str]], function: str, arguments: list[Any]) -> None:
    """Make our own modules in a parent, for its children's `run_trusted`; `_load` drops them.

    The function is called once, because the first call is the slow one: it compiles patterns and fills caches.
    """
    try:
        _prepared.extend(_made(modules))
    finally:
        _forget(modules)
    if function:
        run_trusted(None, function, arguments)


def run_trusted(modules: list[list[str]] | None, function: str, arguments: list[Any]) -> object:
    """Run our own modules on hostile text, and leave nothing of them behind for the student's code to find.

    modules: name and compiled code (marshalled, base64) of each; None: the prepared ones.
    """
    try:
        made = _prepared if modules is None else _made(modules)
        sys.modules.update({module.__name__: module for module in made})
        module_name, _, attribute = function.rpartition(".")
        result = getattr(sys.modules[module_name], attribute)(*arguments)
        return codec.decode(json.loads(json.dumps(codec.encode(result))))  # a copy without references into the modules
    finally:
        _forget([[module.__name__] for module in _prepared] if modules is None else modules)


def _made(modules: list[list[str]]) -> list[types.ModuleType]:
    """Each module, run while those before it are importable."""
    made = []
    for name, code in modules:
        module = types.ModuleType(name)
        sys.modules[name] = module
        exec(marshal.loads(binascii.a2b_base64(code)), module.__dict__)
        made.append(module)
    return made


def _forget(modules: list[list[str]]) -> None:
    for name, *_ in modules:
        sys.modules.pop(name, None)


def _changed(sent: list[Any], arguments: list[Any]) -> list[Any] | None:
    """The arguments as they are now, None where the call left them as they were sent."""
    now = [codec.encode_or_opaque(argument) for argument in arguments]
    return None if now == sent else now
