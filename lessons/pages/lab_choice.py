"""What the reader chooses for a lab run."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from grader.language import Words
from lessons.figures.frame import plain
from lessons.lab import limits
from lessons.lab.report import size
from solutions.lab import choice as offers
from solutions.lab.choice import Choice, fitting

EXERCISE = "verify_batch"
DEFAULT = Choice()


def inputs(words: Words, devices: Mapping[str, str], own: bool) -> Choice | None:
    """The controls, and the choice that they are in; None, with the reason on the page, where it can't be run.

    devices: their names. own: whether there is an answer of the reader's to run.
    """
    device = _device(words, devices)
    with st.container(horizontal=True):
        requests = _pick(words, "requests", offers.REQUESTS, DEFAULT.requests, "{:,}".format)
        drafts = _pick(words, "drafts", offers.DRAFTS, DEFAULT.drafts, str)
        vocabulary = _pick(words, "size", offers.SIZES, DEFAULT.size, "{:,}".format)
    with st.container(horizontal=True):
        dtype = _pick(words, "dtype", list(offers.DTYPES), DEFAULT.dtype, str)
        alpha = _pick(words, "alpha", offers.ALPHAS, DEFAULT.alpha, str)
        given = _pick(words, "given", ("probabilities", "logits"), "probabilities", lambda one: words(f"given.{one}"))
        lengths = _pick(words, "lengths", ("equal", "ragged"), "equal", lambda one: words(f"lengths.{one}"))
    runs = _runs(words, device, own)
    if not runs:
        st.info(words("no_runs"))
        return None
    ragged, logits = lengths == "ragged", given == "logits"
    choice = Choice(device, requests, drafts, vocabulary, dtype, alpha, ragged, logits, tuple(runs))
    return choice if _fits(words, choice) else None


def _pick(words: Words, name: str, options: Sequence[Any], default: Any, label: Callable[[Any], str]) -> Any:
    key = f"lab.{name}"
    st.session_state.setdefault(key, default)
    return st.selectbox(
        words(f"choice.{name}"), options, key=key, format_func=label, width=150, persist_state="session",
        help=words(f"choice_help.{name}"),
    )  # fmt: skip


def _device(words: Words, devices: Mapping[str, str]) -> str:
    """A choice only where there is one; what can't be used is said."""
    usable = [name for name in offers.DEVICES if name in devices]
    if "cuda" in usable:
        st.session_state.setdefault("lab.device", "cpu")
        return str(
            st.segmented_control(
                words("device.label"), usable, key="lab.device", required=True, persist_state="session",
                format_func=lambda name: f"{name.upper()}: {devices[name]}",
            )
        )  # fmt: skip
    key = "device.none" if not usable else "device.mps" if "mps" in devices else "device.cpu"
    st.caption(words(key, processor=plain(devices.get("cpu", ""))))
    return "cpu"


def _runs(words: Words, device: str, own: bool) -> list[str]:
    """Which ways to race; the reader's own only where there is an answer, and a judge that may run it."""
    offered = [run for run in offers.RUNS[device] if run != "own" or own]
    default = [run for run in DEFAULT.runs if run in offered] + [run for run in offered if run == "triton"]
    chosen = st.pills(
        words("runs.label"), offered, selection_mode="multi", default=default, key=f"lab.runs.{device}.{own}",
        format_func=lambda run: words(f"run.{run}"), persist_state="session",
    )  # fmt: skip
    if device == "cpu":
        st.caption(words("runs.own" if own else "runs.no_own"))
    return [run for run in offered if run in chosen]


def _fits(words: Words, choice: Choice) -> bool:
    """Whether memory allows it; else what it needs, what there is, and what would fit."""
    most = limits.limit()
    if choice.needed <= most:
        return True
    smaller = fitting(choice, most)
    slots = {
        "requests": f"{choice.requests:,}", "drafts": choice.drafts, "size": f"{choice.size:,}", "dtype": choice.dtype,
        "needed": size(choice.needed), "limit": size(most),
    }  # fmt: skip
    if smaller is None:
        st.error(words("too_large.nothing", **slots))
    else:
        key = "too_large.requests" if smaller.size == choice.size else "too_large.size"
        st.error(words(key, **slots, fewer=f"{smaller.requests:,}", smaller=f"{smaller.size:,}"))
    return False
