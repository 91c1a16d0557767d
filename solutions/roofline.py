"""What drafting gains on a server that decodes many requests at once: a roofline model, no measurement.

A pass takes as long as the slower of two: reading (the weights and each request's cache, once each) and calculating
(for each row). Nothing else takes time: no launches, no sampling, no scheduling, no communication. Reading and
calculating overlap fully and run at the rates given; all caches fit into the memory; every weight takes part in every
row (no experts); draft tokens are accepted independently with the same probability. The caches are those of one usual
shape, whatever the number of weights. Real servers are slower than this. The name is that of Williams, Waterman and
Patterson, Communications of the ACM 52 (4), 2009.
"""
from __future__ import annotations

import math
from dataclasses import dataclass

from solutions.expected_tokens.solution import check_ranges, expected_tokens

BYTES_A_WEIGHT = 2  # 16 bits
OPERATIONS_A_WEIGHT = 2  # for each row: multiply and add
LAYERS, QUERY_HEADS, CACHE_HEADS, HEAD = 32, 32, 8, 128  # a usual shape for 8 billion weights, for the caches
CACHE_BYTES = 2 * LAYERS * CACHE_HEADS * HEAD * BYTES_A_WEIGHT  # keys and values of one token of context
CACHE_OPERATIONS = 4 * LAYERS * QUERY_HEADS * HEAD  # of a row, for each token of its context
MANY = 2**40  # requests; more than that changes no ratio that a float can tell
ROUNDING = 1e-9  # a gain closer to 1 than that is none


@dataclass(frozen=True)
class Server:
    """weights: of the target. bandwidth: bytes a second. operations: a second. context: tokens of each request."""

    weights: float = 8e9
    bandwidth: float = 3.35e12
    operations: float = 989e12
    context: int = 0

    def reading(self, requests: float) -> float:
        """Seconds in which one pass reads the weights and the caches of its requests."""
        return (self.weights * BYTES_A_WEIGHT + requests * self.context * CACHE_BYTES) / self.bandwidth

    def calculating(self, rows: float) -> float:
        """Seconds in which one pass calculates its rows."""
        return rows * (self.weights * OPERATIONS_A_WEIGHT + self.context * CACHE_OPERATIONS) / self.operations

    def a_pass(self, requests: float, rows_each: int) -> float:
        """Seconds of one pass over `rows_each` rows of each request."""
        return max(self.reading(requests), self.calculating(requests * rows_each))


@dataclass(frozen=True)
class Drafting:
    """alpha, K: as in expected_tokens. c: what drafting one token for the batch costs, in plain passes over that batch.

    The same c at every batch size: that of a draft model c times as large in everything.
    """

    alpha: float
    K: int
    c: float

    def __post_init__(self) -> None:
        check_ranges(alpha=self.alpha, K=self.K, c=self.c)


def seconds_a_token(server: Server, requests: int, drafting: Drafting | None = None) -> float:
    """Seconds between two tokens of one request, on average; None decodes plainly."""
    plain = server.a_pass(requests, 1)
    if drafting is None:
        return plain
    a_round = drafting.K * drafting.c * plain + server.a_pass(requests, drafting.K + 1)
    return a_round / expected_tokens(drafting.alpha, drafting.K)


def tokens_a_second(server: Server, requests: int, drafting: Drafting | None = None) -> float:
    """Of all requests together."""
    return requests / seconds_a_token(server, requests, drafting)


def gain(server: Server, requests: int, drafting: Drafting) -> float:
    """How many times as fast as plain decoding at the same batch size. It never rises with the batch size."""
    return seconds_a_token(server, requests) / seconds_a_token(server, requests, drafting)


def pays(server: Server, requests: int, drafting: Drafting) -> bool:
    """Whether drafting is faster, not just as fast."""
    return gain(server, requests, drafting) > 1.0 + ROUNDING


def largest_paying_batch(server: Server, drafting: Drafting) -> float:
    """The largest batch at which drafting is faster: an integer, 0 where there is none, math.inf without end."""
    if not pays(server, 1, drafting):
        return 0
    if pays(server, MANY, drafting):
        return math.inf
    faster, not_faster = 1, MANY
    while not_faster - faster > 1:
        middle = (faster + not_faster) // 2
        if pays(server, middle, drafting):
            faster = middle
        else:
            not_faster = middle
    return faster


def full_batch(server: Server, rows_each: int = 1) -> float:
    """Requests at which a pass calculates as long as it reads; math.inf where reading the caches is always slower."""
    slope = server.calculating(rows_each) - (server.reading(1.0) - server.reading(0.0))
    return server.reading(0.0) / slope if slope > 0.0 else math.inf
