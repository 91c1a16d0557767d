"""The runs of the lab by name: how each verifies a batch, and how it is checked under given uniforms."""
from __future__ import annotations

import functools
import importlib.util
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from solutions.batch import fast_numpy, fast_torch, logits_numpy, logits_torch
from solutions.batch.batch import Batch
from solutions.lab import tutorial, tutorial_torch
from solutions.lab.choice import IN_NUMPY, OWN_LIMIT, Choice

Verify = Callable[[Batch], tuple[Any, Any]]


@dataclass(frozen=True)
class Run:
    """verify: what is timed. check: the same with the batch's own uniforms in every draw. arrays: it takes NumPy's."""

    verify: Verify
    check: Verify
    arrays: bool = False

    def given(self, batch: Batch) -> Batch:
        """The batch, tensors, as this run takes it; NumPy shares the tensors' memory."""
        return Batch(*(part.numpy() for part in batch)) if self.arrays else batch


class NotHere(Exception):
    """A run that this machine or this choice doesn't allow; the message is the key of a text."""


def run_of(name: str, choice: Choice, own: Callable[..., Any] | None = None) -> Run:
    """own: the reader's function, with verify_batch's signature. Raises NotHere."""
    if choice.device == "cpu" and name in IN_NUMPY:
        if choice.dtype == "bfloat16":
            raise NotHere("no_bfloat16")
        return _in_numpy(name, choice.logits)
    verify = _in_torch(name, choice, own)
    return Run(verify, verify)


def _in_numpy(name: str, logits: bool) -> Run:
    if name == "numpy":
        verify: Verify = logits_numpy.verify if logits else fast_numpy.verify
        return Run(verify, verify, arrays=True)
    if name == "textbook":
        textbook = _after_softmax(tutorial.textbook_batch, logits_numpy.softmax, logits)
        return Run(textbook, textbook, arrays=True)
    return Run(_loop(tutorial.by_numpy, logits), _loop(tutorial.by_uniform, logits), arrays=True)


def _loop(choose: tutorial.Choose, logits: bool) -> Verify:
    return _after_softmax(functools.partial(tutorial.naive_loop, choose=choose), logits_numpy.softmax, logits)


def _in_torch(name: str, choice: Choice, own: Callable[..., Any] | None) -> Verify:
    if name == "naive":
        return _after_softmax(tutorial_torch.naive_loop, _softmax, choice.logits)
    if name == "textbook":
        return _after_softmax(tutorial_torch.textbook_batch, _softmax, choice.logits)
    if name == "eager":
        return logits_torch.verify if choice.logits else fast_torch.verify
    if name == "compiled":
        if choice.device == "cpu" and not has_compiler():
            raise NotHere("no_compiler")
        return logits_torch.verify_compiled if choice.logits else fast_torch.verify_compiled
    if name == "triton":
        return _fused(choice.logits)
    return _own(choice, own)


def _fused(logits: bool) -> Verify:
    if importlib.util.find_spec("triton") is None:
        raise NotHere("no_triton")
    from solutions.batch import fused_triton

    return functools.partial(fused_triton.verify, logits=logits)


def _own(choice: Choice, own: Callable[..., Any] | None) -> Verify:
    """The exercise's function takes probabilities; what it returns is read where it is checked."""
    if own is None:
        raise NotHere("no_own")
    if choice.rows * choice.row_bytes > OWN_LIMIT:
        raise NotHere("own_too_large")
    return _after_softmax(lambda batch: own(*batch), _softmax, choice.logits)


def _after_softmax(verify: Verify, softmax: Callable[[Any], Any], logits: bool) -> Verify:
    """From logits it makes probabilities of all rows first."""
    if not logits:
        return verify
    return lambda batch: verify(
        batch._replace(target_rows=softmax(batch.target_rows), draft_rows=softmax(batch.draft_rows))
    )


def _softmax(rows: Any) -> Any:
    return rows.softmax(1) if rows.dtype == torch.float64 else rows.float().softmax(1)


def has_compiler() -> bool:
    return any(shutil.which(name) for name in (os.environ.get("CXX") or "c++", "g++", "clang++", "cl"))
