"""Recognises known wrong answers by what they do: the same outputs on the exercise's probe arguments."""
from __future__ import annotations

import copy
import functools
import itertools
import math
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from exercises.expect import is_array, is_number
from grader.catalogue import BLANK, ContentError, Exercise, Functions, Mistake, load
from grader.proxy import StudentFailure
from grader.reading.suites import lifted, trimmed
from grader.sandbox import Opaque
from grader.verdicts import Verdict
from solutions.cases import Probe

PAIRS = 150  # that are run for one answer: hundreds take seconds
NEAR = 1e-6  # relative or absolute: epsilons of 1e-8 and 1e-12 are one mistake; content is far further apart


class Seen(NamedTuple):
    """What one probe gave: a value, or the class of the exception."""

    value: Any = None
    error: str = ""


Behaviour = tuple[Seen, ...]


def match(exercise: Exercise, answer: Callable[..., Any] | Functions) -> tuple[Mistake, ...]:
    """The known mistake that the answer behaves like, else the pair of mistakes in different blanks.

    Else, where there are several functions or a function gives a tuple, the known mistakes that explain single parts of
    what they give: a student who gets two blanks wrong, one of them in a new way, still hears about the other. Else
    nothing. answer: the functions by name, or the only one.
    """
    seen = behaviour(answer, exercise.probes)
    if seen is None:
        return ()
    right = behaviour(exercise.solutions, exercise.probes) or ()
    for mistakes in _worth_comparing(exercise, seen, right):
        if same(seen, _behaviour_of(exercise.id, tuple(mistake.id for mistake in mistakes))):
            return mistakes
    return _by_part(exercise, seen, right)


def _worth_comparing(exercise: Exercise, seen: Behaviour, right: Behaviour) -> Iterator[tuple[Mistake, ...]]:
    """Every mistake, then the pairs that fill different blanks and are likeliest to explain the answer.

    On a probe on which one of a pair does no harm alone, the pair mostly gives what the other one gives: the fewer
    probes contradict that, the likelier the pair.
    """
    yield from ((mistake,) for mistake in exercise.mistakes)
    alone = {mistake.id: _behaviour_of(exercise.id, (mistake.id,)) for mistake in exercise.mistakes}
    harmless = {name: _alike(known, right) for name, known in alone.items()}
    fits = {name: _alike(known, seen) for name, known in alone.items()}

    def contradicting(pair: tuple[Mistake, Mistake]) -> int:
        one, other = pair[0].id, pair[1].id
        return len((harmless[other] - fits[one]) | (harmless[one] - fits[other]))

    yield from sorted(_pairs(exercise), key=contradicting)[:PAIRS]


def _alike(one: Behaviour, other: Behaviour) -> frozenset[int]:
    """The probes on which two behaviours are the same."""
    return frozenset(number for number, both in enumerate(zip(one, other, strict=True)) if same(*both))


def _by_part(exercise: Exercise, seen: Behaviour, right: Behaviour) -> tuple[Mistake, ...]:
    named: list[Mistake] = []
    for part in _parts(exercise, seen):
        mine = part.of(seen)
        if same(mine, part.of(right)):
            continue
        known = (one for one in exercise.mistakes if same(mine, part.of(_behaviour_of(exercise.id, (one.id,)))))
        named += [mistake for mistake in itertools.islice(known, 1) if mistake not in named]
    return tuple(named)


class _Part(NamedTuple):
    """What one function gives to its probes: all of it, or of tuples what is in one place."""

    probes: tuple[int, ...]
    place: int | None

    def of(self, seen: Behaviour) -> tuple[Any, ...]:
        """This part of each answer, () where it has none; all of an answer that is an error."""
        return tuple(self._of(seen[number]) for number in self.probes)

    def _of(self, one: Seen) -> Any:
        if one.error or self.place is None:
            return one
        return one.value[self.place : self.place + 1] if isinstance(one.value, (tuple, list)) else ()


def _parts(exercise: Exercise, seen: Behaviour) -> Iterator[_Part]:
    """Function by function: the places of the tuples that it gives, or its answers as they are."""
    called = [probe.function if isinstance(probe, Probe) else exercise.id for probe in exercise.probes]
    for name in dict.fromkeys(called):
        numbers = tuple(number for number, other in enumerate(called) if other == name)
        counts = {len(seen[number].value) if isinstance(seen[number].value, tuple) else 0 for number in numbers}
        size = counts.pop() if len(counts) == 1 else 0
        yield from (_Part(numbers, index) for index in (range(size) if size else (None,)))


