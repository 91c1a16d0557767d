"""Our own modules, compiled for the isolated process."""
from __future__ import annotations

import binascii
import functools
import marshal
from collections.abc import Mapping


def compiled(modules: Mapping[str, str]) -> list[list[str]]:
    """Name and code (marshalled, base64) of each module, from name -> source."""
    return [[name, _compiled(name, source)] for name, source in modules.items()]


@functools.cache
def _compiled(name: str, source: str) -> str:
    """One module as code of the worker's Python, which is this one without its virtual environment."""
    code = compile(source, f"<{name}>", "exec", dont_inherit=True)
    return binascii.b2a_base64(marshal.dumps(code), newline=False).decode("ascii")
