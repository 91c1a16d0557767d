"""Our own Streamlit components (components v2): a host element, and a script that the app serves as a static file."""
from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

ASSETS = Path(__file__).parent.parent / "assets"  # the app serves them under assets/

# The page's own address is the base: a relative import would be resolved against the loader's blob.
_LOADER = """export default async component => {{
  const own = await import(new URL("assets/{name}.js?v={version}", document.baseURI))
  return own.default(component)
}}
"""


def component(name: str) -> Callable[..., Any]:
    """The component of assets/<name>.js and .css, which finds its place as .<name>-host.

    Registered on each run: Streamlit keeps components by name, and a test starts a new registry.
    """
    html, js = f'<div class="{name}-host"></div>', _LOADER.format(name=name, version=_version(name))
    made: Callable[..., Any] = st.components.v2.component(f"figure_{name}", html=html, js=js)
    return made


@functools.cache
def _version(name: str) -> str:
    """A short hash of the files: a change is a new address, so no browser keeps the old ones."""
    files = (ASSETS / f"{name}.{kind}" for kind in ("js", "css"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
