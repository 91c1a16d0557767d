"""A figure's state in a link: `?dart.target=0.7,0.3&dart.draft=0.4,0.6&dart.seed=7`.

A link is written by anyone, so nothing in it is trusted: a value that can't be used is left out, with a Problem that
says so, and the figure starts from its default there.
"""
from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeVar
from urllib.parse import quote, urlencode, urlsplit, urlunsplit

from lessons.figures.distributions import DEFAULT, Pair, Problem, Unusable, read_pair, written

Value = TypeVar("Value")
Number = TypeVar("Number", int, float)
MAX_SEED = 999_999


class Query:
    """The values of one figure in a query string, and the problems met while reading them."""

    def __init__(self, query: Mapping[str, str], prefix: str) -> None:
        self._query, self._prefix = query, prefix
        self.problems: list[Problem] = []

    def read(self, name: str, convert: Callable[[str], Value], default: Value) -> Value:
        """`convert` raises ValueError for what can't be used."""
        key = f"{self._prefix}.{name}"
        if key not in self._query:
            return default
        try:
            return convert(self._query[key])
        except ValueError:
            self.problems.append(Problem("link.ignored", {"name": key, "got": self._query[key][:60]}))
            return default

    def pair(self) -> Pair:
        target, draft = (self._query.get(f"{self._prefix}.{row}", "") for row in ("target", "draft"))
        if not target and not draft:
            return DEFAULT
        try:
            return read_pair(target, draft)
        except Unusable as error:
            self.problems += [Problem("link.pair", {}), error.problem]
            return DEFAULT

    def one_of(self, name: str, known: Collection[str], default: str) -> str:
        return self.read(name, lambda text: one_of(text, known), default)

    def whole(self, name: str, least: int, most: int, default: int) -> int:
        return self.read(name, lambda text: within(int(text), least, most), default)

    def seed(self, default: int) -> int:
        return self.whole("seed", 0, MAX_SEED, default)


def one_of(value: Value, known: Collection[Value]) -> Value:
    if value not in known:
        raise ValueError(f"got {value!r}; known: {', '.join(map(str, known))}")
    return value


def within(number: Number, least: Number, most: Number) -> Number:
    if not least <= number <= most:
        raise ValueError(f"got {number}; must lie between {least} and {most}")
    return number


def share(text: str) -> float:
    """From 0 to 1 in two decimals, as a slider of the page has it."""
    value = float(text)
    if not 0.0 <= value <= 1.0 or value != round(value, 2):
        raise ValueError(f"got {value}; must lie between 0 and 1, with at most two decimals")
    return abs(value)


def pair_query(pair: Pair) -> dict[str, str]:
    return {row: written(getattr(pair, row)).replace(" ", "") for row in ("target", "draft")}


def link(page: str, prefix: str, values: Mapping[str, str], language: str) -> str:
    """The page's address with the language and one figure's state; other parts of its query are dropped.

    The fragment is the figure's heading, so that the browser goes there.
    """
    query = {"lang": language} | {f"{prefix}.{name}": value for name, value in values.items()}
    parts = urlsplit(page)
    text = urlencode(query, quote_via=quote, safe=",")
    return urlunsplit((parts.scheme, parts.netloc, parts.path or "/", text, prefix))