def behaviour(answer: Callable[..., Any] | Functions, probes: Iterable[Probe | tuple[Any, ...]]) -> Behaviour | None:
    """What the answer does on each probe; None where a probe found no end (time, memory, a killed process)."""
    seen: list[Seen] = []
    for probe in probes:
        try:
            seen.append(Seen(probed(answer, probe)))
        except StudentFailure as failure:
            if failure.verdict is not Verdict.ERROR:
                return None
            seen.append(Seen(error=failure.error_class))
        except Exception as error:
            seen.append(Seen(error=type(error).__name__))
    return tuple(seen)


def probed(answer: Callable[..., Any] | Functions, probe: Probe | tuple[Any, ...]) -> Any:
    """What the answer gives for one probe, called with copies. A mere tuple: arguments of the main function."""
    if not isinstance(probe, Probe):
        function = next(iter(answer.values())) if isinstance(answer, Mapping) else answer
        return function(*copy.deepcopy(probe))
    function = answer[probe.function] if isinstance(answer, Mapping) else answer
    return function(*(probe.arguments() if callable(probe.arguments) else copy.deepcopy(probe.arguments)))


def same(one: Any, other: Any) -> bool:
    """Equal values: numbers within NEAR (NaN equals NaN), a tuple equals a list, arrays equal by element."""
    one, other = _plain(one), _plain(other)
    if is_number(one) and is_number(other):
        return _same_number(one, other)
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, Opaque) and isinstance(other, Opaque):  # all that is known of a Fraction, say, is its type
        return one.type_name == other.type_name
    return type(one) is type(other) and bool(one == other)


def _plain(value: Any) -> Any:
    """Arrays, tensors and NumPy's numbers as lists and numbers of Python's."""
    return value.tolist() if is_array(value) or type(value).__module__ == "numpy" else value


def _same_number(one: Any, other: Any) -> bool:
    try:
        first, second = float(one), float(other)
    except OverflowError:  # an int beyond the floats
        return bool(one == other)
    if math.isnan(first) or math.isnan(second):
        return math.isnan(first) and math.isnan(second)
    return math.isclose(first, second, rel_tol=NEAR, abs_tol=NEAR)


def _pairs(exercise: Exercise) -> Iterator[tuple[Mistake, Mistake]]:
    """The pairs of mistakes in different blanks."""
    right = solution_blanks(exercise)
    blanks = {mistake.id: wrong_blanks(mistake, right) for mistake in exercise.mistakes}
    pairs = itertools.combinations(exercise.mistakes, 2)
    return ((one, other) for one, other in pairs if blanks[one.id].isdisjoint(blanks[other.id]))


def wrong_blanks(mistake: Mistake, right: dict[str, str]) -> frozenset[str]:
    """The blanks that the mistake fills in another way than the solution."""
    return frozenset(name for name, text in mistake.blanks.items() if trimmed(text) != right[name])


def solution_blanks(exercise: Exercise) -> dict[str, str]:
    """The right text of each blank, read off the solution. Raises ContentError where it isn't the stub, filled."""
    pattern = "(.*?)".join(re.escape(part) for part in exercise.stub.split(BLANK))
    found = re.fullmatch(pattern, exercise.solution_source, re.DOTALL)
    if found is None:
        raise ContentError(f"solutions/{exercise.id}/solution.py is not the stub with its blanks filled")
    given = zip(exercise.blank_ids, exercise.columns, found.groups(), strict=True)
    return {name: text if column is None else lifted(text, column) for name, column, text in given}


def wrong_function(exercise: Exercise, *mistakes: Mistake) -> Callable[..., Any]:
    """The exercise's main function with these mistakes; our own code."""
    return wrong_functions(exercise, *mistakes)[exercise.id]


def wrong_functions(exercise: Exercise, *mistakes: Mistake) -> dict[str, Callable[..., Any]]:
    """The exercise's functions with these mistakes in their blanks and every other blank right; our own code."""
    right = solution_blanks(exercise)
    blanks = dict(right)
    for mistake in mistakes:
        blanks |= {name: mistake.blanks[name] for name in wrong_blanks(mistake, right)}
    preamble = "\n\n".join(mistake.preamble for mistake in mistakes if mistake.preamble)
    space: dict[str, Any] = {"__name__": "known_mistake"}
    exec(compile(exercise.fill(blanks, preamble), f"<{mistakes[0].id}>", "exec"), space)
    return {name: space[name] for name in exercise.functions}


@functools.cache
def _behaviour_of(exercise_id: str, mistake_ids: tuple[str, ...]) -> Behaviour:
    exercise = load(exercise_id)
    mistakes = (mistake for mistake in exercise.mistakes if mistake.id in mistake_ids)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a wrong answer may divide by zero on purpose
        seen = behaviour(wrong_functions(exercise, *mistakes), exercise.probes)
    assert seen is not None
    return seen
