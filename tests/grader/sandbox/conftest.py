"""Workers for the tests of the isolation: each tier that this machine is expected to give."""
from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from grader.sandbox import Limits, Nursery, Tier, Worker

QUICK = Limits(cpu_seconds=8, call_seconds=1.5, answer_seconds=5.0)
TIERS = (Tier.FULL, Tier.KERNEL) if sys.platform == "linux" else ()

Start = Callable[..., Worker]


@pytest.fixture(params=TIERS, ids=str)
def strong(request: pytest.FixtureRequest) -> Tier:
    """Each tier that is a sandbox. On Linux a missing one fails the tests; it does not skip them."""
    return Tier(request.param)


@pytest.fixture(params=(*TIERS, Tier.BASIC), ids=str)
def tier(request: pytest.FixtureRequest) -> Tier:
    return Tier(request.param)


@pytest.fixture(params=["started", "forked"])
def start(request: pytest.FixtureRequest) -> Iterator[Start]:
    """start(tier, source="", limits=QUICK, numpy=False): a worker with the source loaded, closed at the end.

    Once as a process of its own, once forked from a warm parent: everything must hold for both. (`kernel` locks both
    down by the same steps without namespaces, so but for the tests of the worker itself its own start is left out.)
    """
    forked = request.param == "forked"
    with ExitStack() as stack:

        def begin(tier: Tier, source: str = "", limits: Limits = QUICK, numpy: bool = False) -> Worker:
            if forked and tier is Tier.BASIC:
                pytest.skip("nothing is forked in the tier basic")
            packages = ("numpy",) if numpy else ()
            parent = nursery(tier, packages) if forked else None
            worker = stack.enter_context(Worker(tier, limits, packages, packages, parent))
            if source:
                loaded = worker.load(source)
                assert loaded.ok, loaded
            return worker

        yield begin


@cache
def nursery(tier: Tier, packages: tuple[str, ...] = ()) -> Nursery:
    """One warm parent for all tests; it ends with this process."""
    return Nursery(tier, packages, packages, {})


NEEDLESS = {(Tier.BASIC, "forked"), (Tier.KERNEL, "started")}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if item.path.parent != Path(__file__).parent or _wanted(item)]


def _wanted(item: pytest.Item) -> bool:
    callspec = getattr(item, "callspec", None)
    params = callspec.params if callspec is not None else {}
    tier, start = params.get("tier", params.get("strong")), params.get("start")
    return (tier, start) not in NEEDLESS or (item.path.name == "test_worker.py" and tier is Tier.KERNEL)
